#include "paraiso/codegen/device/lower/changing_scalars.hpp"

#include <algorithm>
#include <set>

#include "paraiso/codegen/claris/walk.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Overload;

namespace {

/// The scalars of a step that differ from those of the step before, as far as one sees.
class Changing {
 public:
  explicit Changing(const KernelMethod& step) {
    for (const Action& action : step.body)
      if (const auto* stored = std::get_if<Assigned>(&action)) stored_.insert(stored->target);
    do compute(step);
    while (forget_constant(step));
  }

  [[nodiscard]] bool has(const Expr& expr) const {
    if (const auto* held = std::get_if<Held>(&expr.node)) return stored_.contains(held->id);
    if (const auto* variable = std::get_if<Name>(&expr.node))
      return computed_.contains(variable->text);
    const auto* chosen = std::get_if<Operate>(&expr.node);
    if (chosen && chosen->op == om::Op::select)
      return has(*chosen->operands[1]) && has(*chosen->operands[2]);
    return std::ranges::any_of(operands(expr),
                               [&](const ExprPtr& operand) { return has(*operand); });
  }
  [[nodiscard]] bool has(const std::vector<Given>& arguments) const {
    return std::ranges::any_of(arguments, [&](const Given& argument) {
      const auto* value = std::get_if<ExprPtr>(&argument);
      return value && has(**value);
    });
  }
  [[nodiscard]] bool has(const HaloFill& fill) const {
    return std::ranges::any_of(fill.axes, [&](const HaloFill::Axis& axis) {
      return std::ranges::any_of(axis.calls,
                                 [&](const auto& call) { return call && has(call->arguments); });
    });
  }

 private:
  void compute(const KernelMethod& step) {
    computed_.clear();
    for (const Action& action : step.body)
      if (const auto* one = std::get_if<Compute>(&action); one && has(*one->scalar.value))
        computed_.insert(one->scalar.name);
  }
  /// What a step stores and depends on nothing that changes, as the length of the last step, is the
  /// same from the second step on. Gives whether there was any.
  bool forget_constant(const KernelMethod& step) {
    bool any = false;
    for (const Action& action : step.body)
      if (const auto* stored = std::get_if<Assigned>(&action); stored && !has(*stored->value))
        any |= stored_.erase(stored->target) > 0;
    return any;
  }

  std::set<om::StaticId> stored_;
  std::set<std::string> computed_;
};

}  // namespace

bool gives_changing_scalars(const Module& module, const KernelMethod& step) {
  const Changing changing(step);
  return std::ranges::any_of(step.body, [&](const Action& action) {
    return std::visit(Overload{
                          [&](const RunGroup& run) { return changing.has(run.arguments); },
                          [&](const FillBetween& between) { return changing.has(between.fill); },
                          [&](const CallFill& call) {
                            const auto& fill = module.fills.at(call.id.index);
                            return fill && changing.has(fill->fill);
                          },
                          [](const auto&) { return false; },
                      },
                      action);
  });
}

}  // namespace paraiso::codegen
