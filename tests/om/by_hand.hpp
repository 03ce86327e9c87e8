// Programs written down by hand, and their states as text. Gives: Program, set, text, shifted.
// Needs: the interpreter.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/om/verify/verify.hpp"

namespace paraiso::om::by_hand {

inline constexpr Type kLocal{Realm::local, Element::f64}, kGlobal{Realm::global, Element::f64};
inline constexpr Type kLocalInt{Realm::local, Element::i64},
    kGlobalInt{Realm::global, Element::i64};
using Sides = std::array<Boundary, 2>;
inline const Sides kCyclic = {Cyclic{}, Cyclic{}}, kOutflow = {Outflow{}, Outflow{}};

/// A machine written down by hand: statics first, then its kernels.
struct Program {
  Machine machine;

  explicit Program(int dimension) {
    machine.name = "test";
    machine.dimension = dimension;
  }
  StaticId local(const char* name, std::vector<Sides> boundary, Type type = kLocal) {
    StaticId id = global(name, type);
    machine.statics[id.index].boundary = std::move(boundary);
    return id;
  }
  StaticId global(const char* name, Type type = kGlobal) {
    Static& added = machine.statics.emplace_back();
    added.name = name;
    added.type = type;
    added.initial = Constant::from_double(type.element, 0);
    return StaticId(machine.statics.size() - 1);
  }
  Graph graph() const { return Graph(machine.signature()); }
  BoundaryKernelId boundary_kernel(Graph graph, ValueId result) {
    machine.boundary_kernels.push_back({"edge", std::move(graph), result, {}});
    return BoundaryKernelId(machine.boundary_kernels.size() - 1);
  }
  /// Adds a kernel whose graph `build` makes, and runs it on `state`.
  template <class Build>
  void run(State& state, Build&& build) {
    Graph graph = this->graph();
    build(graph);
    machine.kernels = {{"kernel", KernelRole::plain, std::move(graph), {}}};
    verify(machine);
    interpret(machine, machine.kernels[0], state);
  }
};

template <class T = double>
void set(State& state, StaticId id, std::vector<T> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    state.arrays[id.index].set(i, Constant(values[i]));
}

inline std::string text(const State& state, StaticId id) {
  std::string all;
  const Array& array = state.arrays[id.index];
  for (std::size_t i = 0; i < array.bits.size(); ++i)
    all += (i == 0 ? "" : " ") + array.at(i).text();
  return all;
}

inline ValueId shifted(Graph& g, ValueId v, Offset offset) {
  return g.add(Shift{std::move(offset)}, {v});
}

}  // namespace paraiso::om::by_hand
