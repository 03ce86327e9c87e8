// Values without names of their own are called by their scopes, whatever these hold.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "paraiso/base/text.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/om/text/print.hpp"

namespace paraiso::codegen {
namespace {

/// Of a value by `instruction` in that scope, made from the load %0.
std::string name_of(const std::string& scope, const std::string& instruction = "mul %0 %0") {
  const om::Machine machine = om::parse(
      fmt::format(
          "paraiso 1\nmachine m dimension 1\nstatic a local f64\n  boundary 0 cyclic cyclic\n"
          "kernel k step\n  %0: local f64 = load a\n  in \"{}\"\n  %1: local f64 = {}\n"
          "  store a %1\nend\nend machine\n",
          scope, instruction),
      "m.om");
  return scope_name(machine.kernels[0].graph, om::ValueId(1), "t");
}

TEST(ScopeName, TellsScopeAndOperator) {
  EXPECT_EQ(name_of("half/x/hllc"), "half_x_hllc_mul");
  EXPECT_EQ(name_of("half/x", "add %0 %0"), "half_x_sum");
  EXPECT_EQ(name_of("half/x", "shift %0 (1)"), "half_x_value");
  EXPECT_EQ(name_of(""), "t");
}

TEST(ScopeName, KeepsTheInnerPartsOfALongScope) {
  EXPECT_EQ(name_of("predictor/half/x/interpolate/pressure"), "half_x_interpolate_pressure_mul");
  EXPECT_EQ(name_of(std::string(100, 'a')), std::string(30, 'a') + "_mul");
}

TEST(ScopeName, IsAnIdentifierOfItsOwn) {
  Names names{"half_mul"};
  for (const char* scope :
       {"half", "half", "2nd order", "/", "a//b", "_", "M_PI", "flux of x", "X"}) {
    const std::string name = names.unique(name_of(scope));
    EXPECT_TRUE(is_identifier(name)) << name;
    EXPECT_EQ(name.find("__"), std::string::npos) << name;
    EXPECT_NE(name, "half_mul");
    EXPECT_NE(names.unique(name), name) << "is taken now";
  }
}

}  // namespace
}  // namespace paraiso::codegen
