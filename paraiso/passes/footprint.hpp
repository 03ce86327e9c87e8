// footprint: how far beyond the core each value is needed, per axis and per side.
// Gives: Extent, footprints, halo_widths. Needs: om.
//
//   %1 = shift %0 (-2)    # reads x + 2
//   store f %1            ->  %0 is needed on [0, N + 2): lower 0, upper 2
//
// Upwind and asymmetric stencils are normal: the sides never share a number.
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

/// Per value of `graph`, were every value computed once on one box; dead values have none.
[[nodiscard]] std::vector<Extent> footprints(const om::Graph& graph);

/// Per static, the halo that `graph` reads of it; zero where it is not loaded.
[[nodiscard]] std::vector<Extent> halo_widths(const om::Graph& graph);

}  // namespace paraiso::passes
