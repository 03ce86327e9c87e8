#include "paraiso/codegen/lower/body_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/axis_name.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::ArrayRef;
using plan::Expansion;
using plan::Lane;
using plan::Term;

namespace {

constexpr int kLargestExpression = 7;  // operators and operands printed as one expression

int rank(FunctionParameter::Kind kind) {
  switch (kind) {
    case FunctionParameter::Kind::grid: return 0;
    case FunctionParameter::Kind::ghosts:
    case FunctionParameter::Kind::scalars:
    case FunctionParameter::Kind::scalars_out: return 1;
    case FunctionParameter::Kind::tile:
    case FunctionParameter::Kind::threads:
    case FunctionParameter::Kind::cell: return 1;
    case FunctionParameter::Kind::scratch: return 2;
    case FunctionParameter::Kind::input_array: return 3;
    case FunctionParameter::Kind::output_array: return 4;
    case FunctionParameter::Kind::scalar: return 5;
    case FunctionParameter::Kind::partials:
    case FunctionParameter::Kind::places: return 6;
    case FunctionParameter::Kind::result: return 7;
    case FunctionParameter::Kind::arrival: return 8;
  }
  return 9;
}

bool compares(Op op) { return op == Op::min || op == Op::max; }
bool is_order(Op op) { return op == Op::lt || op == Op::le || op == Op::gt || op == Op::ge; }

}  // namespace

std::string offset_suffix(const Offset& offset) {
  std::string text;
  for (std::size_t a = 0; a < offset.size(); ++a)
    if (offset[a] != 0)
      text += fmt::format("_{}{}{}", axis_name(static_cast<int>(a)), offset[a] < 0 ? 'm' : 'p',
                          std::abs(offset[a]));
  return text;
}

std::string loop_variable(int axis) {
  constexpr const char* kLetters[] = {"i", "j", "k", "l"};
  return axis < 4 ? kLetters[axis] : fmt::format("i{}", axis);
}

std::string state_name(const Machine& machine, const Load& load) {
  return fmt::format("{}_step{}", machine.at(load.source).name, load.step);
}

std::string array_name(const Machine& machine, const Graph& graph, const ArrayRef& ref,
                       ValueId value, std::optional<StaticId> target) {
  if (ref.front) return machine.at(*ref.front).name;
  if (const auto* load = graph.producer_as<Load>(value); load && !target)
    return state_name(machine, *load);
  if (target) return machine.at(*target).name + "_next";
  std::string given = given_name(graph, value);
  return given.empty() ? fmt::format("stored_{}", ref.spare) : given;
}

std::string scalar_name(const Machine& machine, const Graph& graph, ValueId value) {
  if (const auto* load = graph.producer_as<Load>(value)) return machine.at(load->source).name;
  if (const auto* size = graph.producer_as<LoadSize>(value))
    return fmt::format("cells_{}", axis_name(size->axis));
  std::string given = given_name(graph, value);
  return given.empty() ? scope_name(graph, value, "scalar") : given;
}

BodyLowering::BodyLowering(const Graph& graph, const Expansion& expansion, Names& names,
                           std::optional<plan::VectorForm> vectors)
    : graph_(graph),
      names_(names),
      vectors_(std::move(vectors)),
      expansion_(expansion),
      uniform_(plan::uniform_terms(graph, expansion)),
      uses_(expansion.terms.size()) {
  for (const Term& term : expansion.terms)
    for (int operand : term.operands) ++uses_[operand];
  for (int root : expansion.roots) ++uses_[root];
}

Block BodyLowering::run() {
  Block block;
  for (std::size_t t = 0; t < expansion_.terms.size(); ++t) {
    const Term& term = expansion_.terms[t];
    const bool uniform = uniform_[t];
    ExprPtr expr = expression(t);
    int size = size_of_expression(term);
    if (!inlined(term, t, size)) {
      std::string variable = names_.unique(variable_name(term));
      (hoists() && uniform ? hoisted_ : block)
          .push_back({Declare{graph_.type(term.value).element, variable, expr, is_vector(t)}});
      expr = declared(variable);
      size = 1;
    }
    values_.push_back(std::move(expr));
    sizes_.push_back(size);
  }
  return block;
}

ExprPtr BodyLowering::root(std::size_t r) const {
  const int term = expansion_.roots[r];
  if (vectors_ && uniform_[term]) return make({FillLanes{values_[term]}});
  return values_[term];
}

ExprPtr BodyLowering::root(std::size_t r, Lane lane) const {
  const Lane made = vectors_ ? vectors_->terms[expansion_.roots[r]] : lane;
  return made == lane ? root(r) : as_lane(root(r), lane);
}

ExprPtr BodyLowering::as_lane(ExprPtr value, Lane lane) {
  return make({Convert{lane, std::move(value)}});
}

ExprPtr BodyLowering::expression(std::size_t t) {
  const Term& term = expansion_.terms[t];
  switch (term.kind) {
    case Term::Kind::read_static:
    case Term::Kind::read_array:
    case Term::Kind::read_buffer: return read(term);
    case Term::Kind::index: {
      int axis = graph_.producer_as<LoadIndex>(term.value)->axis;
      ExprPtr cell = index(axis, term.offset[axis]);
      return is_vector(t) ? make({CountLanes{std::move(cell)}}) : cell;
    }
    case Term::Kind::scalar:
      if (auto constant = graph_.constant(term.value)) return literal(*constant);
      return scalar(term.value);
    case Term::Kind::compute: break;
  }
  return operation(t);
}

ExprPtr BodyLowering::operation(std::size_t t) {
  const Term& term = expansion_.terms[t];
  if (graph_.producer_as<Load>(term.value)) return values_[term.operands[0]];
  std::vector<ExprPtr> operands;
  for (int operand : term.operands) {
    operands.push_back(values_[operand]);
    const auto* constant = std::get_if<Literal>(&operands.back()->node);
    if ((hoists() && uniform_[t]) || !constant || !is_float(constant->value.element())) continue;
    const Op op = graph_.producer_as<Arith>(term.value)->op;
    if (compares(op) || (op == Op::select && is_extremum(term)))
      operands.back() = compared(constant->value);
    else if (op == Op::select)
      operands.back() = chosen(constant->value);
  }
  if (is_vector(t)) return vector_operation(t, std::move(operands));
  return operate(graph_, term.value, std::move(operands));
}

bool BodyLowering::same_value(int a, int b) const {
  if (a == b) return true;
  const auto value_of = [&](int t) { return graph_.constant(expansion_.terms[t].value); };
  const auto x = value_of(a), y = value_of(b);
  return x && y && is_float(x->element()) && is_float(y->element()) &&
         x->to_double() == y->to_double();
}

bool BodyLowering::is_extremum(const Term& select) const {
  const Term& condition = expansion_.terms[select.operands[0]];
  const auto* compared = graph_.producer_as<Arith>(condition.value);
  if (condition.kind != Term::Kind::compute || !compared || !is_order(compared->op)) return false;
  const int first = condition.operands[0], second = condition.operands[1];
  const int yes = select.operands[1], no = select.operands[2];
  return (same_value(first, yes) && same_value(second, no)) ||
         (same_value(first, no) && same_value(second, yes));
}

/// Integer operands are brought to lanes of one size. A scalar becomes such lanes by itself,
/// because the size is chosen to hold it, unless all operands are scalars.
ExprPtr BodyLowering::vector_operation(std::size_t t, std::vector<ExprPtr> operands) const {
  const Term& term = expansion_.terms[t];
  widen_operands(term, operands);
  if (const auto lane = vectors_->operands[t])
    for (std::size_t o = 0; o < operands.size(); ++o) {
      const Lane made = vectors_->terms[term.operands[o]];
      const bool scalar = uniform_[term.operands[o]] && operands[o] == values_[term.operands[o]];
      if (is_integer(made) && made != *lane && !scalar) operands[o] = as_lane(operands[o], *lane);
    }
  const Lane made = vectors_->terms[t];
  if (graph_.producer_as<Arith>(term.value)->op == Op::cast && is_integer(made))
    return vectors_->terms[term.operands[0]] == made ? operands[0] : as_lane(operands[0], made);
  return operate(graph_, term.value, std::move(operands), true);
}

/// A select needs an operand that is a vector: if it chooses between two scalars, or between
/// truths, any of which may be scalar.
void BodyLowering::widen_operands(const Term& term, std::vector<ExprPtr>& operands) const {
  if (graph_.producer_as<Arith>(term.value)->op != Op::select) return;
  const bool truths = graph_.type(term.value).element == Element::boolean;
  const bool scalars = uniform_[term.operands[1]] && uniform_[term.operands[2]];
  for (std::size_t o = 0; o < operands.size(); ++o)
    if (uniform_[term.operands[o]] && (truths || (scalars && o == 1)))
      operands[o] = make({FillLanes{operands[o]}});
}

int BodyLowering::size_of_expression(const Term& term) const {
  int size = 1;
  for (int operand : term.operands) size += sizes_[operand];
  return size;
}

bool BodyLowering::inlined(const Term& term, std::size_t t, int size) const {
  if (term.kind == Term::Kind::scalar || term.kind == Term::Kind::index) return true;
  if (hoists() && uniform_[t]) return false;
  if (must_read_first(term) || uses_[t] > 1) return false;
  return term.kind != Term::Kind::compute ||
         (given_name(graph_, term.value).empty() && size <= kLargestExpression);
}

std::string BodyLowering::variable_name(const Term& term) {
  const auto* load = graph_.producer_as<Load>(term.value);
  const std::string given =
      load ? graph_.signature().statics[load->source.index].name : given_name(graph_, term.value);
  if (given.empty() && graph_.scope(term.value).empty()) return fmt::format("t{}", ++unnamed_);
  if (given.empty()) return scope_name(graph_, term.value, "") + offset_suffix(term.offset);
  return given + offset_suffix(term.offset);
}

void ParameterList::add(FunctionParameter::Kind kind, Element element, const std::string& parameter,
                        Argument argument) {
  parameters_.push_back({{kind, element, parameter}, std::move(argument)});
}

std::string ParameterList::array(const ArrayRef& ref, const std::string& wanted,
                                 FunctionParameter::Kind kind) {
  for (auto& [parameter, argument] : parameters_)
    if (const auto* known = std::get_if<ArrayRef>(&argument); known && *known == ref) {
      if (kind == FunctionParameter::Kind::output_array) parameter.kind = kind;
      return parameter.name;
    }
  std::string chosen = names_.unique(wanted);
  add(kind, ref.element, chosen, ref);
  return chosen;
}

ExprPtr hidden_zero(ParameterList& parameters, Constant value) {
  if (!is_float(value.element()) || value.to_double() != 0) return literal(value);
  return name(parameters.scalar(value, value.element(), "zero", FunctionParameter::Kind::scalar));
}

void ParameterList::finish(Lowered& lowered) {
  std::ranges::stable_sort(parameters_, {}, [](const auto& p) { return rank(p.first.kind); });
  for (auto& [parameter, argument] : parameters_) {
    lowered.function.parameters.push_back(std::move(parameter));
    lowered.arguments.push_back(std::move(argument));
  }
}

}  // namespace paraiso::codegen
