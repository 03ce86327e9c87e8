#include "paraiso/plan/make/make_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "paraiso/passes/steps/step_flow.hpp"
#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/make/split_arrays.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Builds one kernel's plan: groups, then arrays, then the order of everything.
class KernelPlanner {
 public:
  KernelPlanner(const Machine& machine, const Kernel& kernel, const KernelChoices& choices,
                Skews& skews)
      : machine_(machine),
        graph_(kernel.graph),
        choices_(choices),
        outputs_(find_outputs(kernel.graph, choices)),
        spares_(skews) {
    plan_.kernel = &kernel;
    plan_.halo.assign(machine.statics.size(), Extent(machine.dimension));
    plan_.margin = Extent(machine.dimension);
  }

  KernelPlan run() {
    order_ = canonical_order(graph_);
    used_.assign(graph_.value_count(), false);
    find_used();
    make_groups();
    place_arrays();
    count_touched_bytes();
    make_fills();
    find_swaps();
    order_steps();
    return std::move(plan_);
  }

 private:
  void find_used() {
    for (NodeId id : order_) {
      const Node& node = graph_.node(id);
      for (ValueId v : node.operands) used_[v.index] = true;
      if (node.result_count == 0) continue;
      for (ValueId v : outputs_.chain.operands(node.first_result)) used_[v.index] = true;
    }
    for (const auto& [state, inner] : choices_.states)
      for (const auto& [id, value] : inner.beside) used_[value.index] = true;
  }

  void make_groups() {
    for (const auto& members : outputs_.groups) {
      auto traversal =
          find_traversal(machine_, *plan_.kernel, choices_, outputs_, members, SIZE_MAX);
      plan_.groups.push_back(std::move(traversal.group));
      for (const auto& [read, extent] : traversal.statics)
        plan_.halo[static_cast<std::size_t>(read)].include(extent);
      plan_.margin.include(traversal.touched);
    }
  }

  /// `output` may overwrite the cells of a static if every read of them happens in an earlier
  /// group, or is of the cell itself in the same loop and that loop computes nothing outside its
  /// tile.
  [[nodiscard]] bool may_overwrite(StaticId overwritten, const Output& output, const Stage& stage,
                                   int group) const {
    for (int g = group; g < static_cast<int>(plan_.groups.size()); ++g)
      for (const Stage& other : plan_.groups[g].stages)
        for (const Term& term : other.expansion.terms) {
          if (!reads_static(graph_, term, overwritten)) continue;
          if (&other != &stage || !reads_itself(stage, output, term)) return false;
        }
    return !boundary_reads(overwritten, level_of(outputs_.groups[group]));
  }

  /// Whether a boundary that is filled after the groups of `level`, or later, reads a static as it
  /// was at kernel entry.
  [[nodiscard]] bool boundary_reads(StaticId source, int level) const {
    return std::ranges::any_of(outputs_.list, [&](const Product& made) {
      if (!is_filled(made) || made.level < level) return false;
      const StaticId rules = graph_.producer_as<Load>(made.value)->source;
      return std::ranges::any_of(passes::statics_of_boundary(machine_, rules), [&](StaticId id) {
        return array_beside(made.value, id) ==
               ArrayRef{source, 0, machine_.at(source).type.element};
      });
    });
  }

  /// Whether an array between steps has ghost cells that its static's boundary fills.
  [[nodiscard]] bool is_filled(const Product& made) const {
    return made.stored && outputs_.chain.is_inner(made.value) && !made.halo.is_core();
  }

  /// The array of a Local static while the boundary of an inner state is computed; none where that
  /// is not known yet.
  [[nodiscard]] std::optional<ArrayRef> array_beside(ValueId state, StaticId id) const {
    const auto own = [&](StaticId s) { return ArrayRef{s, 0, machine_.at(s).type.element}; };
    const auto& beside = choices_.states.at(state).beside;
    const auto value = beside.find(id);
    if (value == beside.end()) return own(id);
    const auto placed = plan_.arrays.find(value->second);
    if (placed != plan_.arrays.end()) return placed->second;
    const auto* load = graph_.producer_as<Load>(value->second);
    return load && load->step == 0 ? std::optional(own(load->source)) : std::nullopt;
  }

  void make_fills() {
    for (const Product& made : outputs_.list) {
      if (!is_filled(made)) continue;
      const StaticId rules = graph_.producer_as<Load>(made.value)->source;
      Fill fill{plan_.arrays.at(made.value), rules, made.halo};
      for (StaticId id : passes::statics_of_boundary(machine_, rules))
        if (machine_.at(id).type.is_local()) fill.arrays[id] = *array_beside(made.value, id);
      for (const auto& [id, value] : choices_.states.at(made.value).beside)
        if (machine_.at(id).type.realm == Realm::global) fill.scalars[id] = value;
      plan_.margin.include(fill.width);
      fill_levels_.push_back(made.level);
      plan_.fills.push_back(std::move(fill));
    }
  }

  [[nodiscard]] static bool reads_itself(const Stage& stage, const Output& output,
                                         const Term& term) {
    const Offset& lag = stage.lags[output.root];
    for (std::size_t a = 0; a < term.offset.size(); ++a) {
      if (term.offset[a] != -lag[a]) return false;
      if (stage.reach.lower[a] != -lag[a] || stage.reach.upper[a] != lag[a]) return false;
    }
    return true;
  }

  /// Walks the groups in order with a pool of spare arrays: a temporary returns
  /// its array after the last group that reads it, a new value of a static never does.
  void place_arrays() {
    const auto given_back = temporaries_by_last_group();
    for (int g = 0; g < static_cast<int>(plan_.groups.size()); ++g) {
      if (plan_.groups[g].form == Form::split) {
        for (const ArrayRef& array : place_split(g)) spares_.give_back(array);
      } else {
        for (Stage& stage : plan_.groups[g].stages)
          for (Output& output : stage.outputs) place(output, stage, g);
      }
      for (const ValueId value : given_back[g]) {
        const ArrayRef& array = plan_.arrays.at(value);
        if (!array.front) spares_.give_back(array);
      }
    }
    plan_.spares = spares_.counts();
  }

  /// Per group, the stored values that belong to no static and that no later group reads.
  [[nodiscard]] std::vector<std::vector<ValueId>> temporaries_by_last_group() const {
    const auto last = last_readers();
    std::vector<std::vector<ValueId>> ending(plan_.groups.size());
    for (std::size_t i = 0; i < outputs_.list.size(); ++i)
      if (const Product& made = outputs_.list[i]; made.stored && made.targets.empty())
        ending[last[i]].push_back(made.value);
    return ending;
  }

  /// Returns the spare arrays that are free again.
  std::vector<ArrayRef> place_split(int g) {
    std::set<ValueId> lasting;
    for (std::size_t i = 0; i < outputs_.list.size(); ++i)
      if (outputs_.list[i].stored) lasting.insert(outputs_.list[i].value);
    SplitArrays arrays(graph_, plan_.groups[g], given_up_after(g), std::move(lasting), spares_);
    arrays.run();
    for (const Stage& stage : plan_.groups[g].stages)
      for (const Output& output : stage.outputs) {
        plan_.groups[g].arrays.try_emplace(output.value, output.array);
        enter(output);
      }
    return arrays.returned();
  }

  /// A spare array may hold values of several elements, one after the other.
  void count_touched_bytes() {
    std::set<std::tuple<std::optional<StaticId>, int, std::size_t>> touched;
    const auto touch = [&](const ArrayRef& array) {
      const std::size_t bytes = size_of(array.element);
      if (touched.emplace(array.front, array.spare, bytes).second) plan_.touched_bytes += bytes;
    };
    for (const Group& group : plan_.groups)
      for (const Stage& stage : group.stages) {
        for (const Output& output : stage.outputs) touch(output.array);
        for (const Term& term : stage.expansion.terms)
          if (const auto array = plan_.array_read(group, term)) touch(*array);
      }
  }

  /// Statics whose old values nothing reads after a group.
  [[nodiscard]] std::vector<StaticId> given_up_after(int group) const {
    std::vector<StaticId> list;
    for (NodeId id : graph_.stores()) {
      const auto& store = std::get<Store>(graph_.node(id).instruction);
      const StaticId target = store.target;
      if (outputs_.chain.is_last(store) && machine_.at(target).type.is_local() &&
          !overwritten_.contains(target) && !taken_over(target) && !read_after(group, target) &&
          !boundary_reads(target, level_of(outputs_.groups[group])))
        list.push_back(target);
    }
    return list;
  }

  [[nodiscard]] bool read_after(int group, StaticId id) const {
    for (int g = group + 1; g < static_cast<int>(plan_.groups.size()); ++g)
      for (const Stage& stage : plan_.groups[g].stages)
        if (std::ranges::any_of(stage.expansion.terms,
                                [&](const Term& term) { return reads_static(graph_, term, id); }))
          return true;
    return false;
  }

  /// The renaming by which another static takes over the array of `source` at exit, if any.
  [[nodiscard]] const Renaming* taken_over(StaticId source) const {
    const auto found = std::ranges::find(outputs_.renamings, source, &Renaming::source);
    return found == outputs_.renamings.end() ? nullptr : &*found;
  }

  /// The static whose array `output` may overwrite: its own, or where another static takes that
  /// over, that one's.
  [[nodiscard]] std::optional<StaticId> array_to_overwrite(const Output& output, const Stage& stage,
                                                           int group) const {
    std::optional<StaticId> front = output.target;
    for (const Renaming* next; front && (next = taken_over(*front));) front = next->target;
    if (!front || overwritten_.contains(*front)) return {};
    if (machine_.at(*front).type.element != graph_.type(output.value).element) return {};
    return may_overwrite(*front, output, stage, group) ? front : std::nullopt;
  }

  /// At exit every static's name must refer to its new array. Names are swapped in pairs.
  void find_swaps() {
    for (const Renaming& renaming : outputs_.renamings)
      becomes_[renaming.target] =
          ArrayRef{renaming.source, 0, machine_.at(renaming.source).type.element};
    std::map<ArrayRef, ArrayRef> holds;  // the array that a name refers to now, if not its own
    const auto held = [&](const ArrayRef& name) {
      auto found = holds.find(name);
      return found == holds.end() ? name : found->second;
    };
    for (const auto& [target, array] : becomes_) {
      const ArrayRef own{target, 0, array.element};
      if (held(own) == array) continue;
      ArrayRef with = array;  // follow the array to the name that refers to it now
      for (const auto& [name, what] : holds)
        if (what == array) with = name;
      const ArrayRef mine = held(own);
      holds[own] = array;
      holds[with] = mine;
      plan_.swaps.push_back({target, with});
    }
  }

  void place(Output& output, const Stage& stage, int group) {
    const Element element = graph_.type(output.value).element;
    const auto front = array_to_overwrite(output, stage, group);
    output.array = front ? ArrayRef{front, 0, element} : spares_.take(element, output.target);
    enter(output);
  }

  void enter(const Output& output) {
    if (output.array.front) overwritten_.insert(*output.array.front);
    if (output.target) becomes_[*output.target] = output.array;
    if (output.target || outputs_.of_value[output.value.index] >= 0)
      plan_.arrays.try_emplace(output.value, output.array);
  }

  /// Per array, the last group that reads it (its own if none does).
  [[nodiscard]] std::vector<int> last_readers() const {
    std::vector<int> last(outputs_.list.size());
    for (int g = 0; g < static_cast<int>(plan_.groups.size()); ++g) {
      for (int i : outputs_.groups[g]) last[i] = std::max(last[i], g);
      for (const Stage& stage : plan_.groups[g].stages)
        for (const Term& term : stage.expansion.terms)
          if (const int kept = outputs_.of_value[term.value.index];
              kept >= 0 && term.kind == Term::Kind::read_array)
            last[kept] = g;
    }
    for (const auto& [state, inner] : choices_.states)
      for (const auto& [id, value] : inner.beside)
        if (const int kept = outputs_.of_value[value.index]; kept >= 0)
          last[kept] = std::max(last[kept], last_group(outputs_.of_value[state.index]));
    return last;
  }

  /// The last group that runs before the boundary of an inner state is computed.
  [[nodiscard]] int last_group(int state) const {
    int last = 0;
    for (int g = 0; g < static_cast<int>(plan_.groups.size()); ++g)
      if (level_of(outputs_.groups[g]) <= outputs_.list[state].level) last = g;
    return last;
  }

  /// Level by level; within a level the scalars that are ready, then groups, then the ghost cells
  /// of their arrays.
  void order_steps() {
    std::map<int, std::vector<PlanStep>> levels;
    for (NodeId id : order_) add_scalars(id, levels);
    for (int g = 0; g < static_cast<int>(plan_.groups.size()); ++g)
      levels[level_of(outputs_.groups[g])].push_back({.group = g});
    for (int f = 0; f < static_cast<int>(plan_.fills.size()); ++f)
      levels[fill_levels_[f]].push_back({.fill = f});
    for (const auto& [level, steps] : levels)
      plan_.steps.insert(plan_.steps.end(), steps.begin(), steps.end());
  }

  [[nodiscard]] int level_of(const std::vector<int>& members) const {
    return outputs_.list[members[0]].level;
  }

  void add_scalars(NodeId id, std::map<int, std::vector<PlanStep>>& levels) const {
    const Node& node = graph_.node(id);
    if (std::holds_alternative<Reduce>(node.instruction)) return;
    for (int r = 0; r < node.result_count; ++r) {
      ValueId v(node.first_result.index + r);
      if (graph_.type(v).realm == Realm::global && used_[v.index])
        levels[outputs_.ready[v.index]].push_back({.scalar = v});
    }
  }

  const Machine& machine_;
  const Graph& graph_;
  const KernelChoices& choices_;
  KernelOutputs outputs_;
  SpareArrays spares_;
  KernelPlan plan_;
  std::map<StaticId, ArrayRef> becomes_;  // per stored static: the array of its new value
  std::set<StaticId> overwritten_;        // statics whose old values an output replaces
  std::vector<NodeId> order_;
  std::vector<bool> used_;        // per value: whether a live value depends on it
  std::vector<int> fill_levels_;  // of plan_.fills
};

Expansion expand_boundary(const BoundaryKernel& kernel) {
  const Sources nothing{std::vector(kernel.graph.value_count(), ValueStorage::nowhere), {}};
  const ValueAt result{kernel.result, Offset(kernel.graph.dimension(), 0)};
  auto expansion = expand(kernel.graph, std::span(&result, 1), nothing, kLargestExpansion);
  if (!expansion.complete)
    throw Error(kernel.location, fmt::format("boundary kernel `{}` needs more than {} operations",
                                             kernel.name, kLargestExpansion));
  return expansion;
}

KernelPlan plan_beside(Skews& skews, const Machine& machine, const Kernel& kernel,
                       const KernelChoices& choices) {
  KernelPlan plan = KernelPlanner(machine, kernel, choices, skews).run();
  plan.filled = plan.halo;
  return plan;
}

}  // namespace

KernelPlan plan_kernel(const Machine& machine, const Kernel& kernel, const KernelChoices& choices) {
  Skews none;
  return plan_beside(none, machine, kernel, choices);
}

Plan make_plan(const Machine& machine, const Schedule& schedule, OptionTable options,
               ChoicesReader read) {
  Plan plan;
  plan.machine = machine;
  plan.schedule = repair(machine, schedule, options);
  plan.skews.statics = skews_of(machine, plan.schedule);
  plan.margin = Extent(machine.dimension);
  plan.halo.assign(machine.statics.size(), Extent(machine.dimension));
  for (const auto& kernel : plan.machine.kernels) {
    const auto choices = read(plan.machine, kernel, kernel_genes(kernel), plan.schedule);
    plan.kernels.push_back(plan_beside(plan.skews, plan.machine, kernel, choices));
    for (auto [size, count] : plan.kernels.back().spares)
      plan.spares[size] = std::max(plan.spares[size], count);
    for (std::size_t s = 0; s < plan.halo.size(); ++s)
      plan.halo[s].include(plan.kernels.back().halo[s]);
    plan.margin.include(plan.kernels.back().margin);
  }
  for (const auto& halo : plan.halo) plan.margin.include(halo);
  for (const auto& kernel : plan.machine.boundary_kernels)
    plan.boundaries.push_back(expand_boundary(kernel));
  return plan;
}

}  // namespace paraiso::plan
