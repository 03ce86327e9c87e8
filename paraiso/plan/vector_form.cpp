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
  switch (op) {
    case Op::identity:
    case Op::add:
    case Op::sub:
    case Op::neg:
    case Op::mul:
    case Op::abs:
    case Op::signum:
    case Op::min:
    case Op::max:
    case Op::madd:
    case Op::msub:
    case Op::nmadd:
    case Op::nmsub:
    case Op::sqrt:
    case Op::floor:
    case Op::ceil:
    case Op::not_:
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge:
    case Op::select:
    case Op::cast: return true;
    case Op::div:
    case Op::inv: return is_float(operand);
    default: return false;
  }
}

std::optional<Element> vector_element(const Graph& graph, const Expansion& expansion) {
  const auto uniform = uniform_terms(graph, expansion);
  std::optional<Element> smallest;
  const auto include = [&](int term) {
    const Element element = graph.type(expansion.terms[term].value).element;
    if (element != Element::boolean && (!smallest || size_of(element) < size_of(*smallest)))
      smallest = element;
  };
  for (std::size_t t = 0; t < expansion.terms.size(); ++t) {
    if (uniform[t]) continue;
    const Term& term = expansion.terms[t];
    include(static_cast<int>(t));
    if (term.kind != Term::Kind::compute || graph.producer_as<Load>(term.value)) continue;
    const Element operand = graph.type(expansion.terms[term.operands[0]].value).element;
    if (!has_vector_form(graph.producer_as<Arith>(term.value)->op, operand)) return {};
  }
  std::ranges::for_each(expansion.roots, include);
  return smallest.value_or(Element::i32);
}

}  // namespace paraiso::plan
