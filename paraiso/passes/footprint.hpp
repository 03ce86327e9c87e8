// footprint: how far beyond the core each value is needed, per axis and per side.
// Gives: Extent, StandsFor, footprints. Needs: om.
//
//   %1 = shift %0 (-2)    # reads x + 2
//   store f %1            ->  %0 is needed on [0, N + 2): lower 0, upper 2
//
// Upwind and asymmetric stencils are normal: the sides never share a number. Of a chained kernel,
// each step has widths of its own: `load f @1` needs so much of what `store f @0` wrote.
#pragma once

#include <functional>
#include <optional>

#include "paraiso/om/machine.hpp"

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

/// The value that a Load, read on `box`, stands for, so that this is needed there, too; or none.
using StandsFor = std::function<std::optional<om::ValueId>(om::ValueId load, const Extent& box)>;

/// Per value of `graph`, were every value computed once on one box; dead values have none. What a
/// step stores is needed on the core alone, for its halo is filled by its boundary, but where a
/// Load stands for it. Loads are asked for once each, after all that they are read for.
[[nodiscard]] std::vector<Extent> footprints(const om::Graph& graph,
                                             const StandsFor& stands_for = {});

}  // namespace paraiso::passes
