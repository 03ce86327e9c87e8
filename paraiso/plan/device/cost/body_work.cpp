#include "paraiso/plan/device/cost/body_work.hpp"

#include <algorithm>

#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/plan/device/thread/vector_rows.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

// Instructions of an IEEE quotient or root: an approximation, steps of Newton's, the last rounding.
constexpr double kDivideF64 = 12, kDivideF32 = 9;
constexpr double kWaits = 0.5;  // of a thread's instructions, that wait for the one before them
constexpr double kUnalignedBytes = 4;  // a warp's row that begins within a line touches one more

class BodyCounter {
 public:
  BodyCounter(const Graph& graph, const Group& group, const Stage& stage, const DeviceModel& device)
      : graph_(graph), group_(group), stage_(stage), device_(device), vector_(vector_of(group)) {}

  BodyWork run() {
    const auto& terms = stage_.expansion.terms;
    std::vector<double> ready(terms.size());
    for (std::size_t t = 0; t < terms.size(); ++t) {
      for (const int operand : terms[t].operands) ready[t] = std::max(ready[t], ready[operand]);
      ready[t] += add(terms[t]);
      work_.cycles = std::max(work_.cycles, ready[t]);
    }
    work_.cycles =
        std::max(work_.cycles, kWaits * (device_.f64_latency * work_.f64 +
                                         device_.other_latency * (work_.f32 + work_.other)));
    for (double* count : {&work_.f64, &work_.f32, &work_.other}) *count *= vector_;
    if (vector_ > 1)
      for (const VectorRow& row : vector_rows(stage_, vector_))
        for (int v = 0; v < row.vectors; ++v) add_load(size_of(graph_.type(row.of.value).element), 0);
    for (const Output& output : stage_.outputs) add_access(size_of(output.array.element), 0);
    for (const BufferWrite& write : stage_.buffer_writes)
      if (group_.device.kept[write.buffer].shared)
        add_access(size_of(group_.buffers[write.buffer].element), 0);
    return work_;
  }

 private:
  /// Counts a term; the cycles until its result can be used.
  double add(const Term& term) {
    switch (term.kind) {
      case Term::Kind::scalar: return 0;
      case Term::Kind::index: ++work_.other; return device_.other_latency;
      case Term::Kind::read_buffer: return add_kept(term);
      case Term::Kind::read_static:
      case Term::Kind::read_array:
        work_.waits_for_arrays = true;
        if (vector_ == 1) add_load(size_of(graph_.type(term.value).element), term.offset[0]);
        return 0;
      case Term::Kind::compute: break;
    }
    const auto* arith = graph_.producer_as<Arith>(term.value);
    if (!arith) return 0;  // another name for its operand
    return add_operator(info(arith->op), element_of(term));
  }

  /// That an operator works on: a comparison's result is a truth.
  [[nodiscard]] Element element_of(const Term& term) const {
    Element element = graph_.type(term.value).element;
    for (const int operand : term.operands)
      if (const Element own = graph_.type(stage_.expansion.terms[operand].value).element;
          size_of(own) > size_of(element))
        element = own;
    return element;
  }

  double add_kept(const Term& term) {
    const std::size_t buffer = buffer_of(group_, term.value);
    if (in_register(group_, buffer, term.offset)) return 0;
    add_access(size_of(group_.buffers[buffer].element), 0);
    return device_.shared_latency;
  }

  void add_load(std::size_t bytes, int along_row) {
    ++work_.loads;
    add_access(bytes, along_row);
  }

  /// A load or a store of a vector, and half an instruction for its address.
  void add_access(std::size_t bytes, int along_row) {
    work_.l1_bytes += static_cast<double>(bytes) * vector_ + (along_row != 0 ? kUnalignedBytes : 0);
    work_.other += 1.5;
  }

  double add_operator(const OpInfo& row, Element element) {
    switch (row.unit) {
      case Unit::nothing: return 0;
      case Unit::divider:
      case Unit::root:
        if (is_float(element)) return add_float(element, is_f64(element) ? kDivideF64 : kDivideF32);
        return add_other(row.cost);
      case Unit::fused: return add_float(element, 1);
      case Unit::arithmetic:
      case Unit::elementary:
      case Unit::library: break;
    }
    // Of 8 bytes what is not arithmetic takes two instructions.
    const double pieces = size_of(element) > 4 ? 2 : 1;
    if (row.op == Op::select) return add_other(pieces);
    if (!is_float(element)) return add_other(row.cost * pieces);
    if (row.op == Op::min || row.op == Op::max) return add_float(element, 1) + add_other(pieces);
    return add_float(element, row.cost);
  }
  static bool is_f64(Element element) { return element == Element::f64; }

  double add_float(Element element, double instructions) {
    (is_f64(element) ? work_.f64 : work_.f32) += instructions;
    return instructions * (is_f64(element) ? device_.f64_latency : device_.other_latency);
  }
  double add_other(double instructions) {
    work_.other += instructions;
    return instructions * device_.other_latency;
  }

  const Graph& graph_;
  const Group& group_;
  const Stage& stage_;
  const DeviceModel& device_;
  const int vector_;
  BodyWork work_;
};

}  // namespace

BodyWork body_work(const Graph& graph, const Group& group, const Stage& stage,
                   const DeviceModel& device) {
  return BodyCounter(graph, group, stage, device).run();
}

}  // namespace paraiso::plan
