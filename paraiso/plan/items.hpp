// items: what a kernel must leave in memory under given choices, and what each item reads.
// Gives: Item, Items, find_items. Needs: expand, genes.
#pragma once

#include "paraiso/plan/genes.hpp"

namespace paraiso::plan {

/// One thing that a loop makes: an array (of a stored value, of a static, or of both), or a Reduce.
struct Item {
  om::ValueId value = {};                  // Local: what is written or reduced
  std::vector<om::StaticId> targets = {};  // statics that it becomes
  std::optional<om::NodeId> reduce = {};   // the Reduce, if it is one
  bool stored = false;                     // other items may read it
  bool cut = false;
  Expansion expansion = {};               // by itself
  std::vector<int> reads = {};            // items read, ascending
  std::vector<om::ValueId> scalars = {};  // Globals read
  Extent box = {};
};

struct Items {
  std::vector<Item> list;     // producers before consumers
  std::vector<int> of_value;  // per value: its item if it is stored, else -1
  std::optional<int> too_large;
};

/// Stops at the first item that alone needs more than `limit` terms: `too_large` is its number.
[[nodiscard]] Items find_items(const om::Graph& graph, const Choices& choices, std::size_t limit);

/// One kernel's plan under choices that repair has seen.
[[nodiscard]] KernelPlan plan_kernel(const om::Machine& machine, const om::Kernel& kernel,
                                     const Choices& choices);

}  // namespace paraiso::plan
