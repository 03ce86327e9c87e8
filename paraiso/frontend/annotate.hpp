// Annotations: hints to the planner around an expression; they change no value.
// Gives: manifest, delayed, named. Needs: record.
#pragma once

#include "paraiso/frontend/record.hpp"

namespace paraiso {
namespace detail {

template <class A>
A annotated(const A& a, om::Storing storing, Here here) {
  for_each(
      [&](const auto& value) {
        if constexpr (GraphValue<decltype(value)>)
          record_storing(value.handle(), storing, here.location);
      },
      a);
  return a;
}

}  // namespace detail

/// Kept in an array and read from there wherever it is used.
template <class A>
A manifest(const A& a, Here here = {}) {
  return detail::annotated(a, om::Storing::manifest, here);
}

/// Computed again wherever it is used.
template <class A>
A delayed(const A& a, Here here = {}) {
  return detail::annotated(a, om::Storing::delayed, here);
}

/// Called `name` in generated code and genes; components are called `name.density`,
/// `name.velocity.x`.
template <class A>
A named(std::string_view name, const A& a, Here here = {}) {
  for_each_named(
      [&](const std::string& path, const auto& value) {
        if constexpr (detail::GraphValue<decltype(value)>)
          detail::record_name(value.handle(), std::string(name) + (path.empty() ? "" : ".") + path,
                              here.location);
      },
      a);
  return a;
}

}  // namespace paraiso
