#include "paraiso/plan/groups/list_items.hpp"
#include "paraiso/plan/choices/choices.hpp"

#include <algorithm>
#include <set>

namespace paraiso::plan {

using namespace om;

namespace {

class Lister {
 public:
  Lister(const Machine& machine, const Graph& graph, const KernelChoices& choices,
         const KernelOutputs& outputs, const std::vector<int>& members)
      : graph_(graph), choices_(choices), chain_(outputs.chain), items_{machine, graph} {
    for (int m : members) members_.push_back(&outputs.list[m]);
  }

  GroupValues run() {
    items_.box = members_[0]->box;
    items_.sources.inner = chain_.read();
    find_sources();
    choose_form();
    list();
    find_places();
    return std::move(items_);
  }

 private:
  /// Where every value is stored that the members need, directly or not.
  void find_sources() {
    items_.sources.kept.assign(graph_.value_count(), ValueStorage::nowhere);
    std::set<std::pair<int, ValueId>, std::greater<>> pending;  // users before operands
    const auto ask = [&](ValueId value) { pending.emplace(chain_.rank(value), value); };
    for (const Product* member : members_) ask(member->value);
    while (!pending.empty()) {
      const ValueId value = pending.begin()->second;
      pending.erase(pending.begin());
      note_source(value);
      if (lies_in_other_group(value)) continue;
      const Node& node = graph_.producer(value);
      if (!std::holds_alternative<Broadcast>(node.instruction))
        std::ranges::for_each(chain_.operands(value), ask);
    }
  }

  void note_source(ValueId value) {
    if (!is_materialisable(graph_, value)) return;  // read, or computed, where it is used
    const Storage storage = choices_.storage[value.index];
    ValueStorage& kept = items_.sources.kept[value.index];
    if (storage == Storage::array) {
      kept = ValueStorage::array;
    } else if (storage != Storage::inlined) {
      kept = ValueStorage::buffer;
      buffers_.push_back(value);
      if (storage == Storage::rolling && graph_.dimension() > 1) items_.form = Form::swept;
    }
  }

  [[nodiscard]] bool lies_in_other_group(ValueId value) const {
    return items_.sources.kept[value.index] == ValueStorage::array &&
           std::ranges::none_of(
               members_, [&](const Product* made) { return made->stored && made->value == value; });
  }

  /// A split group uses arrays instead of buffers, since tiles read results of other tiles.
  void choose_form() {
    if (choices_.split && graph_.dimension() > 1 && !buffers_.empty()) {
      items_.form = Form::split;
      items_.cut = choices_.sweep.back();
      items_.sweep.assign(choices_.sweep.begin(), choices_.sweep.end() - 1);
      for (ValueId v : buffers_) items_.sources.kept[v.index] = ValueStorage::array;
    } else if (items_.form == Form::swept) {
      items_.sweep = choices_.sweep;
    }
  }

  void list() {
    for (ValueId v : buffers_)
      if (std::ranges::none_of(members_, [&](const Product* made) {
            return made->value == v && replaces_buffer(*made);
          }))
        items_.list.push_back({.value = v, .state = state_of(v)});
    for (const Product* made : members_)
      items_.list.push_back({.value = made->value,
                             .made = made,
                             .state = replaces_buffer(*made) ? state_of(made->value) : nullptr});
    // of one value: its buffer or array first, then what reads it
    std::ranges::stable_sort(items_.list, {}, [&](const GroupValue& item) {
      return std::pair(chain_.rank(item.value), item.made && !item.made->stored);
    });
  }

  [[nodiscard]] bool is_split() const { return items_.form == Form::split; }

  /// In a split group, a buffer that becomes a static's new value is the static's array directly.
  [[nodiscard]] bool replaces_buffer(const Product& made) const {
    return is_split() && !made.reduce && std::ranges::count(buffers_, made.value) > 0;
  }

  [[nodiscard]] const InnerState* state_of(ValueId value) const {
    const auto state = choices_.states.find(value);
    return state == choices_.states.end() ? nullptr : &state->second;
  }

  void find_places() {
    items_.of_value.assign(graph_.value_count(), -1);
    for (std::size_t i = 0; i < items_.list.size(); ++i) {
      GroupValue& item = items_.list[i];
      int& place = items_.of_value[item.value.index];
      item.kept = place < 0 && may_be_read(item);
      if (item.kept) place = static_cast<int>(i);
    }
  }

  /// True for buffers and for arrays that others may read.
  [[nodiscard]] bool may_be_read(const GroupValue& item) const {
    if (!item.made || item.made->stored) return true;
    return is_split() && !item.made->reduce &&
           items_.sources.kept[item.value.index] == ValueStorage::array;
  }

  const Graph& graph_;
  const KernelChoices& choices_;
  const passes::StepChain& chain_;
  std::vector<const Product*> members_;
  std::vector<ValueId> buffers_;  // values kept by a thread
  GroupValues items_;
};

}  // namespace

GroupValues list_items(const Machine& machine, const Graph& graph, const KernelChoices& choices,
                       const KernelOutputs& outputs, const std::vector<int>& members) {
  return Lister(machine, graph, choices, outputs, members).run();
}

std::optional<Expansion> find_reads(GroupValues& items, std::size_t limit) {
  const Offset zero(items.graph.dimension(), 0);
  Sources sources = items.sources;
  for (GroupValue& item : items.list) {
    sources.own.clear();
    if (item.kept) sources.own[item.value] = zero;
    const ValueAt root{item.value, zero};
    item.expansion = expand(items.graph, std::span(&root, 1), sources, limit);
    if (!item.expansion.complete) return std::move(item.expansion);
    for (const Term& term : item.expansion.terms) {
      if (term.kind != Term::Kind::read_array && term.kind != Term::Kind::read_buffer) continue;
      const int read = items.of_value[term.value.index];
      if (read < 0) continue;  // an array of an earlier group
      item.reads.push_back({term.value, term.offset});
      items.list[read].consumed = true;
    }
  }
  return std::nullopt;
}

}  // namespace paraiso::plan
