#include <fmt/format.h>

#include "paraiso/codegen/body_lowering.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::ArrayRef;
using plan::Term;

namespace {

class BoundaryLowering : public BodyLowering {
 public:
  BoundaryLowering(const plan::Plan& plan, BoundaryKernelId id)
      : BoundaryLowering(
            plan, id,
            std::make_unique<Names>(std::initializer_list<std::string_view>{"grid", "cell"})) {}

  Lowered run(const std::string& function_name) {
    Lowered lowered;
    lowered.function.name = function_name;
    lowered.function.comment = {
        fmt::format("Boundary kernel `{}`: the value at the halo cell `cell`.", kernel_.name)};
    lowered.function.returns = graph_.type(kernel_.result).element;
    Block body = BodyLowering::run();
    parameters_.add(Parameter::Kind::grid, {}, uses_grid_ ? "grid" : "", GridArgument{});
    parameters_.add(Parameter::Kind::cell, {}, uses_cell_ ? "cell" : "", CellArgument{});
    lowered.function.body = std::move(prologue_);
    std::ranges::move(body, std::back_inserter(lowered.function.body));
    lowered.function.body.push_back({Return{root(0)}});
    parameters_.finish(lowered);
    return lowered;
  }

 protected:
  ExprPtr read(const Term& term) override {
    StaticId source = graph_.producer_as<Load>(term.value)->source;
    std::string array =
        parameters_.array(ArrayRef{source, 0, graph_.type(term.value).element},
                          plan_.machine.at(source).name, Parameter::Kind::input_array);
    uses_grid_ = uses_cell_ = true;
    std::string offset;
    for (auto v : term.offset) offset += fmt::format("{}{}", offset.empty() ? "" : ", ", v);
    return subscript(name(array), name("grid.nearest(cell, {" + offset + "})"));
  }
  ExprPtr index(int axis, std::int32_t offset) override {
    uses_cell_ = true;
    return plus(name(fmt::format("cell[{}]", axis)), integer(offset));
  }
  /// A Global is computed here, at each cell: halos are thin.
  ExprPtr scalar(ValueId value) override {
    auto known = scalars_.find(value);
    if (known != scalars_.end()) return known->second;
    ExprPtr expr = scalar_expression(value);
    if (std::holds_alternative<Operate>(expr->node)) {
      std::string variable = own_names_->unique(scalar_name(plan_.machine, graph_, value));
      prologue_.push_back({Declare{graph_.type(value).element, variable, expr}});
      expr = name(variable);
    }
    return scalars_[value] = expr;
  }
  bool must_read_first(const Term&) const override { return false; }

 private:
  ExprPtr scalar_expression(ValueId value) {
    const Node& node = graph_.producer(value);
    if (const auto* load = std::get_if<Load>(&node.instruction))
      return name(parameters_.scalar(load->source, graph_.type(value).element,
                                     plan_.machine.at(load->source).name, Parameter::Kind::scalar));
    if (const auto* size = std::get_if<LoadSize>(&node.instruction)) {
      uses_grid_ = true;
      return name(fmt::format("grid.size[{}]", size->axis));
    }
    if (auto constant = graph_.constant(value)) return literal(*constant);
    std::vector<ExprPtr> operands;
    for (ValueId v : node.operands) operands.push_back(scalar(v));
    return operate(graph_, value, std::move(operands));
  }

  BoundaryLowering(const plan::Plan& plan, BoundaryKernelId id, std::unique_ptr<Names> names)
      : BodyLowering(plan.machine.boundary_kernels[id.index].graph, plan.boundaries[id.index],
                     *names),
        plan_(plan),
        kernel_(plan.machine.boundary_kernels[id.index]),
        own_names_(std::move(names)),
        parameters_(*own_names_) {}

  const plan::Plan& plan_;
  const BoundaryKernel& kernel_;
  std::unique_ptr<Names> own_names_;
  Parameters parameters_;
  std::map<ValueId, ExprPtr> scalars_;
  Block prologue_;
  bool uses_grid_ = false, uses_cell_ = false;
};

}  // namespace

Lowered lower_boundary(const plan::Plan& plan, BoundaryKernelId id, const std::string& name) {
  return BoundaryLowering(plan, id).run(name);
}

}  // namespace paraiso::codegen
