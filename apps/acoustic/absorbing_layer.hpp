// The absorbing layer along all sides of the grid: friction that grows towards the edge.
// Gives: AbsorbingLayer. Needs: frontend.
//
// All of it follows from the index, so that it costs arithmetic and no traffic with memory: an
// array of the damping would be one stream more beside the four that a step needs.
#pragma once

#include "paraiso/frontend/frontend.hpp"

namespace paraiso::apps {

template <class Real, int D>
class AbsorbingLayer {
 public:
  using Number = Global<Real, D>;
  using Values = Local<Real, D>;

  AbsorbingLayer(Builder<D>& om, const Domain<Real, D>& domain)
      : domain_(domain),
        width_(om, "layer", Real(0.15), {0.0, {}}),
        reflection_(om, "reflection", Real(0.01), {0.0, 1.0}) {}

  /// One step of d^2 p / dt^2 + s dp/dt = ..., centred in time, where p + `drift` + `push` is one
  /// without friction: the drift shrinks by d = (1 - s dt / 2) / (1 + s dt / 2), the push by
  /// (1 + d) / 2. That is stable for every s wherever the step without friction is. d falls from 1
  /// at the layer's inner face quadratically to 1 - `loss` at the edge.
  Values step(const Values& p, const Values& drift, const Values& push,
              const Number& fastest_reach) const {
    Scope scope("layer");
    const Values deep = depth(), loss = edge_loss(fastest_reach) * (deep * deep);
    return p + (1 - loss) * drift + (1 - Real(0.5) * loss) * push;
  }

 private:
  /// How deep in the layer of the nearest side: 0 within the layers, 1 at the edge of the grid.
  Values depth() const {
    const auto along = make_vec<D>([&](Axis<D> a) {
      const Number cells = cast<Real>(size(a)), layer = load(width_) / domain_.dx(a);
      const Values from_middle = abs(cast<Real>(index(a)) - (cells - 1) / 2);
      return (from_middle - (cells / 2 - layer)) * inv(layer);
    });
    Values deepest = along[Axis<D>(0)];
    for (int i = 1; i < D; ++i) deepest = max(deepest, along[Axis<D>(i)]);
    return max(deepest, 0);
  }

  /// 1 - d at the edge, such that the fastest wave, which runs `fastest_reach` in a step, crosses
  /// the layer twice and is left with `reflection`: amplitudes fall as exp(-integral s / (2 c) dx),
  /// and the mean of a square is 1/3.
  Number edge_loss(const Number& fastest_reach) const {
    const Number friction = -3 * log(load(reflection_)) * fastest_reach / load(width_);  // s dt
    return 1 / (1 / friction + Real(0.5));
  }

  const Domain<Real, D>& domain_;
  Parameter<Real, D> width_, reflection_;  // no layer where the width is 0
};

}  // namespace paraiso::apps
