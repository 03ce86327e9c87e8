#include "paraiso/codegen/lower.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/names.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::ArrayRef;
using plan::Expansion;
using plan::Term;

namespace {

constexpr std::int64_t kChunkCells = 256;   // of the reduction tree: part of its meaning
constexpr std::int64_t kBlockCells = 4096;  // of a one-dimensional grid, shared between threads
constexpr int kLargestExpression = 7;       // operators and operands printed as one expression

/// `_xp1_ym2`: a displacement in a name; empty for none.
std::string offset_suffix(const Offset& offset) {
  std::string text;
  for (std::size_t a = 0; a < offset.size(); ++a)
    if (offset[a] != 0)
      text += fmt::format("_{}{}{}", axis_name(static_cast<int>(a)), offset[a] < 0 ? 'm' : 'p',
                          std::abs(offset[a]));
  return text;
}

std::string loop_variable(int axis) {
  constexpr const char* kLetters[] = {"i", "j", "k", "l"};
  return axis < 4 ? kLetters[axis] : fmt::format("i{}", axis);
}

/// Turns an expansion into declarations and expressions: a value used once becomes part of its
/// user's expression, unless it has a name or the expression would grow long.
class BodyLowering {
 public:
  BodyLowering(const Graph& graph, const Expansion& expansion, Names& names)
      : graph_(graph), expansion_(expansion), names_(names), uses_(expansion.terms.size()) {
    for (const Term& term : expansion.terms)
      for (int operand : term.operands) ++uses_[operand];
    for (int root : expansion.roots) ++uses_[root];
  }
  virtual ~BodyLowering() = default;

  Block run() {
    Block block;
    for (std::size_t t = 0; t < expansion_.terms.size(); ++t) {
      const Term& term = expansion_.terms[t];
      ExprPtr expr = expression(term);
      int size = size_of_expression(term);
      if (!inlined(term, t, size)) {
        std::string variable = names_.unique(variable_name(term));
        block.push_back({Declare{graph_.type(term.value).element, variable, expr}});
        expr = name(variable);
        size = 1;
      }
      values_.push_back(std::move(expr));
      sizes_.push_back(size);
    }
    return block;
  }
  [[nodiscard]] ExprPtr root(std::size_t r) const { return values_[expansion_.roots[r]]; }

 protected:
  virtual ExprPtr read(const Term& term) = 0;
  virtual ExprPtr index(int axis, std::int32_t offset) = 0;
  virtual ExprPtr scalar(ValueId value) = 0;
  virtual bool must_read_first(const Term& term) const = 0;
  const Graph& graph_;

 private:
  ExprPtr expression(const Term& term) {
    switch (term.kind) {
      case Term::Kind::read_static:
      case Term::Kind::read_array: return read(term);
      case Term::Kind::index: {
        int axis = graph_.producer_as<LoadIndex>(term.value)->axis;
        return index(axis, term.offset[axis]);
      }
      case Term::Kind::scalar:
        if (auto constant = graph_.constant(term.value)) return literal(*constant);
        return scalar(term.value);
      case Term::Kind::compute: break;
    }
    std::vector<ExprPtr> operands;
    for (int operand : term.operands) operands.push_back(values_[operand]);
    return operate(graph_, term.value, std::move(operands));
  }

  int size_of_expression(const Term& term) const {
    int size = 1;
    for (int operand : term.operands) size += sizes_[operand];
    return size;
  }

  bool inlined(const Term& term, std::size_t t, int size) const {
    if (term.kind == Term::Kind::scalar || term.kind == Term::Kind::index) return true;
    if (must_read_first(term) || uses_[t] > 1) return false;
    return term.kind != Term::Kind::compute ||
           (given_name(graph_, term.value).empty() && size <= kLargestExpression);
  }

  std::string variable_name(const Term& term) {
    const auto* load = graph_.producer_as<Load>(term.value);
    const std::string given =
        load ? graph_.signature().statics[load->source.index].name : given_name(graph_, term.value);
    if (given.empty()) return fmt::format("t{}", ++unnamed_);
    return given + offset_suffix(term.offset);
  }

  const Expansion& expansion_;
  Names& names_;
  std::vector<int> uses_;
  std::vector<ExprPtr> values_;
  std::vector<int> sizes_;
  int unnamed_ = 0;
};

/// The parameters of a function as they are asked for; each is asked for once.
class Parameters {
 public:
  explicit Parameters(Names& names) : names_(names) {}

  void add(Parameter::Kind kind, Element element, const std::string& parameter, Argument argument) {
    parameters_.push_back({{kind, element, parameter}, std::move(argument)});
  }
  std::string array(const ArrayRef& ref, const std::string& wanted, Parameter::Kind kind) {
    for (const auto& [parameter, argument] : parameters_)
      if (const auto* known = std::get_if<ArrayRef>(&argument); known && *known == ref)
        return parameter.name;
    std::string chosen = names_.unique(wanted);
    add(kind, ref.element, chosen, ref);
    return chosen;
  }
  template <class Key>
  std::string scalar(Key key, Element element, const std::string& wanted, Parameter::Kind kind) {
    for (const auto& [parameter, argument] : parameters_)
      if (const auto* known = std::get_if<Key>(&argument); known && *known == key)
        return parameter.name;
    std::string chosen = names_.unique(wanted);
    add(kind, element, chosen, key);
    return chosen;
  }
  /// Moves the list out: grid and threads first, then arrays, scalars, results.
  void finish(Lowered& lowered) {
    std::ranges::stable_sort(parameters_, {}, [](const auto& p) { return rank(p.first.kind); });
    for (auto& [parameter, argument] : parameters_) {
      lowered.function.parameters.push_back(std::move(parameter));
      lowered.arguments.push_back(std::move(argument));
    }
  }

 private:
  static int rank(Parameter::Kind kind) {
    switch (kind) {
      case Parameter::Kind::grid: return 0;
      case Parameter::Kind::threads:
      case Parameter::Kind::cell: return 1;
      case Parameter::Kind::input_array: return 2;
      case Parameter::Kind::output_array: return 3;
      case Parameter::Kind::scalar: return 4;
      case Parameter::Kind::result: return 5;
    }
    return 6;
  }
  Names& names_;
  std::vector<std::pair<Parameter, Argument>> parameters_;
};

std::string array_name(const Machine& machine, const Graph& graph, const ArrayRef& ref,
                       ValueId value, std::optional<StaticId> target) {
  if (ref.front) return machine.at(*ref.front).name;
  if (target) return machine.at(*target).name + "_next";
  std::string given = given_name(graph, value);
  return given.empty() ? fmt::format("stored_{}", ref.spare) : given;
}

std::string scalar_name(const Machine& machine, const Graph& graph, ValueId value) {
  if (const auto* load = graph.producer_as<Load>(value)) return machine.at(load->source).name;
  if (const auto* size = graph.producer_as<LoadSize>(value))
    return fmt::format("cells_{}", axis_name(size->axis));
  std::string given = given_name(graph, value);
  return given.empty() ? "scalar" : given;
}

class StageLowering : public BodyLowering {
 public:
  StageLowering(const plan::Plan& plan, const plan::KernelPlan& kernel, const plan::Group& group,
                const plan::Stage& stage)
      : StageLowering(plan, kernel, group, stage, std::make_unique<Names>(reserved())) {}

  Lowered run(const std::string& function_name) {
    Lowered lowered;
    lowered.function.name = function_name;
    describe(lowered.function);
    parameters_.add(Parameter::Kind::grid, {}, "grid", GridArgument{});
    parameters_.add(Parameter::Kind::threads, {}, "threads", ThreadsArgument{});
    name_outputs();
    Block cell;
    if (dimension_ > 1 && touches_arrays())
      cell.push_back({Declare{{}, "c", plus(name("row"), name("i"))}});
    for (auto& statement : BodyLowering::run()) cell.push_back(std::move(statement));
    write_roots(cell);
    lowered.function.body = constants();
    Block nest = rows(std::move(cell));
    std::ranges::move(nest, std::back_inserter(lowered.function.body));
    finish_reductions(lowered.function.body);
    parameters_.finish(lowered);
    return lowered;
  }

 protected:
  ExprPtr read(const Term& term) override {
    ArrayRef ref = array_of(term);
    std::string array = parameters_.array(
        ref, array_name(plan_.machine, graph_, ref, term.value, {}), Parameter::Kind::input_array);
    return subscript(name(array), displaced(term.offset));
  }
  ExprPtr index(int axis, std::int32_t offset) override {
    return plus(name(loop_variable(axis)), integer(offset));
  }
  ExprPtr scalar(ValueId value) override {
    return name(parameters_.scalar(value, graph_.type(value).element,
                                   scalar_name(plan_.machine, graph_, value),
                                   Parameter::Kind::scalar));
  }
  /// A cell of an array that this stage overwrites is read before anything is written.
  bool must_read_first(const Term& term) const override {
    if (term.kind != Term::Kind::read_static && term.kind != Term::Kind::read_array) return false;
    ArrayRef ref = array_of(term);
    return std::ranges::any_of(stage_.outputs, [&](const auto& o) { return o.array == ref; });
  }

 private:
  StageLowering(const plan::Plan& plan, const plan::KernelPlan& kernel, const plan::Group& group,
                const plan::Stage& stage, std::unique_ptr<Names> names)
      : BodyLowering(kernel.kernel->graph, stage.expansion, *names),
        plan_(plan),
        kernel_(kernel),
        group_(group),
        stage_(stage),
        names_(std::move(names)),
        parameters_(*names_),
        dimension_(plan.machine.dimension) {}

  static Names reserved() {
    Names names{"c", "row", "begin", "end", "chunk", "chunks"};
    for (int a = 0; a < 16; ++a)
      for (const char* kind : {"n", "s"}) names.unique(kind + std::to_string(a));
    for (int a = 0; a < 16; ++a) names.unique(loop_variable(a));
    return names;
  }

  [[nodiscard]] bool touches_arrays() const {
    return !stage_.outputs.empty() ||
           std::ranges::any_of(stage_.expansion.terms, [](const Term& term) {
             return term.kind == Term::Kind::read_static || term.kind == Term::Kind::read_array;
           });
  }

  [[nodiscard]] ArrayRef array_of(const Term& term) const {
    if (const auto* load = graph_.producer_as<Load>(term.value))
      return {load->source, 0, graph_.type(term.value).element};
    return kernel_.arrays.at(term.value);
  }

  void describe(Function& function) const {
    std::string made;
    for (const auto& output : stage_.outputs) {
      made += made.empty() ? "" : ", ";
      made += array_name(plan_.machine, graph_, output.array, output.value, output.target);
    }
    for (const auto& reduction : stage_.reductions) {
      made += made.empty() ? "" : ", ";
      made += fmt::format("{} of {}", om::name(reduction.op),
                          given_name(graph_, reduction.operand).empty()
                              ? "a value"
                              : given_name(graph_, reduction.operand));
    }
    function.comment.push_back(fmt::format("Makes {} on {}: {:.0f} operations a cell.", made,
                                           stage_.box.text(), stage_.expansion.operations(graph_)));
  }

  void name_outputs() {
    for (const auto& output : stage_.outputs)
      output_names_.push_back(parameters_.array(
          output.array,
          array_name(plan_.machine, graph_, output.array, output.value, output.target),
          Parameter::Kind::output_array));
    for (const auto& reduction : stage_.reductions) {
      std::string base = given_name(graph_, reduction.result);
      if (base.empty()) base = om::name(reduction.op);
      results_.push_back(parameters_.scalar(reduction.result, graph_.type(reduction.result).element,
                                            base, Parameter::Kind::result));
      chunk_values_.push_back(names_->unique(results_.back() + "_cells"));
      partials_.push_back(names_->unique(results_.back() + "_partials"));
    }
  }

  void write_roots(Block& cell) const {
    for (std::size_t o = 0; o < stage_.outputs.size(); ++o)
      cell.push_back(
          {Assign{subscript(name(output_names_[o]), address()), root(stage_.outputs[o].root)}});
    for (std::size_t k = 0; k < stage_.reductions.size(); ++k)
      cell.push_back({Assign{subscript(name(chunk_values_[k]), minus(name("i"), name("begin"))),
                             root(stage_.reductions[k].root)}});
  }

  [[nodiscard]] ExprPtr low(int a) const { return integer(-stage_.box.lower[a]); }
  [[nodiscard]] ExprPtr high(int a) const {
    return plus(name(fmt::format("n{}", a)), integer(stage_.box.upper[a]));
  }
  /// The address of the loop's cell in every array, relative to core cell 0.
  [[nodiscard]] ExprPtr address() const { return name(dimension_ == 1 ? "i" : "c"); }
  [[nodiscard]] ExprPtr displaced(const Offset& offset) const {
    ExprPtr at = address();
    for (int a = dimension_ - 1; a > 0; --a) {
      ExprPtr stride = name(fmt::format("s{}", a));
      if (offset[a] > 0) at = plus(at, times(integer(offset[a]), stride));
      if (offset[a] < 0) at = minus(at, times(integer(-offset[a]), stride));
    }
    return plus(at, integer(offset[0]));
  }

  [[nodiscard]] Block constants() const {
    Block block;
    for (int a = 0; a < dimension_; ++a)
      block.push_back({Declare{{}, fmt::format("n{}", a), name(fmt::format("grid.size[{}]", a))}});
    for (int a = 1; a < dimension_ && touches_arrays(); ++a)
      block.push_back(
          {Declare{{}, fmt::format("s{}", a), name(fmt::format("grid.stride[{}]", a))}});
    if (stage_.reductions.empty()) return block;
    ExprPtr count = name("chunks");
    for (int a = 1; a < dimension_; ++a) count = times(name(fmt::format("n{}", a)), count);
    block.push_back({Declare{
        {}, "chunks", name(fmt::format("({} + {}) / {}", "n0", kChunkCells - 1, kChunkCells))}});
    for (std::size_t k = 0; k < stage_.reductions.size(); ++k)
      block.push_back(
          {DeclareBuffer{graph_.type(stage_.reductions[k].result).element, partials_[k], count}});
    return block;
  }

  /// The loop nest around one cell's statements, outermost axis last.
  Block rows(Block cell) const {
    For vector{row_kind(),     "i", low(0), high(0), integer(1), 1, group_.vector_length,
               std::move(cell)};
    Block inner;
    if (!stage_.reductions.empty()) {
      inner = chunks(std::move(vector));
    } else if (group_.block > 0 || dimension_ == 1) {
      inner = blocks(std::move(vector));
    } else {
      inner.push_back({std::move(vector)});
    }
    if (dimension_ > 1 && touches_arrays())
      inner.insert(inner.begin(), {Declare{{}, "row", row_address()}});
    int shared = std::min(group_.parallel_axes, dimension_ - 1);
    for (int a = 1; a < dimension_; ++a) {
      bool outermost = a == dimension_ - 1;
      For loop{outermost ? For::Kind::parallel : For::Kind::sequential,
               loop_variable(a),
               low(a),
               high(a),
               integer(1),
               outermost ? shared : 1,
               0,
               std::move(inner)};
      inner = Block{{std::move(loop)}};
    }
    return inner;
  }

  /// Calls of the C library are scalar: asking for vectors would only earn a warning.
  [[nodiscard]] For::Kind row_kind() const {
    for (const Term& term : stage_.expansion.terms)
      if (const auto* arith = graph_.producer_as<Arith>(term.value);
          arith && term.kind == Term::Kind::compute &&
          (info(arith->op).transcendental || arith->op == Op::mod || arith->op == Op::divmod))
        return For::Kind::sequential;
    return For::Kind::vector;
  }

  [[nodiscard]] ExprPtr row_address() const {
    ExprPtr row = integer(0);
    for (int a = dimension_ - 1; a > 0; --a)
      row = plus(row, times(name(loop_variable(a)), name(fmt::format("s{}", a))));
    return row;
  }

  [[nodiscard]] For::Kind block_kind() const {
    return dimension_ == 1 ? For::Kind::parallel : For::Kind::sequential;
  }

  /// Blocks of a row from the box's lower edge on.
  Block blocks(For vector) const {
    std::int64_t length = group_.block > 0 ? group_.block : kBlockCells;
    Block body{{Declare{
        {}, "end", call("support::min", {plus(name("begin"), integer(length)), high(0)})}}};
    vector.begin = name("begin");
    vector.end = name("end");
    body.push_back({std::move(vector)});
    return {{For{block_kind(), "begin", low(0), high(0), integer(length), 1, 0, std::move(body)}}};
  }

  /// Chunks of the reduction tree: one partial result each.
  Block chunks(For vector) const {
    Block body{
        {Declare{{}, "begin", times(name("chunk"), integer(kChunkCells))}},
        {Declare{{},
                 "end",
                 call("support::min", {plus(name("begin"), integer(kChunkCells)), name("n0")})}}};
    for (std::size_t k = 0; k < stage_.reductions.size(); ++k)
      body.push_back({DeclareArray{graph_.type(stage_.reductions[k].operand).element,
                                   chunk_values_[k], kChunkCells}});
    vector.begin = name("begin");
    vector.end = name("end");
    body.push_back({std::move(vector)});
    for (std::size_t k = 0; k < stage_.reductions.size(); ++k)
      body.push_back({Assign{subscript(name(partials_[k]), chunk_number()),
                             call("support::reduce_chunk<" + functor(k) + ">",
                                  {name(chunk_values_[k]), minus(name("end"), name("begin"))})}});
    return {{For{block_kind(), "chunk", integer(0), name("chunks"), integer(1), 1, 0,
                 std::move(body)}}};
  }

  [[nodiscard]] ExprPtr chunk_number() const {
    ExprPtr number = integer(0);
    for (int a = dimension_ - 1; a > 0; --a)
      number = plus(times(number, name(fmt::format("n{}", a))), name(loop_variable(a)));
    return plus(times(number, name("chunks")), name("chunk"));
  }

  [[nodiscard]] std::string functor(std::size_t k) const {
    std::string text = om::name(stage_.reductions[k].op);
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return "support::" + text;
  }

  void finish_reductions(Block& body) const {
    for (std::size_t k = 0; k < stage_.reductions.size(); ++k)
      body.push_back({Assign{name(results_[k]),
                             call(partials_[k] + ".combine<" + functor(k) + ">", {name("grid")})}});
  }

  const plan::Plan& plan_;
  const plan::KernelPlan& kernel_;
  const plan::Group& group_;
  const plan::Stage& stage_;
  std::unique_ptr<Names> names_;
  Parameters parameters_;
  int dimension_;
  std::vector<std::string> output_names_, results_, chunk_values_, partials_;
};

class BoundaryLowering : public BodyLowering {
 public:
  BoundaryLowering(const plan::Plan& plan, BoundaryKernelId id)
      : BoundaryLowering(plan, id, std::make_unique<Names>()) {}

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
        parameters_.array({source, 0, graph_.type(term.value).element},
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
      std::string variable = names_->unique(scalar_name(plan_.machine, graph_, value));
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
        names_(std::move(names)),
        parameters_(*names_) {}

  const plan::Plan& plan_;
  const BoundaryKernel& kernel_;
  std::unique_ptr<Names> names_;
  Parameters parameters_;
  std::map<ValueId, ExprPtr> scalars_;
  Block prologue_;
  bool uses_grid_ = false, uses_cell_ = false;
};

}  // namespace

std::string axis_name(int axis) {
  constexpr const char* kLetters[] = {"x", "y", "z", "w"};
  return axis < 4 ? kLetters[axis] : fmt::format("a{}", axis);
}

Lowered lower_stage(const plan::Plan& plan, const plan::KernelPlan& kernel,
                    const plan::Group& group, const plan::Stage& stage, const std::string& name) {
  return StageLowering(plan, kernel, group, stage).run(name);
}

Lowered lower_boundary(const plan::Plan& plan, BoundaryKernelId id, const std::string& name) {
  return BoundaryLowering(plan, id).run(name);
}

}  // namespace paraiso::codegen
