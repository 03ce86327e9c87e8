#include "apps/stencils/stencils.hpp"
#include "apps/stencils/training_kernel.hpp"

namespace paraiso::apps {
namespace {

const Option kOrder{"order", "shells of neighbours", {{"1", ""}, {"2", ""}, {"3", ""}}};
const Option kParameters{
    "parameters", "factors of a shell", {{"1", ""}, {"2", ""}, {"3", ""}, {"4", ""}}};
const Option kArrays{
    "arrays", "half of them read, half written", {{"2", ""}, {"4", ""}, {"8", ""}, {"16", ""}}};

}  // namespace

App training() {
  App app;
  app.name = "training";
  app.summary = "the 48 kernels that FAST (2015) learns from";
  app.dimensions = {3};
  app.precisions = {om::Element::f32};
  app.problems = {{"ramp", "rises along x and z", 0, 100, [](int) {
                     return std::vector<std::int64_t>{128, 64, 64};
                   }}};
  app.options = {kOrder, kParameters, kArrays};
  app.build = [](const AppOptions& options) {
    const auto number = [&](const Option& option) { return options.choices.whole_number(option); };
    return training_kernel(number(kOrder), number(kParameters), number(kArrays));
  };
  return app;
}

}  // namespace paraiso::apps
