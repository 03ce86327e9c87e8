#include "paraiso/plan/device/thread/several_cells.hpp"

#include <algorithm>

#include "paraiso/plan/device/thread/body_bound.hpp"

namespace paraiso::plan {

namespace {

// Fitted to what nvcc 13 takes for sm_90.
constexpr double kOfSecond = 1.5, kOfMore = 2.5;  // registers, for each load of a cell
constexpr double kOfArray = 2;                    // and for each array
constexpr double kOfRows = 8;  // where rows follow each other, of which a block has several
constexpr double kMostLive = 24, kMost = 80;  // with more, too few threads run at a time

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

TermCounts count_terms(const om::Graph& graph, const Group& group) {
  TermCounts counts;
  for (const Stage& stage : group.stages)
    for (const Term& term : stage.expansion.terms) switch (term.kind) {
        case Term::Kind::read_static:
        case Term::Kind::read_array:
          ++counts.loads;
          counts.arrays.insert(term.value);
          break;
        case Term::Kind::scalar: counts.scalars.insert(term.value); break;
        case Term::Kind::compute:
          if (const auto* arith = graph.producer_as<om::Arith>(term.value))
            counts.elementary += om::info(arith->op).unit == om::Unit::elementary;
          break;
        case Term::Kind::read_buffer:
        case Term::Kind::index: break;
      }
  return counts;
}

double registers_of_cells(const TermCounts& counts, int dimension, int cells) {
  if (cells == 1) return 0;
  return counts.loads * (cells == 2 ? kOfSecond : kOfMore) +
         kOfArray * static_cast<double>(counts.arrays.size()) + (dimension == 2 ? kOfRows : 0);
}

int cells_of_thread(const om::Graph& graph, const Group& group, int wanted) {
  if (group.device.vector > 1) return wanted;  // not written out
  double live = 0;
  for (const Stage& stage : group.stages)
    live = std::max<double>(live, live_registers(graph, stage.expansion));
  const TermCounts counts = count_terms(graph, group);
  // The values of elementary functions take registers, and what they read is soon there.
  if (live > kMostLive || reads_what_it_writes(graph, group) || counts.elementary > 0) return 1;
  while (wanted > 1 && live + registers_of_cells(counts, graph.dimension(), wanted) > kMost)
    wanted /= 2;
  return wanted;
}

}  // namespace paraiso::plan
