#include "paraiso/plan/device/thread/several_cells.hpp"

#include <algorithm>
#include <set>

#include "paraiso/plan/device/thread/body_bound.hpp"

namespace paraiso::plan {

namespace {

// Fitted to what nvcc 13 takes for sm_90.
constexpr double kOfSecond = 1.5, kOfMore = 2.5;  // registers, for each load of a cell
constexpr double kOfArray = 2;                    // and for each array
constexpr double kOfRows = 8;  // where rows follow each other, of which a block has several
constexpr double kMostLive = 24, kMost = 80;  // with more, too few threads run at a time

/// Their own values take registers, and what they read is soon there.
bool has_elementary_functions(const om::Graph& graph, const Group& group) {
  return std::ranges::any_of(group.stages, [&](const Stage& stage) {
    return std::ranges::any_of(stage.expansion.terms, [&](const Term& term) {
      const auto* arith =
          term.kind == Term::Kind::compute ? graph.producer_as<om::Arith>(term.value) : nullptr;
      return arith && om::info(arith->op).unit == om::Unit::elementary;
    });
  });
}

/// Then the loads of a cell wait for the store of the one before it.
bool reads_what_it_writes(const om::Graph& graph, const Group& group) {
  const auto reads = [&](const ArrayRef& array) {
    return std::ranges::any_of(group.stages, [&](const Stage& stage) {
      return std::ranges::any_of(stage.expansion.terms, [&](const Term& term) {
        return term.kind == Term::Kind::read_static && array.front &&
               graph.producer_as<om::Load>(term.value)->source == *array.front;
      });
    });
  };
  return std::ranges::any_of(group.stages, [&](const Stage& stage) {
    return std::ranges::any_of(stage.outputs, reads, &Output::array);
  });
}

}  // namespace

double registers_of_cells(const Group& group, int cells) {
  if (cells == 1) return 0;
  double loads = 0;
  std::set<om::ValueId> arrays;
  for (const Stage& stage : group.stages)
    for (const Term& term : stage.expansion.terms)
      if (term.kind == Term::Kind::read_static || term.kind == Term::Kind::read_array) {
        ++loads;
        arrays.insert(term.value);
      }
  return loads * (cells == 2 ? kOfSecond : kOfMore) +
         kOfArray * static_cast<double>(arrays.size()) +
         (group.box.lower.size() == 2 ? kOfRows : 0);
}

int cells_of_thread(const om::Graph& graph, const Group& group, int wanted) {
  if (group.device.vector > 1) return wanted;  // not written out
  double live = 0;
  for (const Stage& stage : group.stages)
    live = std::max<double>(live, live_registers(graph, stage.expansion));
  if (live > kMostLive || reads_what_it_writes(graph, group) ||
      has_elementary_functions(graph, group))
    return 1;
  while (wanted > 1 && live + registers_of_cells(group, wanted) > kMost) wanted /= 2;
  return wanted;
}

}  // namespace paraiso::plan
