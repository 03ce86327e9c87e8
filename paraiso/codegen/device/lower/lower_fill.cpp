#include "paraiso/codegen/device/lower/lower_fill.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/device/body/frame.hpp"

namespace paraiso::codegen {

using namespace claris;

namespace {

// A boundary kernel's value takes some 80 registers with what fills ghost cells. nvcc would keep 64
// of them, for a fourth block, and put the others into memory.
constexpr int kResidentWithCalls = 3;

class FillLowering {
 public:
  FillLowering(const Module& module, std::span<const HaloFill> fills)
      : module_(module), fills_(fills), ghosts_(ghosts_of(fills)), names_(kernel_names()) {
    for (const Function& boundary : module.boundaries) names_.take(boundary.name);
  }

  LoweredFill run(const std::string& function_name) {
    names_.take(function_name);
    Function& function = lowered_.function;
    function.name = function_name;
    function.comment = {comment()};
    function.kernel = BlockShape{kThreadsOfRow, 1};
    if (calls_boundary_kernels()) function.kernel->resident = kResidentWithCalls;
    function.parameters = {{FunctionParameter::Kind::grid, {}, "grid"}};
    for (std::size_t width = 0; width < ghosts_.widths.size(); ++width) {
      names_.take(Ghosts::name(width));
      function.parameters.push_back({FunctionParameter::Kind::ghosts, {}, Ghosts::name(width)});
    }
    for (std::size_t number = 0; number < fills_.size(); ++number)
      function.body.push_back({DeviceStatement{lowered(number)}});
    return std::move(lowered_);
  }

 private:
  [[nodiscard]] bool calls_boundary_kernels() const {
    return std::ranges::any_of(fills_, [](const HaloFill& fill) {
      return std::ranges::any_of(
          fill.axes, [](const HaloFill::Axis& axis) { return axis.calls[0] || axis.calls[1]; });
    });
  }
  [[nodiscard]] const std::string& called(const HaloFill& fill) const {
    return module_.statics[fill.rules.index].name;
  }
  [[nodiscard]] std::string comment() const {
    std::string list;
    for (const HaloFill& fill : fills_) list += (list.empty() ? "`" : ", `") + called(fill) + "`";
    return "Fills the ghost cells of " + list + ".";
  }

  FillGhosts lowered(std::size_t number) {
    const HaloFill& fill = fills_[number];
    const std::string array =
        add(FunctionParameter::Kind::output_array, fill.element, called(fill), fill.array);
    FillGhosts lowered{module_.dimension, fill.element, array};
    lowered.ghosts = Ghosts::name(ghosts_.of[number]);
    if (fills_.size() > 1) lowered.row = static_cast<int>(number);
    values_.clear();  // whose arguments may differ from fill to fill
    for (const HaloFill::Axis& axis : fill.axes)
      lowered.axes.push_back({axis.axis, side(axis, 0), side(axis, 1)});
    return lowered;
  }

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
  const std::span<const HaloFill> fills_;
  const Ghosts ghosts_;
  Names names_;
  LoweredFill lowered_;
  std::vector<Value> values_;  // of boundary functions
};

}  // namespace

std::string Ghosts::name(std::size_t width) {
  return width == 0 ? "ghosts" : fmt::format("ghosts_{}", width + 1);
}

Ghosts ghosts_of(std::span<const HaloFill> fills) {
  Ghosts ghosts;
  for (const HaloFill& fill : fills) {
    const auto known = std::ranges::find(ghosts.widths, fill.width);
    ghosts.of.push_back(static_cast<std::size_t>(known - ghosts.widths.begin()));
    if (known == ghosts.widths.end()) ghosts.widths.push_back(fill.width);
  }
  return ghosts;
}

LoweredFill lower_fill(const Module& module, std::span<const HaloFill> fills,
                       const std::string& name) {
  return FillLowering(module, fills).run(name);
}

}  // namespace paraiso::codegen
