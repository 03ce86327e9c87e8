#include "paraiso/frontend/record.hpp"

#include "program.hpp"

/// A user's records, in no namespace of ours.
template <class T>
struct Pair {
  T first, second;
  static constexpr std::array components{"first", "second"};
};
template <class T, int D>
struct Plasma {
  paraiso::Gas<T, D> gas;
  T charge;
  paraiso::Vec<paraiso::Vec<T, D>, D> stress;
  static constexpr std::array components{"gas", "charge", "stress"};
};

namespace paraiso {
namespace {

constexpr Axis<2> x(0), y(1);
const Gas<double, 2> kGas{1.0, {2.0, 3.0}};

TEST(Record, maps_a_function_over_all_components) {
  const auto doubled = map([](double v) { return 2 * v; }, kGas);
  static_assert(std::is_same_v<decltype(doubled), const Gas<double, 2>>);
  EXPECT_EQ(doubled.density, 2);
  EXPECT_EQ(doubled.velocity[y], 6);
}

TEST(Record, changes_its_element_type) {
  const auto positive = map([](double v) { return v > 1; }, kGas);
  static_assert(std::is_same_v<decltype(positive), const Gas<bool, 2>>);
  EXPECT_FALSE(positive.density);
  EXPECT_TRUE(positive.velocity[x]);
}

TEST(Record, zips_with_records_and_single_values) {
  const Gas<float, 2> factors{10.0f, {20.0f, 30.0f}};
  const auto r = zip([](double v, float f, double dt) { return v + dt * f; }, kGas, factors, 0.5);
  EXPECT_EQ(r.density, 6);
  EXPECT_EQ(r.velocity[y], 18);
}

TEST(Record, may_have_no_dimension) {
  const auto sum = zip([](int a, int b) { return a + b; }, Pair<int>{1, 2}, Pair<int>{30, 40});
  static_assert(std::is_same_v<decltype(sum), const Pair<int>>);
  EXPECT_EQ(sum.second, 42);
}

TEST(Record, nests_and_names_its_components) {
  const Plasma<double, 2> plasma{kGas, 4.0, {{{5.0, 6.0}, {7.0, 8.0}}}};
  std::string text;
  for_each_named(
      [&](const std::string& name, double v) { text += name + "=" + std::to_string(int(v)) + " "; },
      plasma);
  EXPECT_EQ(text,
            "gas.density=1 gas.velocity.x=2 gas.velocity.y=3 charge=4 stress.x.x=5 stress.x.y=6 "
            "stress.y.x=7 stress.y.y=8 ");
  EXPECT_EQ(map([](double v) { return v + 1; }, plasma).stress[y][x], 8);
}

TEST(Record, counts_a_single_value_as_itself) {
  EXPECT_EQ(map([](double v) { return v + 1; }, 1.0), 2.0);
  EXPECT_EQ(zip([](double a, double b) { return a * b; }, 3.0, 4.0), 12.0);
}

TEST(Record, is_selected_as_a_whole) {
  const Gas<double, 2> other{-1.0, {-2.0, -3.0}};
  EXPECT_EQ(select(true, kGas, other).velocity[x], 2);
  EXPECT_EQ(select(false, kGas, other).velocity[x], -2);
}

TEST(Fields, declare_and_mirror_each_component) {
  Builder<2> om("gas");
  const auto state = fields<Gas<Field<double, 2>, 2>>(om, "", reflect());
  om.step("proceed", [&] { store(state, map([](const auto& v) { return 2 * v; }, load(state))); });
  const auto machine = om.machine();
  EXPECT_EQ(om::print(machine),
            R"(paraiso 1
machine gas dimension 2

static density local f64
  boundary 0 reflect + reflect +
  boundary 1 reflect + reflect +
static velocity_x local f64
  boundary 0 reflect - reflect -
  boundary 1 reflect + reflect +
static velocity_y local f64
  boundary 0 reflect + reflect +
  boundary 1 reflect - reflect -

kernel proceed step
  in "density"
  %0: global f64 = imm f64 2
  %1: local f64 = broadcast %0
  %2: local f64 = load density
  %3: local f64 = mul %1 %2
  store density %3
  in "velocity/x"
  %4: local f64 = load velocity_x
  %5: local f64 = mul %1 %4
  store velocity_x %5
  in "velocity/y"
  %6: local f64 = load velocity_y
  %7: local f64 = mul %1 %6
  store velocity_y %7
end

end machine
)");
}

TEST(Fields, mirror_a_tensor_once_for_each_index_along_the_wall) {
  Builder<2> om("elastic");
  const auto stress = fields<Vec<Vec<Field<float, 2>, 2>, 2>>(om, "stress", reflect());
  om.step("proceed", [&] { store(stress, load(stress)); });
  const auto machine = om.machine();
  const auto sign = [&](const char* name, int axis) {
    return std::get<om::Reflect>(machine.at(*machine.find_static(name)).boundary[axis][0]).sign;
  };
  EXPECT_EQ(sign("stress_x_x", 0), 1);
  EXPECT_EQ(sign("stress_x_y", 0), -1);
  EXPECT_EQ(sign("stress_x_y", 1), -1);
  EXPECT_EQ(sign("stress_y_y", 0), 1);
}

TEST(Fields, of_more_components_than_space_has_are_numbered_and_no_direction) {
  Builder<2> om("lattice");
  const auto population = fields<Vec<Field<double, 2>, 27>>(om, "f", reflect());
  om.step("proceed", [&] {
    const auto f = load(population);
    store(population, make_vec<27>([&](Axis<27> q) { return f[q] + f[Axis<27>(26 - q.index())]; }));
  });
  const auto machine = om.machine();
  ASSERT_EQ(machine.statics.size(), 27U);
  for (int q = 0; q < 27; ++q) {
    EXPECT_EQ(machine.statics[static_cast<std::size_t>(q)].name, "f_" + std::to_string(q));
    EXPECT_EQ(
        std::get<om::Reflect>(machine.statics[static_cast<std::size_t>(q)].boundary[0][0]).sign, 1);
  }
}

TEST(Fields, take_a_record_of_boundaries) {
  Builder<2> om("gas");
  const Gas<Boundary, 2> inflow{fixed(1.0), {fixed(2.0), fixed(0)}};
  const auto rules =
      map([](Boundary b) { return Boundaries<2>(outflow()).with(x, Side::lower, b); }, inflow);
  const auto state = fields<Gas<Field<float, 2>, 2>>(om, "", rules);
  om.step("proceed", [&] { store(state, load(state)); });
  const auto text = om::print(om.machine());
  EXPECT_NE(text.find("static velocity_x local f32\n  boundary 0 fixed 2 outflow\n"
                      "  boundary 1 outflow outflow\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace paraiso
