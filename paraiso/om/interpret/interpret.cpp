#include "paraiso/om/interpret/interpret.hpp"

#include <fmt/format.h>

#include "paraiso/om/interpret/interpret_memory.hpp"

namespace paraiso::om {
namespace {

void check_size(const Machine& machine, const std::vector<std::int64_t>& size) {
  if (size.size() != static_cast<std::size_t>(machine.dimension))
    throw Error(fmt::format("`{}` has {} dimension{}, the size has {}", machine.name,
                            machine.dimension, machine.dimension == 1 ? "" : "s", size.size()));
  std::size_t cells = 1;
  for (std::size_t a = 0; a < size.size(); ++a) {
    if (size[a] < 1)
      throw Error(fmt::format("the size of axis {} is {}, expected 1 or more", a, size[a]));
    if (static_cast<std::size_t>(size[a]) > kLargestGrid / cells)
      throw Error(fmt::format("a grid of {} cells is too large for the interpreter, which takes {}",
                              fmt::join(size, "x"), kLargestGrid));
    cells *= size[a];
  }
}

}  // namespace

Constant Array::at(std::size_t i) const {
  // Through the element's own type, so that any NaN becomes Constant's canonical one.
  return with_element(element, [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_same_v<T, float>)
      return Constant(std::bit_cast<float>(static_cast<std::uint32_t>(bits[i])));
    else if constexpr (std::is_same_v<T, double>)
      return Constant(std::bit_cast<double>(bits[i]));
    else
      return Constant(static_cast<T>(bits[i]));
  });
}

std::size_t State::cell_count() const {
  std::size_t count = 1;
  for (std::int64_t n : size) count *= n;
  return count;
}

State initial_state(const Machine& machine, std::vector<std::int64_t> size) {
  check_size(machine, size);
  State state{std::move(size), {}};
  for (const auto& s : machine.statics) {
    const bool local = s.type.is_local();
    const Constant value = local ? Constant::from_double(s.type.element, 0) : s.initial;
    const std::size_t count = local ? state.cell_count() : 1;
    state.arrays.push_back({s.type.element, std::vector<std::uint64_t>(count, value.bits())});
  }
  return state;
}

void interpret(const Machine& machine, const Kernel& kernel, State& state) {
  Memory memory(machine, state);
  evaluate_graph(
      kernel.graph, memory.core(), state.size,
      [&](const Load& load, const Cell& cell) { return memory.load(load.source, load.step, cell); },
      [&](const Store& store, const Values& values) {
        memory.store(store.target, store.step, values);
      });
  memory.commit(state);
}

}  // namespace paraiso::om
