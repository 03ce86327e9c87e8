#include "paraiso/om/verify/verify.hpp"

#include <fmt/format.h>

#include "paraiso/om/verify/verify_rules.hpp"

namespace paraiso::om {
namespace {

// clang-format off
constexpr VerifierRule kRules[] = {
    {"machine_name", "the machine's name is an identifier", rule::machine_name},
    {"dimension", "a machine has 1 to 16 dimensions", rule::dimension},
    {"static_names", "statics have different identifiers as names", rule::static_names},
    {"kernel_names", "kernels have different identifiers as names", rule::kernel_names},
    {"boundary_kernel_names", "boundary kernels have different identifiers as names", rule::boundary_kernel_names},

    {"signature", "a kernel's graph knows the statics of its machine", rule::signature},
    {"producers", "every value is the result of one instruction", rule::producers},
    {"operands_first", "an instruction's operands come before it", rule::operands_first},
    {"operand_count", "an instruction has the operands and results that its kind requires", rule::operand_count},
    {"references", "an instruction refers to statics, axes and offsets of its machine", rule::references},
    {"types", "operands and results have the types that the instruction says", rule::types},
    {"value_names", "a value's name is identifiers joined by dots", rule::value_names},
    {"scope_text", "a scope is at most 256 printable characters without \", \\, *, ? and #", rule::scope_text},
    {"steps", "a load's or store's step is 0 to 1023", rule::steps},
    {"single_store", "a kernel stores a static once in a step", rule::single_store},

    {"boundary_count", "a local static has a boundary for each axis, a global one none", rule::boundary_count},
    {"cyclic_pairs", "an axis is cyclic on both sides or on neither", rule::cyclic_pairs},
    {"reflect_sign", "a reflected value keeps or changes its sign, a reflected bool keeps it", rule::reflect_sign},
    {"fixed_element", "a fixed boundary value has the static's element type", rule::fixed_element},
    {"boundary_kernel_pure", "a boundary kernel neither stores nor reduces", rule::boundary_kernel_pure},
    {"boundary_kernel_step", "a boundary kernel loads the state at step 0", rule::boundary_kernel_step},
    {"boundary_kernel_result", "a boundary kernel's result is local", rule::boundary_kernel_result},
    {"user_boundary", "a boundary kernel gives the element type of the statics that use it", rule::user_boundary},

    {"role_type", "a static with a role is global, and f32 or f64 unless a parameter", rule::role_type},
    {"role_axis", "a domain bound names an axis of the machine", rule::role_axis},
    {"role_once", "a role belongs to one static (of an axis)", rule::role_once},
    {"domain_pairs", "an axis has both domain bounds or neither", rule::domain_pairs},
    {"initial_element", "a global's initial value has its element type", rule::initial_element},
    {"bounds_of_parameters", "only parameters have bounds, of their element type", rule::bounds_of_parameters},
    {"bounds_order", "a lower bound is not above the upper one", rule::bounds_order},
    {"default_in_bounds", "a parameter's default is within its bounds", rule::default_in_bounds},

    {"has_kernel", "a machine has a kernel", rule::has_kernel},
    {"one_step_kernel", "a machine has at most one step kernel", rule::one_step_kernel},
    {"kernel_stores", "a kernel stores something", rule::kernel_stores},
    {"parameter_stores", "no kernel stores a parameter", rule::parameter_stores},
    {"chained_load", "a load at step k > 0 reads what the same kernel stores at step k - 1", rule::chained_load},
    {"chained_store", "a store at step k uses loads of steps up to k only", rule::chained_store},
    {"last_step", "a kernel stores each of its statics at its last step", rule::last_step},
};
// clang-format on

}  // namespace

std::span<const VerifierRule> verifier_rules() { return kRules; }

void verify(const Machine& machine) {
  for (const auto& rule : kRules) {
    try {
      rule.check(machine);
    } catch (const Error& error) {
      throw error.with_note({}, fmt::format("rule `{}`: {}", rule.name, rule.statement));
    }
  }
}

}  // namespace paraiso::om
