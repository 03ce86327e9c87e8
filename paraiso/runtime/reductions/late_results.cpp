#include "paraiso/runtime/reductions/late_results.hpp"

#include <algorithm>

#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::runtime {

om::Constant LateResults::reduced(const LateShare& share, std::vector<const char*>& next) {
  std::uint64_t bits = 0;
  whole_->finish(share, next, &bits);
  for (std::size_t rank = 0; rank < next.size(); ++rank) next[rank] += whole_->bytes(rank, share);
  const om::ValueId result = late_.results[static_cast<std::size_t>(share.late)];
  return om::Array{graph_.type(result).element, {bits}}.at(0);
}

const std::vector<om::Constant>& LateResults::values() {
  if (!values_.empty()) return values_;
  std::vector<const char*> next;
  for (const Bytes& items : items_) next.push_back(items.data());
  std::vector<om::Constant> results(late_.results.size());
  for (const LateShare& share : shares_)
    results[static_cast<std::size_t>(share.late)] = reduced(share, next);
  values_ = om::late_globals(graph_, late_, size_, before_, results);
  return values_;
}

std::optional<om::Constant> LateResults::value_of(om::StaticId target) {
  const auto found = std::ranges::find(late_.targets, target);
  if (found == late_.targets.end()) return std::nullopt;
  return values()[static_cast<std::size_t>(found - late_.targets.begin())];
}

}  // namespace paraiso::runtime
