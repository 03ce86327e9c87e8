#include "apps/hello/hello.hpp"

#include <cmath>

#include "backends.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/compiled.hpp"

namespace paraiso::apps {
namespace {

class Hello : public OnBackends {};
PARAISO_ON_BACKENDS(Hello);

TEST_P(Hello, squares_and_doubles_each_cell) {
  for (const Size& size : {Size{7}, Size{5, 3}, Size{4, 1, 2}}) {
    const int dimension = static_cast<int>(size.size());
    const auto hello_instance = instance(hello(), {dimension, om::Element::f64, "ramp"}, size);
    hello_instance->run("ramp");
    auto expected = cells(*hello_instance, "density");
    EXPECT_EQ(expected[0], 0.25 / size[0]);
    run_steps(*hello_instance, 2);
    for (int step = 0; step < 2; ++step)
      for (double& x : expected) x = x * x + x * x;
    EXPECT_EQ(cells(*hello_instance, "density"), expected);
  }
}

TEST_P(Hello, follows_the_closed_form) {
  const auto hello_instance = instance(hello(), {1, om::Element::f32, "ramp"}, {64});
  hello_instance->run("ramp");
  const auto begin = cells(*hello_instance, "density");
  run_steps(*hello_instance, 3);
  const auto end = cells(*hello_instance, "density");
  for (std::size_t i = 0; i < begin.size(); ++i)
    EXPECT_NEAR(end[i], std::pow(2 * begin[i], 8) / 2, 1e-5 * end[i]);
}

// --- Table 3: one word on `y` changes the code and nothing else ---

om::Machine with_word_on_square(const std::string& word) {
  std::string text = om::print(hello().build({1, om::Element::f64, "ramp"}));
  const std::string square = " = mul %0 %0";
  const auto place = text.find(square);
  EXPECT_NE(place, std::string::npos) << text;
  return passes::prepare(om::parse(text.insert(place, word)), passes::Numbers::fma);
}

runtime::Library compiled(const om::Machine& program) {
  runtime::CompileOptions options;
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  return runtime::compile(plan::plan_program(program, plan::default_schedule(program)), options);
}

std::vector<double> after_three_steps(const runtime::Library& library) {
  const auto instance = library.instance({37});
  instance->run("ramp");
  run_steps(*instance, 3);
  return cells(*instance, "density");
}

TEST(HelloAnnotated, has_other_code_and_the_same_bits) {
  const auto manifest = compiled(with_word_on_square(" manifest"));
  const auto delayed = compiled(with_word_on_square(" delayed"));
  EXPECT_NE(manifest.source(), delayed.source());
  const double field = 8 * 1e6;  // bytes
  EXPECT_GT(manifest.bytes({1000000}), 2 * field);
  EXPECT_LT(delayed.bytes({1000000}), 1.5 * field);
  EXPECT_EQ(after_three_steps(manifest), after_three_steps(delayed));
}

}  // namespace
}  // namespace paraiso::apps
