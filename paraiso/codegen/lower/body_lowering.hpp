// body_lowering: the terms of a loop body as declarations and expressions, and the parameters of
// the function around it. Gives: BodyLowering, ParameterList, offset_suffix, loop_variable,
// array_name, state_name, scalar_name, hidden_zero. Needs: CLARIS, names, plan.
#pragma once

#include "paraiso/codegen/lower/lower.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/plan/vector_form.hpp"

namespace paraiso::codegen {

/// `_xp1_ym2`: a displacement in a name; empty for none.
[[nodiscard]] std::string offset_suffix(const om::Offset& offset);
/// `i`, `j`, `k`, `l`, `i4`, ...: the loop along an axis.
[[nodiscard]] std::string loop_variable(int axis);
[[nodiscard]] std::string array_name(const om::Machine& machine, const om::Graph& graph,
                                     const plan::ArrayRef& ref, om::ValueId value,
                                     std::optional<om::StaticId> target);
/// A state between fused steps: `density_step2`.
[[nodiscard]] std::string state_name(const om::Machine& machine, const om::Load& load);
[[nodiscard]] std::string scalar_name(const om::Machine& machine, const om::Graph& graph,
                                      om::ValueId value);

/// Turns an expansion into declarations and expressions: a value used once becomes part of its
/// user's expression, unless it has a name or the expression would grow long.
class BodyLowering {
 public:
  /// With `vectors`, the body computes vectors of cells.
  BodyLowering(const om::Graph& graph, const plan::Expansion& expansion, Names& names,
               std::optional<plan::VectorForm> vectors = {});
  virtual ~BodyLowering() = default;

  [[nodiscard]] claris::Block run();
  /// A root's value as `lane`.
  [[nodiscard]] claris::ExprPtr root(std::size_t r, plan::Lane lane) const;
  [[nodiscard]] claris::ExprPtr root(std::size_t r) const;
  /// Declarations of values that are the same for every cell of a row.
  [[nodiscard]] claris::Block& hoisted() { return hoisted_; }

 protected:
  virtual claris::ExprPtr read(const plan::Term& term) = 0;
  virtual claris::ExprPtr index(int axis, std::int32_t offset) = 0;
  virtual claris::ExprPtr scalar(om::ValueId value) = 0;
  /// Whether values that are the same for every cell of a row go to `hoisted`.
  [[nodiscard]] virtual bool hoists() const { return false; }
  /// A float constant that is an operand of min or max, or of a select that is one in other words;
  /// and one that any other select may choose.
  virtual claris::ExprPtr compared(om::Constant value) { return claris::literal(value); }
  virtual claris::ExprPtr chosen(om::Constant value) { return claris::literal(value); }
  virtual bool must_read_first(const plan::Term& term) const = 0;
  /// A variable that the body declared, where it is used.
  [[nodiscard]] virtual claris::ExprPtr declared(const std::string& variable) const {
    return claris::name(variable);
  }
  [[nodiscard]] static claris::ExprPtr as_lane(claris::ExprPtr value, plan::Lane lane);
  const om::Graph& graph_;
  Names& names_;
  const std::optional<plan::VectorForm> vectors_;

 private:
  claris::ExprPtr expression(std::size_t t);
  /// Whether a select chooses one of the two values that its condition compares.
  [[nodiscard]] bool is_extremum(const plan::Term& select) const;
  [[nodiscard]] bool same_value(int a, int b) const;
  claris::ExprPtr operation(std::size_t t);
  claris::ExprPtr vector_operation(std::size_t t, std::vector<claris::ExprPtr> operands) const;
  void widen_operands(const plan::Term& term, std::vector<claris::ExprPtr>& operands) const;
  [[nodiscard]] bool is_vector(std::size_t t) const { return vectors_ && !uniform_[t]; }
  [[nodiscard]] int size_of_expression(const plan::Term& term) const;
  [[nodiscard]] bool inlined(const plan::Term& term, std::size_t t, int size) const;
  std::string variable_name(const plan::Term& term);

  const plan::Expansion& expansion_;
  std::vector<bool> uniform_;
  claris::Block hoisted_;
  std::vector<int> uses_;
  std::vector<claris::ExprPtr> values_;
  std::vector<int> sizes_;
  int unnamed_ = 0;
};

/// The parameters of a function, collected as they are needed, each once.
class ParameterList {
 public:
  explicit ParameterList(Names& names) : names_(names) {}

  void add(claris::FunctionParameter::Kind kind, om::Element element, const std::string& parameter,
           Argument argument);
  std::string array(const plan::ArrayRef& ref, const std::string& wanted,
                    claris::FunctionParameter::Kind kind);
  template <class Key>
  std::string scalar(Key key, om::Element element, const std::string& wanted,
                     claris::FunctionParameter::Kind kind) {
    for (const auto& [parameter, argument] : parameters_)
      if (const auto* known = std::get_if<Key>(&argument); known && *known == key)
        return parameter.name;
    std::string chosen = names_.unique(wanted);
    add(kind, element, chosen, key);
    return chosen;
  }
  /// Moves the list out: grid and threads first, then arrays, scalars, results.
  void finish(Lowered& lowered);

 private:
  Names& names_;
  std::vector<std::pair<claris::FunctionParameter, Argument>> parameters_;
};

/// For a constant of min, max or select on a device, whose `min` orders zeros by their signs, and
/// whose compiler takes it where it knows that one operand is a zero: so it is not told.
[[nodiscard]] claris::ExprPtr hidden_zero(ParameterList& parameters, om::Constant value);

}  // namespace paraiso::codegen
