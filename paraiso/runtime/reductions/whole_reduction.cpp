#include "paraiso/runtime/reductions/whole_reduction.hpp"

#include "paraiso/support/mpi/join.hpp"

namespace paraiso::runtime {

WholeReduction::WholeReduction(om::Cell size, const std::vector<om::Box>& boxes)
    : size_(std::move(size)) {
  for (const om::Box& box : boxes) parts_.emplace_back(size_, box.lower, box.upper);
}

Bytes WholeReduction::own(std::size_t rank, const Reducing& share) const {
  if (share.ordered) return paraiso_mpi::nodes_of(share, parts_[rank], size_);
  Bytes number(share.bytes);
  share.tree(share.items, share.extents, share.axes, number.data());
  return number;
}

void WholeReduction::finish(const Reducing& like, const std::vector<const char*>& sent,
                            void* result) const {
  if (like.ordered) {
    std::vector<paraiso_mpi::PartNumbers> numbers;
    for (std::size_t rank = 0; rank < sent.size(); ++rank)
      numbers.push_back({&parts_[rank], sent[rank]});
    return paraiso_mpi::join_nodes(like, size_, std::move(numbers), result);
  }
  Bytes all;
  for (const char* number : sent) all.insert(all.end(), number, number + like.bytes);
  const auto ranks = static_cast<std::int64_t>(sent.size());
  like.tree(all.data(), &ranks, 1, result);
}

}  // namespace paraiso::runtime
