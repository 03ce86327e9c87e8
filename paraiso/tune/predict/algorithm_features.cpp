#include "paraiso/tune/predict/algorithm_features.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/om/cells/reads.hpp"
#include "paraiso/passes/analysis/cost.hpp"
#include "paraiso/passes/analysis/step_chain.hpp"
#include "paraiso/plan/search/keep_values.hpp"

namespace paraiso::tune {

using namespace om;

namespace {

/// Floating-point operations of an instruction in one cell.
int flops(const Arith& arith, const Graph& graph, const Node& node) {
  const OpInfo& row = info(arith.op);
  if (!is_float(graph.type(node.first_result).element)) return 0;
  switch (row.unit) {
    case Unit::nothing: return 0;
    case Unit::fused: return 2;
    case Unit::arithmetic:
    case Unit::divider:
    case Unit::root:
    case Unit::elementary:
    case Unit::library: break;
  }
  return arith.op == Op::select || arith.op == Op::cast ? 0 : 1;
}

struct Counts {
  double flops = 0, reductions = 0, broadcasts = 0, indices = 0, elementary = 0;
};

Counts counts_of(const Graph& graph) {
  Counts counts;
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    if (const auto* arith = std::get_if<Arith>(&node.instruction)) {
      if (!graph.type(node.first_result).is_local()) continue;
      counts.flops += flops(*arith, graph, node);
      const Unit unit = info(arith->op).unit;
      counts.elementary += unit == Unit::elementary || unit == Unit::library;
    }
    counts.reductions += std::holds_alternative<Reduce>(node.instruction);
    counts.broadcasts += std::holds_alternative<Broadcast>(node.instruction);
    counts.indices += std::holds_alternative<LoadIndex>(node.instruction);
  }
  return counts;
}

/// The distinct reads of arrays, and how far they reach along each axis, on both sides.
struct ReadRadius {
  double references = 0, bytes = 0;
  std::vector<double> lower, upper;
};

ReadRadius reach_of(const Kernel& kernel, const Reads& reads) {
  const int dimension = kernel.graph.dimension();
  ReadRadius reach{0, 0, std::vector<double>(dimension), std::vector<double>(dimension)};
  for (const auto& [step, statics] : reads)
    for (const auto& [id, offsets] : statics) {
      const Element element = kernel.graph.signature().statics[id.index].type.element;
      reach.references += static_cast<double>(offsets.size());
      reach.bytes += static_cast<double>(offsets.size() * size_of(element));
      for (const Cell& offset : offsets)
        for (int a = 0; a < dimension; ++a) {
          reach.lower[a] = std::max(reach.lower[a], static_cast<double>(-offset[a]));
          reach.upper[a] = std::max(reach.upper[a], static_cast<double>(offset[a]));
        }
    }
  return reach;
}

void add_reach(const ReadRadius& reach, NumberList& numbers) {
  double most = 0, sum = 0;
  for (std::size_t a = 0; a < reach.lower.size(); ++a) {
    const std::string axis = axis_name(static_cast<int>(a));
    numbers.emplace_back("algorithm.radius." + axis + ".lower", reach.lower[a]);
    numbers.emplace_back("algorithm.radius." + axis + ".upper", reach.upper[a]);
    most = std::max({most, reach.lower[a], reach.upper[a]});
    sum += reach.lower[a] + reach.upper[a];
  }
  numbers.emplace_back("algorithm.radius.most", most);
  numbers.emplace_back("algorithm.radius.sum", sum);
}

/// The sides of each kind, over all sides that reads reach beyond.
void add_boundaries(const Machine& program, const Reads& reads, NumberList& numbers) {
  static constexpr const char* kKinds[] = {"cyclic", "outflow", "reflect", "fixed", "user"};
  double sides[std::variant_size_v<Boundary>] = {};
  std::set<StaticId> read;
  for (const auto& [step, statics] : reads)
    for (const auto& [id, offsets] : statics) read.insert(id);
  for (StaticId id : read)
    for (const auto& axis : program.at(id).boundary)
      for (const Boundary& side : axis) ++sides[side.index()];
  double all = 0;
  for (double count : sides) all += count;
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind)
    numbers.emplace_back(std::string("algorithm.boundary.") + kKinds[kind],
                         all > 0 ? sides[kind] / all : 0);
}

void add_values(const Kernel& kernel, NumberList& numbers) {
  const plan::KernelGenes genes = plan::kernel_genes(kernel);
  double kept = 0, values = 0;
  int depth = 0;
  for (const plan::ValueDemand& demand : plan::demands(kernel, genes)) {
    kept += demand.kept;
    depth = std::max(depth, demand.depth);
  }
  for (const plan::StorageGene& gene : genes.storage)
    values += static_cast<double>(gene.values.size());
  numbers.emplace_back("algorithm.values", values);
  numbers.emplace_back("algorithm.values_kept", kept);
  numbers.emplace_back("algorithm.stages", depth + 1);
}

}  // namespace

Element main_element(const Kernel& kernel) {
  std::map<Element, std::size_t> bytes;
  for (NodeId id : kernel.graph.stores()) {
    const Type type = kernel.graph.type(kernel.graph.node(id).operands[0]);
    if (type.is_local()) bytes[type.element] += size_of(type.element);
  }
  const auto most = std::ranges::max_element(bytes, {}, [](const auto& row) { return row.second; });
  return most == bytes.end() ? Element::f64 : most->first;
}

LiveRows live_rows(const Kernel& kernel) {
  LiveRows live;
  const Graph& graph = kernel.graph;
  const auto add = [&](StaticId id) {
    ++live.rows;
    live.bytes += static_cast<double>(size_of(graph.signature().statics[id.index].type.element));
  };
  for (const auto& [step, statics] : reads_of(graph))
    for (const auto& [id, offsets] : statics) {
      std::set<Cell> rows;
      for (Cell offset : offsets) {
        offset[0] = 0;
        rows.insert(offset);
      }
      for (std::size_t row = 0; row < rows.size(); ++row) add(id);
    }
  for (NodeId id : graph.stores())
    if (graph.type(graph.node(id).operands[0]).is_local())
      add(std::get<Store>(graph.node(id).instruction).target);
  return live;
}

void add_algorithm(const Machine& program, const Kernel& kernel, NumberList& numbers) {
  const Graph& graph = kernel.graph;
  const passes::Cost cost = passes::cost_of(graph);
  const Counts counts = counts_of(graph);
  const Reads reads = reads_of(graph);
  const ReadRadius reach = reach_of(kernel, reads);
  const auto add = [&](const char* name, double value) {
    numbers.emplace_back(std::string("algorithm.") + name, value);
  };
  add("dimension", program.dimension);
  add("steps", passes::last_step(graph) + 1);
  add("intensity", cost.bytes > 0 ? counts.flops / cost.bytes : 0);
  add("flop_density", counts.flops);
  add("operations", cost.operations);
  add("divides", cost.divides);
  add("elementary", counts.elementary);
  add("reference_density", reach.bytes);
  add("references", reach.references);
  add("arrays", cost.loads + cost.stores);
  add("bytes", cost.bytes);
  add("element_bytes", static_cast<double>(size_of(main_element(kernel))));
  add_reach(reach, numbers);
  add("rows_alive", live_rows(kernel).rows);
  add_values(kernel, numbers);
  add("reductions", counts.reductions);
  add("broadcasts", counts.broadcasts);
  add("indices", counts.indices);
  add_boundaries(program, reads, numbers);
}

}  // namespace paraiso::tune
