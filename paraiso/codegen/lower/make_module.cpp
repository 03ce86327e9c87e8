#include "paraiso/codegen/lower/make_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/codegen/lower/scalars.hpp"
#include "paraiso/codegen/lower/spelling.hpp"
#include "paraiso/om/cells/fill_order.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/steps/step_times.hpp"
#include "paraiso/plan/choices/threshold_tree.hpp"
#include "paraiso/plan/dispatch/loop_thresholds.hpp"
#include "paraiso/plan/make/part_margin.hpp"

namespace paraiso::codegen {

using namespace om;

namespace {

/// The names of methods that every class has are taken.
Names names_in_class() {
  return Names{"size",        "stride",      "set_threads",    "finish",          "bytes",
               "save",        "load",        "make_grid",      "make_arrays",     "set_threshold",
               "load_tuning", "comparisons", "threshold_tree", "take_thresholds", "base_version"};
}

/// The class may not be named like a method, nor hide an operator's function.
std::string name_of_class(const std::string& wanted) {
  Names names = names_in_class();
  for (const auto function : operator_functions()) names.take(function);
  return names.unique(wanted);
}

class ModuleMaker {
 public:
  ModuleMaker(const plan::Plan& plan, const std::string& wanted, const LowerGroup& lower,
              const Names& taken, bool for_devices)
      : plan_(plan),
        machine_(plan.machine),
        lower_(lower),
        taken_(taken),
        for_devices_(for_devices),
        fill_order_(fill_order(machine_).statics) {
    module_.name = name_of_class(wanted.empty() ? machine_.name : wanted);
  }

  Module run() {
    module_.machine = machine_.name;
    module_.dimension = machine_.dimension;
    module_.program_hash = om::program_hash(machine_);
    module_.schedule_hash = plan::schedule_hash(plan_.schedule);
    module_.margin = plan_.margin;
    module_.part_margin = plan::part_margin(plan_);
    module_.row_unit = plan_.row_unit;
    module_.spares = plan_.spares;
    module_.skews = plan_.skews;
    module_.skewed_arrays = plan::skewed_arrays(plan_);
    name_functions();
    name_members();
    for (std::size_t b = 0; b < boundary_names_.size(); ++b)
      boundaries_.push_back(
          lower_boundary(plan_, BoundaryKernelId(b), boundary_names_[b], taken_, for_devices_));
    for (BoundaryKernelId id : needed_boundaries())
      module_.boundaries.push_back(boundaries_[id.index].function);
    for (std::size_t s = 0; s < machine_.statics.size(); ++s)
      module_.fills.push_back(fill_method(StaticId(s)));
    for (std::size_t s = 0; s < machine_.statics.size(); ++s)
      module_.ghosts_kept.push_back(std::ranges::any_of(
          plan_.kernels, [&](const auto& kernel) { return kernel.keeps_ghosts(StaticId(s)); }));
    for (std::size_t k = 0; k < machine_.kernels.size(); ++k)
      module_.kernels.push_back(kernel_method(k));
    if (plan_.dispatch) module_.versions = version_switch(*plan_.dispatch);
    if (!for_devices_) module_.loops = loop_thresholds();
    module_.threshold_tree = plan::threshold_tree(plan_, !for_devices_);
    module_.calls_libm = machine_.libm_call() != nullptr;
    return std::move(module_);
  }

 private:
  void name_functions() {
    Names names = names_in_class();
    names.take(module_.name);
    if (for_devices_)
      for (const char* own : {"Scalars", "take_steps", "has_nan", "free_copy", "keep_fields",
                              "restore_fields", "graph_launches"})
        names.take(own);
    for (const auto& s : machine_.statics)
      module_.statics.push_back(
          {names.unique(s.name), "", s.type.element, s.type.is_local(), s.initial});
    for (const auto& k : machine_.kernels) kernel_names_.push_back(names.unique(k.name));
    for (const auto& b : machine_.boundary_kernels)
      boundary_names_.push_back(names.unique(module_.name + "_boundary_" + b.name));
    for (const auto& s : module_.statics) fill_names_.push_back(names.unique("fill_" + s.name));
    for (std::size_t k = 0; k < kernel_names_.size(); ++k) {
      auto& groups = group_names_.emplace_back();
      for (std::size_t g = 1; g <= plan_.kernels[k].groups.size(); ++g) {
        const auto all = names.unique(fmt::format("{}_{}_{}", module_.name, kernel_names_[k], g));
        groups.push_back({names.unique(all + "_tile"), all});
      }
    }
  }

  /// Members end in an underscore, unlike all other names.
  void name_members() {
    Names names{"grid",    "threads", "memory",  "scratch",   "device",
                "kernels", "reducer", "scalars", "thresholds"};
    if (for_devices_)
      for (const char* own : {"kept", "partials"}) names.take(own);
    if (plan_.dispatch) names.take("version");
    for (auto [bytes, count] : plan_.spares) names.take(fmt::format("spare{}", bytes));
    for (auto& s : module_.statics) s.member = names.unique(s.name) + "_";
    for (const auto& k : kernel_names_)
      forecast_names_.push_back(names.unique(k + "_nanoseconds") + "_");
  }

  /// Names for variables of a kernel's method, which must not hide anything that the method calls.
  [[nodiscard]] Names names_of_variables() const {
    Names names = for_devices_ ? taken_ : Names();  // a device may have them in a kernel
    for (const char* own : {"lower", "upper", "cell", "ghosts"})  // halos between steps
      names.take(own);
    for (const auto& fill : fill_names_) names.take(fill);
    for (const auto& boundary : boundary_names_) names.take(boundary);
    for (const auto& groups : group_names_)
      for (const auto& group : groups) names.take(group.all);
    return names;
  }

  // Halos.

  /// Whether the ghost cells at the ends of rows are filled, given that kernels' loops may compute
  /// them: always, never, or as each kernel chooses.
  enum class RowEndsFilled : std::uint8_t { always, never, chosen };

  [[nodiscard]] static bool reads_row_ends(const plan::KernelPlan& kernel, StaticId id) {
    return kernel.halo[id.index].lower[0] > 0 || kernel.halo[id.index].upper[0] > 0;
  }

  [[nodiscard]] RowEndsFilled row_ends_filled(StaticId id) const {
    if (for_devices_) return RowEndsFilled::always;
    bool own = false, filled = false;
    for (const auto& kernel : plan_.kernels) {
      if (!reads_row_ends(kernel, id)) continue;
      (kernel.computes_ghosts(id) ? own : filled) = true;
    }
    return !own ? RowEndsFilled::always : filled ? RowEndsFilled::chosen : RowEndsFilled::never;
  }

  /// On devices the kernels that need a halo have it filled whole, or find all of it themselves.
  [[nodiscard]] plan::Extent widest_filled(StaticId id) const {
    if (!for_devices_) return plan_.halo[id.index];
    plan::Extent width(machine_.dimension);
    for (const auto& kernel : plan_.kernels) width.include(kernel.filled[id.index]);
    return width;
  }

  /// The method that fills a static's halo before kernels run.
  [[nodiscard]] std::optional<FillMethod> fill_method(StaticId id) const {
    if (!module_.statics[id.index].is_field) return std::nullopt;
    plan::Extent width = widest_filled(id);
    const RowEndsFilled filled = row_ends_filled(id);
    std::array<std::int32_t, 2> computed_ends = {};
    if (filled == RowEndsFilled::never)
      for (auto [end, computed] : {std::pair(&width.lower[0], &computed_ends[0]),
                                   std::pair(&width.upper[0], &computed_ends[1])})
        std::swap(*end, *computed);
    if (width.is_core()) return std::nullopt;
    const plan::ArrayRef array{id, 0, machine_.at(id).type.element};
    const auto as_held = [&](const Argument& a) { return given(a); };
    FillMethod method{fill_names_[id.index], filled == RowEndsFilled::chosen,
                      halo_fill(id, array, width, as_held)};
    method.fill.computed_ends = computed_ends;
    return method;
  }

  /// Fills the cells around the core of an array, `width` of them, by the boundary of a static.
  template <class Give>
  [[nodiscard]] HaloFill halo_fill(StaticId rules, const plan::ArrayRef& array,
                                   const plan::Extent& width, const Give& give) const {
    const Static& variable = machine_.at(rules);
    HaloFill fill{rules, array, width, variable.type.element, {}, variable.boundary, {}};
    for (int a = 0; a < machine_.dimension; ++a) {
      if (width.lower[a] == 0 && width.upper[a] == 0) continue;
      HaloFill::Axis axis{a, variable.boundary[a], {}};
      for (int side = 0; side < 2; ++side)
        if (const auto* user = std::get_if<UserBoundary>(&axis.sides[side])) {
          BoundaryCall call{boundary_names_[user->kernel.index], {}};
          for (const auto& argument : boundaries_[user->kernel.index].arguments)
            call.arguments.push_back(give(argument));
          axis.calls[side] = std::move(call);
        }
      fill.axes.push_back(std::move(axis));
    }
    return fill;
  }

  [[nodiscard]] HaloFill fill_between(const plan::Fill& fill, const ScalarNames& scalars) const {
    const auto give = [&](const Argument& argument) -> Given {
      if (const auto* array = std::get_if<plan::ArrayRef>(&argument))
        return fill.arrays.at(*array->front);
      if (const auto* id = std::get_if<StaticId>(&argument))
        if (const auto value = fill.scalars.find(*id); value != fill.scalars.end())
          return scalars.expression(value->second);
      return given(argument);
    };
    return halo_fill(fill.rules, fill.array, fill.width, give);
  }

  /// The boundary kernels that some halo needs.
  [[nodiscard]] std::set<BoundaryKernelId> needed_boundaries() const {
    std::set<BoundaryKernelId> needed;
    for (std::size_t s = 0; s < machine_.statics.size(); ++s) {
      if (!module_.statics[s].is_field) continue;
      for (const auto& width : filled_widths(StaticId(s)))
        for (int a = 0; a < machine_.dimension; ++a)
          for (const Boundary& side : machine_.statics[s].boundary[a])
            if (const auto* user = std::get_if<UserBoundary>(&side))
              if (width.lower[a] > 0 || width.upper[a] > 0) needed.insert(user->kernel);
    }
    return needed;
  }

  /// How far arrays are filled by the boundary of a static, between kernels and within them.
  [[nodiscard]] std::vector<plan::Extent> filled_widths(StaticId id) const {
    std::vector<plan::Extent> widths = {plan_.halo[id.index]};
    for (const auto& kernel : plan_.kernels)
      for (const auto& fill : kernel.fills)
        if (fill.rules == id) widths.push_back(fill.width);
    return widths;
  }

  // Kernels.

  [[nodiscard]] VersionSwitch version_switch(const plan::Dispatch& dispatch) const {
    const auto number = [&](const std::string& kernel) {
      return static_cast<std::size_t>(machine_.find_kernel(kernel) - machine_.kernels.data());
    };
    VersionSwitch made{number(dispatch.kernel),
                       {},
                       plan::cell_bytes_of(machine_),
                       dispatch.live_cell_bytes,
                       dispatch.shared_bytes};
    for (const plan::Version& version : dispatch.versions)
      made.guards.push_back({version.threshold, version.least, version.measure,
                             number(version.kernel), version.tile, version.shared_bytes});
    return made;
  }

  [[nodiscard]] LoopThresholds loop_thresholds() const {
    LoopThresholds made;
    const auto set = [&](const std::string& name) -> std::optional<std::int64_t> {
      const auto found = plan_.tuning.find(name);
      if (found == plan_.tuning.end()) return std::nullopt;
      return found->second;
    };
    made.least_shared = set(plan::least_shared_threshold(machine_));
    made.streaming = set(plan::streaming_threshold(machine_));
    for (const plan::KernelPlan& kernel : plan_.kernels)
      made.touched_bytes = std::max(made.touched_bytes, kernel.touched_bytes);
    return made;
  }

  [[nodiscard]] KernelMethod kernel_method(std::size_t k) {
    const plan::KernelPlan& plan = plan_.kernels[k];
    KernelMethod method{kernel_names_[k], {}, {}, forecast_names_[k], {}};
    for (const plan::Group& group : plan.groups)
      method.forecasts.push_back(group.nanoseconds_alone);
    for (const StaticId id : fill_order_)
      if (!plan.filled[id.index].is_core())
        method.body.emplace_back(
            CallFill{id, reads_row_ends(plan, id) && !plan.computes_ghosts(id)});
    Names names = names_of_variables();
    ScalarNames scalars(machine_, plan.kernel->graph, names);
    for (const auto& step : plan.steps) {
      if (step.scalar) {
        if (auto declared = scalars.declare(*step.scalar))
          method.body.emplace_back(Compute{std::move(*declared)});
      } else if (step.fill >= 0) {
        method.body.emplace_back(FillBetween{fill_between(plan.fills[step.fill], scalars)});
      } else {
        run_group(method, plan, plan.groups[step.group], group_names_[k][step.group], scalars,
                  step.group);
      }
    }
    for (const auto& swap : plan.swaps) method.body.emplace_back(swap);
    const auto stored = stored_by(machine_, *plan.kernel);
    for (const StaticId id : std::set(stored.begin(), stored.end()))
      if (module_.ghosts_kept[id.index])
        method.body.emplace_back(MarkGhosts{
            id, plan.keeps_ghosts(id) ? std::optional(plan.ghosts_kept[id.index]) : std::nullopt});
    store_scalars(method, plan.kernel->graph, scalars);
    for (const ValueId time : passes::step_times(machine_, *plan.kernel))
      method.times.push_back(scalars.expression(time));
    return method;
  }

  void run_group(KernelMethod& method, const plan::KernelPlan& plan, const plan::Group& group,
                 const GroupNames& name, ScalarNames& scalars, int forecast) {
    auto [callees, all] = lower_(plan_, plan, group, name);
    std::ranges::move(callees, std::back_inserter(method.functions));
    method.functions.push_back(std::move(all.function));
    for (const auto& stage : group.stages)
      for (const auto& reduction : stage.reductions)
        method.body.emplace_back(DeclareResult{plan.kernel->graph.type(reduction.result).element,
                                               scalars.declare_result(reduction.result)});
    RunGroup run{name.all, {}, group.box, method.forecast_table, forecast};
    if (group.cpu.overlapped)
      for (const Action& action : method.body)
        if (const auto* fill = std::get_if<CallFill>(&action)) run.refilled.push_back(*fill);
    const std::size_t partials = module_.partials.size();
    for (const auto& argument : all.arguments)
      if (const auto* scalar = std::get_if<ValueId>(&argument))
        run.arguments.emplace_back(scalars.expression(*scalar));
      else if (const auto* of_blocks = std::get_if<PartialsArgument>(&argument))
        run.arguments.emplace_back(PartialsArgument{partials + of_blocks->number});
      else if (const auto* places = std::get_if<PlacesArgument>(&argument))
        run.arguments.emplace_back(PlacesArgument{partials + places->number});
      else
        run.arguments.push_back(given(argument));
    method.body.emplace_back(std::move(run));
    for (const auto& stage : group.stages)
      for (const auto& reduction : stage.reductions)
        reduce(method, reduction, plan.kernel->graph.type(reduction.operand).element, name.all,
               std::get<claris::Name>(scalars.expression(reduction.result)->node).text);
  }

  /// After the group's function, what that has not reduced itself.
  void reduce(KernelMethod& method, const plan::Reduction& reduction, Element element,
              const std::string& function, const std::string& result) {
    if (reduction.array) {
      method.body.emplace_back(ReduceArray{reduction.op, *reduction.array, result});
    } else if (for_devices_) {
      method.body.emplace_back(ReducePartials{module_.partials.size(), result});
      module_.partials.push_back({reduction.op, element, function});
    }
  }

  static void store_scalars(KernelMethod& method, const Graph& graph, const ScalarNames& scalars) {
    const passes::StepChain chain(graph);
    for (NodeId id : graph.stores()) {
      const auto& store = std::get<Store>(graph.node(id).instruction);
      ValueId value = graph.node(id).operands[0];
      if (graph.type(value).realm == Realm::global && chain.is_last(store))
        method.body.emplace_back(Assigned{store.target, scalars.expression(value)});
    }
  }

  /// An argument as a module holds it. A tile is known only to its loop, a kernel's Global only to
  /// its method.
  [[nodiscard]] static Given given(const Argument& argument) {
    return std::visit(
        Overload{
            [](const GridArgument& a) -> Given { return a; },
            [](const ThreadsArgument& a) -> Given { return a; },
            [](const CellArgument& a) -> Given { return a; },
            [](const ScratchArgument& a) -> Given { return a; },
            [](const TileArgument&) -> Given { throw std::logic_error("no tile here"); },
            [](const ArrivalArgument& a) -> Given { return a; },
            [](const PartialsArgument& a) -> Given { return a; },
            [](const PlacesArgument& a) -> Given { return a; },
            [](const plan::ArrayRef& array) -> Given { return array; },
            [](const ValueId&) -> Given { throw std::logic_error("no kernel here"); },
            [](const StaticId& id) -> Given { return claris::make({claris::Held{id}}); },
            [](const Constant& value) -> Given { return claris::literal(value); },
        },
        argument);
  }

  const plan::Plan& plan_;
  const Machine& machine_;
  const LowerGroup& lower_;
  const Names& taken_;
  const bool for_devices_;
  const std::vector<StaticId> fill_order_;
  Module module_;
  std::vector<std::string> kernel_names_, boundary_names_, fill_names_;
  std::vector<std::string> forecast_names_;           // of each kernel's table
  std::vector<std::vector<GroupNames>> group_names_;  // of each kernel
  std::vector<Lowered> boundaries_;
};

}  // namespace

std::map<std::size_t, int> Module::arrays() const {
  std::map<std::size_t, int> counts = spares;
  for (const Variable& s : statics)
    if (s.is_field) ++counts[om::size_of(s.element)];
  return counts;
}

Module make_module(const plan::Plan& plan, const std::string& wanted, const LowerGroup& lower,
                   const Names& taken, bool for_devices) {
  return ModuleMaker(plan, wanted, lower, taken, for_devices).run();
}

}  // namespace paraiso::codegen
