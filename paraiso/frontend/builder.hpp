// Builder: writes a machine, its statics and its kernels, from the user's equations.
// Gives: Builder<D>. Needs: recorder, record, boundary.
#pragma once

#include "paraiso/frontend/boundary.hpp"
#include "paraiso/frontend/record.hpp"

namespace paraiso {

/// A machine on a D-dimensional grid while it is being written.
template <int D>
class Builder {
  static_assert(1 <= D && D <= om::kLargestDimension, "a grid has 1 to 16 dimensions");

 public:
  explicit Builder(std::string_view name, Here here = {}) : recorder_(name, D, here.location) {}

  /// The kernel that advances the state by one time step; `body()` is run once, now.
  template <class Body>
  void step(std::string_view name, Body&& body, Here here = {}) {
    recorder_.kernel(name, om::KernelRole::step, body, here.location);
  }
  /// The kernel that sets the initial state of the problem of that name.
  template <class Body>
  void initial(std::string_view name, Body&& body, Here here = {}) {
    recorder_.kernel(name, om::KernelRole::initial, body, here.location);
  }
  /// Any other kernel.
  template <class Body>
  void kernel(std::string_view name, Body&& body, Here here = {}) {
    recorder_.kernel(name, om::KernelRole::plain, body, here.location);
  }
  /// A boundary that `body()` computes at each ghost cell, from the cell's index and coordinates,
  /// Globals, and Fields extended by their nearest core cell. A record of Locals gives a record of
  /// Boundaries.
  template <class Body>
  auto boundary(std::string_view name, Body&& body, Here here = {}) {
    return boundary_of(std::string(name), body, here);
  }
  /// The finished and verified machine.
  [[nodiscard]] om::Machine machine(Here here = {}) { return recorder_.machine(here.location); }

  [[nodiscard]] detail::Recorder& recorder() { return recorder_; }

 private:
  template <class Body>
  auto boundary_of(const std::string& name, Body&& body, Here here) {
    using Value = decltype(body());
    if constexpr (Composite<Value>) {
      // A boundary kernel gives one value, so the body runs once per component.
      return detail::assemble<Value>(
          [&](auto i) {
            const auto part = [&] { return detail::component_t<Value, i>(component_of<i>(body)); };
            std::string component = detail::component_name<Value>(i);
            return boundary_of(name + "_" + component, part, here);
          },
          std::make_integer_sequence<int, detail::component_count<Value>()>{});
    } else {
      static_assert(detail::ValueTraits<Value>::is_local, "a boundary kernel gives a Local value");
      static_assert(std::is_same_v<Value, Local<number_type<Value>, D>>,
                    "a boundary kernel gives a value on the grid of its machine");
      const auto handle = [&] { return body().handle(); };
      return Boundary(
          Boundary::Kernel{&recorder_, recorder_.boundary_kernel(name, handle, here.location)});
    }
  }
  template <int I, class Body>
  static auto component_of(Body& body) {
    const auto value = body();
    return detail::component<I>(value);
  }

  detail::Recorder recorder_;
};

}  // namespace paraiso
