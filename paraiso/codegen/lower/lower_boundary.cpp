#include <fmt/format.h>

#include "paraiso/codegen/claris/walk.hpp"
#include "paraiso/codegen/lower/body_lowering.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::ArrayRef;
using plan::Term;

namespace {

class BoundaryLowering : public BodyLowering {
 public:
  BoundaryLowering(const plan::Plan& plan, BoundaryKernelId id, const Names& taken,
                   bool for_devices)
      : BoundaryLowering(plan, id, std::make_unique<Names>(taken), for_devices) {}

  Lowered run(const std::string& function_name) {
    Lowered lowered;
    lowered.function.name = function_name;
    lowered.function.comment = {
        fmt::format("Boundary kernel `{}`: the value of the ghost cell `cell`.", kernel_.name)};
    lowered.function.returns = graph_.type(kernel_.result).element;
    Block body = BodyLowering::run();
    Block& all = lowered.function.body = std::move(prologue_);
    std::ranges::move(body, std::back_inserter(all));
    all.push_back({Return{root(0)}});
    const bool uses_grid = mentions(all, AnyOf<WholeSize, NearestCell>());
    const bool uses_cell = mentions(all, AnyOf<HaloCell, NearestCell>());
    parameters_.add(FunctionParameter::Kind::grid, {}, uses_grid ? "grid" : "", GridArgument{});
    parameters_.add(FunctionParameter::Kind::cell, {}, uses_cell ? "cell" : "", CellArgument{});
    parameters_.finish(lowered);
    return lowered;
  }

 protected:
  ExprPtr read(const Term& term) override {
    StaticId source = graph_.producer_as<Load>(term.value)->source;
    std::string array =
        parameters_.array(ArrayRef{source, 0, graph_.type(term.value).element},
                          plan_.machine.at(source).name, FunctionParameter::Kind::input_array);
    return subscript(name(array), make({NearestCell{term.offset}}));
  }
  ExprPtr index(int axis, std::int32_t offset) override {
    return plus(make({HaloCell{axis}}), integer(offset));
  }
  /// A Global is computed here, for each ghost cell: halos are thin. Operands come before their
  /// users, by a stack of our own: graphs may be deeper than the call stack.
  ExprPtr scalar(ValueId value) override {
    std::vector<ValueId> waiting{value};
    while (!waiting.empty()) {
      const ValueId next = waiting.back();
      const auto& operands = graph_.producer(next).operands;
      const std::size_t before = waiting.size();
      for (auto v = operands.rbegin(); v != operands.rend(); ++v)
        if (!scalars_.contains(*v)) waiting.push_back(*v);
      if (waiting.size() > before) continue;
      waiting.pop_back();
      if (!scalars_.contains(next)) scalars_[next] = declared(next);
    }
    return scalars_.at(value);
  }
  ExprPtr compared(Constant value) override { return constant(value); }
  ExprPtr chosen(Constant value) override { return constant(value); }
  bool must_read_first(const Term&) const override { return false; }

 private:
  ExprPtr constant(Constant value) {
    return for_devices_ ? hidden_zero(parameters_, value) : literal(value);
  }

  /// A Global, whose operands are known, under a name of its own if it is computed.
  ExprPtr declared(ValueId value) {
    ExprPtr expr = scalar_expression(value);
    if (!std::holds_alternative<Operate>(expr->node)) return expr;
    std::string variable = own_names_->unique(scalar_name(plan_.machine, graph_, value));
    prologue_.push_back({Declare{graph_.type(value).element, variable, std::move(expr)}});
    return name(variable);
  }

  ExprPtr scalar_expression(ValueId value) {
    const Node& node = graph_.producer(value);
    if (const auto* load = std::get_if<Load>(&node.instruction))
      return name(parameters_.scalar(load->source, graph_.type(value).element,
                                     plan_.machine.at(load->source).name,
                                     FunctionParameter::Kind::scalar));
    if (const auto* size = std::get_if<LoadSize>(&node.instruction))
      return make({WholeSize{size->axis}});
    if (auto constant = graph_.constant(value)) return literal(*constant);
    const Op op = graph_.producer_as<Arith>(value)->op;
    const bool chooses = op == Op::min || op == Op::max || op == Op::select;
    std::vector<ExprPtr> operands;
    for (ValueId v : node.operands) {
      const auto known = graph_.constant(v);
      operands.push_back(chooses && known ? constant(*known) : scalars_.at(v));
    }
    return operate(graph_, value, std::move(operands));
  }

  BoundaryLowering(const plan::Plan& plan, BoundaryKernelId id, std::unique_ptr<Names> names,
                   bool for_devices)
      : BodyLowering(plan.machine.boundary_kernels[id.index].graph, plan.boundaries[id.index],
                     *names),
        plan_(plan),
        kernel_(plan.machine.boundary_kernels[id.index]),
        own_names_(std::move(names)),
        for_devices_(for_devices),
        parameters_(*own_names_) {
    own_names_->take("grid");
    own_names_->take("cell");
  }

  const plan::Plan& plan_;
  const BoundaryKernel& kernel_;
  std::unique_ptr<Names> own_names_;
  const bool for_devices_;
  ParameterList parameters_;
  std::map<ValueId, ExprPtr> scalars_;
  Block prologue_;
};

}  // namespace

Lowered lower_boundary(const plan::Plan& plan, BoundaryKernelId id, const std::string& name,
                       const Names& taken, bool for_devices) {
  return BoundaryLowering(plan, id, taken, for_devices).run(name);
}

}  // namespace paraiso::codegen
