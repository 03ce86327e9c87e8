#include "paraiso/runtime/fields/state.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "paraiso/base/text.hpp"
#include "paraiso/passes/step_flow.hpp"

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
  bool any = false;  // without a branch a cell this vectorises, and NaN is rare
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

std::optional<std::vector<std::int64_t>> nan_cell(const FieldView& view) {
  if (view.element == om::Element::f64) return nan_cell<double>(view);
  if (view.element == om::Element::f32) return nan_cell<float>(view);
  return std::nullopt;
}

/// Neumaier's compensated sum.
struct Sum {
  double total = 0, lost = 0;
  void add(double x) {
    double next = total + x;
    lost += std::abs(total) >= std::abs(x) ? (total - next) + x : (x - next) + total;
    total = next;
  }
  // Beyond the finite numbers there is nothing to compensate.
  [[nodiscard]] double value() const { return std::isfinite(total) ? total + lost : total; }
};

template <class T>
void summarise_field(const FieldView& view, FieldSummary& summary) {
  Sum sum;
  std::uint64_t hash = fnv1a({});
  double low = std::numeric_limits<double>::infinity(), high = -low;
  bool any_nan = false;
  for_each_row(view, [&](const char* row, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes / sizeof(T); ++i) {
      T value = reinterpret_cast<const T*>(row)[i];
      if constexpr (std::is_floating_point_v<T>)
        if (value != value) {
          value = std::numeric_limits<T>::quiet_NaN();
          any_nan = true;
        }
      const auto x = static_cast<double>(value);
      low = x < low ? x : low;
      high = x > high ? x : high;
      sum.add(x);
      hash = fnv1a({reinterpret_cast<const char*>(&value), sizeof value}, hash);
    }
  });
  const double nan = std::numeric_limits<double>::quiet_NaN();
  summary.minimum = any_nan ? nan : low;
  summary.maximum = any_nan ? nan : high;
  summary.sum = any_nan ? nan : sum.value();
  summary.hash = hex(hash);
}

}  // namespace

double cell_count(const std::vector<std::int64_t>& size) {
  double cells = 1;
  for (auto n : size) cells *= static_cast<double>(n);
  return cells;
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
      for_each_row(instance.field(id), [&](const char* row, std::size_t count) {
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
      for_each_row(instance.field(id), [&](char* row, std::size_t count) {
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
      if (auto cell = nan_cell(instance.field(om::StaticId(i))))
        return NanPlace{statics[i].name, *cell};
  for (const om::StaticId id : scalars)
    if (std::isnan(instance.scalar(id).to_double())) return NanPlace{statics[id.index].name, {}};
  return std::nullopt;
}

std::vector<FieldSummary> summarise_fields(Instance& instance) {
  std::vector<FieldSummary> summaries;
  const auto& statics = instance.machine().statics;
  for (std::size_t i = 0; i < statics.size(); ++i) {
    if (!statics[i].type.is_local()) continue;
    auto& summary = summaries.emplace_back();
    summary.name = statics[i].name;
    summary.element = statics[i].type.element;
    const auto view = instance.field(om::StaticId(i));
    om::with_element(view.element, [&](auto t) { summarise_field<decltype(t)>(view, summary); });
  }
  return summaries;
}

std::vector<ScalarSummary> summarise_scalars(const Instance& instance) {
  std::vector<ScalarSummary> summaries;
  const auto& statics = instance.machine().statics;
  for (std::size_t i = 0; i < statics.size(); ++i)
    if (!statics[i].type.is_local())
      summaries.push_back({statics[i].name, instance.scalar(om::StaticId(i))});
  return summaries;
}

}  // namespace paraiso::runtime
