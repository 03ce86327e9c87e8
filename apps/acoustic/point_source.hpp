// A point source in one cell, with a wavelet in time.
// Gives: PointSource. Needs: frontend.
#pragma once

#include <numbers>

#include "paraiso/frontend/frontend.hpp"

namespace paraiso::apps {

/// In the middle of the box, except along the last axis, where a parameter gives its position.
template <class Real, int D>
class PointSource {
 public:
  using Number = Global<Real, D>;
  using Values = Local<Real, D>;

  PointSource(Builder<D>& om, const Domain<Real, D>& domain)
      : domain_(domain),
        frequency_(om, "frequency", 12, {0.0, {}}),
        depth_(om, "source_depth", Real(0.3), {0.0, 1.0}) {}

  /// `factor` times the wavelet at `time`, spread over the volume of the source's cell, and 0
  /// elsewhere. Axis 0 is tested last, so that everything else is the same along a row.
  Values at_time(const Number& time, const Number& factor) const {
    Scope scope("source");
    const Number volume = product<D>([&](Axis<D> a) { return domain_.dx(a); });
    Values value = factor * wavelet(time) / volume;
    for (int i = D - 1; i >= 0; --i) value = select(index(Axis<D>(i)) == place(i), value, 0);
    return value;
  }

 private:
  /// Ricker (1953): the second derivative of a Gaussian, started 1.5 periods before its peak; its
  /// spectrum is greatest at `frequency`.
  Number wavelet(const Number& time) const {
    const Number phase = Real(std::numbers::pi) * (load(frequency_) * time - Real(1.5));
    return (1 - 2 * phase * phase) * exp(-phase * phase);
  }
  Global<std::int64_t, D> place(int i) const {
    const auto cells = size(Axis<D>(i));
    return i < D - 1 ? cells / 2 : cast<std::int64_t>(load(depth_) * cast<Real>(cells));
  }

  const Domain<Real, D>& domain_;
  Parameter<Real, D> frequency_, depth_;
};

}  // namespace paraiso::apps
