// What a kernel's equations mean, checked by running them in the interpreter or by their text.
#include "program.hpp"

namespace paraiso {
namespace {

constexpr Axis<2> x(0), y(1);

TEST(Kernel, is_the_wave_equation_in_text) {
  Builder<1> om("linear_wave");
  Field<double, 1> f{om, "f", cyclic()}, g{om, "g", cyclic()};
  Scalar<double, 1> energy{om, "energy"};
  om.step("proceed", [&] {
    const auto f0 = load(f), g0 = load(g);
    const auto f1 = named("f1", manifest(f0 + 0.25 * g0));
    const auto laplacian = sum<1>([&](Axis<1> a) { return at(f1, +a) + at(f1, -a) - 2 * f1; });
    store(f, f1);
    store(g, g0 + laplacian);
    store(energy, reduce_sum(f1 * f1));
  });
  EXPECT_EQ(om::print(om.machine()), R"(paraiso 1
machine linear_wave dimension 1

static f local f64
  boundary 0 cyclic cyclic
static g local f64
  boundary 0 cyclic cyclic
static energy global f64 = 0

kernel proceed step
  %0: local f64 = load f
  %1: global f64 = imm f64 0.25
  %2: local f64 = broadcast %1
  %3: local f64 = load g
  %4: local f64 = mul %2 %3
  %5 f1: local f64 manifest = add %0 %4
  store f %5
  in "x"
  %6: local f64 = shift %5 (-1)
  %7: local f64 = shift %5 (1)
  %8: local f64 = add %6 %7
  %9: global f64 = imm f64 2
  %10: local f64 = broadcast %9
  %11: local f64 = mul %10 %5
  %12: local f64 = sub %8 %11
  in ""
  %13: local f64 = add %3 %12
  store g %13
  %14: local f64 = mul %5 %5
  %15: global f64 = reduce sum %14
  store energy %15
end

end machine
)");
}

TEST(Kernel, reads_the_neighbour_that_the_offset_leads_to) {
  Builder<2> om("shift");
  Field<std::int64_t, 2> f{om, "f", cyclic()}, g{om, "g", cyclic()};
  om.initial("fill", [&] { store(f, index(x) + 10 * index(y)); });
  om.step("proceed", [&] {
    const auto value = load(f);
    store(f, at(value, +x));
    store(g, at(value, 2 * x - y));
  });
  Interpreted program(om.machine(), {3, 2});
  program.run("fill").run("proceed");
  EXPECT_EQ(program.get("f"), (Elements{1, 2, 0, 11, 12, 10}));
  EXPECT_EQ(program.get("g"), (Elements{12, 10, 11, 2, 0, 1}));
}

TEST(Kernel, shifts_by_nothing_without_an_instruction) {
  Builder<2> om("still");
  Field<double, 2> f{om, "f", cyclic()};
  om.step("proceed", [&] { store(f, at(load(f), 0 * x)); });
  EXPECT_EQ(kernel_text(om.machine(), "proceed"), "  %0: local f64 = load f\n  store f %0\n");
}

TEST(Kernel, shifts_and_reduces_whole_records) {
  Builder<2> om("gas");
  const auto state = fields<Gas<Field<double, 2>, 2>>(om, "", cyclic());
  Scalar<double, 2> mass{om, "mass"}, fastest{om, "fastest"};
  om.initial("fill", [&] {
    const auto i = cast<double>(index(x));
    store(state, Gas<Local<double, 2>, 2>{i, {i + 1, 10 * i}});
  });
  om.step("proceed", [&] {
    const auto moved = at(load(state), -x);
    const auto most = reduce_max(moved);
    store(state, moved);
    store(mass, reduce_sum(moved.density));
    store(fastest, max(most.velocity[x], most.velocity[y]));
  });
  Interpreted program(om.machine(), {3, 1});
  program.run("fill").run("proceed");
  EXPECT_EQ(program.get("density"), (Elements{2, 0, 1}));
  EXPECT_EQ(program.get("velocity_x"), (Elements{3, 1, 2}));
  EXPECT_EQ(program.get("mass"), Elements{3});
  EXPECT_EQ(program.get("fastest"), Elements{20});
}

TEST(Kernel, broadcasts_globals_and_numbers_into_records) {
  Builder<2> om("gas");
  const auto state = fields<Gas<Field<float, 2>, 2>>(om, "", cyclic());
  Parameter<float, 2> dt{om, "dt", 0.5f};
  om.initial("fill", [&] { store(state, Gas<Local<float, 2>, 2>{1, {2, load(dt)}}); });
  om.step("proceed", [&] {
    const auto now = load(state);
    const Gas<Global<float, 2>, 2> rate{4, {6, 8}};
    store(state, zip([&](auto u, auto r) { return u + load(dt) * r; }, now, rate));
  });
  Interpreted program(om.machine(), {1, 1});
  program.run("fill").run("proceed");
  EXPECT_EQ(program.get("density"), Elements{3});
  EXPECT_EQ(program.get("velocity_x"), Elements{5});
  EXPECT_EQ(program.get("velocity_y"), Elements{4.5});
}

TEST(Kernel, reduces_to_globals) {
  Builder<2> om("reductions");
  Field<std::int64_t, 2> f{om, "f", cyclic()};
  Scalar<std::int64_t, 2> s{om, "s"}, p{om, "p"}, low{om, "low"}, high{om, "high"}, n{om, "n"};
  Scalar<bool, 2> some{om, "some"}, every{om, "every"};
  om.step("proceed", [&] {
    const auto v = index(x) + 1;
    store(s, reduce_sum(v));
    store(p, reduce_product(v));
    store(low, reduce_min(v));
    store(high, reduce_max(v));
    store(n, size(x) * size(y));
    store(some, reduce_any(v > 2));
    store(every, reduce_all(v > 2));
    store(f, v - reduce_max(v));  // a Global meets a Local
  });
  Interpreted program(om.machine(), {3, 2});
  program.run("proceed");
  EXPECT_EQ(program.get("s"), Elements{12});
  EXPECT_EQ(program.get("p"), Elements{36});
  EXPECT_EQ(program.get("low"), Elements{1});
  EXPECT_EQ(program.get("high"), Elements{3});
  EXPECT_EQ(program.get("n"), Elements{6});
  EXPECT_EQ(program.get("some"), Elements{1});
  EXPECT_EQ(program.get("every"), Elements{0});
  EXPECT_EQ(program.get("f"), (Elements{-2, -1, 0, -2, -1, 0}));
}

TEST(Annotations, change_nothing_else) {
  const auto text = [](bool annotated) {
    Builder<2> om("annotated");
    const auto state = fields<Gas<Field<double, 2>, 2>>(om, "", cyclic());
    om.step("proceed", [&] {
      const auto next = map([](const auto& v) { return v * v; }, load(state));
      store(state, annotated ? named("next", manifest(next)) : next);
    });
    return kernel_text(om.machine(), "proceed");
  };
  std::string expected = text(false);
  const auto insert = [&](const std::string& value, const std::string& name) {
    const auto place = expected.find(value + ": local f64 = mul");
    expected.replace(place, value.size(), value + " " + name);
    expected.insert(expected.find(" =", place), " manifest");
  };
  insert("%1", "next.density");
  insert("%3", "next.velocity.x");
  insert("%5", "next.velocity.y");
  EXPECT_EQ(text(true), expected);
}

TEST(Annotations, leave_plain_numbers_alone) {
  EXPECT_EQ(named("half", delayed(manifest(0.5))), 0.5);
  EXPECT_EQ(manifest(Gas<double, 1>{1.0, {2.0}}).velocity[Axis<1>(0)], 2.0);
}

TEST(Scopes, are_a_path_on_each_value) {
  Builder<1> om("scopes");
  Field<double, 1> f{om, "f", cyclic()};
  om.step("proceed", [&] {
    const auto now = load(f);
    Scope outer("reconstruct x");
    const auto slope = scoped("slope", [&] { return at(now, +Axis<1>(0)) - now; });
    store(f, now + slope);
  });
  EXPECT_EQ(kernel_text(om.machine(), "proceed"), R"(  %0: local f64 = load f
  in "reconstruct x/slope"
  %1: local f64 = shift %0 (-1)
  %2: local f64 = sub %1 %0
  in "reconstruct x"
  %3: local f64 = add %0 %2
  store f %3
)");
}

TEST(Scopes, do_nothing_outside_kernels) {
  EXPECT_EQ(scoped("plain numbers", [] { return 3; }), 3);
}

TEST(Domain, gives_widths_and_coordinates) {
  Builder<2> om("box");
  Field<double, 2> fx{om, "fx", cyclic()}, fy{om, "fy", cyclic()};
  Scalar<double, 2> dy{om, "dy"};
  Domain<double, 2> domain{om, {-1.0, 10.0}, {1.0, 14.0}};
  om.step("proceed", [&] {
    store(fx, domain.x(x));
    store(fy, domain.x(y));
    store(dy, domain.dx(y));
  });
  auto machine = om.machine();
  EXPECT_EQ(machine.at(*machine.find_role(om::StaticRole::domain_upper, 1)).name, "y_max");
  EXPECT_EQ(machine.at(*machine.find_role(om::StaticRole::domain_lower, 0)).initial,
            om::Constant(-1.0));
  Interpreted program(std::move(machine), {4, 2});
  program.run("proceed");
  EXPECT_EQ(program.get("fx"), (Elements{-0.75, -0.25, 0.25, 0.75, -0.75, -0.25, 0.25, 0.75}));
  EXPECT_EQ(program.get("fy"), (Elements{11, 11, 11, 11, 13, 13, 13, 13}));
  EXPECT_EQ(program.get("dy"), Elements{2});
}

TEST(Clock, steps_to_the_limit_and_not_beyond) {
  Builder<1> om("ticking");
  Clock<double, 1> clock{om};
  Scalar<double, 1> taken{om, "taken"};
  om.initial("start", [&] { clock.start(0.3); });
  om.step("proceed", [&] {
    store(taken, clock.advance());
    clock.set_step(clock.time_step() * 2);
  });
  Interpreted program(om.machine(), {1});
  program.set("time_limit", 0.7);
  program.run("start").run("proceed");
  EXPECT_EQ(program.get("taken"), Elements{0.3});
  EXPECT_EQ(program.get("time"), Elements{0.3});
  program.run("proceed");  // 0.6 is too far
  EXPECT_EQ(program.get("taken"), Elements{0.7 - 0.3});
  EXPECT_EQ(program.get("time"), Elements{0.7});  // exactly, whatever 0.3 + (0.7 - 0.3) is
  EXPECT_EQ(program.get("time_step"), Elements{1.2});
}

TEST(Clock, has_no_limit_unless_set) {
  Builder<1> om("ticking");
  Clock<float, 1> clock{om};
  om.initial("start", [&] { clock.start(0.25f); });
  om.step("proceed", [&] { clock.advance(); });
  Interpreted program(om.machine(), {1});
  program.run("start").run("proceed").run("proceed");
  EXPECT_EQ(program.get("time"), Elements{0.5});
}

TEST(Parameters, have_defaults_and_bounds) {
  Builder<1> om("parameters");
  Parameter<double, 1> gamma{om, "gamma", 1.4, {1.0, 3.0}};
  Parameter<std::int64_t, 1> order{om, "order", 2, {1.0, {}}};
  Scalar<double, 1> s{om, "s"};
  om.step("proceed", [&] { store(s, load(gamma) * cast<double>(load(order))); });
  const auto text = om::print(om.machine());
  EXPECT_EQ(text.substr(0, text.find("kernel")), R"(paraiso 1
machine parameters dimension 1

static gamma global f64 parameter = 1.4 from 1 to 3
static order global i64 parameter = 2 from 1
static s global f64 = 0

)");
}

TEST(Boundaries, are_set_by_axis_and_side) {
  Builder<2> om("walls");
  const Boundary wall = reflect(-1);
  Field<double, 2> a{om, "a", {cyclic(), {wall, fixed(2)}}};
  Field<bool, 2> b{om, "b", Boundaries<2>(fixed(false)).with(y, cyclic())};
  Field<double, 2> c{om, "c", outflow()};
  c.set_boundary(Boundaries<2>(cyclic()).with(x, {outflow(), reflect()}));
  om.step("proceed", [&] { store(a, load(a)); });
  const auto text = om::print(om.machine());
  EXPECT_EQ(text.substr(0, text.find("kernel")), R"(paraiso 1
machine walls dimension 2

static a local f64
  boundary 0 cyclic cyclic
  boundary 1 reflect - fixed 2
static b local bool
  boundary 0 fixed false fixed false
  boundary 1 cyclic cyclic
static c local f64
  boundary 0 outflow reflect +
  boundary 1 cyclic cyclic

)");
}

TEST(Boundaries, are_computed_by_kernels) {
  Builder<2> om("inflow");
  Parameter<double, 2> speed{om, "speed", 5};
  const auto inflow = om.boundary("inflow", [&] { return cast<double>(index(y)) + load(speed); });
  Field<double, 2> f{om, "f", Boundaries<2>(outflow()).with(x, Side::lower, inflow)};
  om.step("proceed", [&] { store(f, at(load(f), -x)); });
  Interpreted program(om.machine(), {1, 2});
  EXPECT_EQ(program.run("proceed").get("f"), (Elements{5, 6}));
}

TEST(Boundaries, may_load_the_field_that_they_are_for) {
  Builder<1> om("doubling");
  Field<double, 1> f{om, "f", outflow()};
  f.set_boundary(om.boundary("doubled", [&] { return 2 * load(f); }));
  om.initial("fill", [&] { store(f, cast<double>(index(Axis<1>(0))) + 1); });
  om.step("proceed", [&] { store(f, at(load(f), -Axis<1>(0))); });
  Interpreted program(om.machine(), {3});
  EXPECT_EQ(program.run("fill").run("proceed").get("f"), (Elements{2, 1, 2}));
}

TEST(Boundaries, of_a_record_come_from_one_body) {
  Builder<2> om("jet");
  const Gas<Boundary, 2> jet = om.boundary("jet", [&] {
    const auto j = cast<double>(index(y));
    return Gas<Local<double, 2>, 2>{j, {j + 1, 7}};
  });
  const auto rules = map(
      [](Boundary b) {
        return Boundaries<2>(cyclic()).with(x, {b, outflow()});
      },
      jet);
  const auto state = fields<Gas<Field<double, 2>, 2>>(om, "", rules);
  om.step("proceed", [&] { store(state, at(load(state), -x)); });
  auto machine = om.machine();
  ASSERT_EQ(machine.boundary_kernels.size(), 3u);
  EXPECT_EQ(machine.boundary_kernels[1].name, "jet_velocity_x");
  Interpreted program(std::move(machine), {1, 2});
  program.run("proceed");
  EXPECT_EQ(program.get("density"), (Elements{0, 1}));
  EXPECT_EQ(program.get("velocity_x"), (Elements{1, 2}));
  EXPECT_EQ(program.get("velocity_y"), (Elements{7, 7}));
}

/// One source for any dimension and precision.
template <class Real, int D>
om::Machine smoothing() {
  Builder<D> om("smoothing");
  Field<Real, D> f{om, "f", cyclic()};
  om.initial("peak", [&] {
    const auto r2 = sum<D>([&](Axis<D> a) { return index(a) * index(a); });
    store(f, select(r2 == 0, Real(1), Real(0)));
  });
  om.step("proceed", [&] {
    const auto f0 = load(f);
    store(f, sum<D>([&](Axis<D> a) { return at(f0, +a) + at(f0, -a); }) / (2 * D));
  });
  return om.machine();
}

template <class Real, int D>
void expect_conserved() {
  Interpreted program(smoothing<Real, D>(), std::vector<std::int64_t>(D, 3));
  program.run("peak").run("proceed");
  double total = 0, most = 0;
  for (double v : program.get("f")) total += v, most = std::max(most, v);
  EXPECT_NEAR(total, 1, 1e-6);
  EXPECT_NEAR(most, 0.5 / D, 1e-6);
}

TEST(Dimensions, are_one_template_argument) {
  expect_conserved<double, 1>();
  expect_conserved<float, 2>();
  expect_conserved<double, 3>();
  expect_conserved<float, 4>();
  expect_conserved<double, 5>();
}

}  // namespace
}  // namespace paraiso
