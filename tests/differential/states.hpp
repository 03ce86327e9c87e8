// The state of an instance, all at once. Gives: set_state, get_state. Needs: Instance, State.
#pragma once

#include "paraiso/om/interpret.hpp"
#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::test {

inline void set_state(runtime::Instance& instance, const om::State& state) {
  for (std::size_t s = 0; s < state.arrays.size(); ++s) {
    om::StaticId id(s);
    if (instance.machine().at(id).type.realm == om::Realm::global) {
      instance.set_scalar(id, state.arrays[s].at(0));
      continue;
    }
    auto field = instance.field(id);
    std::size_t n = 0;
    runtime::for_each_cell(state.size,
                           [&](const auto& cell) { field.set(cell, state.arrays[s].at(n++)); });
  }
}

inline om::State get_state(runtime::Instance& instance) {
  om::State state = om::initial_state(instance.machine(), instance.size());
  for (std::size_t s = 0; s < state.arrays.size(); ++s) {
    om::StaticId id(s);
    if (instance.machine().at(id).type.realm == om::Realm::global) {
      state.arrays[s].set(0, instance.scalar(id));
      continue;
    }
    auto field = instance.field(id);
    std::size_t n = 0;
    runtime::for_each_cell(state.size,
                           [&](const auto& cell) { state.arrays[s].set(n++, field.get(cell)); });
  }
  return state;
}

}  // namespace paraiso::test
