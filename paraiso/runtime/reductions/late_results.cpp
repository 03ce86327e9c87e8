#include "paraiso/runtime/reductions/late_results.hpp"

#include <algorithm>
#include <cstring>

#include "paraiso/om/interpret.hpp"
#include "paraiso/runtime/reductions/whole_reduction.hpp"

namespace paraiso::runtime {

om::Constant LateResults::reduced(LateShare share, std::vector<std::size_t>& offsets) {
  std::uint64_t bits = 0;
  share.result = &bits;
  WholeReduction whole(size_, share);
  Bytes all;
  for (std::size_t rank = 0; rank < boxes_.size(); ++rank) {
    const char* const items = items_[rank].data() + offsets[rank];
    const std::size_t count =
        share.ordered ? WholeReduction::item_count(size_, boxes_[rank]) : std::size_t{1};
    if (share.ordered)
      whole.add(boxes_[rank], items);
    else
      all.insert(all.end(), items, items + share.bytes);
    offsets[rank] += count * share.bytes;
  }
  const auto ranks = static_cast<std::int64_t>(boxes_.size());
  if (share.ordered)
    whole.finish(&bits);
  else
    share.tree(all.data(), &ranks, 1, &bits);
  const om::ValueId result = late_.results[static_cast<std::size_t>(share.late)];
  return om::Array{graph_.type(result).element, {bits}}.at(0);
}

const std::vector<om::Constant>& LateResults::values() {
  if (!values_.empty()) return values_;
  std::vector<std::size_t> offsets(boxes_.size());
  std::vector<om::Constant> results(late_.results.size());
  for (const LateShare& share : shares_)
    results[static_cast<std::size_t>(share.late)] = reduced(share, offsets);
  values_ = om::late_globals(graph_, late_, size_, before_, results);
  return values_;
}

std::optional<om::Constant> LateResults::value_of(om::StaticId target) {
  const auto found = std::ranges::find(late_.targets, target);
  if (found == late_.targets.end()) return std::nullopt;
  return values()[static_cast<std::size_t>(found - late_.targets.begin())];
}

}  // namespace paraiso::runtime
