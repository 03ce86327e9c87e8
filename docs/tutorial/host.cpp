// The same machine inside a program that keeps the reins.
#include <cstdio>

#include "gray_scott.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/plot/plot.hpp"
#include "paraiso/runtime/run/run.hpp"

using namespace paraiso;

int main() {
  // From equations to a loaded library: compiled once, and taken from the cache ever after.
  const om::Machine machine = passes::prepare(gray_scott<double, 2>(), passes::Numbers::fma);
  const plan::Plan planned = plan::plan_program(machine, plan::default_schedule(machine));
  const runtime::Library library = runtime::compile(planned);

  // An instance is memory of one size.
  const auto instance = library.instance({128, 96});
  instance->set_scalar("feed", 0.04);

  // `between` sees the state before the first step and after each one. A field is a view of real
  // memory; fetch it again each time, since a kernel may move it.
  runtime::RunOptions options;
  options.steps = 1000;
  options.progress = false;
  options.between = [](runtime::Instance& state, std::int64_t step) {
    const std::vector<std::int64_t> corner{0, 0};
    if (step == 0) state.field("v").at<double>(corner) = 1;
    return true;  // false would end the run
  };
  const runtime::RunResult result = runtime::run(*instance, options);

  for (const runtime::FieldSummary& field : result.fields)
    std::printf("%s is in [%g, %g]\n", field.name.c_str(), field.minimum, field.maximum);
  runtime::write_plot("v.png", *instance, "v", result.steps);
}
