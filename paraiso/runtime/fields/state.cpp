#include "paraiso/runtime/fields/state.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "paraiso/passes/steps/step_flow.hpp"

namespace paraiso::runtime {
namespace {

std::vector<char> scalar_bytes(om::Constant value) {
  return om::with_element(value.element(), [&](auto t) {
    t = value.as<decltype(t)>();
    std::vector<char> bytes(sizeof t);
    std::memcpy(bytes.data(), &t, sizeof t);
    return bytes;
  });
}

om::Constant scalar_from(om::Element element, const std::vector<char>& bytes) {
  return om::with_element(element, [&](auto t) {
    std::memcpy(&t, bytes.data(), sizeof t);
    return om::Constant(t);
  });
}

/// The first NaN of a row, or `count`.
template <class T>
std::size_t first_nan(const T* row, std::size_t count) {
  bool any = false;  // without a branch per cell this vectorises, and NaN is rare
  for (std::size_t i = 0; i < count; ++i) any |= row[i] != row[i];
  if (!any) return count;
  std::size_t i = 0;
  while (row[i] == row[i]) ++i;
  return i;
}

/// The cell of the `position`-th core cell, axis 0 fastest.
std::vector<std::int64_t> cell_at(const std::vector<std::int64_t>& size, std::int64_t position) {
  std::vector<std::int64_t> cell;
  for (auto cells : size) {
    cell.push_back(position % cells);
    position /= cells;
  }
  return cell;
}

template <class T>
std::optional<std::vector<std::int64_t>> nan_cell(const FieldView& view) {
  std::int64_t position = 0, found = -1;
  for_each_row(view, [&](const char* row, std::size_t bytes) {
    if (found >= 0) return;
    const auto count = bytes / sizeof(T);
    const auto place = first_nan(reinterpret_cast<const T*>(row), count);
    if (place < count) found = position + static_cast<std::int64_t>(place);
    position += static_cast<std::int64_t>(count);
  });
  if (found < 0) return std::nullopt;
  return cell_at(view.size, found);
}

}  // namespace

std::optional<om::Cell> nan_cell(const FieldView& view) {
  if (view.element == om::Element::f64) return nan_cell<double>(view);
  if (view.element == om::Element::f32) return nan_cell<float>(view);
  return std::nullopt;
}

double cell_count(const std::vector<std::int64_t>& size) {
  double cells = 1;
  for (auto n : size) cells *= static_cast<double>(n);
  return cells;
}

std::vector<om::Box> slabs_of(const std::vector<std::int64_t>& size, std::size_t element_bytes) {
  const std::int64_t most = (4 << 20) / static_cast<std::int64_t>(element_bytes);
  om::Cell deep(size.size(), 1), slabs_along = size;
  deep[0] = std::min(size[0], most);
  if (size.size() > 1) deep[1] = std::clamp<std::int64_t>(most / size[0], 1, size[1]);
  for (std::size_t a = 0; a < size.size(); ++a) slabs_along[a] = (size[a] + deep[a] - 1) / deep[a];
  std::vector<om::Box> slabs;
  for_each_cell(slabs_along, [&](const om::Cell& number) {
    om::Box slab = {number, size};
    for (std::size_t a = 0; a < size.size(); ++a) {
      slab.lower[a] *= deep[a];
      slab.upper[a] = std::min(slab.lower[a] + deep[a], size[a]);
    }
    slabs.push_back(std::move(slab));
  });
  return slabs;
}

void each_row_of_slabs(Instance& instance, om::StaticId id, bool changes,
                       const std::function<void(char* row, std::size_t bytes)>& visit) {
  const std::size_t element = om::size_of(instance.machine().at(id).type.element);
  std::vector<char> cells;
  for (const om::Box& slab : slabs_of(instance.size(), element)) {
    const std::size_t row = slab.row_length() * element;
    cells.resize(slab.cell_count() * element);
    instance.read(id, slab, cells.data());
    for (std::size_t at = 0; at < cells.size(); at += row) visit(cells.data() + at, row);
    if (changes) instance.write(id, slab, cells.data());
  }
}

SavedState save(Instance& instance) {
  SavedState state;
  save(instance, state);
  return state;
}

void save(Instance& instance, SavedState& state) {
  const auto& statics = instance.machine().statics;
  state.statics.resize(statics.size());
  for (std::size_t i = 0; i < statics.size(); ++i) {
    const om::StaticId id(i);
    auto& bytes = state.statics[i];
    bytes.clear();
    if (statics[i].type.is_local()) {
      bytes.reserve(static_cast<std::size_t>(cell_count(instance.size())) *
                    om::size_of(statics[i].type.element));
      for_each_row(instance, id, [&](const char* row, std::size_t count) {
        bytes.insert(bytes.end(), row, row + count);
      });
    } else {
      bytes = scalar_bytes(instance.scalar(id));
    }
  }
}

void restore(Instance& instance, const SavedState& state) {
  const auto& statics = instance.machine().statics;
  for (std::size_t i = 0; i < statics.size(); ++i) {
    const om::StaticId id(i);
    const char* next = state.statics[i].data();
    if (statics[i].type.is_local())
      change_rows(instance, id, [&](char* row, std::size_t count) {
        std::memcpy(row, next, count);
        next += count;
      });
    else
      instance.set_scalar(id, scalar_from(statics[i].type.element, state.statics[i]));
  }
}

double state_bytes(const om::Machine& machine, const std::vector<std::int64_t>& size) {
  const double cells = cell_count(size);
  double bytes = 0;
  for (const auto& s : machine.statics)
    bytes += static_cast<double>(om::size_of(s.type.element)) * (s.type.is_local() ? cells : 1);
  return bytes;
}

std::vector<om::StaticId> state_scalars(const om::Machine& machine) {
  const om::Kernel* step = machine.step_kernel();
  passes::StaticSet state;
  if (step != nullptr) state = passes::statics_carried(machine, *step);
  for (const auto role : {om::StaticRole::time, om::StaticRole::time_step})
    if (const auto id = machine.find_role(role)) state.insert(*id);
  std::erase_if(state, [&](om::StaticId id) { return machine.at(id).type.is_local(); });
  return {state.begin(), state.end()};
}

std::optional<NanPlace> find_nan(Instance& instance) {
  return find_nan(instance, state_scalars(instance.machine()));
}

std::optional<NanPlace> find_nan(Instance& instance, std::span<const om::StaticId> scalars) {
  const auto& statics = instance.machine().statics;
  for (std::size_t i = 0; i < statics.size(); ++i)
    if (statics[i].type.is_local())
      if (auto found = instance.first_nan(om::StaticId(i)))
        return NanPlace{statics[i].name, std::move(found->cell), found->rank};
  for (const om::StaticId id : scalars)
    if (std::isnan(instance.scalar(id).to_double()))
      return NanPlace{statics[id.index].name, {}, {}};
  return std::nullopt;
}

}  // namespace paraiso::runtime
