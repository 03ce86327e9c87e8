// Any word may be a name: what is generated for it compiles, whatever the word means to C++, to the
// library or to the generator itself. Machines are compiled by one compiler and the other in turn;
// with PARAISO_EVERY_BUILD=1 (scripts/test-long.sh) each by both.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <sstream>

#include "folder.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/codegen/lower/spelling.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/plan/vector_form.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "tests/support/setting.hpp"

namespace paraiso::codegen {
namespace {

using namespace om;
namespace fs = std::filesystem;
using test::Folder;
using test::installed;
using Words = std::vector<std::string>;

constexpr std::size_t kWordsTogether = 250;  // names in one machine

/// The words in these files that may be names.
Words words_in(const std::vector<fs::path>& files) {
  std::set<std::string> words;
  for (const auto& path : files) {
    std::string text = runtime::read_file(path);
    for (char& c : text)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = ' ';
    std::istringstream pieces(text);
    for (std::string word; pieces >> word;)
      if (is_identifier(word)) words.insert(word);
  }
  return {words.begin(), words.end()};
}

const fs::path kPrograms = PARAISO_SOURCE_DIR "/paraiso";
const fs::path kGenerator = kPrograms / "codegen",
               kOperators = kPrograms / "om/graph/operators.def";

/// All that generated code is made of is in the generator's own sources.
Words all_words() {
  std::vector<fs::path> files{kOperators};
  for (const auto& folder : {kGenerator, kPrograms / "support"})
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) files.push_back(entry.path());
  return words_in(files);
}

/// Those that are seen where the name of a class is.
Words words_of_classes() {
  const fs::path shared = kGenerator / "lower", printers = kGenerator / "cpp";
  return words_in({kOperators, shared / "spelling.cpp", shared / "names.cpp",
                   shared / "make_module.cpp", printers / "class_frame.cpp",
                   kGenerator / "cpu/print/class_writer.cpp", printers / "plugin_writer.cpp"});
}

Static field(const std::string& name, Boundary side = Outflow{}) {
  Static s;
  s.name = name;
  s.type = {Realm::local, Element::f64};
  s.boundary = {{side, side}};
  return s;
}

Static scalar(const std::string& name) {
  Static s;
  s.name = name;
  s.type = {Realm::global, Element::f64};
  s.initial = Constant(1.0);
  return s;
}

ValueId sum(Graph& graph, const std::vector<ValueId>& values) {
  ValueId all = values[0];
  for (std::size_t v = 1; v < values.size(); ++v) all = graph.add(Arith{Op::add}, {all, values[v]});
  return all;
}

/// What `op` makes of values of `element`; nothing where it takes none.
std::vector<ValueId> apply(Graph& graph, Op op, Element element,
                           const std::map<Element, std::vector<ValueId>>& values) {
  const OpInfo& row = info(op);
  std::vector<Element> elements(row.arity, element);
  if (row.rule == TypeRule::selection) elements[0] = Element::boolean;
  if (row.rule == TypeRule::power) elements[1] = Element::i32;
  if (!result_types(op, elements, Element::f64).complaint.empty()) return {};
  std::vector<ValueId> operands;
  for (int o = 0; o < row.arity; ++o) operands.push_back(values.at(elements[o])[o]);
  const ValueId first = graph.add(Arith{op, Element::f64}, operands);
  std::vector<ValueId> results;
  for (int r = 0; r < row.results; ++r)
    results.push_back(graph.add(Arith{Op::cast, Element::f64}, {ValueId(first.index + r)}));
  return results;
}

/// The sum of what the operators, those of vectors or the others, make of `f` and its neighbours.
ValueId all_operators(Graph& graph, StaticId f, bool vectors) {
  std::map<Element, std::vector<ValueId>> values;
  for (const int distance : {0, 1, -1}) {
    const ValueId here = graph.add(Shift{{distance}}, {graph.add(Load{f})});
    for (const Element element : {Element::boolean, Element::i32, Element::i64, Element::f64})
      values[element].push_back(graph.add(Arith{Op::cast, element}, {here}));
  }
  std::vector<ValueId> results;
  for (int o = 0; o < kOpCount; ++o)
    for (const Element element : {Element::boolean, Element::i64, Element::f64})
      if (const Op op = static_cast<Op>(o); plan::has_vector_form(op, element) == vectors)
        for (const ValueId result : apply(graph, op, element, values)) results.push_back(result);
  return sum(graph, results);
}

/// A machine of one dimension whose static `f`, the first, is stored by two kernels: what `add`
/// returns, and then all operators, are in both.
Machine machine_with(const std::vector<Static>& statics,
                     const std::function<ValueId(Graph&)>& add) {
  Machine machine;
  machine.name = "words";
  machine.statics = statics;
  for (const bool vectors : {true, false}) {
    Graph graph(machine.signature());
    const ValueId all = all_operators(graph, StaticId(0), vectors);
    graph.add(Store{StaticId(0)}, {graph.add(Arith{Op::add}, {add(graph), all})});
    machine.kernels.push_back(
        {vectors ? "proceed" : "look", vectors ? KernelRole::step : KernelRole::plain, graph, {}});
  }
  return machine;
}

/// Scalars, read by cells and by a boundary kernel, and advanced by each step to values of these
/// names.
Machine with_scalars(const Words& scalars, const Words& values) {
  std::vector<Static> statics{field("f_of_mine", UserBoundary{BoundaryKernelId(0)})};
  for (const auto& name : scalars) statics.push_back(scalar(name));
  const auto polynomial = [&](Graph& graph) {
    const ValueId f = graph.add(Load{StaticId(0)});
    ValueId value = f;
    for (std::size_t s = 1; s < statics.size(); ++s) {
      const ValueId factor = graph.add(Broadcast{}, {graph.add(Load{StaticId(s)})});
      value = graph.add(Arith{Op::madd}, {value, factor, f});
    }
    return value;
  };
  Machine machine = machine_with(statics, [&](Graph& graph) {
    for (std::size_t s = 1; s < statics.size(); ++s) {
      const ValueId old = graph.add(Load{StaticId(s)});
      const ValueId next = graph.add(Arith{Op::add}, {old, old});
      if (!values.empty()) graph.set_name(next, values[s - 1]);
      graph.add(Store{StaticId(s)}, {next});
    }
    return polynomial(graph);
  });
  Graph graph(machine.signature());
  const ValueId result = polynomial(graph);
  machine.boundary_kernels.push_back({"edge", std::move(graph), result, {}});
  return machine;
}

Machine with_scalars(const Words& words) { return with_scalars(words, {}); }

Machine with_values_of_scalars(const Words& words) {
  Words scalars;
  for (std::size_t s = 0; s < words.size(); ++s) scalars.push_back("s" + std::to_string(s));
  return with_scalars(scalars, words);
}

Machine with_fields(const Words& words) {
  std::vector<Static> statics{field("f_of_mine")};
  for (const auto& word : words) statics.push_back(field(word));
  return machine_with(statics, [&](Graph& graph) {
    ValueId value = graph.add(Load{StaticId(0)});
    for (std::size_t s = 1; s < statics.size(); ++s) {
      const ValueId next = graph.add(Shift{{1}}, {graph.add(Load{StaticId(s)})});
      value = graph.add(Arith{Op::mul}, {value, next});
      graph.add(Store{StaticId(s)}, {value});
    }
    return value;
  });
}

Machine with_values(const Words& words) {
  return machine_with({field("f_of_mine")}, [&](Graph& graph) {
    const ValueId f = graph.add(Load{StaticId(0)});
    ValueId value = f;
    for (const auto& word : words) {
      value = graph.add(Arith{Op::mul}, {value, f});
      graph.set_name(value, word);
    }
    return value;
  });
}

/// With nothing but names: bodies of loops would make the compiler work.
Graph constant(const Machine& machine) {
  Graph graph(machine.signature());
  graph.add(Store{StaticId(0)}, {graph.add(Imm{Constant(1.0)})});
  return graph;
}

Machine with_kernels(const Words& words) {
  Machine machine;
  machine.name = "words";
  machine.statics = {scalar("s_of_mine")};
  for (const auto& word : words)
    machine.kernels.push_back({word, KernelRole::plain, constant(machine), {}});
  return machine;
}

/// Generates classes into a folder; compiles those of each compiler as one source.
class Sources {
 public:
  void add(const Machine& machine, const std::string& class_name = {}) {
    const auto turn = added_ + added_ / 2;  // those that come in pairs take turns, too
    ++added_;
    GenerateOptions options;
    options.class_name = class_name;
    options.plugin = true;
    for (const auto& file :
         generate_openmp(plan::plan_program(machine, plan::default_schedule(machine)), options)) {
      if (!known_.insert(file.name).second) continue;
      folder_.write(file.name, file.text);
      if (!file.name.ends_with(".cpp") || file.name == "paraiso_support.cpp") continue;
      for (const std::size_t compiler : {0, 1})
        if (each_ || turn % 2 == compiler) sources_[compiler] += "#include \"" + file.name + "\"\n";
      // Else no operator would be called by its bare name.
      const bool vectors = file.text.find("using Lanes") != std::string::npos;
      EXPECT_EQ(vectors, machine.step_kernel() != nullptr) << file.name;
    }
  }
  void expect_to_compile() const {
    std::size_t number = 0;
    // g++ would say of so long a source that it looks less closely at columns.
    for (const auto& [compiler, more] :
         {std::pair("g++", " -flarge-source-files"), std::pair("clang++", "")}) {
      folder_.write("(all).cpp", sources_[number++]);
      if (installed(compiler)) {
        EXPECT_EQ(folder_.output_of(std::string(compiler) + more +
                                    " -std=c++17 -fsyntax-only -fopenmp -Wall -Wextra -Werror "
                                    "-Wno-pass-failed '(all).cpp'"),
                  "")
            << compiler;
      }
    }
  }

 private:
  Folder folder_;
  std::string sources_[2];  // of g++, of clang++
  std::size_t added_ = 0;
  bool each_ = test::every_build() || !installed("g++") || !installed("clang++");
  std::set<std::string> known_;
};

using Maker = Machine (*)(const Words&);

class AnyName : public testing::TestWithParam<std::pair<const char*, Maker>> {};

TEST_P(AnyName, Compiles) {
  const Words words = all_words();
  Sources sources;
  for (std::size_t first = 0; first < words.size(); first += kWordsTogether) {
    const auto end = std::min(words.size(), first + kWordsTogether);
    const auto machine =
        passes::prepare(GetParam().second({words.begin() + static_cast<std::ptrdiff_t>(first),
                                           words.begin() + static_cast<std::ptrdiff_t>(end)}),
                        passes::Numbers::strict);
    sources.add(machine, "words_" + std::to_string(first));
    if (!machine.boundary_kernels.empty())
      sources.add(passes::fuse_steps(machine, 2).machine, "fused_" + std::to_string(first));
  }
  sources.expect_to_compile();
}

INSTANTIATE_TEST_SUITE_P(Of, AnyName,
                         testing::Values(std::pair{"scalars", Maker{with_scalars}},
                                         std::pair{"values_of_scalars", &with_values_of_scalars},
                                         std::pair{"fields", &with_fields},
                                         std::pair{"values", &with_values},
                                         std::pair{"kernels", &with_kernels}),
                         [](const auto& info) { return std::string(info.param.first); });

TEST(AnyNameOfAMachine, Compiles) {
  Sources sources;
  for (const auto& word : words_of_classes()) {
    Machine machine = with_kernels({"proceed"});
    machine.name = word;
    sources.add(passes::prepare(machine, passes::Numbers::strict));
  }
  sources.expect_to_compile();
}

/// A class whose loops call the function that it is named after.
TEST(AnyNameOfAMachine, HidesNoOperator) {
  Sources sources;
  for (int o = 0; o < kOpCount; ++o) {
    const Machine machine = with_values({});
    sources.add(passes::prepare(machine, passes::Numbers::strict),
                spelling(static_cast<Op>(o)).call[0]);
  }
  sources.expect_to_compile();
}

TEST(Names, AreNoMacros) {
  const Folder folder;
  const auto machine = passes::prepare(with_fields({"g_of_mine"}), passes::Numbers::strict);
  GenerateOptions options;
  options.standalone = true;
  for (const auto& file :
       generate_openmp(plan::plan_program(machine, plan::default_schedule(machine)), options))
    folder.write(file.name, file.text);
  for (const std::string compiler : {"g++", "clang++"}) {
    if (!installed(compiler)) continue;
    for (const char* flags : {"-std=c++17", "-std=gnu++17", "-std=c++20 -march=native"}) {
      std::istringstream lines(folder.output_of(compiler + " -fopenmp -dM -E " + flags +
                                                " main.cpp && " + compiler + " -fopenmp -dM -E " +
                                                flags + " words.cpp"));
      for (std::string line; std::getline(lines, line);) {
        ASSERT_TRUE(line.starts_with("#define ")) << line;
        const auto name = line.substr(8, line.find_first_of(" (", 8) - 8);
        if (!is_identifier(name)) continue;
        EXPECT_NE(Names().unique(name), name) << compiler << ' ' << flags;
      }
    }
  }
}

}  // namespace
}  // namespace paraiso::codegen
