// The verifier's rules that no text can break: machines and graphs spoilt from C++.
#include "paraiso/om/verify/verify.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>

#include "paraiso/om/text/print.hpp"
#include "tests/om/text_samples.hpp"

namespace paraiso::om {
namespace {

constexpr const char* kExample = R"(paraiso 1
machine example dimension 1
static f local f64
  boundary 0 outflow fixed 1
static gamma global f64 parameter = 1.4 from 1 to 3
kernel proceed step
  %0 = load f
  %1 = shift %0 (1)
  %2 = add %0 %1
  %3 = lt %0 %1
  %4 = load_index 0
  %5 = load_size 0
  store f %2
end
end machine
)";

/// A pass that spoils: the graph's own door, `add`, would refuse. The machine is no constant
/// object.
Node& node_of(Machine& machine, std::size_t i) {
  return const_cast<Node&>(machine.kernels[0].graph.node(NodeId(i)));
}
Value& value_of(Machine& machine, std::size_t i) {
  return const_cast<Value&>(machine.kernels[0].graph.value(ValueId(i)));
}
/// The index of the first node with instruction T.
template <class T>
std::size_t find(const Machine& machine) {
  const auto& graph = machine.kernels[0].graph;
  for (std::size_t i = 0; i < graph.node_count(); ++i)
    if (std::holds_alternative<T>(graph.node(NodeId(i)).instruction)) return i;
  throw std::logic_error("no such instruction");
}
template <class T>
T& instruction(Machine& machine) {
  return std::get<T>(node_of(machine, find<T>(machine)).instruction);
}

/// One way to break a rule, the malformed file with the same mistake, why that text is refused
/// before it reaches the rule, and what verify says.
struct FlawedCase {
  const char* rule;
  const char* file;
  const char* why_no_text;
  std::function<void(Machine&)> spoil;
  const char* message;
};

const std::vector<FlawedCase>& cases() {
  // clang-format off
  static const std::vector<FlawedCase> kCases = {
      {"machine_name", "machine_name", "the parser refuses such a word",
       [](Machine& m) { m.name = "rm -rf"; },
       "error: the machine's name `rm -rf` is no identifier: expected letters, digits and single underscores, at most 64\n"
       "note: rule `machine_name`: the machine's name is an identifier"},
      {"dimension", "dimension_zero", "the parser refuses such a number",
       [](Machine& m) { m.dimension = 0; },
       "error: machine `example` has dimension 0, expected 1 to 16\n"
       "note: rule `dimension`: a machine has 1 to 16 dimensions"},
      {"static_names", "static_name", "the parser refuses such a word",
       [](Machine& m) { m.statics[0].name = "2f"; },
       "example.om:3: error: the static `2f` has a name that is no identifier: expected letters, digits and single underscores, at most 64\n"
       "note: rule `static_names`: statics have different identifiers as names"},
      {"kernel_names", "kernel_name", "the parser refuses such a word",
       [](Machine& m) { m.kernels[0].name = ""; },
       "example.om:6: error: the kernel `` has a name that is no identifier: expected letters, digits and single underscores, at most 64\n"
       "note: rule `kernel_names`: kernels have different identifiers as names"},
      {"boundary_kernel_names", "boundary_kernel_name", "the parser refuses such a word",
       [](Machine& m) { m.boundary_kernels.push_back({"in\nflow", m.kernels[0].graph, ValueId(0), {}}); },
       "error: the boundary kernel `in\\x0aflow` has a name that is no identifier: expected letters, digits and single underscores, at most 64\n"
       "note: rule `boundary_kernel_names`: boundary kernels have different identifiers as names"},
      {"signature", "static_below_kernel", "the parser builds each graph with the machine's statics",
       [](Machine& m) { m.statics[1].type.element = Element::f32; },
       "example.om:6: error: kernel `proceed` was built for other statics or another dimension than those of machine `example`\n"
       "note: rule `signature`: a kernel's graph knows the statics of its machine"},
      {"producers", "defined_twice", "Graph::add numbers the results",
       [](Machine& m) { value_of(m, 2).producer = NodeId(0); },
       "example.om:9: error: result 0 of `add` is not a value that it produces\n"
       "note: in kernel `proceed`\n"
       "note: rule `producers`: every value is the result of one instruction"},
      {"operands_first", "cycle_of_one", "the parser refuses a value that is not yet defined",
       [](Machine& m) { node_of(m, 1).operands[0] = ValueId(1); },
       "example.om:8: error: operand 0 of `shift` does not come before it\n"
       "note: in kernel `proceed`\n"
       "note: rule `operands_first`: an instruction's operands come before it"},
      {"operand_count", "operand_missing", "Graph::add counts operands",
       [](Machine& m) { node_of(m, 2).operands.pop_back(); },
       "example.om:9: error: `add` has 1 operands and 1 results, expected 2 and 1\n"
       "note: in kernel `proceed`\n"
       "note: rule `operand_count`: an instruction has the operands and results that its kind requires"},
      {"references", "unknown_static", "the parser looks names up, and Graph::add checks axes",
       [](Machine& m) { instruction<Load>(m).source = StaticId(7); },
       "example.om:7: error: `load` of static number 7, the machine has 2\n"
       "note: in kernel `proceed`\n"
       "note: rule `references`: an instruction refers to statics, axes and offsets of its machine"},
      {"references", "unknown_static_store", "Graph::add checks axes",
       [](Machine& m) { instruction<Store>(m).target = StaticId(2); },
       "example.om:13: error: `store` of static number 2, the machine has 2\n"
       "note: in kernel `proceed`\n"
       "note: rule `references`: an instruction refers to statics, axes and offsets of its machine"},
      {"references", "axis", "Graph::add checks axes",
       [](Machine& m) { instruction<LoadIndex>(m).axis = 1; },
       "example.om:11: error: `load_index` of axis 1, the machine has 1\n"
       "note: in kernel `proceed`\n"
       "note: rule `references`: an instruction refers to statics, axes and offsets of its machine"},
      {"references", "axis_of_size", "Graph::add checks axes",
       [](Machine& m) { instruction<LoadSize>(m).axis = -1; },
       "example.om:12: error: `load_size` of axis -1, the machine has 1\n"
       "note: in kernel `proceed`\n"
       "note: rule `references`: an instruction refers to statics, axes and offsets of its machine"},
      {"references", "shift_axes", "Graph::add checks offsets",
       [](Machine& m) { instruction<Shift>(m).offset = {1, 2}; },
       "example.om:8: error: `shift` along 2 axes, the machine has 1\n"
       "note: in kernel `proceed`\n"
       "note: rule `references`: an instruction refers to statics, axes and offsets of its machine"},
      {"references", "shift_far", "the parser and Graph::add check offsets",
       [](Machine& m) { instruction<Shift>(m).offset = {-1025}; },
       "example.om:8: error: `shift` by -1025 cells, expected at most 1024\n"
       "note: in kernel `proceed`\n"
       "note: rule `references`: an instruction refers to statics, axes and offsets of its machine"},
      {"types", "value_type", "Graph::add checks types",
       [](Machine& m) { value_of(m, 2).type.element = Element::f32; },
       "example.om:9: error: result 0 of `add` is local f32, expected local f64\n"
       "note: in kernel `proceed`\n"
       "note: rule `types`: operands and results have the types that the instruction says"},
      {"types", "type_error_store", "Graph::add checks types",
       [](Machine& m) { node_of(m, find<Store>(m)).operands[0] = ValueId(3); },
       "example.om:13: error: operand 0 of `store` is local bool, expected local f64\n"
       "note: in kernel `proceed`\n"
       "note: rule `types`: operands and results have the types that the instruction says"},
      {"types", "type_error_reduce", "Graph::add checks types",
       [](Machine& m) { node_of(m, 1).instruction = Reduce{ReduceOp::any}; },
       "example.om:8: error: reduce any of local f64\n"
       "note: in kernel `proceed`\n"
       "note: rule `types`: operands and results have the types that the instruction says"},
      {"types", "type_error_sqrt", "Graph::add checks types",
       [](Machine& m) { node_of(m, 2).instruction = Arith{Op::and_}; },
       "example.om:9: error: `and` needs bool, i32 or i64, got f64\n"
       "note: in kernel `proceed`\n"
       "note: rule `types`: operands and results have the types that the instruction says"},
      {"types", "libm_neg", "Graph::add knows what the C library has",
       [](Machine& m) { node_of(m, 2).instruction = Arith{Op::add, Element::f64, true}; },
       "example.om:9: error: `add` of a local value can't be `libm`: only elementary functions of cells can\n"
       "note: in kernel `proceed`\n"
       "note: rule `types`: operands and results have the types that the instruction says"},
      {"types", "type_error_realm", "Graph::add checks realms",
       [](Machine& m) {
         m.kernels[0].graph.add(Arith{Op::sub}, {ValueId(0), ValueId(1)}, {"x.cpp", 5}, "");
         node_of(m, m.kernels[0].graph.node_count() - 1).operands[1] = ValueId(5);
       },
       "x.cpp:5: error: local and global operands are mixed\n"
       "note: in kernel `proceed`\n"
       "note: rule `types`: operands and results have the types that the instruction says"},
      {"types", "type_error_shift", "Graph::add checks realms",
       [](Machine& m) { value_of(m, 0).type.realm = Realm::global; node_of(m, 0).instruction = Load{StaticId(1)}; },
       "example.om:8: error: operand 0 of `shift` is global f64, expected local f64\n"
       "note: in kernel `proceed`\n"
       "note: rule `types`: operands and results have the types that the instruction says"},
      {"value_names", "value_name", "the parser and Graph::set_name check names",
       [](Machine& m) {
         m.kernels[0].graph.set_name(ValueId(0), "density");
         const_cast<std::string&>(m.kernels[0].graph.name(ValueId(0))) = "a*/b";
       },
       "example.om:7: error: a value is named `a*/b`\n"
       "note: in kernel `proceed`\n"
       "note: rule `value_names`: a value's name is identifiers joined by dots"},
      {"scope_text", "scope_open", "a line break cannot stand in a line",
       [](Machine& m) { m.kernels[0].graph.add(Imm{Constant(1.0)}, {}, {"x.cpp", 5}, "a\nb"); },
       "x.cpp:5: error: the scope `a\\x0ab` has 3 characters or one that is not allowed\n"
       "note: in kernel `proceed`\n"
       "note: rule `scope_text`: a scope is at most 256 printable characters without \", \\, *, ? and #"},
      {"steps", "step_negative", "the parser refuses such a number",
       [](Machine& m) { instruction<Load>(m).step = -1; },
       "example.om:7: error: `load` at step -1, expected 0 to 1023\n"
       "note: in kernel `proceed`\n"
       "note: rule `steps`: a load's or store's step is 0 to 1023"},
      {"single_store", "two_stores", "Graph::add refuses a second store",
       [](Machine& m) {
         auto& graph = m.kernels[0].graph;
         graph.add(Store{StaticId(0), 1}, {ValueId(0)}, {"x.cpp", 5});
         std::get<Store>(node_of(m, graph.node_count() - 1).instruction).step = 0;
       },
       "x.cpp:5: error: `f` is stored twice in kernel `proceed`\n"
       "example.om:13: note: the first store is here\n"
       "note: rule `single_store`: a kernel stores a static once in a step"},
      {"reflect_sign", "boundary_sign", "the text has `+` and `-` only",
       [](Machine& m) { m.statics[0].boundary[0][1] = Reflect{0}; },
       "example.om:3: error: `f`, axis 0, upper side: reflect has the sign 0, expected +1 or -1\n"
       "note: rule `reflect_sign`: a reflected value keeps or changes its sign, a reflected bool keeps it"},
      {"fixed_element", "boundary_value", "the parser reads the value as the static's element",
       [](Machine& m) { m.statics[0].boundary[0][1] = Fixed{Constant(1.0f)}; },
       "example.om:3: error: `f`, axis 0, upper side: the fixed value 1 is f32, expected f64\n"
       "note: rule `fixed_element`: a fixed boundary value has the static's element type"},
      {"user_boundary", "boundary_kernel", "the parser looks the boundary kernel up",
       [](Machine& m) { m.statics[0].boundary[0][0] = UserBoundary{}; },
       "example.om:3: error: `f`, axis 0, lower side: the boundary kernel does not exist\n"
       "note: rule `user_boundary`: a boundary kernel gives the element type of the statics that use it"},
      {"boundary_kernel_result", "boundary_kernel_end", "the parser wants a `result` line",
       [](Machine& m) { m.boundary_kernels.push_back({"inflow", Graph(m.signature()), {}, {"x.cpp", 5}}); },
       "x.cpp:5: error: boundary kernel `inflow` has no result\n"
       "note: rule `boundary_kernel_result`: a boundary kernel's result is local"},
      {"role_axis", "role_axis_negative", "the parser refuses such a number",
       [](Machine& m) { m.statics[1].axis = -1; },
       "example.om:5: error: `gamma` has the role parameter of axis -1, expected 0 to 0\n"
       "note: rule `role_axis`: a domain bound names an axis of the machine"},
      {"initial_element", "value", "the parser reads the value as the static's element",
       [](Machine& m) { m.statics[1].initial = Constant(1); },
       "example.om:5: error: `gamma` has the initial value 1 of type i32, expected f64\n"
       "note: rule `initial_element`: a global's initial value has its element type"},
      {"bounds_of_parameters", "bound_value", "the parser reads the bound as the static's element",
       [](Machine& m) { m.statics[1].maximum = Constant(3); },
       "example.om:5: error: `gamma` has the bound 3 of type i32, expected f64\n"
       "note: rule `bounds_of_parameters`: only parameters have bounds, of their element type"},
  };
  // clang-format on
  return kCases;
}

std::string error_of(const Machine& machine) {
  try {
    verify(machine);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Verify, AcceptsTheExampleAndEverySample) {
  EXPECT_EQ(error_of(parse(kExample, "example.om")), "no error");
  for (const auto& text : test::samples()) EXPECT_EQ(error_of(parse(text)), "no error");
}

TEST(Verify, TellsWhatNoTextCanBreak) {
  for (const auto& c : cases()) {
    Machine machine = parse(kExample, "example.om");
    c.spoil(machine);
    EXPECT_EQ(error_of(machine), c.message) << c.why_no_text;
  }
}

TEST(Verify, TextWithTheSameMistakeIsRefusedBefore) {
  const std::filesystem::path folder = PARAISO_SOURCE_DIR "/tests/om/malformed";
  for (const auto& c : cases()) {
    SCOPED_TRACE(c.why_no_text);
    const auto path = folder / (std::string(c.file) + ".om");
    ASSERT_TRUE(std::filesystem::exists(path)) << path;
    try {
      (void)parse(test::read_text(path), path.string());
      ADD_FAILURE() << path << " is not refused";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with(path.filename().string() + ":")) << message;
      EXPECT_EQ(message.find("note: rule `"), std::string::npos) << message;
    }
  }
}

TEST(Verify, EveryRuleHasAMalformedFileOrACaseHere) {
  std::set<std::string> covered;
  for (const auto& c : cases()) {
    EXPECT_NE(std::string(c.message).find(std::string("rule `") + c.rule + "`"), std::string::npos);
    covered.insert(c.rule);
  }
  for (const auto& file : test::files_in("om/malformed")) {
    std::string rule = file.stem().string();
    if (test::read_text(file).find("rule `" + rule + "`") != std::string::npos)
      covered.insert(rule);
  }
  for (const auto& rule : verifier_rules())
    EXPECT_TRUE(covered.contains(rule.name)) << rule.name << ": " << rule.statement;
  EXPECT_EQ(covered.size(), verifier_rules().size());
}

TEST(Verify, RulesHaveDifferentNamesAndAreStatements) {
  std::set<std::string> names;
  for (const auto& rule : verifier_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_GT(std::string(rule.statement).size(), 10u);
  }
}

}  // namespace
}  // namespace paraiso::om
