// call_libm: lets code call the C library's elementary functions for cells. The mode `fast` is
// `fma` and this pass.
//
//   %1: local f64 = exp %0             ->  %1: local f64 = exp %0 libm
//   %3: global f64 = exp %2                # stays: a scalar
//
// Scalars keep our own functions: the times of coming steps are known before the steps are taken
// (extract_clock), and processes of different hosts must agree on them. So do boundary kernels,
// which run on few cells.
#include "paraiso/passes/rewrite/call_libm.hpp"

#include "paraiso/passes/rewrite/rewrite.hpp"

namespace paraiso::passes {

using namespace om;

namespace {

std::optional<ValueId> called(const Site& site) {
  const auto* arith = std::get_if<Arith>(&site.node().instruction);
  const ValueId value = site.node().first_result;
  if (!arith || !in_libm(arith->op) || !site.before.type(value).is_local()) return std::nullopt;
  const Arith call{arith->op, arith->target, /*libm=*/true};
  const ValueId first =
      site.after.add(call, site.operands, site.node().location, site.before.scope(value));
  return ValueId(first.index + site.result);
}

}  // namespace

Machine call_libm(const Machine& machine) {
  Machine after = machine;
  for (Kernel& kernel : after.kernels) kernel.graph = rewrite(kernel.graph, called);
  return after;
}

}  // namespace paraiso::passes
