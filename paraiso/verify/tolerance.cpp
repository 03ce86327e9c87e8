#include "paraiso/verify/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paraiso/passes/rewrite/rewrite.hpp"

namespace paraiso::verify {

using namespace om;

namespace {

constexpr double kRounding = 256;  // ulp of a static's largest value
constexpr std::uint64_t kMixing = 0x9e3779b97f4a7c15;
constexpr std::int64_t kSteps = 1024;  // errors are multiples of kWrongUlps / kSteps

double ulp_of_one(Element element) {
  return element == Element::f32 ? std::numeric_limits<float>::epsilon()
                                 : std::numeric_limits<double>::epsilon();
}

/// A local number from -kSteps to kSteps that looks random from cell to cell.
ValueId number_of_cell(const passes::Site& site, std::uint64_t seed) {
  const auto integer = [&](std::uint64_t value) {
    return site.imm(Constant(static_cast<std::int64_t>(value)), Realm::local);
  };
  ValueId mixed = integer((seed * 1009 + site.id.index * 2 + site.result) * kMixing);
  for (int axis = 0; axis < site.after.dimension(); ++axis) {
    const ValueId sum = site.arith(Op::add, {mixed, site.add(LoadIndex{axis}, {})});
    mixed = site.arith(Op::mul, {sum, integer(kMixing)});
  }
  return site.arith(Op::div, {mixed, integer((std::uint64_t{1} << 63) / kSteps)});
}

std::optional<ValueId> wrong(const passes::Site& site, std::uint64_t seed) {
  const auto* arith = std::get_if<Arith>(&site.node().instruction);
  if (!arith || !arith->libm) return std::nullopt;
  const ValueId first = site.after.add(Arith{arith->op, arith->target}, site.operands);
  const ValueId right(first.index + site.result);
  const Element element = site.after.type(right).element;
  const auto number = [&](double value) {
    return site.imm(Constant::from_double(element, value), Realm::local);
  };
  const ValueId steps = site.add(Arith{Op::cast, element}, {number_of_cell(site, seed)});
  const ValueId one = number(1), step = number(kWrongUlps * ulp_of_one(element) / kSteps);
  return site.arith(Op::mul, {right, site.arith(Op::madd, {steps, step, one})});
}

double largest(const Array& array) {
  double most = 0;
  for (std::size_t i = 0; i < array.bits.size(); ++i)
    if (const double size = std::abs(array.at(i).to_double()); std::isfinite(size))
      most = std::max(most, size);
  return most;
}

}  // namespace

bool has_own_bits(const runtime::Backend& backend, const Machine& program) {
  return !backend.calls_libm || !program.libm_call();
}

Machine with_wrong_functions(const Machine& program, std::uint64_t seed) {
  return passes::rewrite_machine(program, [seed](const Graph&) {
    return [seed](const passes::Site& site) { return wrong(site, seed); };
  });
}

double distance(Constant one, Constant other) {
  if (one == other) return 0;
  const double apart = std::abs(one.to_double() - other.to_double());
  return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

bool agree(om::Constant want, om::Constant got, double allowed) {
  return want == got || (allowed > 0 && distance(want, got) <= allowed);
}

void Tolerance::include(const State& state) {
  allowed_.resize(state.arrays.size());
  for (std::size_t s = 0; s < allowed_.size(); ++s)
    if (const Array& array = state.arrays[s]; is_float(array.element))
      allowed_[s] = std::max(allowed_[s], kRounding * ulp_of_one(array.element) * largest(array));
}

void Tolerance::include(const State& state, const State& wrong) {
  allowed_.resize(state.arrays.size());
  for (std::size_t s = 0; s < allowed_.size(); ++s)
    for (std::size_t i = 0; i < state.arrays[s].bits.size(); ++i)
      allowed_[s] = std::max(allowed_[s], distance(state.arrays[s].at(i), wrong.arrays[s].at(i)));
}

}  // namespace paraiso::verify
