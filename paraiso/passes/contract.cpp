// contract: makes multiply-adds explicit, each rounded once; the mode `fma` is this pass and no
// more.
//
//   %2 = mul %0 %1        # used once
//   %4 = add %2 %3        ->  %4 = madd %0 %1 %3      (a*b + c)
//   %5 = sub %2 %3        ->  %5 = msub %0 %1 %3      (a*b - c)
//   %6 = sub %3 %2        ->  %6 = nmadd %0 %1 %3     (c - a*b)
//
// Takes single-use products only, the left one where there are two. A product that the user
// annotated stays. It runs once, before anything that depends on the schedule, so that bits do not.
#include "paraiso/passes/contract.hpp"

#include "paraiso/passes/rewrite.hpp"

namespace paraiso::passes {

using namespace om;

namespace {

class Contract {
 public:
  explicit Contract(const Graph& graph) : uses_(use_counts(graph)) {}

  std::optional<ValueId> operator()(const Site& site) const {
    const auto* arith = std::get_if<Arith>(&site.node().instruction);
    if (!arith || (arith->op != Op::add && arith->op != Op::sub)) return std::nullopt;
    if (!is_float(site.before.type(site.node().first_result).element)) return std::nullopt;
    bool sub = arith->op == Op::sub;
    if (is_product(site, 0)) return fuse(site, sub ? Op::msub : Op::madd, 0);
    if (is_product(site, 1)) return fuse(site, sub ? Op::nmadd : Op::madd, 1);
    return std::nullopt;
  }

 private:
  /// Operand k was a product used once, and still is one in the new graph.
  [[nodiscard]] bool is_product(const Site& site, std::size_t k) const {
    ValueId old = site.node().operands[k];
    const auto* before = site.before.producer_as<Arith>(old);
    const auto* after = site.after.producer_as<Arith>(site.operands[k]);
    return before && before->op == Op::mul && after && after->op == Op::mul &&
           uses_[old.index] == 1 && site.before.value(old).annotation.storing == Storing::free;
  }
  static ValueId fuse(const Site& site, Op op, std::size_t product) {
    const auto& factors = site.after.producer(site.operands[product]).operands;
    return site.arith(op, {factors[0], factors[1], site.operands[1 - product]});
  }

  std::vector<int> uses_;
};

}  // namespace

Machine contract(const Machine& machine) {
  return rewrite_machine(machine, [](const Graph& graph) { return Rule(Contract(graph)); });
}

}  // namespace paraiso::passes
