// state: an instance's statics as bytes: copied, restored, searched for NaN.
// Gives: save, restore, cell_count, state_bytes, slabs_of, for_each_row, change_rows,
// state_scalars, nan_cell, find_nan.
// Needs: Instance, step_flow.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

[[nodiscard]] SavedState save(Instance& instance);
/// Reuses the memory of an earlier state.
void save(Instance& instance, SavedState& state);
void restore(Instance& instance, const SavedState& state);
/// The number of core cells of a grid; a double, so that it can't overflow.
[[nodiscard]] double cell_count(const std::vector<std::int64_t>& size);
/// Bytes of a SavedState of that size.
[[nodiscard]] double state_bytes(const om::Machine& machine, const std::vector<std::int64_t>& size);

/// Calls `visit(first_cell_of_row, bytes)` for each row of core cells along axis 0, in order.
template <class F>
void for_each_row(const FieldView& view, F&& visit) {
  const std::size_t bytes = om::size_of(view.element) * static_cast<std::size_t>(view.size[0]);
  auto rows = view.size;
  rows[0] = 1;
  for_each_cell(rows, [&](const std::vector<std::int64_t>& cell) {
    std::int64_t offset = 0;
    for (std::size_t a = 1; a < cell.size(); ++a) offset += cell[a] * view.strides[a];
    visit(static_cast<char*>(view.data) +
              offset * static_cast<std::int64_t>(om::size_of(view.element)),
          bytes);
  });
}

/// Rows of a divided field, and back to it if `changes`.
void each_row_of_slabs(Instance& instance, om::StaticId id, bool changes,
                       const std::function<void(char* row, std::size_t bytes)>& visit);

/// Some rows of a grid, of 4 MiB at most, one after the other: what of a divided field is in one
/// place at a time. Longer rows are cut between chunks of 256 cells.
[[nodiscard]] std::vector<om::Box> slabs_of(const std::vector<std::int64_t>& size,
                                            std::size_t element_bytes);

/// Calls `visit` likewise for a field of an instance, divided or not: long rows of a divided one
/// come in pieces. What `visit` does to a row is kept only by change_rows. Fields on a device are
/// copied to the host one at a time: no other view of the field is valid afterwards.
template <class F>
void for_each_row(Instance& instance, om::StaticId id, F&& visit) {
  if (!instance.is_divided()) {
    for_each_row(instance.look(id), visit);
    return instance.free_copy(id);
  }
  each_row_of_slabs(instance, id, false, [&](char* row, std::size_t bytes) { visit(row, bytes); });
}
template <class F>
void change_rows(Instance& instance, om::StaticId id, F&& visit) {
  if (!instance.is_divided()) {
    for_each_row(instance.field(id), visit);
    return instance.free_copy(id);
  }
  each_row_of_slabs(instance, id, true, [&](char* row, std::size_t bytes) { visit(row, bytes); });
}

/// The Globals in which a NaN counts as a broken state: those that the step kernel both stores and
/// reads, and the time and time step. Any other is a result, which may be anything.
[[nodiscard]] std::vector<om::StaticId> state_scalars(const om::Machine& machine);

/// The first cell of a field that is NaN, axis 0 fastest.
[[nodiscard]] std::optional<om::Cell> nan_cell(const FieldView& view);

/// Where a NaN is: in the first such Local in order of the statics, at the least position in the
/// grid, axis 0 fastest (a minimum: it depends on no order of search); else in the first such
/// Global of `scalars` (`cell` is then empty), which are `state_scalars` unless given.
struct NanPlace {
  std::string name;
  std::vector<std::int64_t> cell;
  std::optional<int> rank;  // that has the cell, of a divided instance
};
[[nodiscard]] std::optional<NanPlace> find_nan(Instance& instance,
                                               std::span<const om::StaticId> scalars);
[[nodiscard]] std::optional<NanPlace> find_nan(Instance& instance);

}  // namespace paraiso::runtime
