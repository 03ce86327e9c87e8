#include "paraiso/codegen/device/lower/lower_fill.hpp"

#include <algorithm>

#include "paraiso/codegen/device/body/frame.hpp"

namespace paraiso::codegen {

using namespace claris;

namespace {

class FillLowering {
 public:
  FillLowering(const Module& module, const HaloFill& fill)
      : module_(module), fill_(fill), names_(kernel_names()) {
    for (const Function& boundary : module.boundaries) names_.take(boundary.name);
  }

  LoweredFill run(const std::string& function_name) {
    names_.take(function_name);
    Function& function = lowered_.function;
    function.name = function_name;
    function.comment = {"Fills the ghost cells of `" + module_.statics[fill_.rules.index].name +
                        "`."};
    function.kernel = BlockShape{kThreadsOfRow, 1};
    function.parameters = {{FunctionParameter::Kind::grid, {}, "grid"},
                           {FunctionParameter::Kind::ghosts, {}, "ghosts"}};
    const std::string array = add(FunctionParameter::Kind::output_array, fill_.element,
                                  module_.statics[fill_.rules.index].name, fill_.array);
    FillGhosts fill{module_.dimension, fill_.element, array, {}};
    for (const HaloFill::Axis& axis : fill_.axes)
      fill.axes.push_back({axis.axis, side(axis, 0), side(axis, 1)});
    function.body = {{DeviceStatement{std::move(fill)}}};
    return std::move(lowered_);
  }

 private:
  std::string add(FunctionParameter::Kind kind, om::Element element, const std::string& wanted,
                  Given argument) {
    lowered_.function.parameters.push_back({kind, element, names_.unique(wanted)});
    lowered_.arguments.push_back(std::move(argument));
    return lowered_.function.parameters.back().name;
  }

  GhostSide side(const HaloFill::Axis& axis, int which) {
    return {axis.sides[which], axis.calls[which] ? value(*axis.calls[which]) : nullptr};
  }

  /// The boundary kernel's value at `cell`. Its parameters become the kernel's, once for all sides.
  ExprPtr value(const BoundaryCall& boundary) {
    const auto known = std::ranges::find(values_, boundary.function, &Value::first);
    if (known != values_.end()) return known->second;
    const Function& function =
        *std::ranges::find(module_.boundaries, boundary.function, &Function::name);
    std::vector<ExprPtr> passed;
    for (std::size_t p = 0; p < function.parameters.size(); ++p) {
      const FunctionParameter& parameter = function.parameters[p];
      if (parameter.kind == FunctionParameter::Kind::grid)
        passed.push_back(name("grid"));
      else if (parameter.kind == FunctionParameter::Kind::cell)
        passed.push_back(name("cell"));
      else
        passed.push_back(
            name(add(parameter.kind, parameter.element, parameter.name, boundary.arguments[p])));
    }
    values_.emplace_back(boundary.function, call(boundary.function, std::move(passed)));
    return values_.back().second;
  }

  using Value = std::pair<std::string, ExprPtr>;

  const Module& module_;
  const HaloFill& fill_;
  Names names_;
  LoweredFill lowered_;
  std::vector<Value> values_;  // of boundary functions
};

}  // namespace

LoweredFill lower_fill(const Module& module, const HaloFill& fill, const std::string& name) {
  return FillLowering(module, fill).run(name);
}

}  // namespace paraiso::codegen
