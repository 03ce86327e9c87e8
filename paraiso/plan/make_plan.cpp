#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "paraiso/plan/items.hpp"
#include "paraiso/plan/repair.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Builds one kernel's plan: levels, then stages, then arrays, then the order of everything.
class KernelPlanner {
 public:
  KernelPlanner(const Machine& machine, const Kernel& kernel, const Choices& choices)
      : machine_(machine), graph_(kernel.graph), choices_(choices) {
    plan_.kernel = &kernel;
    plan_.halo.assign(machine.statics.size(), Extent(machine.dimension));
  }

  KernelPlan run() {
    order_ = canonical_order(graph_);
    used_.assign(graph_.value_count(), false);
    for (NodeId id : order_)
      for (ValueId v : graph_.node(id).operands) used_[v.index] = true;
    refuse_chained_steps();
    items_ = find_items(graph_, choices_, SIZE_MAX);
    find_levels();
    make_stages();
    find_halos();
    place_arrays();
    order_steps();
    return std::move(plan_);
  }

 private:
  void refuse_chained_steps() const {
    for (NodeId id : order_) {
      const auto* load = std::get_if<Load>(&graph_.node(id).instruction);
      if (load && load->step > 0)
        throw Error(graph_.node(id).location,
                    fmt::format("kernel `{}` loads `{}` at step {}: chained steps run in the "
                                "interpreter only",
                                plan_.kernel->name, machine_.at(load->source).name, load->step));
    }
  }

  /// An item runs after all that it reads: in the same stage only where every read is of the cell
  /// itself and the boxes agree. A Global is ready one level after the last Reduce it depends on.
  /// So every arrow between stages goes from a lower level to a higher one: no cycle can arise.
  void find_levels() {
    level_.assign(items_.list.size(), 0);
    ready_.assign(graph_.value_count(), 0);
    int next = 0;
    for (NodeId id : order_) {
      while (next < static_cast<int>(items_.list.size()) && node_of(items_.list[next]) == id)
        find_level(next++);
      find_ready(id);
    }
  }

  /// The node at which an item entered the list.
  [[nodiscard]] NodeId node_of(const Item& item) const {
    if (item.reduce) return *item.reduce;
    if (item.stored) return graph_.value(item.value).producer;
    for (NodeId id : graph_.stores())
      if (std::get<Store>(graph_.node(id).instruction).target == item.targets[0]) return id;
    return {};
  }

  void find_level(int index) {
    const Item& item = items_.list[index];
    int level = 0;
    for (ValueId scalar : item.scalars) level = std::max(level, ready_[scalar.index]);
    for (int read : item.reads)
      level = std::max(level, level_[read] + (may_share(item, read) ? 0 : 1));
    level_[index] = level;
    if (item.reduce) ready_[graph_.node(*item.reduce).first_result.index] = level + 1;
  }

  [[nodiscard]] bool may_share(const Item& item, int producer) const {
    const Item& other = items_.list[producer];
    if (choices_.apart || item.cut || other.cut || item.box != other.box) return false;
    for (const Term& term : item.expansion.terms)
      if (term.kind == Term::Kind::read_array && term.value == other.value)
        for (auto v : term.offset)
          if (v != 0) return false;
    return true;
  }

  void find_ready(NodeId id) {
    const Node& node = graph_.node(id);
    if (std::holds_alternative<Reduce>(node.instruction) || node.result_count == 0) return;
    if (graph_.type(node.first_result).realm == Realm::local) return;
    int ready = 0;
    for (ValueId v : node.operands) ready = std::max(ready, ready_[v.index]);
    for (int r = 0; r < node.result_count; ++r) ready_[node.first_result.index + r] = ready;
  }

  /// Items of one level and one box share a stage, unless cut apart.
  void make_stages() {
    std::map<std::tuple<int, Extent, int>, std::vector<int>> members;
    for (int i = 0; i < static_cast<int>(items_.list.size()); ++i) {
      const Item& item = items_.list[i];
      int alone = choices_.apart || item.cut ? i + 1 : 0;
      members[{level_[i], item.box, alone}].push_back(i);
    }
    for (auto& [key, list] : members) {
      level_of_group_.push_back(std::get<0>(key));
      members_.push_back(std::move(list));
      Group group;
      group.stages.push_back(make_stage(members_.back()));
      group.block = choices_.block;
      group.parallel_axes = choices_.parallel_axes;
      group.vector_length = choices_.vector_length;
      plan_.groups.push_back(std::move(group));
    }
  }

  Stage make_stage(const std::vector<int>& members) {
    Stage stage;
    stage.box = items_.list[members[0]].box;
    std::vector<ValueId> roots;
    std::vector<bool> own(graph_.value_count());
    for (int i : members)
      if (items_.list[i].stored) own[items_.list[i].value.index] = true;
    for (int i : members)
      if (!items_.list[i].reduce) roots.push_back(items_.list[i].value);
    for (int i : members) {
      const Item& item = items_.list[i];
      if (!item.reduce) continue;
      const Node& node = graph_.node(*item.reduce);
      stage.reductions.push_back({node.first_result, std::get<Reduce>(node.instruction).op,
                                  item.value, static_cast<int>(roots.size())});
      roots.push_back(item.value);
    }
    stage.expansion = expand(graph_, roots, choices_.stored, own, SIZE_MAX);
    return stage;
  }

  void find_halos() {
    for (const auto& group : plan_.groups)
      for (const auto& stage : group.stages)
        for (const Term& term : stage.expansion.terms)
          if (const auto* load = term.kind == Term::Kind::read_static
                                     ? graph_.producer_as<Load>(term.value)
                                     : nullptr)
            plan_.halo[load->source.index].include(stage.box, term.offset);
  }

  /// A static's new value takes its old array's place where every read of the old one is of the
  /// cell itself in the same loop, or happens in an earlier stage; else a spare array, swapped in
  /// at exit.
  [[nodiscard]] bool in_place(StaticId target, int group) const {
    for (int g = group; g < static_cast<int>(plan_.groups.size()); ++g)
      for (const Term& term : plan_.groups[g].stages[0].expansion.terms) {
        if (term.kind != Term::Kind::read_static) continue;
        if (graph_.producer_as<Load>(term.value)->source != target) continue;
        bool here = std::ranges::all_of(term.offset, [](auto v) { return v == 0; });
        if (g > group || !here) return false;
      }
    return true;
  }

  /// Walks the stages in order with a pool of spare arrays an element size: a temporary gives its
  /// array back after the last stage that reads it, a new value of a static never does.
  void place_arrays() {
    auto last = last_readers();
    std::map<std::size_t, std::set<int>> free;
    std::map<std::size_t, int> count;
    auto take = [&](Element element) {
      std::size_t size = size_of(element);
      if (free[size].empty()) return ArrayRef{std::nullopt, count[size]++, element};
      int spare = *free[size].begin();
      free[size].erase(free[size].begin());
      return ArrayRef{std::nullopt, spare, element};
    };
    for (int g = 0; g < static_cast<int>(plan_.groups.size()); ++g) {
      int root = 0;
      for (int i : members_[g])
        if (!items_.list[i].reduce) place_item(items_.list[i], g, root++, take);
      for (int i = 0; i < static_cast<int>(items_.list.size()); ++i) {
        const Item& item = items_.list[i];
        if (!item.stored || last[i] != g || !item.targets.empty()) continue;
        const ArrayRef& array = plan_.arrays.at(item.value);
        free[size_of(array.element)].insert(array.spare);
      }
    }
    plan_.spares = count;
  }

  template <class Take>
  void place_item(const Item& item, int group, int root, Take&& take) {
    auto& outputs = plan_.groups[group].stages[0].outputs;
    Element element = graph_.type(item.value).element;
    for (StaticId target : item.targets) {
      ArrayRef array = in_place(target, group) ? ArrayRef{target, 0, element} : take(element);
      if (!array.front) plan_.swaps.push_back({target, array.spare});
      outputs.push_back({item.value, array, target, root});
      plan_.arrays.try_emplace(item.value, array);
    }
    if (!item.targets.empty()) return;
    ArrayRef array = take(element);
    outputs.push_back({item.value, array, std::nullopt, root});
    plan_.arrays.emplace(item.value, array);
  }

  /// Per item, the last group that reads it (its own if none does).
  [[nodiscard]] std::vector<int> last_readers() const {
    std::vector<int> last(items_.list.size());
    for (int g = 0; g < static_cast<int>(members_.size()); ++g)
      for (int i : members_[g]) {
        last[i] = std::max(last[i], g);
        for (int read : items_.list[i].reads) last[read] = std::max(last[read], g);
      }
    return last;
  }

  /// Level by level: the scalars that are ready, then the groups.
  void order_steps() {
    int levels = 1;
    for (NodeId id : order_)
      for (ValueId v : graph_.node(id).operands) levels = std::max(levels, ready_[v.index] + 1);
    for (int level : level_of_group_) levels = std::max(levels, level + 1);
    for (int level = 0; level < levels; ++level) {
      for (NodeId id : order_) add_scalars(id, level);
      for (int g = 0; g < static_cast<int>(plan_.groups.size()); ++g)
        if (level_of_group_[g] == level) plan_.steps.push_back({std::nullopt, g});
    }
  }

  void add_scalars(NodeId id, int level) {
    const Node& node = graph_.node(id);
    if (std::holds_alternative<Reduce>(node.instruction)) return;
    for (int r = 0; r < node.result_count; ++r) {
      ValueId v(node.first_result.index + r);
      if (graph_.type(v).realm == Realm::global && ready_[v.index] == level && used_[v.index])
        plan_.steps.push_back({v, -1});
    }
  }

  const Machine& machine_;
  const Graph& graph_;
  const Choices& choices_;
  KernelPlan plan_;
  std::vector<NodeId> order_;
  Items items_;
  std::vector<int> level_;  // per item
  std::vector<bool> used_;                 // per value: an operand of a live node
  std::vector<int> ready_;  // per value: the level at which a Global is known
  std::vector<int> level_of_group_;
  std::vector<std::vector<int>> members_;  // per group: its items
};

Expansion expand_boundary(const BoundaryKernel& kernel) {
  std::vector<bool> none(kernel.graph.value_count());
  auto expansion =
      expand(kernel.graph, std::span(&kernel.result, 1), none, none, kLargestExpansion);
  if (!expansion.complete)
    throw Error(kernel.location, fmt::format("boundary kernel `{}` needs more than {} operations",
                                             kernel.name, kLargestExpansion));
  return expansion;
}

}  // namespace

KernelPlan plan_kernel(const Machine& machine, const Kernel& kernel, const Choices& choices) {
  return KernelPlanner(machine, kernel, choices).run();
}

Plan make_plan(const Machine& machine, const Schedule& schedule) {
  Plan plan;
  plan.machine = machine;
  plan.schedule = repair(machine, schedule);
  plan.margin = Extent(machine.dimension);
  plan.halo.assign(machine.statics.size(), Extent(machine.dimension));
  for (const auto& kernel : plan.machine.kernels) {
    auto choices = choices_of(kernel, kernel_genes(kernel), plan.schedule);
    plan.kernels.push_back(plan_kernel(plan.machine, kernel, choices));
    for (auto [size, count] : plan.kernels.back().spares)
      plan.spares[size] = std::max(plan.spares[size], count);
    for (std::size_t s = 0; s < plan.halo.size(); ++s)
      plan.halo[s].include(plan.kernels.back().halo[s]);
    for (const auto& group : plan.kernels.back().groups)
      for (const auto& stage : group.stages) plan.margin.include(stage.box);
  }
  for (const auto& halo : plan.halo) plan.margin.include(halo);
  for (const auto& kernel : plan.machine.boundary_kernels)
    plan.boundaries.push_back(expand_boundary(kernel));
  return plan;
}

}  // namespace paraiso::plan
