#include "apps/hello/hello.hpp"

#include <cmath>

#include "backends.hpp"

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

}  // namespace
}  // namespace paraiso::apps
