#include "paraiso/plan/items.hpp"

#include <algorithm>

namespace paraiso::plan {

using namespace om;

namespace {

/// The items in canonical order, without what they read: stored values, statics' new values,
/// Reduces.
Items list_items(const Graph& graph, const Choices& choices) {
  Items items;
  items.of_value.assign(graph.value_count(), -1);
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    for (int r = 0; r < node.result_count; ++r) {
      ValueId v(node.first_result.index + r);
      if (!choices.stored[v.index]) continue;
      items.of_value[v.index] = static_cast<int>(items.list.size());
      items.list.push_back({.value = v, .stored = true, .cut = choices.cut[v.index]});
    }
    if (std::holds_alternative<Reduce>(node.instruction))
      items.list.push_back({.value = node.operands[0], .reduce = id});
    const auto* store = std::get_if<Store>(&node.instruction);
    if (!store || graph.type(node.operands[0]).realm == Realm::global) continue;
    int known = items.of_value[node.operands[0].index];
    if (known < 0) {
      items.list.push_back({.value = node.operands[0], .targets = {store->target}});
    } else {
      items.list[known].targets.push_back(store->target);
    }
  }
  return items;
}

void find_reads(const Items& items, Item& item) {
  for (const Term& term : item.expansion.terms) {
    if (term.kind == Term::Kind::read_array) item.reads.push_back(items.of_value[term.value.index]);
    if (term.kind == Term::Kind::scalar) item.scalars.push_back(term.value);
  }
  std::ranges::sort(item.reads);
  item.reads.erase(std::unique(item.reads.begin(), item.reads.end()), item.reads.end());
}

/// Consumers come after producers, so one walk backwards finds how wide each box must be.
void find_boxes(Items& items, int dimension) {
  for (Item& item : items.list) item.box = Extent(dimension);
  for (auto item = items.list.rbegin(); item != items.list.rend(); ++item)
    for (const Term& term : item->expansion.terms)
      if (term.kind == Term::Kind::read_array)
        items.list[items.of_value[term.value.index]].box.include(item->box, term.offset);
}

}  // namespace

Items find_items(const Graph& graph, const Choices& choices, std::size_t limit) {
  Items items = list_items(graph, choices);
  std::vector<bool> own(graph.value_count());
  for (Item& item : items.list) {
    own[item.value.index] = item.stored;
    item.expansion = expand(graph, std::span(&item.value, 1), choices.stored, own, limit);
    own[item.value.index] = false;
    if (!item.expansion.complete) {
      items.too_large = static_cast<int>(&item - items.list.data());
      return items;
    }
    find_reads(items, item);
  }
  find_boxes(items, graph.dimension());
  return items;
}

}  // namespace paraiso::plan
