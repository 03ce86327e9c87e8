#include "paraiso/codegen/device/lower/device_module.hpp"

#include <algorithm>

#include "paraiso/codegen/device/lower/frame.hpp"
#include "paraiso/codegen/device/lower/lower_group.hpp"
#include "paraiso/codegen/lower/make_module.hpp"

namespace paraiso::codegen {

using claris::Function;

namespace {

std::pair<om::StaticId, std::vector<int>> rules_of(const HaloFill& fill) {
  std::vector<int> axes;
  for (const HaloFill::Axis& axis : fill.axes) axes.push_back(axis.axis);
  return {fill.rules, axes};
}

class DeviceModuleMaker {
 public:
  explicit DeviceModuleMaker(Module module) { made_.module = std::move(module); }

  DeviceModule run() {
    Names names = kernel_names();
    made_.functions = made_.module.boundaries;
    for (const KernelMethod& method : made_.module.kernels)
      std::ranges::copy(method.functions, std::back_inserter(made_.functions));
    for (const Function& function : made_.functions) names.take(function.name);
    for (const auto& method : made_.module.fills)
      if (method) add(method->fill, names);
    for (const KernelMethod& method : made_.module.kernels)
      for (const Action& action : method.body) {
        if (const auto* between = std::get_if<FillBetween>(&action)) add(between->fill, names);
        if (const auto* reduce = std::get_if<ReduceArray>(&action))
          made_.reductions.insert(made_.reduction(*reduce));
      }
    return std::move(made_);
  }

 private:
  void add(const HaloFill& fill, Names& names) {
    auto [known, added] = made_.fills.try_emplace(rules_of(fill));
    if (!added) return;
    known->second =
        names.unique(made_.module.name + "_fill_" + made_.module.statics[fill.rules.index].name);
    made_.functions.push_back(lower_fill(made_.module, fill, known->second).function);
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

std::pair<std::string, std::vector<Given>> DeviceModule::fill(const HaloFill& fill) const {
  const std::string& name = fills.at(rules_of(fill));
  return {name, lower_fill(module, fill, name).arguments};
}

DeviceReduction DeviceModule::reduction(const ReduceArray& reduce) const {
  return {reduce.op, reduce.array.element, module.dimension};
}

const Function& DeviceModule::function(const std::string& name) const {
  return *std::ranges::find(functions, name, &Function::name);
}

DeviceModule make_device_module(const plan::Plan& plan, const std::string& wanted) {
  return DeviceModuleMaker(make_module(plan, wanted, lower_device_group, kernel_names(), true))
      .run();
}

}  // namespace paraiso::codegen
