// What a mistake in a kernel is told as, whole texts. Each mistake is on one line, because
// compilers place expressions of several lines differently; `LINE` marks the lines that the texts
// refer to.
#include "messages.hpp"

namespace paraiso {
namespace {

constexpr Axis<1> x(0);

struct Messages : testing::Test {
  const int declared = __LINE__ + 1;
  Messages() : om("machine"), f(om, "f", cyclic()), g(om, "g", cyclic()), s(om, "s") {}
  Builder<1> om;
  Field<double, 1> f, g;
  Scalar<double, 1> s;
};

TEST_F(Messages, read_after_store) {
  int stored = 0;
  const auto text = message([&] {
    om.step("proceed", [&] {
      Scope scope("reconstruct x");
      LINE(line);
      store(f, load(f) + 1);
      stored = line;
      store(g, load(f));
    });
  });
  EXPECT_EQ(text,
            at_lines("@: error: `f` is read after its store at line " + std::to_string(stored) +
                         ": use the stored value\n"
                         "@: note: `f` declared here\n"
                         "note: in kernel `proceed`, scope `reconstruct x`",
                     {stored + 2, declared}));
}

TEST_F(Messages, second_store) {
  int first = 0;
  const auto text = message([&] {
    om.step("proceed", [&] {
      LINE(line);
      store(f, 1.0);
      first = line;
      store(f, 2.0);
    });
  });
  EXPECT_EQ(text, at_lines("@: error: `f` is stored twice in one kernel\n"
                           "@: note: the first store is here\n"
                           "note: in kernel `proceed`",
                           {first + 2, first}));
}

TEST_F(Messages, value_of_another_kernel) {
  std::optional<Local<double, 1>> kept;
  int made = 0, used = 0;
  om.initial("begin", [&] {
    LINE(line);
    kept = load(f) * 2;
    made = line;
    store(f, 0.0);
  });
  const auto text = message([&] {
    om.step("proceed", [&] {
      used = __LINE__ + 1;
      store(f, 3 + *kept);
    });
  });
  EXPECT_EQ(text, at_lines("@: error: a value of kernel `begin` is used in kernel `proceed`\n"
                           "note: in kernel `proceed`\n"
                           "@: note: the value was computed here\n"
                           "hint: store it in a static and load that",
                           {used, made}));
}

TEST_F(Messages, value_outside_its_kernel) {
  std::optional<Global<double, 1>> kept;
  int made = 0;
  om.initial("begin", [&] {
    LINE(line);
    kept = load(s);
    made = line;
    store(f, 0.0);
  });
  LINE(line);
  const auto text = message([&] { (void)sqrt(*kept); });
  EXPECT_EQ(text, at_lines("@: error: a value of kernel `begin` is used outside it\n"
                           "@: note: the value was computed here\n"
                           "hint: store it in a static and load that",
                           {line, made}));
}

TEST_F(Messages, value_of_another_machine) {
  Builder<1> other("other");
  Field<double, 1> h{other, "h", cyclic()};
  std::optional<Local<double, 1>> kept;
  int made = 0, used = 0;
  om.step("proceed", [&] {
    LINE(line);
    kept = load(f);
    made = line;
    store(f, 0.0);
  });
  const auto text = message([&] {
    other.step("proceed", [&] {
      used = __LINE__ + 1;
      store(h, manifest(*kept));
    });
  });
  EXPECT_EQ(text,
            at_lines("@: error: a value of kernel `proceed` of machine `machine` is used in kernel "
                     "`proceed`\n"
                     "note: in kernel `proceed`\n"
                     "@: note: the value was computed here\n"
                     "hint: store it in a static and load that",
                     {used, made}));
}

TEST_F(Messages, static_of_another_machine) {
  Builder<1> other("other");
  int used = 0;
  const auto text = message([&] {
    other.step("proceed", [&] {
      used = __LINE__ + 1;
      store(f, 1.0);
    });
  });
  EXPECT_EQ(text, at_lines("@: error: `f` is a static of another machine than `other`\n"
                           "note: in kernel `proceed`\n"
                           "@: note: `f` declared here",
                           {used, declared}));
}

TEST_F(Messages, equation_outside_kernels) {
  LINE(line);
  const auto text = message([&] { load(f); });
  EXPECT_EQ(text, at_lines("@: error: an equation outside every kernel\n"
                           "hint: write it in the lambda given to `initial`, `step` or `kernel`",
                           {line}));
}

TEST_F(Messages, manifest_meets_delayed) {
  int first = 0;
  const auto text = message([&] {
    om.step("proceed", [&] {
      LINE(line);
      const auto square = manifest(load(f) * load(f));
      first = line;
      store(f, square + delayed(load(f) * load(f)));
    });
  });
  EXPECT_EQ(text, at_lines("@: error: a value is `delayed` here and `manifest` elsewhere\n"
                           "@: note: the other annotation is here\n"
                           "note: in kernel `proceed`",
                           {first + 2, first}));
}

TEST_F(Messages, annotation_of_one_component) {
  Builder<2> gas("gas");
  const auto state = fields<Gas<Field<double, 2>, 2>>(gas, "", cyclic());
  int line = 0;
  const auto text = message([&] {
    gas.step("proceed", [&] {
      auto now = load(state);
      delayed(now.velocity[Axis<2>(1)]);
      line = __LINE__ + 1;
      manifest(now);
    });
  });
  EXPECT_EQ(text, at_lines("@: error: a value is `manifest` here and `delayed` elsewhere\n"
                           "@: note: the other annotation is here\n"
                           "note: in kernel `proceed`, scope `velocity/y`",
                           {line, line - 2}));
}

TEST_F(Messages, name_that_is_none) {
  int line = 0;
  const auto text = message([&] {
    om.step("proceed", [&] {
      line = __LINE__ + 1;
      store(f, named("left flux", load(f)));
    });
  });
  EXPECT_EQ(text, at_lines("@: error: `left flux` is no name for a value\n"
                           "note: in kernel `proceed`",
                           {line}));
}

TEST_F(Messages, scope_that_is_none) {
  int line = 0;
  const auto text = message([&] {
    om.step("proceed", [&] {
      line = __LINE__ + 1;
      Scope scope("a/b");
    });
  });
  EXPECT_EQ(text, at_lines("@: error: `a/b` is no name for a scope\n"
                           "note: in kernel `proceed`",
                           {line}));
}

TEST_F(Messages, static_declared_twice) {
  LINE(line);
  const auto text = message([&] { Scalar<float, 1> again{om, "f"}; });
  EXPECT_EQ(text, at_lines("@: error: `f` is declared twice\n"
                           "@: note: the first declaration is here",
                           {line, declared}));
}

TEST_F(Messages, static_without_an_identifier) {
  LINE(line);
  const auto text = message([&] { Field<double, 1> bad{om, "2f", cyclic()}; });
  EXPECT_EQ(text,
            at_lines("@: error: `2f` is no name for a static\n"
                     "hint: a name has at most 64 letters, digits and single underscores, and "
                     "no digit in front",
                     {line}));
}

TEST_F(Messages, kernel_without_an_identifier) {
  LINE(line);
  const auto text = message([&] { om.step("pro ceed", [] {}); });
  EXPECT_EQ(text,
            at_lines("@: error: `pro ceed` is no name for a kernel\n"
                     "hint: a name has at most 64 letters, digits and single underscores, and "
                     "no digit in front",
                     {line}));
}

TEST_F(Messages, machine_without_an_identifier) {
  LINE(line);
  const auto text = message([&] { Builder<2> bad{""}; });
  EXPECT_EQ(text,
            at_lines("@: error: `` is no name for a machine\n"
                     "hint: a name has at most 64 letters, digits and single underscores, and "
                     "no digit in front",
                     {line}));
}

TEST_F(Messages, kernel_without_a_store) {
  LINE(line);
  const auto text = message([&] { om.step("proceed", [&] { load(f); }); });
  EXPECT_EQ(text, at_lines("@: error: kernel `proceed` stores nothing\n"
                           "hint: what a kernel computes is kept by `store(static, value)`",
                           {line}));
}

TEST_F(Messages, kernel_written_twice) {
  LINE(first);
  om.step("proceed", [&] { store(f, 1.0); });
  const auto text = message([&] { om.kernel("proceed", [&] { store(f, 2.0); }); });
  EXPECT_EQ(text, at_lines("@: error: kernel `proceed` is written twice\n"
                           "@: note: the first one is here",
                           {first + 1, first}));
}

TEST_F(Messages, kernel_inside_a_kernel) {
  int line = 0;
  const auto text = message([&] {
    om.step("outer", [&] {
      line = __LINE__ + 1;
      om.step("inner", [] {});
    });
  });
  EXPECT_EQ(text, at_lines("@: error: kernel `inner` begins inside another\n"
                           "note: in kernel `outer`",
                           {line}));
}

TEST_F(Messages, builder_goes_on_after_a_mistake) {
  message([&] { om.step("proceed", [&] { store(f, load(f)), load(f); }); });
  om.step("proceed", [&] { store(f, load(f) + 1); });
  EXPECT_EQ(om.machine().kernels.size(), 1u);
}

TEST_F(Messages, machine_without_a_kernel) {
  LINE(line);
  const auto text = message([&] { (void)om.machine(); });
  EXPECT_EQ(text, at_lines("@: error: machine `machine` has no kernel", {line}));
}

TEST_F(Messages, finished_machine) {
  om.step("proceed", [&] { store(f, 1.0); });
  LINE(finished);
  (void)om.machine();
  LINE(line);
  const auto text = message([&] { Scalar<double, 1> late{om, "late"}; });
  EXPECT_EQ(text, at_lines("@: error: machine `machine` is finished: nothing can be added\n"
                           "@: note: it was finished here",
                           {line, finished}));
}

TEST_F(Messages, two_step_kernels) {
  LINE(first);
  om.step("one", [&] { store(f, 1.0); });
  om.step("two", [&] { store(f, 1.0); });
  const auto text = message([&] { (void)om.machine(); });
  EXPECT_EQ(without_rule(text), at_lines("@: error: `two` is a second step kernel\n"
                                         "@: note: the first is `one`",
                                         {first + 1, first}));
}

TEST_F(Messages, integer_that_would_change) {
  int line = 0;
  const auto text = message([&] {
    om.step("proceed", [&] {
      line = __LINE__ + 1;
      store(f, cast<double>(cast<float>(load(f)) + 16777217));
    });
  });
  EXPECT_EQ(text, at_lines("@: error: the number 16777217 is not exact as f32", {line}));
}

TEST_F(Messages, float_out_of_range) {
  for (const auto& [number, shown] :
       {std::pair(1e300, "1e+300"), {-1e300, "-1e+300"}, {1e-60, "1e-60"}}) {
    int line = 0;
    const auto text = message([&, factor = number] {
      om.step("proceed", [&] {
        line = __LINE__ + 1;
        store(f, cast<double>(cast<float>(load(f)) * factor));
      });
    });
    EXPECT_EQ(text,
              at_lines(std::string("@: error: the number ") + shown + " is beyond the range of f32",
                       {line}));
  }
}

TEST_F(Messages, integer_out_of_range) {
  int line = 0;
  const auto text = message([&] {
    om.step("proceed", [&] {
      line = __LINE__ + 1;
      store(f, cast<double>(cast<std::int32_t>(index(x)) + 4294967296));
    });
  });
  EXPECT_EQ(text, at_lines("@: error: the number 4294967296 is not exact as i32", {line}));
}

TEST_F(Messages, integer_beyond_i64) {
  LINE(line);
  const auto text = message([&] { Field<std::int64_t, 1> i{om, "i", fixed(0x1p63)}; });
  EXPECT_EQ(text,
            at_lines("@: error: the number 9.223372036854776e+18 is not exact as i64", {line}));
  EXPECT_EQ(message([&] {
              Field<double, 1> g{om, "g", fixed((1ull << 63) + 1)};
            }),
            "error: the number 9223372036854775809 is not exact as f64");
  Field<double, 1> exact{om, "exact", fixed(1ull << 63)};
}

TEST_F(Messages, fixed_value_that_would_change) {
  LINE(line);
  const auto text = message([&] { Field<std::int32_t, 1> i{om, "i", fixed(0.5)}; });
  EXPECT_EQ(text, at_lines("@: error: the number 0.5 is not exact as i32", {line}));
}

TEST_F(Messages, parameter_outside_its_bounds) {
  LINE(line);
  Parameter<double, 1> gamma{om, "gamma", 0.5, {1.0, 3.0}};
  om.step("proceed", [&] { store(f, load(gamma)); });
  const auto text = message([&] { (void)om.machine(); });
  EXPECT_EQ(
      without_rule(text),
      at_lines("@: error: `gamma` has the default 0.5, expected at least 1 and at most 3", {line}));
}

/// The line in `messages_test.cpp:LINE: error: ...`.
int line_of(const std::string& text) { return std::stoi(text.substr(text.find(':') + 1)); }
#define EXPECT_HERE(expression) \
  EXPECT_EQ(line_of(message([&] { (void)(expression); })), __LINE__) << #expression

TEST_F(Messages, every_kind_of_operation_tells_its_line) {
  std::optional<Local<double, 1>> kept;
  om.step("proceed", [&] {
    kept = load(f);
    store(f, 0.0);
  });
  auto stale = *kept;
  const Vec vec{stale};
  EXPECT_HERE(stale + 1);
  EXPECT_HERE(-stale);
  EXPECT_HERE(2 < stale);
  EXPECT_HERE(stale += 1);
  EXPECT_HERE(max(1.0, stale));
  EXPECT_HERE(select(stale > 0, 1.0, 2.0));
  EXPECT_HERE(cast<float>(stale));
  EXPECT_HERE(ipow<2>(stale));
  EXPECT_HERE(divmod(stale, 2));
  EXPECT_HERE(sincos(stale));
  EXPECT_HERE(vec + vec);
  EXPECT_HERE(2 * vec);
  EXPECT_HERE(dot(vec, vec));
  EXPECT_HERE(sqrt(vec[x]));
  EXPECT_HERE(at(stale, +x));
  EXPECT_HERE(at(vec, -x));
  EXPECT_HERE(reduce_sum(stale));
  EXPECT_HERE(reduce_max(vec));
  EXPECT_HERE(named("name", stale));
  EXPECT_HERE(delayed(vec));
  EXPECT_HERE(store(f, stale));
  EXPECT_HERE(index(x));
  EXPECT_HERE(size(x));
  EXPECT_HERE(load(s));
  EXPECT_HERE((Global<float, 1>(3)));
  EXPECT_HERE((Local<float, 1>(3)));
}

}  // namespace
}  // namespace paraiso
