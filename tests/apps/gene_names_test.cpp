// What the genes of a solver are called when a line is added to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "apps/hydro/hydro.hpp"
#include "apps/wave/wave.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::plan {
namespace {

using namespace om;

enum class Line {
  diagnostic,        // `extra` becomes the sum of the squares of a value, said in its scope
  outer_diagnostic,  // the same, said in the kernel's own scope
  term               // what reads the value reads it plus its product with a static
};

// Where the instructions of the solver as it was say that they stand: nowhere else, by their
// numbers.
Location place_of(NodeId node) { return {intern_file("solver"), static_cast<int>(node.index) + 1}; }

class Solver {
 public:
  /// Its step kernel alone, with a Global `extra` before all other statics.
  explicit Solver(const App& app) {
    std::string text = om::print(app.build({2, Element::f64, app.problems[0].name}));
    text.insert(text.find("static "), "static extra global f64 = 0\n");
    machine_ = om::parse(text, app.name + ".om");
    std::erase_if(machine_.kernels, [](const Kernel& k) { return k.role != KernelRole::step; });
    for (std::size_t v = 0; v < before().value_count() && !field_.valid(); ++v)
      if (before().producer_as<Load>(ValueId(v)) && is_cells(ValueId(v))) field_ = ValueId(v);
  }

  /// What a line may be about: every `stride`-th number that is computed in each cell.
  [[nodiscard]] std::vector<ValueId> values(std::size_t stride) const {
    std::vector<ValueId> found;
    for (std::size_t v = field_.index + 1; v < before().value_count(); ++v)
      if (before().producer_as<Arith>(ValueId(v)) && is_cells(ValueId(v)))
        found.emplace_back(ValueId(v));
    std::vector<ValueId> some;
    for (std::size_t i = 0; i < found.size(); i += stride) some.push_back(found[i]);
    return some;
  }

  using Names = std::map<std::string, std::string>;  // by instruction of the solver as it was
  [[nodiscard]] Names names() const {
    return names(written([](Graph&, ValueId*) {}, ValueId()));
  }

  /// With one more line, which is about `value`.
  [[nodiscard]] Names names(Line line, ValueId value) const {
    const std::string scope = line == Line::outer_diagnostic ? "" : before().scope(value);
    const auto add = [&](Graph& graph, ValueId* now) {
      const auto arith = [&](Op op, ValueId one, ValueId other) {
        return graph.add(Arith{op}, {one, other}, {}, scope);
      };
      ValueId& it = now[value.index];
      if (line == Line::term) {
        it = arith(Op::add, it, arith(Op::mul, it, now[field_.index]));
      } else {
        const ValueId sum = graph.add(Reduce{ReduceOp::sum}, {arith(Op::mul, it, it)}, {}, scope);
        graph.add(Store{StaticId(0)}, {sum});
      }
    };
    return names(written(add, value));
  }

  /// The instructions that read a value, through Shifts as well: a term changes them.
  [[nodiscard]] std::set<int> readers(ValueId value) const {
    std::set<int> lines;
    std::set<ValueId> same{value};
    for (std::size_t n = 0; n < before().node_count(); ++n) {
      const Node& node = before().node(NodeId(n));
      if (std::ranges::none_of(node.operands, [&](ValueId v) { return same.contains(v); }))
        continue;
      lines.insert(place_of(NodeId(n)).line);
      if (std::holds_alternative<Shift>(node.instruction)) same.insert(node.first_result);
    }
    return lines;
  }

 private:
  [[nodiscard]] const Graph& before() const { return machine_.kernels[0].graph; }
  [[nodiscard]] bool is_cells(ValueId v) const {
    return before().type(v) == Type{Realm::local, Element::f64};
  }

  /// The kernel once more; `add` is called where `value` has been written.
  template <class Add>
  [[nodiscard]] Machine written(Add add, ValueId value) const {
    Graph graph(before().signature_pointer());
    std::vector<ValueId> now(before().value_count());
    for (std::size_t n = 0; n < before().node_count(); ++n) {
      const Node& node = before().node(NodeId(n));
      std::vector<ValueId> operands;
      for (const ValueId v : node.operands) operands.push_back(now[v.index]);
      const ValueId first =
          graph.add(node.instruction, operands, place_of(NodeId(n)),
                    node.result_count > 0 ? before().scope(node.first_result) : "");
      for (int r = 0; r < node.result_count; ++r) {
        const ValueId from(node.first_result.index + r);
        now[from.index] = ValueId(first.index + r);
        graph.inherit(now[from.index], before(), from);
        if (from == value) add(graph, now.data());
      }
    }
    Machine machine = machine_;
    machine.kernels[0].graph = std::move(graph);
    return passes::prepare(machine, passes::Numbers::fma);
  }

  /// Of what comes from the solver as it was; instructions that a pass has made several of are left
  /// out.
  [[nodiscard]] static Names names(const Machine& machine) {
    Names names;
    std::set<std::string> ambiguous;
    const Graph& graph = machine.kernels[0].graph;
    for (const StorageGene& gene : kernel_genes(machine.kernels[0]).storage)
      for (const ValueId value : gene.values) {
        const Node& node = graph.producer(value);
        if (node.location.file != place_of(NodeId(0)).file) continue;
        const std::string key =
            std::to_string(node.location.line) + info(std::get<Arith>(node.instruction).op).name;
        if (!names.emplace(key, gene.name).second) ambiguous.insert(key);
      }
    for (const std::string& key : ambiguous) names.erase(key);
    return names;
  }

  Machine machine_;
  ValueId field_;
};

void expect_most_to_stay(const App& app, std::size_t stride) {
  const Solver solver(app);
  const auto before = solver.names();
  ASSERT_GT(before.size(), 20u);
  for (const ValueId value : solver.values(stride))
    for (const Line line : {Line::diagnostic, Line::outer_diagnostic, Line::term}) {
      const auto after = solver.names(line, value);
      const auto changed = line == Line::term ? solver.readers(value) : std::set<int>();
      int untouched = 0, kept = 0;
      for (const auto& [instruction, name] : before) {
        const auto found = after.find(instruction);
        if (found == after.end() || changed.contains(std::stoi(instruction))) continue;
        ++untouched;
        kept += found->second == name;
      }
      EXPECT_GE(untouched, 0.75 * static_cast<double>(before.size()));
      EXPECT_GE(kept, 0.95 * untouched)
          << app.name << ", value " << value.index << ", line " << static_cast<int>(line);
    }
}

TEST(GeneNames, OfWaveStayWhenALineIsAdded) { expect_most_to_stay(apps::wave(), 1); }

TEST(GeneNames, OfHydroStayWhenALineIsAdded) { expect_most_to_stay(apps::hydro(), 10); }

}  // namespace
}  // namespace paraiso::plan
