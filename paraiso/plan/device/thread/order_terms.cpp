#include "paraiso/plan/device/thread/order_terms.hpp"

#include <algorithm>

#include "paraiso/plan/device/thread/body_bound.hpp"

namespace paraiso::plan {

namespace {

/// Per term, whether a root needs it.
std::vector<bool> needs(const Expansion& expansion, int root) {
  std::vector<bool> needed(expansion.terms.size());
  needed[root] = true;
  for (std::size_t t = expansion.terms.size(); t-- > 0;)
    if (needed[t])
      for (const int operand : expansion.terms[t].operands) needed[operand] = true;
  return needed;
}

/// All terms, those of one root after those of another.
std::vector<int> root_by_root(const Expansion& expansion) {
  std::vector<std::vector<bool>> left;
  for (const int root : expansion.roots) left.push_back(needs(expansion, root));
  std::vector<int> order;
  while (!left.empty()) {
    const auto next = std::ranges::min_element(
        left, {}, [](const auto& needed) { return std::ranges::count(needed, true); });
    const std::vector<bool> taken = std::move(*next);
    left.erase(next);
    for (std::size_t t = 0; t < taken.size(); ++t) {
      if (!taken[t]) continue;
      order.push_back(static_cast<int>(t));
      for (auto& other : left) other[t] = false;
    }
  }
  return order;
}

}  // namespace

void order_terms(const om::Graph& graph, Expansion& expansion) {
  if (expansion.roots.size() < 2 || !expansion.complete) return;
  const std::vector<int> order = root_by_root(expansion);
  std::vector<int> place(expansion.terms.size());
  for (std::size_t t = 0; t < order.size(); ++t) place[order[t]] = static_cast<int>(t);
  Expansion ordered;
  for (const int t : order) {
    ordered.terms.push_back(expansion.terms[t]);
    for (int& operand : ordered.terms.back().operands) operand = place[operand];
  }
  for (const int root : expansion.roots) ordered.roots.push_back(place[root]);
  if (live_registers(graph, ordered) < live_registers(graph, expansion))
    expansion = std::move(ordered);
}

}  // namespace paraiso::plan
