// vector_rows: what a thread reads that makes several neighbours along x at once, as whole vectors.
// Gives: VectorRow, vector_rows, vector_of, vector_of_thread, live_in_vectors, registers_of_vector,
// widen_margin. Needs: plan, body_bound.
//
// A thread loads and stores such cells by one instruction each, and what neighbours share of their
// rows is loaded once. Its first cell lies at a multiple of the vector, counted from core cell 0,
// which is aligned. The last vector of a row may reach beyond the cells that are asked for: these
// are computed from whatever lies there, and not stored.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// What is read of an array in one row, at `of.offset` (0 along x): so many vectors, of which the
/// first begins `first` cells from the thread's own, before it where that is negative.
struct VectorRow {
  Term of;
  int first, vectors;
  /// Whether it has what a term reads.
  [[nodiscard]] bool has(const Term& term) const;
};
[[nodiscard]] std::vector<VectorRow> vector_rows(const Stage& stage, int vector);

/// Of a group whose values have places: the neighbours that a thread makes at once.
[[nodiscard]] inline int vector_of(const Group& group) {
  return group.device.on_chip ? 1 : group.device.vector;
}

/// As many neighbours as are wanted, or fewer: where values are kept or cells are bytes, where the
/// first cell or a result is not aligned, or where these would take too many registers.
[[nodiscard]] int vector_of_thread(const om::Graph& graph, const Group& group, int wanted);

/// Registers of 4 bytes for a cell's values where a thread makes several: compilers load much of
/// what such a thread reads before they need it.
[[nodiscard]] double live_in_vectors(const om::Graph& graph, const Group& group);
/// What a thread with a vector takes besides one with one cell, of which `live` are for values, of
/// 4 bytes: an estimate.
[[nodiscard]] double registers_of_vector(double live, int vector);

/// Makes room beyond the grid for what the vectors of a group reach.
void widen_margin(Extent& margin, const Group& group);

}  // namespace paraiso::plan
