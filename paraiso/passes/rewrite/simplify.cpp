// simplify: algebra that changes no bit of any result under IEEE rules (all NaNs count as equal).
//
//   %2 = mul %0 %1        # %1 is 1          ->  %0
//   %3 = div %0 %1        # %1 is 4          ->  %2 = mul %0 0.25
//   %4 = add %a %b        # both broadcasts  ->  broadcast (add of the scalars)
//   %5 = ipow %0 3                           ->  mul %0 (mul %0 %0)
//
// Not done, because bits would change: x + 0 (-0 becomes +0), x * 0, x - x, any reassociation.
#include "paraiso/passes/rewrite/simplify.hpp"

#include <cmath>

#include "paraiso/passes/rewrite/extrema.hpp"
#include "paraiso/passes/rewrite/rewrite.hpp"

namespace paraiso::passes {

using namespace om;

namespace {

/// The site's constant operand `k`, as a double where that is exact.
std::optional<double> number(const Site& site, std::size_t k) {
  auto constant = site.after.constant(site.operands[k]);
  if (!constant || constant->element() == Element::boolean) return std::nullopt;
  if (constant->element() == Element::i64 && std::abs(constant->to_double()) > 0x1p53)
    return std::nullopt;
  return constant->to_double();
}

bool is(const Site& site, std::size_t k, double wanted) {
  auto found = number(site, k);
  return found && *found == wanted && std::signbit(*found) == std::signbit(wanted);
}

Type type_of(const Site& site, std::size_t k) { return site.after.type(site.operands[k]); }

/// The operand of `value` if `value` is `op` of one operand.
std::optional<ValueId> operand_of(const Graph& graph, ValueId value, Op op) {
  const auto* arith = graph.producer_as<Arith>(value);
  if (arith && arith->op == op) return graph.producer(value).operands[0];
  return std::nullopt;
}

/// 1/x, where x is a power of two whose reciprocal is a normal number: multiplying by it is exact.
std::optional<Constant> exact_reciprocal(Constant x) {
  return with_element(x.element(), [&](auto t) -> std::optional<Constant> {
    using T = decltype(t);
    if constexpr (std::is_floating_point_v<T>) {
      int exponent;
      T fraction = std::frexp(x.as<T>(), &exponent);
      T reciprocal = 1 / x.as<T>();
      if (std::abs(fraction) == T(0.5) && std::isnormal(x.as<T>()) && std::isnormal(reciprocal))
        return Constant(reciprocal);
    }
    return std::nullopt;
  });
}

std::optional<ValueId> simplify_add(const Site& site) {
  auto [a, b] = std::pair(site.operands[0], site.operands[1]);
  // -0 is the neutral element of IEEE addition, 0 that of integers.
  double zero = is_float(type_of(site, 0).element) ? -0.0 : 0.0;
  if (is(site, 0, zero)) return b;
  if (is(site, 1, zero)) return a;
  if (auto x = operand_of(site.after, b, Op::neg)) return site.arith(Op::sub, {a, *x});
  return std::nullopt;
}

std::optional<ValueId> simplify_sub(const Site& site) {
  auto [a, b] = std::pair(site.operands[0], site.operands[1]);
  if (is(site, 1, 0.0)) return a;
  if (auto x = operand_of(site.after, b, Op::neg)) return site.arith(Op::add, {a, *x});
  return std::nullopt;
}

std::optional<ValueId> simplify_mul(const Site& site) {
  auto [a, b] = std::pair(site.operands[0], site.operands[1]);
  if (is(site, 0, 1)) return b;
  if (is(site, 1, 1)) return a;
  if (is(site, 0, -1)) return site.arith(Op::neg, {b});
  if (is(site, 1, -1)) return site.arith(Op::neg, {a});
  return std::nullopt;
}

std::optional<ValueId> simplify_div(const Site& site) {
  auto [a, b] = std::pair(site.operands[0], site.operands[1]);
  if (is(site, 1, 1)) return a;
  auto divisor = site.after.constant(b);
  if (!divisor) return std::nullopt;
  if (auto factor = exact_reciprocal(*divisor))
    return site.arith(Op::mul, {a, site.imm(*factor, type_of(site, 0).realm)});
  return std::nullopt;
}

/// x^n by the same square-and-multiply tree that `ipow` means; n from 1 to 64.
std::optional<ValueId> simplify_ipow(const Site& site) {
  auto exponent = number(site, 1);
  if (!exponent || *exponent < 1 || *exponent > 64) return std::nullopt;
  std::optional<ValueId> result;
  ValueId square = site.operands[0];
  for (int n = static_cast<int>(*exponent);;) {
    if (n & 1) result = result ? site.arith(Op::mul, {*result, square}) : square;
    if ((n >>= 1) == 0) return result;
    square = site.arith(Op::mul, {square, square});
  }
}

std::optional<ValueId> simplify_select(const Site& site) {
  ValueId condition = site.operands[0], a = site.operands[1], b = site.operands[2];
  if (a == b) return a;
  if (auto known = site.after.constant(condition)) return known->as<bool>() ? a : b;
  if (auto opposite = operand_of(site.after, condition, Op::not_))
    return site.add(Arith{Op::select, Element::f64}, {*opposite, b, a});
  return std::nullopt;
}

/// x == x is not known for floats: x may be NaN.
std::optional<ValueId> compare_with_itself(const Site& site, bool answer) {
  if (site.operands[0] != site.operands[1] || is_float(type_of(site, 0).element))
    return std::nullopt;
  return site.imm(Constant(answer), type_of(site, 0).realm);
}

std::optional<ValueId> simplify_arith(const Site& site, const Arith& arith) {
  switch (arith.op) {
    case Op::identity: return site.operands[0];
    case Op::add: return simplify_add(site);
    case Op::sub: return simplify_sub(site);
    case Op::mul: return simplify_mul(site);
    case Op::div: return simplify_div(site);
    case Op::ipow: return simplify_ipow(site);
    case Op::select: return simplify_select(site);
    case Op::neg: return operand_of(site.after, site.operands[0], Op::neg);
    case Op::not_: return operand_of(site.after, site.operands[0], Op::not_);
    case Op::min:
    case Op::max:
    case Op::and_:
    case Op::or_:
      if (site.operands[0] == site.operands[1]) return site.operands[0];
      return std::nullopt;
    case Op::eq:
    case Op::le:
    case Op::ge: return compare_with_itself(site, true);
    case Op::ne:
    case Op::lt:
    case Op::gt: return compare_with_itself(site, false);
    case Op::cast:
      if (type_of(site, 0).element == arith.target) return site.operands[0];
      return std::nullopt;
    default: return std::nullopt;
  }
}

/// Arithmetic on broadcasts happens once, on the scalars.
std::optional<ValueId> hoist(const Site& site, const Arith& arith) {
  std::vector<ValueId> scalars;
  for (ValueId v : site.operands) {
    if (!site.after.producer_as<Broadcast>(v)) return std::nullopt;
    scalars.push_back(site.after.producer(v).operands[0]);
  }
  const std::string& scope = site.before.scope(site.node().first_result);
  const Arith once{arith.op, arith.target};
  ValueId scalar = site.after.add(once, scalars, site.node().location, scope);
  return site.add(Broadcast{}, {scalar});
}

std::optional<ValueId> simplify_shift(const Site& site, const Shift& shift) {
  ValueId a = site.operands[0];
  bool zero = true;
  for (auto v : shift.offset) zero = zero && v == 0;
  if (zero || site.after.producer_as<Broadcast>(a)) return a;
  const auto* inner = site.after.producer_as<Shift>(a);
  if (!inner || site.after.value(a).annotation.storing != Storing::free) return std::nullopt;
  Offset total = shift.offset;
  for (std::size_t k = 0; k < total.size(); ++k) {
    total[k] += inner->offset[k];
    if (std::abs(total[k]) > kLargestShift) return std::nullopt;
  }
  return site.add(Shift{total}, {site.after.producer(a).operands[0]});
}

std::optional<ValueId> simplify_node(const Site& site) {
  if (const auto* shift = std::get_if<Shift>(&site.node().instruction))
    return simplify_shift(site, *shift);
  const auto* arith = std::get_if<Arith>(&site.node().instruction);
  if (!arith || site.node().result_count != 1) return std::nullopt;
  if (auto simpler = simplify_arith(site, *arith)) return simpler;
  if (auto one = unnested(site)) return one;
  return hoist(site, *arith);
}

}  // namespace

Machine simplify(const Machine& machine) {
  constexpr int kRounds = 4;  // a rule may open the way for another; more was never needed
  Machine after = machine;
  for (int round = 0; round < kRounds; ++round)
    after = rewrite_machine(after, [](const Graph&) { return RewriteRule(simplify_node); });
  return after;
}

}  // namespace paraiso::passes
