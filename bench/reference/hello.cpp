// The smallest kernel, density becomes twice its square: apps/hello by hand.
//
// plain: one loop over one array, in place. There is no other form: vectors by hand and fetching
// ahead gained nothing on 2^24 cells.
#include "bench/reference/memory.hpp"
#include "bench/reference/problem.hpp"

namespace reference {
namespace {

template <class Real>
class Plain : public Solver {
 public:
  explicit Plain(std::int64_t width) : width_(width), density_(width) {
    Real* density = density_.data();
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < width; ++i)
      density[i] = (static_cast<Real>(i) + Real(0.5)) / static_cast<Real>(2 * width);
  }
  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) step();
  }
  [[nodiscard]] std::vector<double> state() const override {
    return {density_.data(), density_.data() + width_};
  }

 private:
  void step() {
    Real* density = density_.data();
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < width_; ++i) {
      const Real square = density[i] * density[i];
      density[i] = square + square;
    }
  }

  std::int64_t width_;
  Buffer<Real> density_;
};

std::unique_ptr<Solver> make(const Options& options) {
  return with_precision(options, [&]<class Real>() -> std::unique_ptr<Solver> {
    return std::make_unique<Plain<Real>>(options.size[0]);
  });
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv) {
  return reference::run(argc, argv,
                        {"hello", {1 << 24}, {"f64", "f32"}, {"plain"}, reference::make});
}
