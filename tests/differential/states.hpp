// The state of an instance, all at once. Gives: set_state, get_state. Needs: Instance, State.
#pragma once

#include <cstring>

#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::test {

inline void set_state(runtime::Instance& instance, const om::State& state) {
  for (std::size_t s = 0; s < state.arrays.size(); ++s) {
    om::StaticId id(s);
    if (instance.machine().at(id).type.realm == om::Realm::global) {
      instance.set_scalar(id, state.arrays[s].at(0));
      continue;
    }
    om::with_element(state.arrays[s].element, [&](auto t) {
      std::vector<char> cells(state.arrays[s].bits.size() * sizeof t);
      for (std::size_t n = 0; n < state.arrays[s].bits.size(); ++n) {
        t = state.arrays[s].at(n).template as<decltype(t)>();
        std::memcpy(cells.data() + n * sizeof t, &t, sizeof t);
      }
      instance.write(id, {om::Cell(state.size.size(), 0), state.size}, cells.data());
    });
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
    om::with_element(state.arrays[s].element, [&](auto t) {
      std::vector<char> cells(state.arrays[s].bits.size() * sizeof t);
      instance.read(id, {om::Cell(state.size.size(), 0), state.size}, cells.data());
      for (std::size_t n = 0; n < state.arrays[s].bits.size(); ++n) {
        std::memcpy(&t, cells.data() + n * sizeof t, sizeof t);
        state.arrays[s].set(n, om::Constant(t));
      }
    });
  }
  return state;
}

}  // namespace paraiso::test
