// The absorbing layer along all sides of the grid: friction that grows towards the edge.
// Gives: AbsorbingLayer. Needs: frontend.
//
// All of it follows from the index, so that it costs arithmetic and no traffic with memory: an
// array of the friction would be one stream more beside the four that a step needs. Axis 0 comes
// last in all of it, as what the other axes give is the same along a row.
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

  /// What part of dp/dt is lost in a step: 0 within the layers, growing quadratically to the edge.
  /// The fastest wave runs `reach` in a step, `courant` of what is just stable.
  Values loss(const Number& reach, const Number& courant) const {
    Scope scope("layer");
    const Number root = sqrt(edge_loss(reach, courant));
    Values deepest = 0;  // times `root`
    for (int i = D - 1; i >= 0; --i) {
      const Axis<D> a(i);
      const Number cells = cast<Real>(size(a)), layer = load(width_) / domain_.dx(a);
      const Number slope = select(layer > 0, root / layer, 0);
      const Values from_middle = abs(cast<Real>(index(a)) - (cells - 1) / 2);
      deepest = max(from_middle * slope - (cells / 2 - layer) * slope, deepest);
    }
    return deepest * deepest;
  }

 private:
  /// Such that of the fastest wave `reflection` is left when it has crossed the layer twice:
  /// amplitudes fall as exp(-integral friction / (2 c) dx), and the mean of a square is 1/3. With a
  /// loss l, steps are stable for courant^2 <= 1 - l / 2.
  Number edge_loss(const Number& reach, const Number& courant) const {
    const Number wanted = -3 * log(load(reflection_)) * reach / load(width_);
    return min(wanted, 2 * (1 - courant * courant));
  }

  const Domain<Real, D>& domain_;
  Parameter<Real, D> width_, reflection_;  // no layer where the width is 0
};

}  // namespace paraiso::apps
