#include "paraiso/codegen/device/lower/device_module.hpp"

#include <algorithm>

#include "paraiso/codegen/claris/verify_barriers.hpp"
#include "paraiso/codegen/device/body/frame.hpp"
#include "paraiso/codegen/device/lower/changing_scalars.hpp"
#include "paraiso/codegen/device/lower/lower_group.hpp"
#include "paraiso/codegen/lower/make_module.hpp"

namespace paraiso::codegen {

using claris::Function;

namespace {

DeviceModule::Rules rules_of(const DeviceModule& module, const HaloFill& fill) {
  std::vector<int> axes;
  std::vector<std::string> fields;
  for (const HaloFill::Axis& axis : fill.axes) {
    axes.push_back(axis.axis);
    if (module.scalars.all.empty()) continue;
    for (const auto& call : axis.calls)
      if (call)
        for (const Given& argument : call->arguments)
          if (is_scalar_on_device(argument))
            fields.push_back(
                std::get<claris::Name>(std::get<claris::ExprPtr>(argument)->node).text);
  }
  return {fill.rules, axes, fields};
}

DeviceModule::AllRules rules_of(const DeviceModule& module, std::span<const HaloFill> fills) {
  DeviceModule::AllRules all{{}, ghosts_of(fills).of};
  for (const HaloFill& fill : fills) all.first.push_back(rules_of(module, fill));
  return all;
}

/// Whether an action neither changes what fills read nor reads what they write.
bool is_beside_fills(const Action& action) {
  return std::holds_alternative<Compute>(action) || std::holds_alternative<DeclareResult>(action);
}

/// What a kernel fills before a group becomes one action, where that is more than one.
void join_fills(const Module& module, KernelMethod& method) {
  std::vector<Action> body, due;
  std::vector<HaloFill> fills;
  const auto flush = [&] {
    if (due.size() == 1) body.push_back(std::move(due[0]));
    if (due.size() > 1) body.emplace_back(FillTogether{std::move(fills)});
    due.clear();
    fills.clear();
  };
  for (Action& action : method.body) {
    if (const auto* call = std::get_if<CallFill>(&action))
      fills.push_back(module.fills[call->id.index]->fill);
    else if (const auto* between = std::get_if<FillBetween>(&action))
      fills.push_back(between->fill);
    else if (!is_beside_fills(action))
      flush();
    const bool joins = fills.size() > due.size();
    (joins ? due : body).push_back(std::move(action));
  }
  flush();
  method.body = std::move(body);
}

/// Of all kernels; methods that fill a field by itself stay where one does.
void join_fills(Module& module) {
  std::set<std::size_t> alone;
  for (KernelMethod& method : module.kernels) {
    join_fills(module, method);
    for (const Action& action : method.body)
      if (const auto* call = std::get_if<CallFill>(&action)) alone.insert(call->id.index);
  }
  for (std::size_t s = 0; s < module.fills.size(); ++s)
    if (!alone.contains(s)) module.fills[s].reset();
}

class DeviceModuleMaker {
 public:
  DeviceModuleMaker(Module module, const plan::Plan& plan, bool has_graphs) {
    made_.module = std::move(module);
    for (const plan::KernelPlan& kernel : plan.kernels)
      made_.launches.push_back(plan::launches_of(kernel));
    if (!needs_scalars(plan.machine, has_graphs)) return;
    made_.step = step_of(plan.machine);
    made_.scalars = move_scalars(made_.module, plan.machine);
  }

  DeviceModule run() {
    join_fills(made_.module);
    Names names = kernel_names();
    made_.functions = made_.module.boundaries;
    for (const KernelMethod& method : made_.module.kernels) {
      std::ranges::copy(method.functions, std::back_inserter(made_.functions));
      if (made_.scalars.all.empty()) continue;
      for (const Action& action : method.body)
        if (const auto* group = std::get_if<RunGroup>(&action))
          read_scalars(*std::ranges::find(made_.functions, group->function, &Function::name), 0,
                       group->arguments);
    }
    for (const Function& function : made_.functions) names.take(function.name);
    for (const auto& method : made_.module.fills)
      if (method) add({&method->fill, 1}, names);
    for (const KernelMethod& method : made_.module.kernels)
      for (const Action& action : method.body) {
        if (const auto* between = std::get_if<FillBetween>(&action))
          add({&between->fill, 1}, names);
        if (const auto* all = std::get_if<FillTogether>(&action)) add(all->fills, names);
        if (const auto* reduce = std::get_if<ReduceArray>(&action))
          made_.reductions.insert(made_.reduction(*reduce));
      }
    for (const PartialResults& partials : made_.module.partials)
      made_.reductions.insert(made_.reduction(partials));
    for (const Variable& s : made_.module.statics)
      if (const auto watch = made_.nan_watch(s)) made_.reductions.insert(*watch);
    std::ranges::for_each(made_.functions, claris::verify_barriers);
    return std::move(made_);
  }

 private:
  /// Where steps reduce something, or would launch something else each time, which becomes no
  /// graph.
  [[nodiscard]] bool needs_scalars(const om::Machine& machine, bool has_graphs) const {
    if (reduces_in_steps(made_.module, machine)) return true;
    return has_graphs && machine.step_kernel() &&
           gives_changing_scalars(made_.module, made_.module.kernels[step_of(machine)]);
  }

  void add(std::span<const HaloFill> fills, Names& names) {
    auto [known, added] = made_.fills.try_emplace(rules_of(made_, fills));
    if (!added) return;
    const std::string what =
        fills.size() > 1 ? "fields" : made_.module.statics[fills[0].rules.index].name;
    known->second = names.unique(made_.module.name + "_fill_" + what);
    LoweredFill lowered = lower_fill(made_.module, fills, known->second);
    if (!made_.scalars.all.empty())
      read_scalars(lowered.function, 1 + ghosts_of(fills).widths.size(), lowered.arguments);
    made_.functions.push_back(std::move(lowered.function));
  }

  DeviceModule made_;
};

}  // namespace

std::vector<std::string> DeviceModule::kernels() const {
  std::vector<std::string> names;
  for (const Function& function : functions)
    if (function.kernel) names.push_back(function.name);
  for (const DeviceReduction& reduction : reductions)
    for (const std::string& name :
         {chunks_kernel(module.name, reduction), tree_kernel(module.name, reduction)})
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

std::pair<std::string, std::vector<Given>> DeviceModule::fill(std::span<const HaloFill> all) const {
  const std::string& name = fills.at(rules_of(*this, all));
  return {name, lower_fill(module, all, name).arguments};
}

DeviceReduction DeviceModule::reduction(const ReduceArray& reduce) const {
  return {reduce.op, reduce.array.element, module.dimension};
}

DeviceReduction DeviceModule::reduction(const PartialResults& partials) const {
  return {partials.op, partials.element, module.dimension};
}

std::optional<DeviceReduction> DeviceModule::nan_watch(const Variable& variable) const {
  if (!variable.is_field || !om::is_float(variable.element)) return std::nullopt;
  return DeviceReduction{om::ReduceOp::max, variable.element, module.dimension};
}

const Function& DeviceModule::function(const std::string& name) const {
  return *std::ranges::find(functions, name, &Function::name);
}

DeviceModule make_device_module(const plan::Plan& plan, const std::string& wanted,
                                bool has_graphs) {
  return DeviceModuleMaker(make_module(plan, wanted, lower_device_group, kernel_names(), true),
                           plan, has_graphs)
      .run();
}

}  // namespace paraiso::codegen
