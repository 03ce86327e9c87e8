// A solver that steps between two fields of three dimensions, one step or several in a pass.
// Gives: TwoFields. Needs: field3d, problem.
#pragma once

#include <algorithm>
#include <utility>

#include "bench/reference/field3d.hpp"
#include "bench/reference/problem.hpp"

namespace reference {

template <class Real>
class TwoFields : public Solver {
 public:
  void advance(std::int64_t steps) override {
    while (steps > 0) {
      const std::int64_t fused = std::min(steps, fuse_);
      if (fused == 1)
        advance_once();
      else
        advance_fused(fused);
      if (fused % 2 == 1) std::swap(fields_[0], fields_[1]);
      steps -= fused;
    }
  }
  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> values;
    fields_[0].append_to(values);
    return values;
  }

 protected:
  TwoFields(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t fuse)
      : fields_{Field3d<Real>(nx, ny, nz, 0), Field3d<Real>(nx, ny, nz, 1)}, fuse_(fuse) {}

  /// From field 0 to field 1.
  virtual void advance_once() = 0;
  /// Step t of n goes from field (t - 1) % 2 to field t % 2.
  virtual void advance_fused(std::int64_t n) = 0;

  Field3d<Real> fields_[2];

 private:
  std::int64_t fuse_;
};

}  // namespace reference
