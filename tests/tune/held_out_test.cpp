// The programs that predictions are judged by conserve what their equations do.
#include "bench/held_out/programs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::bench {
namespace {

class Flow {
 public:
  Flow(const om::Machine& machine, const std::vector<std::int64_t>& size)
      : instance_(
            runtime::interpreter_instance(passes::prepare(machine, passes::Numbers::fma), size)) {
    instance_->run("hill");
  }
  void set(std::string_view parameter, double value) { instance_->set_scalar(parameter, value); }
  void proceed(int steps) {
    for (int s = 0; s < steps; ++s) instance_->run("proceed");
  }
  /// Of all cells, of what `value` makes of the fields there.
  double sum(const std::vector<const char*>& names,
             const std::function<double(const std::vector<double>&)>& value) {
    double total = 0;
    runtime::for_each_cell(instance_->size(), [&](const std::vector<std::int64_t>& cell) {
      std::vector<double> values;
      for (const char* name : names)
        values.push_back(static_cast<double>(instance_->field(name).at<float>(cell)));
      total += value(values);
    });
    return total;
  }
  double sum(const char* name) {
    return sum({name}, [](const auto& values) { return values[0]; });
  }

 private:
  std::unique_ptr<runtime::Instance> instance_;
};

// Rounding of sums of some hundred numbers of size 1 in f32.
constexpr double kRounding = 1e-3;
const std::vector<std::int64_t> kPlane{14, 11}, kBox{9, 7, 6};

/// `total` of the run stays, while `moved` does not.
void expect_conserved(Flow& run, const std::function<double()>& total,
                      const std::function<double()>& moved) {
  const double before = total(), place = moved();
  run.proceed(10);
  EXPECT_NEAR(total(), before, kRounding);
  EXPECT_GT(std::abs(moved() - place), 10 * kRounding);
}

double square(const std::vector<double>& values) { return values[0] * values[0]; }

TEST(HeldOut, ShallowWaterKeepsItsVolumeAndMomentum) {
  Flow run(shallow_water(), kPlane);
  for (const char* name : {"mx", "my"}) EXPECT_NEAR(run.sum(name), 0, kRounding);
  expect_conserved(
      run, [&] { return run.sum("depth"); }, [&] { return run.sum({"depth"}, square); });
  for (const char* name : {"mx", "my"}) {
    EXPECT_NEAR(run.sum(name), 0, kRounding) << name;
    EXPECT_GT(run.sum({name}, square), 0.1) << name;
  }
}

TEST(HeldOut, BurgersKeepsItsSum) {
  Flow run(burgers(), kPlane);
  expect_conserved(
      run, [&] { return run.sum("u"); }, [&] { return run.sum({"u"}, square); });
}

/// What reacts is neither fed nor taken away.
TEST(HeldOut, GrayScottKeepsBothSubstancesTogether) {
  Flow run(gray_scott(), kBox);
  run.set("feed", 0);
  run.set("kill", 0);
  expect_conserved(
      run, [&] { return run.sum("u") + run.sum("v"); }, [&] { return run.sum("v"); });
}

TEST(HeldOut, ElasticWavesKeepTheirMomentum) {
  Flow run(elastic(), kPlane);
  for (const char* name : {"vx", "vy"}) {
    const std::vector<const char*> fields{name, "light"};
    const auto momentum = [](const std::vector<double>& values) { return values[0] / values[1]; };
    expect_conserved(
        run, [&] { return run.sum(fields, momentum); }, [&] { return run.sum({name}, square); });
  }
}

TEST(HeldOut, AnisotropicConductionKeepsHeat) {
  Flow run(anisotropic(), kBox);
  expect_conserved(
      run, [&] { return run.sum("temperature"); },
      [&] { return run.sum({"temperature"}, square); });
}

TEST(HeldOut, AreReadBackFromTheirTexts) {
  for (const HeldOut& program : kHeldOut) {
    const om::Machine machine = program.machine();
    EXPECT_EQ(machine.name, program.name);
    EXPECT_EQ(om::print(om::parse(om::print(machine), program.name)), om::print(machine));
  }
}

}  // namespace
}  // namespace paraiso::bench
