#include "paraiso/tune/predict/features.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/stencils/training_kernel.hpp"
#include "paraiso/om/text/print.hpp"
#include "tests/support/two_fields.hpp"
#include "tests/tune/built_app.hpp"

namespace paraiso::tune {
namespace {

Features features(const om::Machine& program, const std::string& compiler = "g++ 12") {
  return features_of({runtime::default_backend(), program, *program.step_kernel(),
                      std::vector<std::int64_t>(program.dimension, 64), plan::documented_machine(),
                      compiler, "native", 100});
}

/// What a test calculates by hand: name and value.
using Expected = std::vector<std::pair<const char*, double>>;

void expect(const Features& found, const Expected& expected,
            const std::string& group = "algorithm.") {
  for (const auto& [name, value] : expected)
    EXPECT_DOUBLE_EQ(found.number(group + name).value_or(-1), value) << name;
}

TEST(Features, OfFiveKernelsAreThoseCalculatedByHand) {
  // u + sum over two axes of c (u[+1] + u[-1] - 2 u): 2 sums, 2 fused with 2 u, and what joins
  // them.
  expect(features(prepared(built_app("heat", 2))), {{"flop_density", 10},
                                                    {"reference_density", 5 * 8},
                                                    {"references", 5},
                                                    {"arrays", 2},
                                                    {"bytes", 16},
                                                    {"intensity", 10.0 / 16},
                                                    {"radius.most", 1},
                                                    {"radius.sum", 4},
                                                    {"rows_alive", 3 + 1},
                                                    {"stages", 1},
                                                    {"reductions", 0},
                                                    {"boundary.cyclic", 1}});
  // Upwind: reads x and x - 2 alone.
  expect(
      features(test::two_fields(1, "%0 = load f\n%1 = shift %0 (2)\n%2 = sub %0 %1\nstore f %2\n",
                                "outflow reflect +")),
      {{"flop_density", 1},
       {"references", 2},
       {"radius.x.lower", 2},
       {"radius.x.upper", 0},
       {"arrays", 2},
       {"divides", 0},
       {"boundary.outflow", 0.5},
       {"boundary.reflect", 0.5}});
  // A quotient that is read at two cells is kept: a stage of its own.
  expect(features(test::two_fields(2,
                                   "%0 = load f\n%1 = shift %0 (0, 1)\n%2 = div %0 %1\n"
                                   "%3 = shift %2 (0, -1)\n%4 = sub %3 %2\nstore g %4\n")),
         {{"flop_density", 2},
          {"divides", 1},
          {"references", 3},
          {"rows_alive", 3 + 1},
          {"arrays", 2},
          {"values", 2},
          {"values_kept", 1},
          {"stages", 2},
          {"radius.y.lower", 1},
          {"radius.y.upper", 1},
          {"radius.x.lower", 0}});
  // Whole numbers are no floating-point operations; what is computed once is none of a cell's.
  expect(features(test::two_fields(
             1,
             "%0 = load f\n%1 = reduce sum %0\n%2 = mul %1 %1\n%3 = broadcast %2\n"
             "%4 = load_index 0\n%5 = add %4 %4\n%6 = cast %5 f64\n%7 = mul %6 %3\nstore g %7\n")),
         {{"flop_density", 1},
          {"reductions", 1},
          {"broadcasts", 1},
          {"indices", 1},
          {"references", 1},
          {"element_bytes", 8},
          {"radius.most", 0}});
  // Two results that share a root.
  expect(features(test::two_fields(1,
                                   "%0 = load f\n%1 = load g\n%2 = sqrt %0\n%3 = add %2 %1\n"
                                   "%4 = mul %2 %1\nstore f %3\nstore g %4\n")),
         {{"flop_density", 3},
          {"divides", 1},
          {"arrays", 4},
          {"bytes", 32},
          {"intensity", 3.0 / 32},
          {"rows_alive", 4}});
}

/// Six digits, as features have. 2,048 cells of 16 bytes; four rows of 64 cells of 8 bytes.
TEST(Features, OfAGridAndAMachineAreThoseCalculatedByHand) {
  const om::Machine program = prepared(built_app("heat", 2));
  const Features found = features_of({runtime::default_backend(), program, *program.step_kernel(),
                                      std::vector<std::int64_t>{64, 32}, plan::documented_machine(),
                                      "g++ 12", "native", 100});
  expect(found,
         {{"cells", 2048},
          {"extent.x", 64},
          {"extent.y", 32},
          {"shape.x", 1},
          {"shape.y", 0.5},
          {"steps", 100},
          {"bytes", 32768},
          {"bytes_per_cache1", 0.682667},
          {"rows_per_cache1", 0.0426667},
          {"bytes_per_cache2", 0.0252062},
          {"rows_per_cache2", 0.00157538},
          {"bytes_per_cache3", 0.0016384},
          {"rows_per_cache3", 0.0001024},
          {"planes_per_cache1", -1}},
         "input.");
  expect(found,
         {{"threads", 2},
          {"hertz", 3e9},
          {"vector_bytes", 64},
          {"registers", 32},
          {"operations_per_second", 6e9},
          {"divides_f64", 1.5e9},
          {"roots_f32", 4e9},
          {"memory_fetch", 9e9},
          {"memory_all", 40e9},
          {"parallel_region", 1.5e-6},
          {"cache1.bytes", 48e3},
          {"cache1.bytes_per_second", 400e9},
          {"cache2.bytes", 1.3e6},
          {"cache2.bytes_per_second", 48e9},
          {"cache3.bytes", 20e6},
          {"cache3.bytes_per_second", 18e9},
          {"cache4.bytes", -1}},
         "architecture.");
}

/// FAST, section 6. (The paper writes n_o as o in the first one.)
TEST(Features, OfThe48TrainingKernelsAreThePapers) {
  for (int order = 1; order <= 3; ++order)
    for (int parameters = 1; parameters <= 4; ++parameters)
      for (int arrays : {2, 4, 8, 16}) {
        SCOPED_TRACE(fmt::format("order {}, parameters {}, arrays {}", order, parameters, arrays));
        expect(features(prepared(apps::training_kernel(order, parameters, arrays))),
               {{"flop_density", (1 + (6 + parameters) * order) * arrays / 2 - 1},
                {"reference_density", (1 + 6 * order) * arrays / 2 * 4},
                {"arrays", arrays},
                {"radius.most", order},
                {"element_bytes", 4}});
      }
}

TEST(Features, AreEqualFromText) {
  for (const auto& [name, dimension] : {std::pair("wave", 2), {"hydro", 2}, {"himeno", 3}}) {
    const om::Machine machine = built_app(name, dimension);
    EXPECT_EQ(features(prepared(machine)), features(prepared(om::parse(om::print(machine)))))
        << name;
  }
}

std::string renamed(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(Features, DoNotDependOnNamesOrderOrCompiler) {
  const std::string head =
      "paraiso 1\nmachine test dimension 1\n"
      "static f local f64\n  boundary 0 cyclic cyclic\n"
      "static g local f32\n  boundary 0 outflow outflow\nkernel proceed step\n";
  const std::string swapped =
      "paraiso 1\nmachine test dimension 1\n"
      "static g local f32\n  boundary 0 outflow outflow\n"
      "static f local f64\n  boundary 0 cyclic cyclic\nkernel proceed step\n";
  const std::string end = "end\nend machine\n";
  const std::string one =
      "%0 = load f\n%1 flux = sqrt %0\n%2 = shift %1 (1)\n%3 = sub %1 %2\nstore f %3\n"
      "%4 = load g\n%5 = mul %4 %4\nstore g %5\n";
  const std::string other =
      "%0 = load g\n%1 = mul %0 %0\nstore g %1\n"
      "%2 = load f\n%3 flux = sqrt %2\n%4 = shift %3 (1)\n%5 = sub %3 %4\nstore f %5\n";
  const auto of = [&](const std::string& text) { return features(prepared(om::parse(text))); };
  const Features found = of(head + one + end);
  EXPECT_EQ(of(swapped + other + end), found);
  EXPECT_EQ(of(renamed(head + one + end, "flux", "zeal")), found);
  std::string text = head + one + end;
  for (const std::string before : {"static ", "load ", "store "})
    text = renamed(text, before + "f", before + "zz");
  EXPECT_EQ(of(text), found);
  Features others = features(prepared(om::parse(head + one + end)), "clang++ 14");
  EXPECT_EQ(others.numbers, found.numbers);
  EXPECT_NE(others.words, found.words);
}

TEST(Features, AreReadBack) {
  const Features found = features(prepared(built_app("wave", 1)));
  const auto json = features_json(found);
  EXPECT_EQ(features_from(nlohmann::ordered_json::parse(json.dump())), found);
  auto later = json;
  later["version"] = Features::kVersion + 1;
  EXPECT_EQ(features_from(later), std::nullopt);
  EXPECT_THROW((void)features_from(nlohmann::ordered_json::array()), nlohmann::json::exception);
}

/// Each name once, and all that the cost model says of the three plans.
TEST(Features, HaveTheThreePlans) {
  const Features found = features(prepared(built_app("hydro", 2)));
  std::set<std::string> names;
  for (const auto& [name, value] : found.numbers) EXPECT_TRUE(names.insert(name).second) << name;
  const auto time = [&](const std::string& plan) {
    return found.number("plan." + plan + ".nanoseconds").value();
  };
  EXPECT_LT(time("default"), time("inline"));
  EXPECT_LT(time("default"), time("array"));
  EXPECT_GT(found.number("plan.array.L2").value(), found.number("plan.default.L2").value());
  EXPECT_EQ(found.word("algorithm.element"), "f64");
}

}  // namespace
}  // namespace paraiso::tune
