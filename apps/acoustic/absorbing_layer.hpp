// The absorbing layer along all sides of the grid: damping that grows towards the edge.
// Gives: AbsorbingLayer. Needs: frontend.
//
// Everything follows from the index, so that it costs arithmetic but no memory traffic: an array of
// the damping would be a fifth stream in addition to the four that a step needs. Axis 0 comes last
// everywhere, because the contributions of the other axes are the same along a row.
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

  /// The fraction of dp/dt that is lost in a step: 0 within the layers, growing quadratically to
  /// the edge. The fastest wave travels `reach` in a step, `courant` times the stability limit.
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
  /// Chosen such that a fraction `reflection` of the fastest wave is left when it has crossed the
  /// layer twice: amplitudes fall as exp(-integral damping / (2 c) dx), and the mean of a square is
  /// 1/3. With a loss l, steps are stable for courant^2 <= 1 - l / 2.
  Number edge_loss(const Number& reach, const Number& courant) const {
    const Number wanted = -3 * log(load(reflection_)) * reach / load(width_);
    return min(wanted, 2 * (1 - courant * courant));
  }

  const Domain<Real, D>& domain_;
  Parameter<Real, D> width_, reflection_;  // no layer where the width is 0
};

}  // namespace paraiso::apps
