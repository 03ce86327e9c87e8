// state: an instance's statics as bytes: copied, put back, looked through for NaN, summed up.
// Gives: SavedState, save, restore, cell_count, state_bytes, state_scalars, find_nan, FieldSummary,
// summarise. Needs: Instance, step_flow.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

/// The core cells of every Local and the value of every Global, axis 0 fastest, one entry a static.
struct SavedState {
  std::vector<std::vector<char>> statics;
};
[[nodiscard]] SavedState save(Instance& instance);
/// Into memory that an earlier state has, without taking more.
void save(Instance& instance, SavedState& state);
void restore(Instance& instance, const SavedState& state);
/// Core cells of a grid, as a double: there is no overflow.
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

/// The Globals in which a NaN is one of the state: those that the step kernel both stores and
/// reads, and the time and time step. In others it is a result, which may be anything.
[[nodiscard]] std::vector<om::StaticId> state_scalars(const om::Machine& machine);

/// Where a NaN is: the first such Local in order of the statics, its first such cell, axis 0
/// fastest; else the first such of `scalars` (`cell` is empty then), which are `state_scalars`
/// unless given.
struct NanPlace {
  std::string name;
  std::vector<std::int64_t> cell;
};
[[nodiscard]] std::optional<NanPlace> find_nan(Instance& instance,
                                               std::span<const om::StaticId> scalars);
[[nodiscard]] std::optional<NanPlace> find_nan(Instance& instance);

struct FieldSummary {
  std::string name;
  om::Element element = om::Element::f64;
  double minimum = 0, maximum = 0;  // NaN if any cell is NaN
  double sum = 0;                   // compensated, in order, axis 0 fastest
  std::string hash;                 // 16 digits: FNV-1a of the core cells' bytes, any NaN canonical
};
struct ScalarSummary {
  std::string name;
  om::Constant value;
};
[[nodiscard]] std::vector<FieldSummary> summarise_fields(Instance& instance);
[[nodiscard]] std::vector<ScalarSummary> summarise_scalars(const Instance& instance);

}  // namespace paraiso::runtime
