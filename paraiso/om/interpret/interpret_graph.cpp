#include "paraiso/om/interpret/interpret_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::om {

namespace {

Cell minus(Cell cell, const Offset& offset) {
  for (std::size_t a = 0; a < cell.size(); ++a) cell[a] -= offset[a];
  return cell;
}

/// The step that a node belongs to: that of the latest Load that it depends on.
std::vector<int> steps_of(const Graph& graph) {
  std::vector<int> step(graph.node_count());
  for (std::size_t n = 0; n < step.size(); ++n) {
    const Node& node = graph.node(NodeId(n));
    if (const auto* load = std::get_if<Load>(&node.instruction)) step[n] = load->step;
    for (ValueId v : node.operands)
      step[n] = std::max(step[n], step[graph.value(v).producer.index]);
  }
  return step;
}

/// Operands before users, and all of one step before the Loads of the next.
std::vector<NodeId> order_of(const std::vector<int>& steps) {
  std::vector<NodeId> nodes;
  for (std::size_t n = 0; n < steps.size(); ++n) nodes.push_back(NodeId(n));
  std::ranges::stable_sort(nodes, {}, [&](NodeId id) { return steps[id.index]; });
  return nodes;
}

class Evaluation {
 public:
  Evaluation(const Graph& graph, const PartAccess& part, const std::vector<std::int64_t>& size)
      : graph_(graph),
        part_(part),
        size_(size),
        values_(graph.value_count()),
        uses_(graph.value_count()) {
    find_boxes();
    for (std::size_t n = 0; n < graph.node_count(); ++n)
      for (ValueId v : graph.node(NodeId(n)).operands) ++uses_[v.index];
  }

  /// Computes a node's results; those of a Reduce are `reduced`.
  void compute(NodeId id, const std::function<Constant()>& reduced) {
    compute(graph_.node(id), reduced);
    for (ValueId v : graph_.node(id).operands)
      if (--uses_[v.index] == 0) give_back(values_[v.index].constants);
  }
  void keep(ValueId wanted) { ++uses_[wanted.index]; }
  [[nodiscard]] const Values& values(ValueId v) const { return values_[v.index]; }

 private:
  [[nodiscard]] Box& box(ValueId v) { return values_[v.index].box; }
  [[nodiscard]] bool is_local(ValueId v) const { return graph_.type(v).is_local(); }

  /// From users to operands: a value's box is the hull of the core and of all cells read of it.
  void find_boxes() {
    for (std::size_t v = 0; v < values_.size(); ++v)
      if (is_local(ValueId(v))) box(ValueId(v)) = part_.core;
    for (std::size_t n = graph_.node_count(); n-- > 0;) {
      const Node& node = graph_.node(NodeId(n));
      const Box read = box_of_results(node);
      for (ValueId v : node.operands)
        if (is_local(v)) box(v).include(read);
    }
    for (std::size_t v = 0; v < values_.size(); ++v)
      if (is_local(ValueId(v))) require_countable(box(ValueId(v)));
  }

  static void require_countable(const Box& box) {
    double cells = 1;
    for (std::size_t a = 0; a < box.lower.size(); ++a)
      cells *= static_cast<double>(box.upper[a] - box.lower[a]);
    if (cells > static_cast<double>(kLargestGrid))
      throw Error(
          fmt::format("a value is needed on {:.3g} cells, too many for the interpreter, "
                      "which takes {}",
                      cells, kLargestGrid));
  }

  /// The box over which a node's operands are read.
  [[nodiscard]] Box box_of_results(const Node& node) {
    if (node.result_count == 0 || !is_local(node.first_result)) return part_.core;
    Box read = box(node.first_result);
    for (int r = 1; r < node.result_count; ++r)
      read.include(box(ValueId(node.first_result.index + r)));
    if (const auto* shift = std::get_if<Shift>(&node.instruction))
      read = {minus(read.lower, shift->offset), minus(read.upper, shift->offset)};
    return read;
  }

  /// Reuses the memory of values after their last use: fresh memory costs more than the arithmetic
  /// on it.
  void give_back(std::vector<Constant>& constants) {
    constants.clear();
    spare_.push_back(std::move(constants));
  }
  void reserve(Values& values) {
    if (!spare_.empty()) {
      values.constants = std::move(spare_.back());
      spare_.pop_back();
    }
    values.constants.reserve(values.box.cell_count());
  }

  [[nodiscard]] const Constant* row_at(ValueId v, const Cell& first) const {
    const Values& values = values_[v.index];
    return values.constants.data() + values.box.position(first);
  }

  /// Fills the node's only result: from a function of the cell, or with one value.
  template <class F>
  void fill(const Node& node, F&& constant_at) {
    Values& result = values_[node.first_result.index];
    reserve(result);
    result.box.for_each([&](const Cell& cell) { result.constants.push_back(constant_at(cell)); });
  }
  void fill_with(const Node& node, Constant constant) {
    Values& result = values_[node.first_result.index];
    reserve(result);
    result.constants.assign(result.box.cell_count(), constant);
  }

  void compute(const Node& node, const std::function<Constant()>& reduced) {
    std::visit(Overload{
                   [&](const Imm& i) { fill_with(node, i.value); },
                   [&](const Load& i) {
                     fill(node, [&](const Cell& cell) { return part_.load(i, cell); });
                   },
                   [&](const Store& i) { part_.store(i, values(node.operands[0])); },
                   [&](const Reduce&) { fill_with(node, reduced()); },
                   [&](const Broadcast&) { fill_with(node, values(node.operands[0]).at({})); },
                   [&](const Shift& i) { compute_shift(node, i); },
                   [&](const LoadIndex& i) {
                     const std::int64_t zero = part_.zero.empty() ? 0 : part_.zero[i.axis];
                     fill(node, [&](const Cell& cell) { return Constant(cell[i.axis] - zero); });
                   },
                   [&](const LoadSize& i) { fill_with(node, Constant(size_[i.axis])); },
                   [&](const Arith& i) { compute_arith(node, i); },
               },
               node.instruction);
  }

  void compute_shift(const Node& node, const Shift& shift) {
    Values& result = values_[node.first_result.index];
    reserve(result);
    const std::size_t length = result.box.row_length();
    result.box.for_each_row([&](const Cell& first) {
      const Constant* const row = row_at(node.operands[0], minus(first, shift.offset));
      result.constants.insert(result.constants.end(), row, row + length);
    });
  }

  /// All results of an operator, over the hull of their boxes.
  void compute_arith(const Node& node, const Arith& arith) {
    Values* results = &values_[node.first_result.index];
    if (is_local(node.first_result)) {
      const Box all = box_of_results(node);
      for (int r = 0; r < node.result_count; ++r) results[r].box = all;
    }
    for (int r = 0; r < node.result_count; ++r) reserve(results[r]);
    std::vector<const Constant*> rows(node.operands.size());
    std::vector<Constant> operands(node.operands.size()), out(node.result_count);
    const std::size_t length = results[0].box.row_length();
    results[0].box.for_each_row([&](const Cell& first) {
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = row_at(node.operands[k], first);
      for (std::size_t i = 0; i < length; ++i) {
        for (std::size_t k = 0; k < operands.size(); ++k) operands[k] = rows[k][i];
        evaluate(arith.op, operands, arith.target, out);
        for (int r = 0; r < node.result_count; ++r) results[r].constants.push_back(out[r]);
      }
    });
  }

  const Graph& graph_;
  const PartAccess& part_;
  const std::vector<std::int64_t>& size_;
  std::vector<Values> values_;     // by ValueId; emptied after the last use
  std::vector<std::size_t> uses_;  // that are still to come
  std::vector<std::vector<Constant>> spare_;
};

/// The core cells of the only part, as the machine reduces them.
Constant reduce_whole(const Reduce& reduce, const Values& operand, const Box& core,
                      const std::vector<std::int64_t>& size) {
  std::vector<std::uint64_t> cells;
  core.for_each([&](const Cell& cell) { cells.push_back(operand.at(cell).bits()); });
  return reduce_tree(reduce.op, operand.constants.front().element(), cells, size);
}

}  // namespace

Values evaluate_graph(const Graph& graph, const Box& box, const std::vector<std::int64_t>& size,
                      const LoadCell& load, const StoreValues& store, ValueId wanted) {
  const PartAccess part = {box, load, store};
  Evaluation evaluation(graph, part, size);
  if (wanted.valid()) evaluation.keep(wanted);
  for (NodeId id : order_of(steps_of(graph)))
    evaluation.compute(id, [&] {
      const Node& node = graph.node(id);
      return reduce_whole(std::get<Reduce>(node.instruction), evaluation.values(node.operands[0]),
                          box, size);
    });
  return wanted.valid() ? evaluation.values(wanted) : Values{};
}

void evaluate_parts(const Graph& graph, std::span<const PartAccess> parts,
                    const std::vector<std::int64_t>& size, const ReduceParts& reduce,
                    const BeforeStep& before_step) {
  std::vector<Evaluation> evaluations;
  for (const PartAccess& part : parts) evaluations.emplace_back(graph, part, size);
  const auto steps = steps_of(graph);
  int step = -1;
  for (NodeId id : order_of(steps)) {
    while (step < steps[id.index]) before_step(++step);
    const Node& node = graph.node(id);
    Constant reduced;
    if (const auto* i = std::get_if<Reduce>(&node.instruction)) {
      std::vector<const Values*> operands;
      for (const auto& e : evaluations) operands.push_back(&e.values(node.operands[0]));
      reduced = reduce(*i, operands);
    }
    for (auto& e : evaluations) e.compute(id, [&] { return reduced; });
  }
}

}  // namespace paraiso::om
