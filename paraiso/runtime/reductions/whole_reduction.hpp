// WholeReduction: what each rank sends of its share of a reduction, and the whole's from all of it.
// Gives: WholeReduction. Needs: Box, transport, nodes.hpp.
#pragma once

#include <vector>

#include "paraiso/om/cells/box.hpp"
#include "paraiso/runtime/transport/transport.hpp"
#include "paraiso/support/mpi/nodes.hpp"

namespace paraiso::runtime {

/// Of one division. A rank sends one number, or nodes of the tree where their order shows in the
/// bits: what om::PartialReduction counts.
class WholeReduction {
 public:
  using Reducing = paraiso_support::Reducing;

  WholeReduction(om::Cell size, const std::vector<om::Box>& boxes);

  /// What a rank sends of its own cells' items, which are overwritten.
  [[nodiscard]] Bytes own(std::size_t rank, const Reducing& share) const;
  [[nodiscard]] std::size_t bytes(std::size_t rank, const Reducing& share) const {
    return share.bytes * (share.ordered ? parts_[rank].count() : 1);
  }
  /// The result, from what the ranks have sent, in turn. `like`: any rank's share, for its kind.
  void finish(const Reducing& like, const std::vector<const char*>& sent, void* result) const;

  /// Whether the solver of a rank that has `box` gives an item for each cell of an ordered one.
  [[nodiscard]] bool gives_cells(const om::Box& box) const {
    return paraiso_support::cuts_chunks(box.lower[0], box.upper[0], size_[0]);
  }

 private:
  om::Cell size_;
  std::vector<paraiso_mpi::NodesOf> parts_;  // by rank
};

}  // namespace paraiso::runtime
