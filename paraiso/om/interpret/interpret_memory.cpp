#include "paraiso/om/interpret/interpret_memory.hpp"

#include <algorithm>
#include <climits>

#include "paraiso/om/interpret/ghost_rules.hpp"

namespace paraiso::om {

const Array& Memory::at(StaticId id, int step) const {
  const Array* latest = &entry_.arrays[id.index];
  int latest_step = -1;
  for (const auto& version : versions_) {
    if (version.id == id && version.step < step && version.step > latest_step) {
      latest = &version.array;
      latest_step = version.step;
    }
  }
  return *latest;
}

Constant Memory::load(StaticId id, int step, Cell cell) const {
  // Halos are filled axis by axis, the last axis from all that earlier ones filled. So, going back,
  // an outside index is brought inside along the last axis first, then along those before it.
  bool negative = false;
  for (std::size_t a = cell.size(); a-- > 0;) {
    std::int64_t& index = cell[a];
    const std::int64_t n = entry_.size[a];
    if (index < 0 || index >= n)
      index = without_periods(machine_.at(id).boundary[a], n, index, negative);
    while (index < 0 || index >= n) {
      const bool upper = index >= n;
      const Boundary& side = machine_.at(id).boundary[a][upper];
      if (bring_inside(side, upper, n, index, negative)) continue;
      if (const auto* fixed = std::get_if<Fixed>(&side)) return negated_if(negative, fixed->value);
      const auto& kernel = machine_.boundary_kernels[std::get<UserBoundary>(side).kernel.index];
      return negated_if(negative, user_boundary(kernel, step, cell));
    }
  }
  return negated_if(negative, core_cell(id, step, cell));
}

Constant Memory::core_cell(StaticId id, int step, const Cell& cell) const {
  return at(id, step).at(cell.empty() ? 0 : core_.position(cell));
}

Constant Memory::clamped(StaticId id, int step, Cell cell) const {
  for (std::size_t a = 0; a < cell.size(); ++a)
    cell[a] = std::clamp<std::int64_t>(cell[a], 0, entry_.size[a] - 1);
  return core_cell(id, step, cell);
}

Constant Memory::user_boundary(const BoundaryKernel& kernel, int step, const Cell& cell) const {
  Box line = {cell, cell};
  for (auto& upper : line.upper) ++upper;
  for (std::size_t a = 0; a < cell.size(); ++a) {
    if (cell[a] < 0 || cell[a] >= entry_.size[a]) continue;
    line.lower[a] = 0;
    line.upper[a] = entry_.size[a];
    break;
  }
  Values& values = lines_[{&kernel, step, line.lower, line.upper}];
  if (values.constants.empty()) {
    const LoadCell load = [&](const Load& i, const Cell& at) {
      return clamped(i.source, step, at);
    };
    values = evaluate_graph(kernel.graph, line, entry_.size, load, {}, kernel.result);
  }
  return values.at(cell);
}

void Memory::store(StaticId id, int step, const Values& values) {
  Array array{machine_.at(id).type.element, {}};
  const bool local = machine_.at(id).type.is_local();
  const Box cells = local ? core_ : Box{};
  cells.for_each([&](const Cell& cell) { array.bits.push_back(values.at(cell).bits()); });
  versions_.push_back({id, step, std::move(array)});
}

void Memory::commit(State& state) const {
  std::vector<Array> arrays;
  for (std::size_t s = 0; s < state.arrays.size(); ++s) arrays.push_back(at(StaticId(s), INT_MAX));
  state.arrays = std::move(arrays);
}

}  // namespace paraiso::om
