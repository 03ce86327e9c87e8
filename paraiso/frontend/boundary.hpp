// Boundaries: how the halo of a Field is filled, on each side of each axis.
// Gives: Boundary, cyclic, outflow, reflect, fixed, Sides, Boundaries<D>, Side. Needs: vec,
// recorder.
//
//   Field<Real, 2> f{om, "f", cyclic()};
//   Field<Real, 2> g{om, "g", Boundaries<2>(outflow()).with(Axis<2>(0), Side::lower, fixed(1.0))};
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "paraiso/frontend/vec.hpp"

namespace paraiso {

/// The rule of one side of one axis; it takes the Field's element type when given to a Field.
class Boundary {
 public:
  struct Mirror {};  // reflect, with the sign that fits the component along the axis
  struct Number {
    om::Constant value;
  };
  struct Kernel {
    const detail::Recorder* machine;
    om::BoundaryKernelId id;
  };
  using Rule = std::variant<om::Cyclic, om::Outflow, om::Reflect, Mirror, Number, Kernel>;
  explicit Boundary(Rule rule) : rule_(rule) {}

  /// The rule for a static of `element`; `sign` is -1 for a component that a mirror reverses.
  [[nodiscard]] om::Boundary for_static(om::Element element, int sign,
                                        const detail::Recorder& machine, Location location) const;

 private:
  Rule rule_;
};

/// The grid is periodic along the axis: both sides are cyclic or neither is.
[[nodiscard]] inline Boundary cyclic() { return Boundary(om::Cyclic{}); }
/// The nearest core cell.
[[nodiscard]] inline Boundary outflow() { return Boundary(om::Outflow{}); }
/// The mirror image, times `sign`, which is 1 or -1.
[[nodiscard]] inline Boundary reflect(int sign) { return Boundary(om::Reflect{sign}); }
/// The mirror image; a vector's component along the wall's axis changes its sign, everything else
/// keeps it.
[[nodiscard]] inline Boundary reflect() { return Boundary(Boundary::Mirror{}); }
/// Always `value`.
template <class N>
requires std::is_arithmetic_v<N>
[[nodiscard]] Boundary fixed(N value) { return Boundary(Boundary::Number{detail::number(value)}); }

enum class Side { lower, upper };

/// Both sides of one axis.
struct Sides {
  Boundary lower, upper;
  Sides(Boundary both) : lower(both), upper(both) {}  // NOLINT: one rule for both sides
  Sides(Boundary low, Boundary high) : lower(low), upper(high) {}
};

/// The rules of all sides: `cyclic()`, or in two dimensions `{cyclic(), {inflow, outflow()}}`.
template <int D>
class Boundaries {
 public:
  Boundaries(Boundary all) : sides_(uniform<D>(Sides(all))) {}  // NOLINT: one rule for all sides
  Boundaries(Sides x, Sides y) requires(D == 2) : sides_{x, y} {}
  Boundaries(Sides x, Sides y, Sides z) requires(D == 3) : sides_{x, y, z} {}
  explicit Boundaries(Vec<Sides, D> sides) : sides_(sides) {}

  /// The same, except for one side.
  [[nodiscard]] Boundaries with(Axis<D> axis, Side side, Boundary rule) const {
    Boundaries changed = *this;
    (side == Side::lower ? changed.sides_[axis].lower : changed.sides_[axis].upper) = rule;
    return changed;
  }
  /// The same, except for one axis.
  [[nodiscard]] Boundaries with(Axis<D> axis, Sides sides) const {
    Boundaries changed = *this;
    changed.sides_[axis] = sides;
    return changed;
  }
  [[nodiscard]] const Sides& operator[](Axis<D> axis) const { return sides_[axis]; }

  /// The rules as the machine keeps them; `mirror` has -1 for each axis along which a mirror
  /// reverses the field.
  [[nodiscard]] std::vector<std::array<om::Boundary, 2>> for_static(om::Element element,
                                                                    const Vec<int, D>& mirror,
                                                                    const detail::Recorder& machine,
                                                                    Location location) const {
    std::vector<std::array<om::Boundary, 2>> rules;
    for (Axis<D> a : axes<D>())
      rules.push_back({sides_[a].lower.for_static(element, mirror[a], machine, location),
                       sides_[a].upper.for_static(element, mirror[a], machine, location)});
    return rules;
  }

 private:
  Vec<Sides, D> sides_;
};

}  // namespace paraiso
