#include "paraiso/runtime/fields/parameters.hpp"

#include <fmt/format.h>

#include "paraiso/base/axis_name.hpp"

#include "machines.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;

class ParameterTest : public testing::Test {
 protected:
  std::unique_ptr<Instance> instance = interpreter_instance(test::drift<double>(), {8, 4});
  Parameters parsed(const std::vector<std::string>& assignments) {
    return parse_parameters(instance->machine(), assignments);
  }
  void set(const std::vector<std::string>& assignments) {
    set_parameters(*instance, parsed(assignments));
  }
  std::string complaint(const std::string& assignment) {
    return error_text([&] { (void)parsed({assignment}); });
  }
};

TEST_F(ParameterTest, AreSetFromText) {
  set({"rate=0.75", "level=7", "x_max=1e3"});
  EXPECT_EQ(instance->scalar("rate"), 0.75);
  EXPECT_EQ(instance->scalar("level"), 7);
  EXPECT_EQ(extent(*instance, 0).upper, 1000);
  set({"rate=1"});  // bounds are closed
}

TEST_F(ParameterTest, TheLastOneOfANameCounts) {
  const Parameters parameters = parsed({"rate=0.75", "level=7", "rate=.50"});
  EXPECT_EQ(parameters,
            (Parameters{{"level", om::Constant(std::int32_t{7})}, {"rate", om::Constant(0.5)}}));
  EXPECT_EQ(parameters_text(parameters), "level=7, rate=0.5");
}

TEST_F(ParameterTest, BadOnesAreExplained) {
  EXPECT_EQ(complaint("rete=1"),
            "error: machine `drift` has no parameter `rete`; did you mean `rate`?");
  EXPECT_EQ(
      complaint("something_else=1"),
      "error: machine `drift` has no parameter `something_else`\n"
      "hint: its parameters are `x_min`, `y_min`, `x_max`, `y_max`, `rate`, `level`, `poison`");
  EXPECT_EQ(complaint("time=1"),
            "error: `time` of machine `drift` is not a parameter: the kernels store it");
  EXPECT_EQ(complaint("time_limit=1"),
            "error: `time_limit` of machine `drift` is not a parameter: a run that ends at a time "
            "sets it");
  EXPECT_EQ(
      complaint("u=1"),
      "error: `u` of machine `drift` is not a parameter: it is a field, and a file may have its "
      "cells");
  EXPECT_EQ(complaint("rate=fast"), "error: parameter `rate` needs a value of f64, got `fast`");
  EXPECT_EQ(complaint("rate="), "error: parameter `rate` needs a value of f64, got ``");
  EXPECT_EQ(complaint("level=2.5"), "error: parameter `level` needs a value of i32, got `2.5`");
  EXPECT_EQ(complaint("rate=1.5"), "error: parameter `rate` is 1.5, and must be at most 1");
  EXPECT_EQ(complaint("level=0"), "error: parameter `level` is 0, and must be at least 1");
  EXPECT_EQ(complaint("rate=nan"), "error: parameter `rate` can't be NaN");
  EXPECT_EQ(complaint("rate"), "error: `rate` is not an assignment: write name=value");
  EXPECT_EQ(complaint("=1"), "error: `=1` is not an assignment: write name=value");
  EXPECT_EQ(instance->scalar("rate"), 0.5);
}

TEST_F(ParameterTest, AnEmptyDomainIsRefused) {
  const std::string empty = "error: the domain is empty along y: it reaches from 2 to 2";
  check_extents(*instance);
  check_extents(instance->machine(), {});
  EXPECT_EQ(error_text([&] { check_extents(instance->machine(), parsed({"y_min=2"})); }), empty);
  check_extents(instance->machine(), parsed({"y_min=2", "y_max=3"}));
  set({"y_min=2"});
  EXPECT_EQ(error_text([&] { check_extents(*instance); }), empty);
}

TEST_F(ParameterTest, AnInfiniteDomainIsRefused) {
  const auto told = [&](const std::string& lower, const std::string& upper) {
    set({"x_min=" + lower, "x_max=" + upper});
    return error_text([&] { check_extents(*instance); });
  };
  const std::string infinite = "error: the domain is infinite along x: it reaches from ";
  EXPECT_EQ(told("0", "inf"), infinite + "0 to inf");
  EXPECT_EQ(told("-inf", "1"), infinite + "-inf to 1");
  EXPECT_EQ(told("-1e308", "1e308"), infinite + "-1e+308 to 1e+308");
  EXPECT_EQ(told("inf", "inf"), "error: the domain is empty along x: it reaches from inf to inf");
}

/// As in `.om` text.
TEST_F(ParameterTest, AreWrittenInOneWay) {
  for (const char* text : {"0.5", ".5", "5e-1", "0.05e+1", "1e-310"})
    set({fmt::format("rate={}", text)});
  const auto refused = [&](const std::string& text, const std::string& why) {
    EXPECT_EQ(complaint("rate=" + text),
              "error: parameter `rate` needs a value of f64, got `" + text + "`" + why);
  };
  for (const char* text : {"Infinity", "INF", "iNf"}) refused(text, ": write it as `inf`");
  refused("-INFINITY", ": write it as `-inf`");
  refused("1E5", ": write it as `1e5`");
  for (const char* text : {"NaN", "nan(1)", "-nan", "1,5", "1 ", "+", "-"}) refused(text, "");
  refused("+1", ": write it without `+`");
  for (const char* text : {"0x1p-1", "-0X2"}) refused(text, ": write it with decimal digits");
  for (const char* text : {"1e400", "1e-400", "-1e400"}) refused(text, ", which f64 can't hold");
  for (const std::string text : {"99999999999", "-99999999999"})
    EXPECT_EQ(complaint("level=" + text), "error: parameter `level` needs a value of i32, got `" +
                                              text + "`, which i32 can't hold");
  EXPECT_EQ(complaint("level=1e3"), "error: parameter `level` needs a value of i32, got `1e3`");
}

TEST(AxisRange, IsTheGridWhereThereIsNoDomain) {
  const auto instance = interpreter_instance(test::counter(), {12});
  EXPECT_EQ(extent(*instance, 0).lower, 0);
  EXPECT_EQ(extent(*instance, 0).upper, 12);
  EXPECT_STREQ(axis_name(1), "y");
  EXPECT_STREQ(axis_name(4), "axis4");
}

}  // namespace
}  // namespace paraiso::runtime
