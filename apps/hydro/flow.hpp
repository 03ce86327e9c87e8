// Flow: a problem of the hydro solver: its box, its boundaries and its state.
// Gives: Flow. Needs: frontend, euler.
#pragma once

#include "numerics/euler.hpp"
#include "paraiso/frontend/frontend.hpp"

namespace paraiso::apps {

template <class Real, int D>
class Flow {
 public:
  using Number = Global<Real, D>;
  using Values = Local<Real, D>;
  using Position = Vec<Values, D>;
  using Gas = numerics::IdealGas<Number>;
  using Primitive = numerics::Primitive<Values, D>;
  using Conserved = numerics::Conserved<Values, D>;

  virtual ~Flow() = default;
  /// The exact solution; for a flow without one, the initial state at any time.
  [[nodiscard]] virtual Primitive state(const Position& x, const Number& time,
                                        const Gas& gas) const = 0;
  [[nodiscard]] virtual Primitive initial(const Position& x, const Gas& gas) const {
    return state(x, 0, gas);
  }
  /// The state outside, on the computed sides, given the state of the nearest core cell.
  [[nodiscard]] virtual Conserved outside(const Position& x, const Number& time, const Gas& gas,
                                          const Conserved& /*nearest*/) const {
    return numerics::conserved(state(x, time, gas), gas);
  }
  /// The longest time step that the inflow through the computed sides allows, given the cells' own.
  [[nodiscard]] virtual Number crossing_time(const Number& inside, const Vec<Number, D>&,
                                             const Gas&) const {
    return inside;
  }
  /// Part of the initial kernel: stores the statics that `state` and `outside` load.
  virtual void prepare(const Gas&) const {}

  double gamma = 5.0 / 3;
  Vec<double, D> lower = uniform<D>(0.0), upper = uniform<D>(1.0);
  Boundaries<D> boundary = cyclic();
  std::vector<std::pair<Axis<D>, Side>> computed_sides;  // filled by `outside` instead
  bool exact = false;
};

}  // namespace paraiso::apps
