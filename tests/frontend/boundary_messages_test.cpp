// What a mistake at a boundary or in a boundary kernel is told as, whole texts.
#include "messages.hpp"

namespace paraiso {
namespace {

constexpr Axis<1> x(0);

struct BoundaryMessages : testing::Test {
  BoundaryMessages() : om("machine"), f(om, "f", cyclic()), s(om, "s") {}
  Builder<1> om;
  Field<double, 1> f;
  Scalar<double, 1> s;
};

TEST_F(BoundaryMessages, half_cyclic_axis) {
  LINE(line);
  Field<double, 1> h{om, "h", Boundaries<1>(cyclic()).with(x, Side::upper, outflow())};
  om.step("proceed", [&] { store(h, load(h)); });
  const auto text = message([&] { (void)om.machine(); });
  EXPECT_EQ(without_rule(text),
            at_lines("@: error: `h` is cyclic on the lower side of axis x only", {line}));
}

TEST_F(BoundaryMessages, boundary_kernel_that_stores) {
  int line = 0;
  const auto text = message([&] {
    (void)om.boundary("inflow", [&] {
      line = __LINE__ + 1;
      store(s, 1.0);
      return load(f);
    });
  });
  EXPECT_EQ(text, at_lines("@: error: a boundary kernel gives one cell's value and cannot store\n"
                           "note: in kernel `inflow`",
                           {line}));
}

TEST_F(BoundaryMessages, boundary_kernel_that_reduces) {
  int line = 0;
  const auto text = message([&] {
    (void)om.boundary("inflow", [&] {
      line = __LINE__ + 1;
      return load(f) - reduce_max(load(f));
    });
  });
  EXPECT_EQ(text, at_lines("@: error: a boundary kernel gives one cell's value and cannot reduce\n"
                           "note: in kernel `inflow`",
                           {line}));
}

TEST_F(BoundaryMessages, boundary_kernel_of_another_machine) {
  Builder<1> other("other");
  Field<double, 1> h{other, "h", cyclic()};
  const auto inflow = other.boundary("inflow", [&] { return load(h); });
  LINE(line);
  const auto text = message([&] { Field<double, 1> i{om, "i", inflow}; });
  EXPECT_EQ(text,
            at_lines("@: error: the boundary kernel is of another machine than `machine`", {line}));
}

TEST_F(BoundaryMessages, boundary_kernel_of_another_element) {
  LINE(kernel);
  const auto inflow = om.boundary("inflow", [&] { return cast<float>(load(f)); });
  LINE(line);
  Field<double, 1> i{om, "i", inflow};
  om.step("proceed", [&] { store(i, load(i)); });
  const auto text = message([&] { (void)om.machine(); });
  EXPECT_EQ(without_rule(text),
            at_lines("@: error: `i`, axis 0, lower side: boundary kernel `inflow` gives f32, "
                     "expected f64\n"
                     "@: note: boundary kernel `inflow` is here",
                     {line, kernel}));
}

}  // namespace
}  // namespace paraiso
