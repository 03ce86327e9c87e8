#include "paraiso/frontend/axis.hpp"

#include <gtest/gtest.h>

#include "messages.hpp"
#include "paraiso/frontend/functions.hpp"
#include "paraiso/frontend/vec.hpp"

namespace paraiso {
namespace {

constexpr Axis<3> x(0), y(1), z(2);

TEST(Axis, comes_in_order_with_names) {
  std::string names;
  for (Axis<6> a : axes<6>()) names += a.name() + " ";
  EXPECT_EQ(names, "x y z w axis4 axis5 ");
}

TEST(Axis, combines_to_offsets) {
  constexpr Offset<3> offset = 2 * x - y;
  EXPECT_EQ(offset.cells(), (std::vector<std::int32_t>{2, -1, 0}));
  EXPECT_EQ((+x + -y + z + z).cells(), (std::vector<std::int32_t>{1, -1, 2}));
  EXPECT_EQ(-offset + 2 * x, Offset<3>(y));
}

TEST(Axis, is_one_of_its_dimensions) {
  LINE(beyond);
  EXPECT_EQ(
      message([] { (void)Axis<2>(2); }),
      at_lines("@: error: there is no axis 2: axes of 2 dimensions are numbered from 0", {beyond}));
  EXPECT_NE(message([] { (void)Axis<1>(-1); }).find("axes of 1 dimension are"), std::string::npos);
}

TEST(Vec, is_made_and_read_by_axis) {
  const auto squares = make_vec<3>([](Axis<3> a) { return a.index() * a.index(); });
  EXPECT_EQ(squares[z], 4);
  Vec<double, 2> v{1.0, 2.0};
  v[Axis<2>(1)] = 5;
  EXPECT_EQ(v.components[1], 5);
  EXPECT_EQ(uniform<3>(7)[y], 7);
  static_assert(std::is_same_v<decltype(Vec{1.0, 2.0}), Vec<double, 2>>);
}

TEST(Vec, adds_and_scales) {
  const Vec<double, 3> a{1.0, 2.0, 3.0}, b{10.0, 20.0, 30.0};
  const auto c = 2.0 * (a + b) - b / 10.0 * 3.0 + -a;
  EXPECT_EQ(c[x], 18);
  EXPECT_EQ(c[y], 36);
  EXPECT_EQ(c[z], 54);
}

TEST(Vec, nests_to_tensors) {
  const Vec<double, 2> u{2.0, 3.0};
  const auto outer = make_vec<2>([&](Axis<2> i) { return u[i] * u; });
  static_assert(std::is_same_v<decltype(outer), const Vec<Vec<double, 2>, 2>>);
  const auto doubled = outer + outer;
  EXPECT_EQ(doubled[Axis<2>(0)][Axis<2>(1)], 12);
  const double trace = sum<2>([&](Axis<2> i) { return outer[i][i]; });
  EXPECT_EQ(trace, 13);
}

TEST(Sum, goes_from_left_to_right_and_begins_with_the_first_term) {
  const Vec<double, 3> v{1e300, -1e300, 1.0};
  EXPECT_EQ(sum<3>([&](Axis<3> a) { return v[a]; }), 1.0);          // not (v0 + (v1 + v2)) = 0
  EXPECT_TRUE(std::signbit(sum<1>([](Axis<1>) { return -0.0; })));  // 0 + -0 were +0
}

TEST(Sum, is_of_whole_vectors_too) {
  const auto total = sum<2>([](Axis<2> a) { return uniform<3>(a.index() + 1.0); });
  EXPECT_EQ(total[z], 3);
}

TEST(Product, goes_from_left_to_right) {
  const Vec<double, 3> v{1e-300, 1e-300, 1e300};
  EXPECT_EQ(product<3>([&](Axis<3> a) { return v[a]; }), 0.0);
  EXPECT_EQ(dot(Vec{1.0, 2.0}, Vec{3.0, 4.0}), 11);
}

}  // namespace
}  // namespace paraiso
