#include "paraiso/om/interpret_graph.hpp"

#include <algorithm>

#include "paraiso/om/interpret.hpp"

namespace paraiso::om {

std::size_t Box::cell_count() const {
  std::size_t count = 1;
  for (std::size_t a = 0; a < lower.size(); ++a) count *= upper[a] - lower[a];
  return count;
}

void Box::include(const Box& other) {
  for (std::size_t a = 0; a < lower.size(); ++a) {
    lower[a] = std::min(lower[a], other.lower[a]);
    upper[a] = std::max(upper[a], other.upper[a]);
  }
}

std::size_t Box::position(const Cell& cell) const {
  std::size_t position = 0;
  for (std::size_t a = lower.size(); a-- > 0;)
    position = position * (upper[a] - lower[a]) + (cell[a] - lower[a]);
  return position;
}

namespace {

Cell minus(Cell cell, const Offset& offset) {
  for (std::size_t a = 0; a < cell.size(); ++a) cell[a] -= offset[a];
  return cell;
}

class Evaluation {
 public:
  Evaluation(const Graph& graph, const Box& box, const std::vector<std::int64_t>& size,
             const LoadCell& load, const StoreValues& store)
      : graph_(graph),
        core_(box),
        size_(size),
        load_(load),
        store_(store),
        values_(graph.value_count()),
        uses_(graph.value_count()) {
    find_boxes();
    for (std::size_t n = 0; n < graph.node_count(); ++n)
      for (ValueId v : graph.node(NodeId(n)).operands) ++uses_[v.index];
  }

  Values run(ValueId wanted) {
    if (wanted.valid()) ++uses_[wanted.index];
    for (NodeId id : order()) {
      compute(graph_.node(id));
      for (ValueId v : graph_.node(id).operands)
        if (--uses_[v.index] == 0) give_back(values_[v.index].constants);
    }
    return wanted.valid() ? values_[wanted.index] : Values{};
  }

 private:
  [[nodiscard]] Box& box(ValueId v) { return values_[v.index].box; }
  [[nodiscard]] bool is_local(ValueId v) const { return graph_.type(v).is_local(); }

  /// From users to operands: what is read of a value, at least the core, is hulled into its box.
  void find_boxes() {
    for (std::size_t v = 0; v < values_.size(); ++v)
      if (is_local(ValueId(v))) box(ValueId(v)) = core_;
    for (std::size_t n = graph_.node_count(); n-- > 0;) {
      const Node& node = graph_.node(NodeId(n));
      const Box read = box_of_results(node);
      for (ValueId v : node.operands)
        if (is_local(v)) box(v).include(read);
    }
  }

  /// The box over which a node's operands are read.
  [[nodiscard]] Box box_of_results(const Node& node) {
    if (node.result_count == 0 || !is_local(node.first_result)) return core_;
    Box read = box(node.first_result);
    for (int r = 1; r < node.result_count; ++r)
      read.include(box(ValueId(node.first_result.index + r)));
    if (const auto* shift = std::get_if<Shift>(&node.instruction))
      read = {minus(read.lower, shift->offset), minus(read.upper, shift->offset)};
    return read;
  }

  /// Operands before users, and all of one step before the Loads of the next.
  [[nodiscard]] std::vector<NodeId> order() const {
    std::vector<int> step(graph_.node_count());
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < step.size(); ++n) {
      const Node& node = graph_.node(NodeId(n));
      if (const auto* load = std::get_if<Load>(&node.instruction)) step[n] = load->step;
      for (ValueId v : node.operands)
        step[n] = std::max(step[n], step[graph_.value(v).producer.index]);
      nodes.push_back(NodeId(n));
    }
    std::ranges::stable_sort(nodes, {}, [&](NodeId id) { return step[id.index]; });
    return nodes;
  }

  /// Memory of values after their last use goes to later ones: fresh memory costs more than the
  /// arithmetic on it.
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

  /// Fills the node's only result from a function of the cell.
  template <class F>
  void fill(const Node& node, F&& constant_at) {
    Values& result = values_[node.first_result.index];
    reserve(result);
    result.box.for_each([&](const Cell& cell) { result.constants.push_back(constant_at(cell)); });
  }

  void compute(const Node& node) {
    const auto operand = [&](std::size_t k) -> const Values& {
      return values_[node.operands[k].index];
    };
    std::visit(
        Overload{
            [&](const Imm& i) { fill(node, [&](const Cell&) { return i.value; }); },
            [&](const Load& i) { fill(node, [&](const Cell& cell) { return load_(i, cell); }); },
            [&](const Store& i) { store_(i, operand(0)); },
            [&](const Reduce& i) {
              fill(node, [&](const Cell&) { return reduce(i.op, node.operands[0]); });
            },
            [&](const Broadcast&) { fill(node, [&](const Cell&) { return operand(0).at({}); }); },
            [&](const Shift& i) {
              fill(node, [&](const Cell& cell) { return operand(0).at(minus(cell, i.offset)); });
            },
            [&](const LoadIndex& i) {
              fill(node, [&](const Cell& cell) { return Constant(cell[i.axis]); });
            },
            [&](const LoadSize& i) {
              fill(node, [&](const Cell&) { return Constant(size_[i.axis]); });
            },
            [&](const Arith& i) { compute_arith(node, i); },
        },
        node.instruction);
  }

  [[nodiscard]] Constant reduce(ReduceOp op, ValueId operand) const {
    std::vector<std::uint64_t> cells;
    core_.for_each(
        [&](const Cell& cell) { cells.push_back(values_[operand.index].at(cell).bits()); });
    return reduce_tree(op, graph_.type(operand).element, cells, size_);
  }

  /// All results of an operator, over the box that holds those of all of them.
  void compute_arith(const Node& node, const Arith& arith) {
    Values* results = &values_[node.first_result.index];
    if (is_local(node.first_result)) {
      const Box all = box_of_results(node);
      for (int r = 0; r < node.result_count; ++r) results[r].box = all;
    }
    for (int r = 0; r < node.result_count; ++r) reserve(results[r]);
    std::vector<Constant> operands(node.operands.size()), out(node.result_count);
    results[0].box.for_each([&](const Cell& cell) {
      for (std::size_t k = 0; k < operands.size(); ++k)
        operands[k] = values_[node.operands[k].index].at(cell);
      evaluate(arith.op, operands, arith.target, out);
      for (int r = 0; r < node.result_count; ++r) results[r].constants.push_back(out[r]);
    });
  }

  const Graph& graph_;
  const Box& core_;
  const std::vector<std::int64_t>& size_;
  const LoadCell& load_;
  const StoreValues& store_;
  std::vector<Values> values_;     // by ValueId; emptied after the last use
  std::vector<std::size_t> uses_;  // that are still to come
  std::vector<std::vector<Constant>> spare_;
};

}  // namespace

Values evaluate_graph(const Graph& graph, const Box& box, const std::vector<std::int64_t>& size,
                      const LoadCell& load, const StoreValues& store, ValueId wanted) {
  return Evaluation(graph, box, size, load, store).run(wanted);
}

}  // namespace paraiso::om
