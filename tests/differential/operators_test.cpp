// Every operator, of every element type that it takes, on scalars and cell by cell: generated code
// equals the interpreter bit for bit on all pairs of extreme operands, with each compiler; and for
// each level of the processor by one of them (PARAISO_EVERY_BUILD=1, scripts/test-long.sh: by
// each).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "tests/differential/states.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/setting.hpp"
#include "tests/support/usable_compilers.hpp"
#include "tests/support/usable_targets.hpp"

namespace paraiso::om {

static void PrintTo(Realm realm, std::ostream* out) { *out << name(realm); }

}  // namespace paraiso::om

namespace paraiso {
namespace {

using om::Element, om::Op, om::Realm;
using passes::Numbers;

constexpr Element kElements[] = {Element::boolean, Element::i32, Element::i64, Element::f32,
                                 Element::f64};

// --- the rows: an operator and the element types of its operands ---

struct Row {
  Op op;
  std::vector<Element> operands, results;
};

/// `add_f64`, `ipow_i64`, `cast_f32_bool`.
std::string name(const Row& row) {
  const Element element = row.op == Op::ipow ? row.operands[0] : row.operands.back();
  const std::string text = fmt::format("{}_{}", om::info(row.op).name, om::name(element));
  return row.op == Op::cast ? fmt::format("{}_{}", text, om::name(row.results[0])) : text;
}

std::vector<Element> operands_of(Op op, Element element) {
  std::vector<Element> operands(om::info(op).arity, element);
  if (op == Op::select) operands[0] = Element::boolean;
  if (op == Op::ipow) operands[1] = Element::i32;
  return operands;
}

/// None where the operator does not take that element; several where it gives several.
std::vector<Row> rows_of(Op op, Element element) {
  std::vector<Row> rows;
  for (const Element target : kElements) {
    const auto operands = operands_of(op, element);
    const auto typed = om::result_types(op, operands, target);
    if (typed.complaint.empty() && (op == Op::cast || rows.empty()))
      rows.push_back({op, operands, typed.results});
  }
  return rows;
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (int op = 0; op < om::kOpCount; ++op)
    for (const Element element : kElements)
      std::ranges::move(rows_of(static_cast<Op>(op), element), back_inserter(rows));
  return rows;
}

// --- the machine: a kernel a row cell by cell, or one kernel of all rows on scalars ---

/// One for each place of an operand and element.
std::string input(std::size_t place, Element element) {
  return fmt::format("{}_{}", "abc"[place], om::name(element));
}

std::string output(const Row& row, std::size_t result) {
  return fmt::format("{}_{}", name(row), "xy"[result]);
}

std::string declaration(Realm realm, const std::string& name, Element element) {
  return fmt::format(
      "static {} {} {}\n{}", name, om::name(realm), om::name(element),
      realm == Realm::local ? "  boundary 0 cyclic cyclic\n  boundary 1 cyclic cyclic\n" : "");
}

std::string statics(Realm realm, const std::vector<Row>& rows) {
  std::string text;
  for (const Element element : kElements)
    for (const std::size_t place : {0, 1, 2})
      text += declaration(realm, input(place, element), element);
  for (const Row& row : rows)
    for (std::size_t r = 0; r < row.results.size(); ++r)
      text += declaration(realm, output(row, r), row.results[r]);
  return text;
}

/// Loads, the operator, stores; labels are the row's own.
std::string lines(const Row& row) {
  const std::string label = "%" + name(row);
  std::string loads, operation = om::info(row.op).name, results, stores;
  for (std::size_t place = 0; place < row.operands.size(); ++place) {
    loads += fmt::format("{}_{} = load {}\n", label, place, input(place, row.operands[place]));
    operation += fmt::format(" {}_{}", label, place);
  }
  if (row.op == Op::cast) operation += fmt::format(" {}", om::name(row.results[0]));
  for (std::size_t r = 0; r < row.results.size(); ++r) {
    results += fmt::format("{}{}_r{}", r ? ", " : "", label, r);
    stores += fmt::format("store {} {}_r{}\n", output(row, r), label, r);
  }
  return fmt::format("{}{} = {}\n{}", loads, results, operation, stores);
}

om::Machine operators(Realm realm) {
  const auto rows = all_rows();
  std::string kernels;
  for (const Row& row : rows)
    kernels += realm == Realm::global ? lines(row)
                                      : fmt::format("kernel {}\n{}end\n", name(row), lines(row));
  if (realm == Realm::global) kernels = fmt::format("kernel all\n{}end\n", kernels);
  return om::parse(fmt::format("paraiso 1\nmachine operators_{} dimension 2\n{}{}end machine\n",
                               om::name(realm), statics(realm, rows), kernels));
}

/// Sums and differences of products, which `fma` contracts.
constexpr const char* kSums = R"(
kernel sums_{0}
%a = load a_{0}
%b = load b_{0}
%c = load c_{0}
%ab = mul %a %b
%bc = mul %b %c
%ca = mul %c %a
%sum = add %ab %c
%difference = sub %bc %a
%rest = sub %b %ca
store sum_{0} %sum
store difference_{0} %difference
store rest_{0} %rest
end
)";

om::Machine sums(Realm realm) {
  std::string kernels, outputs;
  for (const Element element : {Element::f32, Element::f64}) {
    for (const char* output : {"sum", "difference", "rest"})
      outputs += declaration(realm, fmt::format("{}_{}", output, om::name(element)), element);
    kernels += fmt::format(kSums, om::name(element));
  }
  return om::parse(fmt::format("paraiso 1\nmachine sums_{} dimension 2\n{}{}{}end machine\n",
                               om::name(realm), statics(realm, {}), outputs, kernels));
}

/// In both modes, where these differ.
std::vector<om::Machine> all_programs(Realm realm) {
  std::vector<om::Machine> programs;
  for (const om::Machine& machine : {operators(realm), sums(realm)})
    for (const Numbers numbers : {Numbers::strict, Numbers::fma})
      programs.push_back(passes::prepare(machine, numbers));
  if (om::print(programs[0]) == om::print(programs[1])) programs.erase(programs.begin());
  return programs;
}

// --- the operands ---

/// An odd number of them, so that rows of cells do not end where vectors do.
// clang-format off
constexpr double kExtremes[] = {
    0.0, -0.0, 1, -1, 2, -3, 0.5, -2.5, 0.7, 1e-3, 7, 31, -32, 1e10, -1e10, 0x1p31, 0x1p63,
    1e300, -1e300, 3.4e38, 1e-45, 1e-310, INFINITY, -INFINITY, NAN};
// clang-format on

/// Which of them an operand is, at place 0, 1 or 2, in the cell that is (first, second).
std::size_t chosen(std::size_t place, std::size_t first, std::size_t second) {
  const std::size_t third = (3 * first + 5 * second + 7) % std::size(kExtremes);
  return place == 0 ? first : place == 1 ? second : third;
}

void set_inputs(const om::Machine& program, om::State& state, std::size_t cell, std::size_t first,
                std::size_t second) {
  for (std::size_t s = 0; s < 3 * std::size(kElements); ++s)
    state.arrays[s].set(cell, om::Constant::from_double(program.statics[s].type.element,
                                                        kExtremes[chosen(s % 3, first, second)]));
}

/// All pairs in the cells of one state, or in as many states.
std::vector<om::State> states(const om::Machine& program, Realm realm) {
  const std::size_t count = std::size(kExtremes);
  const auto edge = static_cast<std::int64_t>(count);
  std::vector<om::State> list;
  if (realm == Realm::local) list.push_back(om::initial_state(program, {edge, edge}));
  for (std::size_t second = 0; second < count; ++second)
    for (std::size_t first = 0; first < count; ++first) {
      if (realm == Realm::global) list.push_back(om::initial_state(program, {1, 1}));
      set_inputs(program, list.back(), realm == Realm::local ? second * count + first : 0, first,
                 second);
    }
  return list;
}

// --- the test ---

class EveryOperator : public testing::TestWithParam<std::tuple<Realm, const char*, std::string>> {
 protected:
  void SetUp() override {
    if (std::ranges::count(test::usable_compilers(), compiler) == 0)
      GTEST_SKIP() << compiler << " is not installed";
    if (!target.empty() && std::ranges::count(test::usable_targets(), target) == 0)
      GTEST_SKIP() << target << " is not asked for, or not of this machine";
  }
  void expect_the_interpreters_bits(const runtime::Library& library) const;

  const Realm realm = std::get<0>(GetParam());
  const std::string compiler = std::get<1>(GetParam());
  const std::string target = std::get<2>(GetParam());  // empty: the default
};

/// One, two and four machine vectors at a time take turns.
plan::Schedule schedule_of(const om::Machine& program) {
  plan::Schedule schedule = plan::default_schedule(program);
  for (std::size_t k = 0; k < program.kernels.size(); ++k)
    schedule.choices[program.kernels[k].name + "/vectors"] = std::to_string(1 << k % 3);
  return schedule;
}

/// Every kernel writes what no other reads or writes.
void run_all(runtime::Instance& instance) {
  for (const auto& kernel : instance.machine().kernels) instance.run(kernel.name);
}

void EveryOperator::expect_the_interpreters_bits(const runtime::Library& library) const {
  const om::Machine& program = library.machine();
  for (const om::State& begin : states(program, realm)) {
    om::State expected = begin;
    for (const auto& kernel : program.kernels) om::interpret(program, kernel, expected);
    const auto instance = library.instance(begin.size);
    test::set_state(*instance, begin);
    run_all(*instance);
    ASSERT_EQ(test::compare_states(program, expected, test::get_state(*instance)), "");
  }
}

TEST_P(EveryOperator, EqualsTheInterpreter) {
  runtime::CompileOptions options;
  options.compiler = compiler;
  options.target = target;
  options.optimization = "-O1";
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  std::vector<plan::Plan> programs;
  for (const auto& program : all_programs(realm))
    programs.push_back(plan::plan_program(program, schedule_of(program)));
  for (const auto& library : runtime::compile_together(programs, options))
    expect_the_interpreters_bits(library);
}

std::string name_of(const testing::TestParamInfo<EveryOperator::ParamType>& info) {
  const auto& [realm, compiler, target] = info.param;
  std::string name =
      fmt::format("{}_{}", om::name(realm), std::string(compiler) == "g++" ? "gcc" : "clang");
  if (!target.empty()) name += '_';
  for (const char c : target) name += c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Of, EveryOperator,
                         testing::Combine(testing::Values(Realm::local, Realm::global),
                                          testing::Values("g++", "clang++"), testing::Values("")),
                         name_of);

std::vector<EveryOperator::ParamType> at_levels() {
  std::vector<EveryOperator::ParamType> pairs{{Realm::local, "g++", "x86-64-v2"},
                                              {Realm::local, "clang++", "x86-64-v3"}};
  if (test::every_build()) {
    pairs.emplace_back(Realm::local, "g++", "x86-64-v3");
    pairs.emplace_back(Realm::local, "clang++", "x86-64-v2");
  }
  return pairs;
}

/// Vectors are all that differs.
INSTANTIATE_TEST_SUITE_P(AtLevel, EveryOperator, testing::ValuesIn(at_levels()), name_of);

/// By the table of operators, which docs/om.md repeats.
TEST(EveryOperatorsPrograms, HaveEveryOperatorAndElement) {
  std::set<Op> operators;
  for (const Row& row : all_rows()) operators.insert(row.op);
  EXPECT_EQ(operators.size(), static_cast<std::size_t>(om::kOpCount));
  EXPECT_EQ(all_rows().size(), 167u);
}

/// Where there are no sums of products, both modes mean the same code.
TEST(EveryOperatorsPrograms, DifferInContractedSumsAlone) {
  for (const Realm realm : {Realm::local, Realm::global}) {
    const auto programs = all_programs(realm);
    ASSERT_EQ(programs.size(), 3u);
    for (const char* contracted : {" = madd ", " = msub ", " = nmadd "}) {
      EXPECT_EQ(om::print(programs[1]).find(contracted), std::string::npos) << contracted;
      EXPECT_NE(om::print(programs[2]).find(contracted), std::string::npos) << contracted;
    }
  }
}

}  // namespace
}  // namespace paraiso
