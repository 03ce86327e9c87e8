// footprint: how far beyond the core each value is needed, per axis and per side.
// Gives: Extent, StandsFor, footprints. Needs: om.
//
//   %1 = shift %0 (-2)    # reads x + 2
//   store f %1            ->  %0 is needed on [0, N + 2): lower 0, upper 2
//
// Upwind and asymmetric stencils are normal: the sides never share a number. In a kernel of several
// steps each step has its own widths: those of `load f @1` are how far the second step reads what
// `store f @0` wrote.
#pragma once

#include <functional>
#include <optional>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

/// A box: the core widened by `lower[a]` cells below and `upper[a]` above, along each axis; all >=
/// 0.
struct Extent {
  std::vector<std::int32_t> lower, upper;

  Extent() = default;
  explicit Extent(int dimension) : lower(dimension), upper(dimension) {}
  /// Grows to hold what a consumer on `box` reads of a value at displacement `offset`.
  void include(const Extent& box, const om::Offset& offset);
  void include(const Extent& box);
  [[nodiscard]] bool is_core() const;
  /// `[-1, N+2) x [0, N)`
  [[nodiscard]] std::string text() const;
  friend auto operator<=>(const Extent&, const Extent&) = default;
};

/// If a Load that is read on `box` stands for another value: that value, which is then needed on
/// `box` too.
using StandsFor = std::function<std::optional<om::ValueId>(om::ValueId load, const Extent& box)>;

/// The footprint of each value of `graph` if every value is computed once, on one box; dead values
/// have none. A stored value is needed on the core only, because its boundary fills the halo,
/// unless a Load stands for it. `stands_for` is called once per Load, after all that reads it.
[[nodiscard]] std::vector<Extent> footprints(const om::Graph& graph,
                                             const StandsFor& stands_for = {});

}  // namespace paraiso::passes
