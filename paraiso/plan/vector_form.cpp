#include "paraiso/plan/vector_form.hpp"

#include <algorithm>

namespace paraiso::plan {

using namespace om;

std::vector<bool> uniform_terms(const Graph& graph, const Expansion& expansion) {
  std::vector<bool> uniform;
  for (const Term& term : expansion.terms) {
    if (term.kind == Term::Kind::compute)
      uniform.push_back(std::ranges::all_of(term.operands, [&](int o) { return uniform[o]; }));
    else if (term.kind == Term::Kind::index)
      uniform.push_back(graph.producer_as<LoadIndex>(term.value)->axis != 0);
    else
      uniform.push_back(term.kind == Term::Kind::scalar);
  }
  return uniform;
}

bool has_vector_form(Op op, Element operand) {
  const Vectors vectors = info(op).vectors;
  return vectors == Vectors::all || (vectors == Vectors::floats && is_float(operand));
}

namespace {

class VectorFormFinder {
 public:
  VectorFormFinder(const Graph& graph, const Ranges& ranges, const Expansion& expansion)
      : graph_(graph),
        ranges_(ranges),
        expansion_(expansion),
        uniform_(uniform_terms(graph, expansion)) {}

  std::optional<VectorForm> run() {
    for (std::size_t t = 0; t < expansion_.terms.size(); ++t) {
      form_.operands.emplace_back();
      form_.terms.push_back(uniform_[t] ? element_lane(t) : lane(t));
      if (!uniform_[t]) {
        if (!has_form(expansion_.terms[t])) return {};
        include(form_.terms[t]);
      }
    }
    for (int root : expansion_.roots)
      if (uniform_[root]) include(element_lane(root));
    form_.unit = unit();
    return std::move(form_);
  }

 private:
  [[nodiscard]] Element element(std::size_t t) const {
    return graph_.type(expansion_.terms[t].value).element;
  }
  [[nodiscard]] Lane element_lane(std::size_t t) const { return passes::lane_of(element(t)); }
  [[nodiscard]] const std::optional<passes::Range>& range(std::size_t t) const {
    return ranges_[expansion_.terms[t].value.index];
  }
  [[nodiscard]] const Arith* arith(const Term& term) const {
    return term.kind == Term::Kind::compute ? graph_.producer_as<Arith>(term.value) : nullptr;
  }

  [[nodiscard]] bool has_form(const Term& term) const {
    const Arith* operation = arith(term);
    return !operation || has_vector_form(operation->op, element(term.operands[0]));
  }

  Lane lane(std::size_t t) {
    const Term& term = expansion_.terms[t];
    if (term.kind == Term::Kind::read_buffer) return storage_lane(element(t), range(t));
    if (term.kind != Term::Kind::compute) return element_lane(t);
    const Arith* operation = arith(term);
    if (!operation) return form_.terms[term.operands[0]];  // another name for its operand
    if (operation->op == Op::cast) return storage_lane(element(t), range(t));
    return of_operation(t, operation->op);
  }

  /// An operator on integers takes its operands, and gives its result, as the longest of these.
  Lane of_operation(std::size_t t, Op op) {
    const Term& term = expansion_.terms[t];
    std::optional<Lane> longest;
    for (std::size_t o = op == Op::select ? 1 : 0; o < term.operands.size(); ++o) {
      const Lane operand = operand_lane(term.operands[o]);
      if (is_integer(operand)) longest = std::max(longest.value_or(operand), operand);
    }
    if (longest && is_integer(element(t)))
      longest = std::max(*longest, storage_lane(element(t), range(t)));
    form_.operands[t] = longest;
    return longest && is_integer(element(t)) ? *longest : element_lane(t);
  }

  /// A constant is as short as possible.
  [[nodiscard]] Lane operand_lane(int t) const {
    const bool constant = graph_.constant(expansion_.terms[t].value).has_value();
    return constant ? storage_lane(element(t), range(t)) : form_.terms[t];
  }

  void include(Lane lane) {
    if (lane == Lane::boolean) return;
    smallest_ = std::min(smallest_, size_of(lane));
    largest_ = std::max(largest_, size_of(lane));
  }

  [[nodiscard]] Lane unit() const {
    switch (largest_ == 0 ? 1 : std::max(smallest_, largest_ / 2)) {
      case 1: return Lane::i8;
      case 2: return Lane::i16;
      case 4: return Lane::i32;
      default: return Lane::i64;
    }
  }

  const Graph& graph_;
  const Ranges& ranges_;
  const Expansion& expansion_;
  std::vector<bool> uniform_;
  VectorForm form_;
  std::size_t smallest_ = 8, largest_ = 0;
};

}  // namespace

std::optional<VectorForm> vector_form(const Graph& graph, const Ranges& ranges,
                                      const Expansion& expansion) {
  return VectorFormFinder(graph, ranges, expansion).run();
}

}  // namespace paraiso::plan
