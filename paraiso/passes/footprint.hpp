// footprint: how far beyond the core each value is needed, per axis and per side.
// Gives: Extent, footprints, tile_footprints, halo_widths. Needs: om.
//
//   %1 = shift %0 (-2)    # reads x + 2
//   store f %1            ->  %0 is needed on [0, N + 2): lower 0, upper 2
//
// Upwind and asymmetric stencils are normal: the sides never share a number. Of a chained kernel,
// each step has widths of its own: `load f @1` needs so much of what `store f @0` wrote.
#pragma once

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

/// Per value of `graph`, were every value computed once on one box; dead values have none. What a
/// step stores is needed on the core alone: its halo is filled by its boundary.
[[nodiscard]] std::vector<Extent> footprints(const om::Graph& graph);

/// As footprints, of a tile in the place of the core: a tile's neighbours recompute what lies
/// between them, so what `store f @0` writes is needed as far as `load f @1` reads it. Widths thus
/// add up from the last step to the first; Reduces need the tile alone.
[[nodiscard]] std::vector<Extent> tile_footprints(const om::Graph& graph);

/// Per static, the halo that `graph` reads of it, over all steps; zero where it is not loaded.
[[nodiscard]] std::vector<Extent> halo_widths(const om::Graph& graph);
/// Per step and static, the halo that the Loads of that step read; one entry a step that is loaded
/// or stored, at least one.
[[nodiscard]] std::vector<std::vector<Extent>> halo_widths_by_step(const om::Graph& graph);

}  // namespace paraiso::passes
