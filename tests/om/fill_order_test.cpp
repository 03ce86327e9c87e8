// Which halo is filled first where parts of a grid fill their own.
#include "paraiso/om/cells/fill_order.hpp"

#include <gtest/gtest.h>

#include "paraiso/base/error.hpp"
#include "paraiso/om/text/print.hpp"

namespace paraiso::om {
namespace {

/// Two fields in three dimensions, whose rules along the axes are given.
Machine two_fields(const std::string& a0, const std::string& a1, const std::string& a2,
                   const std::string& b0, const std::string& b1, const std::string& b2) {
  const auto field = [](const std::string& name, const std::string& x, const std::string& y,
                        const std::string& z) {
    return "static " + name + " local f64\n  boundary 0 " + x + " outflow\n  boundary 1 " + y +
           " " + y + "\n  boundary 2 " + z + " " + z + "\n";
  };
  return parse("paraiso 1\nmachine m dimension 3\n" + field("a", a0, a1, a2) +
               field("b", b0, b1, b2) +
               "boundary_kernel both\n%0: local f64 = load a\n%1: local f64 = load b\n"
               "%2: local f64 = add %0 %1\nresult %2\nend\nkernel k step\n%0: local f64 = load "
               "a\nstore a %0\nend\nend machine\n");
}

const StaticId a(0), b(1);

TEST(FillOrder, IsThatOfTheProgramWhereEitherWillDo) {
  for (const auto& machine :
       {two_fields("kernel both", "outflow", "outflow", "outflow", "outflow", "outflow"),
        two_fields("kernel both", "cyclic", "cyclic", "outflow", "cyclic", "cyclic"),
        two_fields("outflow", "outflow", "outflow", "outflow", "cyclic", "cyclic"),
        two_fields("kernel both", "cyclic", "outflow", "outflow", "outflow", "outflow")}) {
    const FillOrder order = fill_order(machine);
    EXPECT_EQ(order.statics, (std::vector{a, b}));
    EXPECT_TRUE(order.suits_parts);
  }
}

TEST(FillOrder, MakesSidesFirstFromWhatIsNotCyclic) {
  const FillOrder order =
      fill_order(two_fields("outflow", "outflow", "outflow", "kernel both", "cyclic", "outflow"));
  EXPECT_EQ(order.statics, (std::vector{b, a}));
  EXPECT_TRUE(order.suits_parts);
}

TEST(FillOrder, MayNotExistForParts) {
  const Machine machine =
      two_fields("kernel both", "outflow", "cyclic", "kernel both", "cyclic", "outflow");
  const FillOrder order = fill_order(machine);
  EXPECT_EQ(order.statics.size(), 2u);
  EXPECT_FALSE(order.suits_parts);
  EXPECT_THROW(check_fills_in_parts(machine), Error);
}

}  // namespace
}  // namespace paraiso::om
