#include "paraiso/plan/cost/loop_cost.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "paraiso/plan/vector_form.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Adds up the terms of one body.
class BodyCost {
 public:
  BodyCost(const Graph& graph, const Stage& stage, int vectors, const MachineModel& machine)
      : graph_(graph), stage_(stage), machine_(machine) {
    const std::size_t terms = stage.expansion.terms.size();
    if (!stage.cpu.in_vectors) return;
    lanes_ = machine.vector_bytes / static_cast<double>(size_of(stage.cpu.vectors->unit));
    vectors_ = terms > kLargestPairedBody ? 1 : vectors;
  }

  LoopCost run() {
    const auto& terms = stage_.expansion.terms;
    const auto uniform = uniform_terms(graph_, stage_.expansion);
    std::vector<double> ready(terms.size());  // cycles after the body began
    for (std::size_t t = 0; t < terms.size(); ++t) {
      if (uniform[t]) continue;
      for (int operand : terms[t].operands) ready[t] = std::max(ready[t], ready[operand]);
      ready[t] += add(t);
      longest_ = std::max(longest_, ready[t]);
    }
    for (const auto& [place, row] : read_) add_loads(row);
    add_stores();
    add_spills(uniform);
    return total();
  }

 private:
  /// Machine vectors per value.
  [[nodiscard]] double pieces(Element element) const { return pieces_of(size_of(element)); }
  [[nodiscard]] double pieces_of(std::size_t bytes) const {
    if (lanes_ == 1) return 1;
    return std::max(1.0, lanes_ * static_cast<double>(bytes) / machine_.vector_bytes);
  }

  /// The same for the element that a term is computed as: integers may be shorter than in arrays.
  [[nodiscard]] double pieces(std::size_t term) const {
    return stage_.cpu.vectors ? pieces_of(size_of(stage_.cpu.vectors->terms[term])) : 1;
  }

  /// Counts a term; its latency in cycles.
  double add(std::size_t t) {
    const Term& term = stage_.expansion.terms[t];
    const Element element = graph_.type(term.value).element;
    switch (term.kind) {
      case Term::Kind::scalar: return 0;
      case Term::Kind::read_static:
      case Term::Kind::read_array:
      case Term::Kind::read_buffer:
        add_read(t);
        return machine_.constants.load_latency + add_conversion(element);
      case Term::Kind::index: return add_arithmetic(1, pieces(t));
      case Term::Kind::compute: break;
    }
    const auto* arith = graph_.producer_as<Arith>(term.value);
    if (!arith) return 0;  // another name for its operand
    const OpInfo& row = info(arith->op);
    switch (row.unit) {
      case Unit::nothing: return 0;
      case Unit::divider:
        if (!is_float(element)) break;
        return add_divider(is_f64(element) ? machine_.divides_f64 : machine_.divides_f32, element);
      case Unit::root:
        return add_divider(is_f64(element) ? machine_.roots_f64 : machine_.roots_f32, element);
      case Unit::fused: return add_arithmetic(row.cost * machine_.fused_operations, pieces(t));
      case Unit::arithmetic:
      case Unit::elementary:
      case Unit::library: break;
    }
    return add_arithmetic(row.cost, pieces(t));
  }
  [[nodiscard]] double loads_per_second() const {
    return machine_.caches.front().bytes_per_second / machine_.vector_bytes;
  }
  static bool is_f64(Element element) { return element == Element::f64; }

  double add_arithmetic(double instructions, double pieces) {
    arithmetic_ += instructions * pieces;
    return machine_.constants.arithmetic_latency * std::max(1.0, instructions);
  }

  [[nodiscard]] bool crosses(int bytes) const {
    return lanes_ > 1 && bytes % static_cast<int>(machine_.vector_bytes) != 0;
  }

  static Offset across(Offset offset) {
    offset[0] = 0;
    return offset;
  }

  /// The reads of one row.
  struct ReadRow {
    std::size_t bytes = 0;  // of a cell
    bool truths = false;
    std::set<std::int32_t> distances;  // along the row
  };

  void add_read(std::size_t t) {
    const Term& term = stage_.expansion.terms[t];
    const Element element = graph_.type(term.value).element;
    ReadRow& row = read_[{term.value, across(term.offset)}];
    const bool narrow = term.kind == Term::Kind::read_buffer && stage_.cpu.vectors;
    row.bytes = size_of(narrow ? stage_.cpu.vectors->terms[t] : passes::lane_of(element));
    row.truths = element == Element::boolean;
    row.distances.insert(term.offset[0]);
  }

  /// Neighbours at several distances are shuffled out of shared whole vectors, one instruction
  /// each; a single unaligned neighbour is loaded, across two cache lines.
  void add_loads(const ReadRow& row) {
    const int size = static_cast<int>(row.bytes);
    const int lanes = static_cast<int>(machine_.vector_bytes) / size;
    const double all = pieces_of(row.bytes);
    if (lanes_ == 1 || row.truths || row.distances.size() == 1) {
      for (const int distance : row.distances) loads_ += all * (crosses(distance * size) ? 2 : 1);
    } else {
      std::set<int> whole;
      for (const int distance : row.distances) {
        const int first = distance - (distance % lanes + lanes) % lanes;
        whole.insert(first);
        if (first == distance) continue;
        whole.insert(first + lanes);
        arithmetic_ += all;
      }
      loads_ += all * static_cast<double>(whole.size());
    }
    instructions_ += all;
  }

  /// Bools are bytes in memory and masks in a loop.
  double add_conversion(Element element) {
    return element == Element::boolean ? add_arithmetic(1, pieces(element)) : 0;
  }

  double add_divider(double lanes_per_second, Element element) {
    divider_ += lanes_ / lanes_per_second;
    instructions_ += pieces(element);
    return machine_.constants.arithmetic_latency + lanes_ / lanes_per_second * machine_.hertz;
  }

  void add_stores() {
    for (const Output& output : stage_.outputs)
      add_store(output.root, pieces(element_of(output.root)));
    for (const BufferWrite& keep : stage_.buffer_writes)
      add_store(keep.root, pieces(term_of(keep.root)));
    // Operands of reductions are written to a row first, and added up from there.
    for (const Reduction& reduction : stage_.reductions) {
      const double all = pieces_of(size_of(reduction.lane));
      add_store(reduction.root, all);
      loads_ += all;
      add_arithmetic(1, all);
    }
  }

  /// Spills: a value computed while all registers are live sends one of them to memory and back.
  void add_spills(const std::vector<bool>& uniform) {
    const auto& expansion = stage_.expansion;
    std::vector<std::size_t> last(expansion.terms.size());
    for (std::size_t t = 0; t < expansion.terms.size(); ++t)
      for (int operand : expansion.terms[t].operands) last[operand] = t;
    for (int root : expansion.roots) last[root] = expansion.terms.size();
    std::vector<double> ends(expansion.terms.size() + 1);
    double live = 0;
    for (std::size_t t = 0; t < expansion.terms.size(); ++t) {
      live -= ends[t];
      if (uniform[t] || expansion.terms[t].kind != Term::Kind::compute) continue;
      const double size = pieces(t);
      live += size;
      ends[last[t]] += size;
      if (vectors_ * live > machine_.registers) loads_ += size;
    }
  }

  [[nodiscard]] std::size_t term_of(int root) const { return stage_.expansion.roots[root]; }
  [[nodiscard]] Element element_of(int root) const {
    return graph_.type(stage_.expansion.terms[term_of(root)].value).element;
  }

  void add_store(int root, double all) {
    loads_ += 2 * all;
    add_conversion(element_of(root));
  }

  /// Out-of-order execution overlaps a window of instructions. A body of several vectors runs as
  /// many dependency chains at once.
  [[nodiscard]] LoopCost total() const {
    const double all = arithmetic_ + instructions_;
    const double seen = std::min(1.0, vectors_ * all / machine_.constants.window);
    return {.arithmetic = arithmetic_ / machine_.operations_per_second / lanes_,
            .divider = divider_ / lanes_,
            .waiting = longest_ / machine_.hertz * seen / vectors_ / lanes_,
            .loads = loads_ / loads_per_second() / lanes_,
            .rows = static_cast<double>(read_.size()),
            .step = static_cast<int>(lanes_) * vectors_};
  }

  const Graph& graph_;
  const Stage& stage_;
  const MachineModel& machine_;
  double lanes_ = 1;
  int vectors_ = 1;
  std::map<std::pair<ValueId, Offset>, ReadRow> read_;
  double arithmetic_ = 0, loads_ = 0;  // in slots of a vector operation
  double instructions_ = 0;            // others
  double divider_ = 0;                 // seconds
  double longest_ = 0;                 // cycles
};

}  // namespace

LoopCost loop_cost(const Graph& graph, const Stage& stage, int vectors,
                   const MachineModel& machine) {
  return BodyCost(graph, stage, vectors, machine).run();
}

}  // namespace paraiso::plan
