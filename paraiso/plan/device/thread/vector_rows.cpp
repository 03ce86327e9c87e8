#include "paraiso/plan/device/thread/vector_rows.hpp"

#include <algorithm>

#include "paraiso/plan/device/thread/body_bound.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

constexpr double kMostOfVector = 128;  // registers; with more, too few threads run at a time
// Fitted to what nvcc 13 takes for sm_90: registers besides those of each cell, and the share of
// what a cell reads that is loaded before it is needed, whatever the order of the body.
constexpr double kOfVector = 10, kReadEarly = 0.6;

/// The multiple at or below it.
int down_to(int vector, int cell) {
  const int rest = cell % vector;
  return cell - (rest < 0 ? rest + vector : rest);
}

/// Bytes are loaded fast enough one by one. What is reduced is stored, too, if no block reduces it.
bool has_bytes(const Graph& graph, const Group& group) {
  return std::ranges::any_of(group.stages, [&](const Stage& stage) {
    const bool stored = std::ranges::any_of(stage.outputs, [](const Output& output) {
      return output.array.element == Element::boolean;
    });
    const bool reduced = std::ranges::any_of(stage.reductions, [&](const Reduction& reduction) {
      return graph.type(reduction.operand).element == Element::boolean;
    });
    return stored || reduced || std::ranges::any_of(stage.expansion.terms, [&](const Term& term) {
             return term.reads_array() && graph.type(term.value).element == Element::boolean;
           });
  });
}

bool is_aligned(const Group& group, int vector) {
  return group.box.lower[0] % vector == 0 &&
         std::ranges::all_of(group.stages, [](const Stage& stage) {
           return std::ranges::all_of(stage.outputs, [&](const Output& output) {
             return stage.behind(output.root)[0] == 0;
           });
         });
}

}  // namespace

bool VectorRow::has(const Term& term) const {
  return term.kind == of.kind && term.value == of.value &&
         std::ranges::equal(term.offset.begin() + 1, term.offset.end(), of.offset.begin() + 1,
                            of.offset.end());
}

std::vector<VectorRow> vector_rows(const Stage& stage, int vector) {
  std::vector<VectorRow> rows;
  for (const Term& term : stage.expansion.terms) {
    if (!term.reads_array()) continue;
    const int first = down_to(vector, term.offset[0]);
    const int end = down_to(vector, term.offset[0] + vector - 1) + vector;
    auto row = std::ranges::find_if(rows, [&](const VectorRow& one) { return one.has(term); });
    if (row == rows.end()) {
      rows.push_back({term, first, 0});
      row = std::prev(rows.end());
      row->of.offset[0] = 0;
    }
    const int last = std::max(row->first + row->vectors * vector, end);
    row->first = std::min(row->first, first);
    row->vectors = (last - row->first) / vector;
  }
  return rows;
}

double live_in_vectors(const Graph& graph, const Group& group) {
  double live = 0;
  for (const Stage& stage : group.stages) {
    double read = 0;
    for (const Term& term : stage.expansion.terms)
      if (term.reads_array()) read += size_of(graph.type(term.value).element) > 4 ? 2 : 1;
    live = std::max({live, 1.0 * live_registers(graph, stage.expansion), kReadEarly * read});
  }
  return live;
}

double registers_of_vector(double live, int vector) {
  return vector == 1 ? 0 : (vector - 1) * live + kOfVector;
}

int vector_of_thread(const Graph& graph, const Group& group, int wanted) {
  if (group.device.on_chip || has_bytes(graph, group)) return 1;
  const double live = live_in_vectors(graph, group);
  while (wanted > 1 &&
         (!is_aligned(group, wanted) || live + registers_of_vector(live, wanted) > kMostOfVector))
    wanted /= 2;
  return wanted;
}

void widen_margin(Extent& margin, const Group& group) {
  const int vector = vector_of(group);
  if (vector == 1) return;
  int below = 0, beyond = 0;
  for (const Stage& stage : group.stages)
    for (const VectorRow& row : vector_rows(stage, vector)) {
      below = std::max(below, -row.first);
      beyond = std::max(beyond, row.first + row.vectors * vector - 1);
    }
  margin.lower[0] = std::max(margin.lower[0], group.box.lower[0] + below);
  margin.upper[0] = std::max(margin.upper[0], group.box.upper[0] + beyond);
}

}  // namespace paraiso::plan
