#include "paraiso/codegen/device/lower/scalars_on_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "paraiso/codegen/claris/walk.hpp"
#include "paraiso/codegen/device/body/frame.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Overload;

namespace {

ExprPtr field(const std::string& called) { return name("scalars->" + called); }

/// The names that nodes mention.
template <class Tree>
void collect_names(const Tree& tree, std::set<std::string>& found) {
  (void)mentions(tree, Overload{
                           [&](const Expr& expr) {
                             if (const auto* one = std::get_if<Name>(&expr.node))
                               found.insert(one->text);
                             return false;
                           },
                           [](const Statement&) { return false; },
                       });
}

/// The scalars of a method that depend on what it reduces.
std::set<std::string> late_scalars(const KernelMethod& method) {
  std::set<std::string> late;
  for (const Action& action : method.body) {
    if (const auto* result = std::get_if<DeclareResult>(&action)) late.insert(result->name);
    const auto* compute = std::get_if<Compute>(&action);
    if (!compute) continue;
    std::set<std::string> read;
    collect_names(*compute->scalar.value, read);
    if (std::ranges::any_of(read, [&](const auto& one) { return late.contains(one); }))
      late.insert(compute->scalar.name);
  }
  return late;
}

/// The scalars that one kernel of one thread computes.
struct ScalarSegment {
  std::string function;
  std::optional<om::Element> reduced;   // the result of the reduction before it, which it reads
  std::optional<std::size_t> partials;  // that it is left in, if these are a group's
  Block body, stores;
  std::map<std::string, om::Element> defined;
};

/// The fields of `Scalars`, as they become known.
class Fields {
 public:
  explicit Fields(DeviceScalars& scalars) : scalars_(scalars), names_(kernel_names()) {
    for (const char* own : {"until", "stop", "done", "guarded"}) names_.take(own);
  }

  std::string add(const std::string& wanted, om::Element element,
                  std::optional<om::Constant> initial = {}) {
    scalars_.all.push_back({names_.unique(wanted), element, initial});
    return scalars_.all.back().name;
  }
  [[nodiscard]] const std::string& held(om::StaticId id) const { return scalars_.held[id.index]; }

  /// Zeros as operands: compilers of devices would take instructions that order them by their
  /// signs.
  ExprPtr hidden(const ExprPtr& value) {
    const auto* operation = std::get_if<Operate>(&value->node);
    if (!operation) return value;
    const om::Op op = operation->op;
    if (op != om::Op::min && op != om::Op::max && op != om::Op::select) return value;
    Operate made = *operation;
    for (ExprPtr& operand : made.operands)
      if (const auto* number = std::get_if<Literal>(&operand->node))
        if (om::is_float(number->value.element()) && number->value.to_double() == 0)
          operand = field(zero(number->value));
    return make({std::move(made)});
  }

 private:
  const std::string& zero(om::Constant value) {
    std::string& known = zeros_[{value.element(), value.bits()}];
    if (known.empty()) known = add("zero", value.element(), value);
    return known;
  }

  DeviceScalars& scalars_;
  Names names_;
  std::map<std::pair<om::Element, std::uint64_t>, std::string> zeros_;
};

/// What a kernel does to count its steps: first of all, if it has several, and at its end.
struct Counting {
  std::optional<GuardSteps> guard;
  CountStep count;
};

/// One kernel's method.
class MethodMover {
 public:
  MethodMover(KernelMethod& method, const Module& module, Fields& fields, Names& functions,
              std::optional<Counting> counting)
      : method_(method),
        module_(module),
        fields_(fields),
        functions_(functions),
        counting_(std::move(counting)) {}

  void run() {
    const bool guarded = counting_ && counting_->guard;
    const std::size_t first = guarded ? hoist_scalars() : 0;
    for (std::size_t a = 0; a < method_.body.size(); ++a) {
      if (guarded && a == first) segment().body.push_back({DeviceStatement{*counting_->guard}});
      std::visit([&](auto& one) { take(one); }, method_.body[a]);
    }
    if (counting_) {
      ScalarSegment& last = segment();
      last.stores.insert(last.stores.begin(), {DeviceStatement{counting_->count}});
    }
    flush();
    method_.body = std::move(actions_);
    for (Action& action : method_.body)
      if (auto* group = std::get_if<RunGroup>(&action))
        rename(group->arguments);
      else if (auto* between = std::get_if<FillBetween>(&action))
        rename(between->fill);
    for (std::size_t s = 0; s < segments_.size(); ++s) import_names(s);
    for (std::size_t s = 0; s < segments_.size(); ++s) method_.functions.push_back(function(s));
  }

  void rename(HaloFill& fill) {
    for (HaloFill::Axis& axis : fill.axes)
      for (auto& call : axis.calls)
        if (call) rename(call->arguments);
  }

 private:
  /// Moves the scalars that need no cell to the method's beginning; gives how many these are.
  std::size_t hoist_scalars() {
    const std::set<std::string> late = late_scalars(method_);
    const auto rest =
        std::stable_partition(method_.body.begin(), method_.body.end(), [&](const Action& action) {
          const auto* compute = std::get_if<Compute>(&action);
          return compute && !late.contains(compute->scalar.name);
        });
    return static_cast<std::size_t>(rest - method_.body.begin());
  }

  // Actions, in order.

  ScalarSegment& segment() {
    if (!open_) {
      segments_.push_back({functions_.unique(fmt::format("{}_{}_scalars_{}", module_.name,
                                                         method_.name, segments_.size() + 1)),
                           {},
                           {},
                           {},
                           {},
                           {}});
      open_ = true;
    }
    return segments_.back();
  }
  void flush() {
    if (open_)
      actions_.emplace_back(RunScalars{segments_.back().function,
                                       segments_.back().reduced.has_value(),
                                       segments_.back().partials});
    open_ = false;
  }

  void take(Compute& compute) {
    segment().defined[compute.scalar.name] = *compute.scalar.element;
    compute.scalar.value = fields_.hidden(compute.scalar.value);
    segment().body.push_back({compute.scalar});
  }
  void take(DeclareResult& result) { results_[result.name] = result.element; }
  void take(ReduceArray& reduce) { take_result(reduce, {}); }
  void take(ReducePartials& reduce) { take_result(reduce, reduce.number); }
  template <class Reduce>
  void take_result(const Reduce& reduce, std::optional<std::size_t> partials) {
    flush();
    actions_.emplace_back(reduce);
    ScalarSegment& next = segment();
    const om::Element element = results_.at(reduce.result);
    next.reduced = element;
    next.partials = partials;
    next.defined[reduce.result] = element;
    next.body.push_back({Declare{element, reduce.result, subscript(name("reduced"), integer(0))}});
  }
  void take(Assigned& assigned) {
    segment().stores.push_back({Assign{field(fields_.held(assigned.target)), assigned.value}});
  }
  void take(plan::Swap& swap) { actions_.emplace_back(swap); }
  void take(MarkGhosts& mark) { actions_.emplace_back(mark); }
  void take(RunScalars&) {}
  template <class Launch>
  void take(Launch& launch) {
    flush();
    actions_.emplace_back(launch);
  }

  // What one kernel computes and another one, or a group, reads.

  void rename(std::vector<Given>& arguments) {
    for (Given& argument : arguments)
      if (is_scalar_on_device(argument)) {
        const auto& node = std::get<ExprPtr>(argument)->node;
        if (const auto* held = std::get_if<Held>(&node))
          argument = name(fields_.held(held->id));
        else if (const auto* one = std::get_if<Name>(&node))
          argument = name(exported(one->text));
        else
          throw std::logic_error("a kernel is given a scalar that has no name");
      }
  }

  /// The field in which a scalar of this method is left.
  const std::string& exported(const std::string& called) {
    const auto [known, added] = exported_.try_emplace(called);
    if (!added) return known->second;
    for (ScalarSegment& one : segments_) {
      const auto defined = one.defined.find(called);
      if (defined == one.defined.end()) continue;
      known->second = fields_.add(method_.name + "_" + called, defined->second);
      one.body.push_back({Assign{field(known->second), name(called)}});
      return known->second;
    }
    throw std::logic_error("no scalar `" + called + "`");
  }

  void import_names(std::size_t number) {
    ScalarSegment& here = segments_[number];
    std::set<std::string> read;
    collect_names(here.body, read);
    collect_names(here.stores, read);
    Block imports;
    for (std::size_t s = 0; s < number; ++s)
      for (const auto& [called, element] : segments_[s].defined)
        if (read.contains(called))
          imports.push_back({Declare{element, called, field(exported(called))}});
    here.body.insert(here.body.begin(), imports.begin(), imports.end());
  }

  [[nodiscard]] Function function(std::size_t number) {
    ScalarSegment& made_of = segments_[number];
    Function function;
    function.name = made_of.function;
    function.comment = {fmt::format("Scalars of `{}`, in one thread.", method_.name)};
    function.kernel = BlockShape{1, 1};
    function.body = {{DeviceStatement{ReturnIfStopped{}}}};
    std::ranges::move(made_of.body, std::back_inserter(function.body));
    std::ranges::move(made_of.stores, std::back_inserter(function.body));
    if (mentions(function.body, AnyOf<GridSize, WholeSize>()))
      function.parameters.push_back({FunctionParameter::Kind::grid, {}, "grid"});
    if (made_of.reduced)
      function.parameters.push_back(
          {FunctionParameter::Kind::input_array, *made_of.reduced, "reduced"});
    function.parameters.push_back({FunctionParameter::Kind::scalars_out, {}, "scalars"});
    return function;
  }

  KernelMethod& method_;
  const Module& module_;
  Fields& fields_;
  Names& functions_;
  std::optional<Counting> counting_;
  std::vector<Action> actions_;
  std::vector<ScalarSegment> segments_;
  bool open_ = false;
  std::map<std::string, om::Element> results_;
  std::map<std::string, std::string> exported_;
};

/// Of a kernel of one step: the time, where there is one, as it stores it. Of a kernel of several:
/// all times, the last two of which tell whether the time stands still.
Counting counting_of(const KernelMethod& method, const om::Machine& machine,
                     const DeviceScalars& scalars) {
  const auto time = machine.find_role(om::StaticRole::time);
  if (!time) return {};
  const ExprPtr entry = field(scalars.held[time->index]);
  if (!method.times.empty())
    return {GuardSteps{entry, method.times}, {method.times.end()[-2], method.times.back()}};
  CountStep count{entry, entry};  // not stored: it stands still
  for (const Action& action : method.body)
    if (const auto* stored = std::get_if<Assigned>(&action); stored && stored->target == *time)
      count.next = stored->value;
  return {{}, count};
}

/// Whether the times of a method's steps are known before any cell is computed.
bool knows_times(const KernelMethod& method) {
  std::set<std::string> read;
  for (const ExprPtr& time : method.times) collect_names(*time, read);
  const std::set<std::string> late = late_scalars(method);
  return !method.times.empty() &&
         std::ranges::none_of(read, [&](const auto& one) { return late.contains(one); });
}

/// The step kernel, the versions of it, and kernels of several steps.
std::set<std::size_t> counted(const Module& module, const om::Machine& machine) {
  std::set<std::size_t> kernels{step_of(machine)};
  if (module.versions && module.versions->kernel == step_of(machine))
    for (const VersionSwitch::Guard& guard : module.versions->guards) kernels.insert(guard.kernel);
  for (std::size_t k = 0; k < module.kernels.size(); ++k)
    if (knows_times(module.kernels[k])) kernels.insert(k);
  return kernels;
}

constexpr const char* kGoing = "going";

/// All threads come here: where they would store something, they do so only if steps go on. A
/// condition that has a variable of its own says so there, which leaves compilers more registers.
void do_where_going(Block& block, std::set<std::string>& conditions) {
  const auto if_going = [](ExprPtr& condition) { condition = both(name(kGoing), condition); };
  for (Statement& statement : block)
    if (auto* variable = std::get_if<Declare>(&statement.node)) {
      if (variable->element != om::Element::boolean) continue;
      if_going(variable->value);
      conditions.insert(variable->name);
    } else if (auto* branch = std::get_if<If>(&statement.node)) {
      std::set<std::string> read;
      collect_names(*branch->condition, read);
      if (std::ranges::none_of(read, [&](const auto& one) { return conditions.contains(one); }))
        if_going(branch->condition);
    } else if (auto* loop = std::get_if<For>(&statement.node)) {
      do_where_going(loop->body, conditions);
    } else if (auto* of_device = std::get_if<DeviceStatement>(&statement.node)) {
      if (auto* threads = std::get_if<ForThreads>(of_device))
        threads->body = {{If{name(kGoing), std::move(threads->body)}}};
    }
}

/// The body of a kernel that changes nothing where no step is to be taken any more. One with
/// barriers does so without a return: PoCL 3.1 then asks the first thread of a block alone about
/// conditions behind the barrier.
Block unless_stopped(Block body) {
  Block all;
  if (mentions(body, AnyOf<Barrier>())) {
    std::set<std::string> conditions;
    do_where_going(body, conditions);
    const ExprPtr stop = field("stop");
    all.push_back({Declare{
        om::Element::boolean, kGoing,
        make({Operate{
            om::Op::not_, om::Element::boolean, om::Element::boolean, 0, false, {stop}}})}});
  } else {
    all.push_back({DeviceStatement{ReturnIfStopped{}}});
  }
  std::ranges::move(body, std::back_inserter(all));
  return all;
}

}  // namespace

std::size_t step_of(const om::Machine& machine) {
  return static_cast<std::size_t>(machine.step_kernel() - machine.kernels.data());
}

bool reduces_in_steps(const Module& module, const om::Machine& machine) {
  if (machine.step_kernel() == nullptr) return false;
  return std::ranges::any_of(module.kernels[step_of(machine)].body, [](const Action& action) {
    return std::holds_alternative<ReduceArray>(action) ||
           std::holds_alternative<ReducePartials>(action);
  });
}

bool is_scalar_on_device(const Given& argument) {
  const auto* value = std::get_if<ExprPtr>(&argument);
  return value && mentions(**value, AnyOf<Name, Held>());
}

DeviceScalars move_scalars(Module& module, const om::Machine& machine) {
  DeviceScalars scalars;
  Fields fields(scalars);
  Names functions = kernel_names();
  for (const Variable& variable : module.statics)
    scalars.held.push_back(
        variable.is_field ? "" : fields.add(variable.name, variable.element, variable.initial));
  for (const Function& boundary : module.boundaries) functions.take(boundary.name);
  for (const KernelMethod& method : module.kernels)
    for (const Function& function : method.functions) functions.take(function.name);
  scalars.counted = counted(module, machine);
  for (std::size_t k = 0; k < module.kernels.size(); ++k) {
    KernelMethod& method = module.kernels[k];
    std::optional<Counting> counting;
    if (scalars.counted.contains(k)) counting = counting_of(method, machine, scalars);
    MethodMover(method, module, fields, functions, std::move(counting)).run();
  }
  KernelMethod between{};
  MethodMover held_only(between, module, fields, functions, {});
  for (auto& method : module.fills)
    if (method) held_only.rename(method->fill);
  return scalars;
}

void read_scalars(Function& function, std::size_t first, const std::vector<Given>& arguments) {
  Block all;
  std::vector<FunctionParameter> kept(
      function.parameters.begin(),
      function.parameters.begin() + static_cast<std::ptrdiff_t>(first));
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    const FunctionParameter& parameter = function.parameters[first + a];
    if (!is_scalar_on_device(arguments[a])) {
      kept.push_back(parameter);
      continue;
    }
    const auto& called = std::get<Name>(std::get<ExprPtr>(arguments[a])->node).text;
    all.push_back({Declare{parameter.element, parameter.name, field(called)}});
  }
  kept.push_back({FunctionParameter::Kind::scalars, {}, "scalars"});
  std::ranges::move(function.body, std::back_inserter(all));
  function.body = unless_stopped(std::move(all));
  function.parameters = std::move(kept);
}

}  // namespace paraiso::codegen
