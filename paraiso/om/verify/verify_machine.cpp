// The rules of a machine, its statics and their boundaries.
#include <fmt/format.h>

#include <map>
#include <set>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/om/verify/verify.hpp"
#include "paraiso/om/verify/verify_rules.hpp"

namespace paraiso::om::rule {
namespace {

/// Names of `items` are identifiers and differ.
template <class Items>
void check_names(const char* kind, const Items& items) {
  std::map<std::string_view, Location> seen;
  for (const auto& item : items) {
    if (!is_identifier(item.name))
      throw Error(item.location, fmt::format("the {} {} has a name that is no identifier: expected "
                                             "letters, digits and single underscores, at most 64",
                                             kind, shown(item.name)));
    auto [known, added] = seen.emplace(item.name, item.location);
    if (!added)
      throw Error(item.location, fmt::format("a second {} `{}`", kind, item.name))
          .with_note(known->second, "the first one is here");
  }
}

/// Calls `f(static, axis, side, boundary)` for every side of every Local static.
template <class F>
void for_each_boundary(const Machine& machine, F f) {
  for (const auto& s : machine.statics)
    for (std::size_t axis = 0; axis < s.boundary.size(); ++axis)
      for (int side : {0, 1}) f(s, axis, side, s.boundary[axis][side]);
}

const char* side_name(int side) { return side == 0 ? "lower" : "upper"; }

std::string at(const Static& s, std::size_t axis, int side) {
  return fmt::format("`{}`, axis {}, {} side", s.name, axis, side_name(side));
}

bool is_domain_bound(StaticRole role) {
  return role == StaticRole::domain_lower || role == StaticRole::domain_upper;
}

bool is_parameter(const Static& s) {
  return s.role == StaticRole::parameter || is_domain_bound(s.role);
}

/// Less-or-equal of two constants of one element; false if either is NaN.
bool in_order(const Constant& low, const Constant& high) {
  return with_element(low.element(),
                      [&](auto t) { return low.as<decltype(t)>() <= high.as<decltype(t)>(); });
}

}  // namespace

void machine_name(const Machine& machine) {
  if (!is_identifier(machine.name))
    throw Error(
        fmt::format("the machine's name {} is no identifier: expected letters, digits and "
                    "single underscores, at most 64",
                    shown(machine.name)));
}

void dimension(const Machine& machine) {
  if (machine.dimension < 1 || machine.dimension > kLargestDimension)
    throw Error(fmt::format("machine `{}` has dimension {}, expected 1 to {}", machine.name,
                            machine.dimension, kLargestDimension));
}

void static_names(const Machine& machine) { check_names("static", machine.statics); }
void kernel_names(const Machine& machine) { check_names("kernel", machine.kernels); }
void boundary_kernel_names(const Machine& machine) {
  check_names("boundary kernel", machine.boundary_kernels);
}

void boundary_count(const Machine& machine) {
  for (const auto& s : machine.statics) {
    int expected = s.type.is_local() ? machine.dimension : 0;
    if (static_cast<int>(s.boundary.size()) != expected)
      throw Error(s.location, fmt::format("{} static `{}` has boundaries for {} axes, expected {}",
                                          name(s.type.realm), s.name, s.boundary.size(), expected));
  }
}

void cyclic_pairs(const Machine& machine) {
  for_each_boundary(machine, [](const Static& s, std::size_t axis, int side, const Boundary& b) {
    if (std::holds_alternative<Cyclic>(b) &&
        !std::holds_alternative<Cyclic>(s.boundary[axis][1 - side]))
      throw Error(s.location, fmt::format("`{}` is cyclic on the {} side of axis {} only", s.name,
                                          side_name(side), axis_name(static_cast<int>(axis))));
  });
}

void reflect_sign(const Machine& machine) {
  for_each_boundary(machine, [](const Static& s, std::size_t axis, int side, const Boundary& b) {
    const auto* reflect = std::get_if<Reflect>(&b);
    if (!reflect) return;
    if (reflect->sign != 1 && reflect->sign != -1)
      throw Error(s.location, fmt::format("{}: reflect has the sign {}, expected +1 or -1",
                                          at(s, axis, side), reflect->sign));
    if (reflect->sign == -1 && s.type.element == Element::boolean)
      throw Error(s.location,
                  fmt::format("{}: a bool is reflected with `-`, expected `+`", at(s, axis, side)));
  });
}

void fixed_element(const Machine& machine) {
  for_each_boundary(machine, [](const Static& s, std::size_t axis, int side, const Boundary& b) {
    const auto* fixed = std::get_if<Fixed>(&b);
    if (fixed && fixed->value.element() != s.type.element)
      throw Error(s.location, fmt::format("{}: the fixed value {} is {}, expected {}",
                                          at(s, axis, side), fixed->value.text(),
                                          name(fixed->value.element()), name(s.type.element)));
  });
}

void user_boundary(const Machine& machine) {
  for_each_boundary(machine, [&](const Static& s, std::size_t axis, int side, const Boundary& b) {
    const auto* user = std::get_if<UserBoundary>(&b);
    if (!user) return;
    if (user->kernel.index >= machine.boundary_kernels.size())
      throw Error(s.location,
                  fmt::format("{}: the boundary kernel does not exist", at(s, axis, side)));
    const auto& kernel = machine.boundary_kernels[user->kernel.index];
    Element element = kernel.graph.type(kernel.result).element;
    if (element != s.type.element)
      throw Error(s.location,
                  fmt::format("{}: boundary kernel `{}` gives {}, expected {}", at(s, axis, side),
                              kernel.name, name(element), name(s.type.element)))
          .with_note(kernel.location, fmt::format("boundary kernel `{}` is here", kernel.name));
  });
}

void role_type(const Machine& machine) {
  for (const auto& s : machine.statics) {
    if (s.role == StaticRole::plain) continue;
    bool any_element = s.role == StaticRole::parameter;
    if (s.type.realm != Realm::global || !(any_element || is_float(s.type.element)))
      throw Error(s.location,
                  fmt::format("`{}` with role {} is {}, expected {}", s.name, name(s.role),
                              name(s.type), any_element ? "global" : "global f32 or f64"));
  }
}

void role_once(const Machine& machine) {
  std::map<std::pair<StaticRole, int>, const Static*> seen;
  for (const auto& s : machine.statics) {
    if (s.role == StaticRole::plain || s.role == StaticRole::parameter) continue;
    auto [first, added] = seen.emplace(std::pair(s.role, s.axis), &s);
    if (added) continue;
    std::string axis = is_domain_bound(s.role) ? fmt::format(" of axis {}", s.axis) : "";
    throw Error(s.location, fmt::format("`{}` has the role {}{}, `{}` has it already", s.name,
                                        name(s.role), axis, first->second->name))
        .with_note(first->second->location, fmt::format("`{}` declared here", first->second->name));
  }
}

void role_axis(const Machine& machine) {
  for (const auto& s : machine.statics) {
    int axes = is_domain_bound(s.role) ? machine.dimension : 1;
    if (s.axis < 0 || s.axis >= axes)
      throw Error(s.location, fmt::format("`{}` has the role {} of axis {}, expected 0 to {}",
                                          s.name, name(s.role), s.axis, axes - 1));
  }
}

void domain_pairs(const Machine& machine) {
  for (const auto& s : machine.statics) {
    if (!is_domain_bound(s.role)) continue;
    StaticRole other =
        s.role == StaticRole::domain_lower ? StaticRole::domain_upper : StaticRole::domain_lower;
    if (!machine.find_role(other, s.axis))
      throw Error(s.location, fmt::format("`{}` is the {} of axis {}, which has no {}", s.name,
                                          name(s.role), s.axis, name(other)));
  }
}

void initial_element(const Machine& machine) {
  for (const auto& s : machine.statics)
    if (s.type.realm == Realm::global && s.initial.element() != s.type.element)
      throw Error(s.location,
                  fmt::format("`{}` has the initial value {} of type {}, expected {}", s.name,
                              s.initial.text(), name(s.initial.element()), name(s.type.element)));
}

void bounds_of_parameters(const Machine& machine) {
  for (const auto& s : machine.statics)
    for (const auto& bound : {s.minimum, s.maximum}) {
      if (!bound) continue;
      if (!is_parameter(s))
        throw Error(s.location, fmt::format("`{}` has the bound {} and is no parameter", s.name,
                                            bound->text()));
      if (bound->element() != s.type.element)
        throw Error(s.location,
                    fmt::format("`{}` has the bound {} of type {}, expected {}", s.name,
                                bound->text(), name(bound->element()), name(s.type.element)));
    }
}

void bounds_order(const Machine& machine) {
  for (const auto& s : machine.statics)
    if (s.minimum && s.maximum && !in_order(*s.minimum, *s.maximum))
      throw Error(s.location, fmt::format("`{}` is bounded from {} to {}", s.name,
                                          s.minimum->text(), s.maximum->text()));
}

void default_in_bounds(const Machine& machine) {
  for (const auto& s : machine.statics) {
    if ((s.minimum && !in_order(*s.minimum, s.initial)) ||
        (s.maximum && !in_order(s.initial, *s.maximum)))
      throw Error(s.location,
                  fmt::format("`{}` has the default {}, expected {}{}{}", s.name, s.initial.text(),
                              s.minimum ? "at least " + s.minimum->text() : "",
                              s.minimum && s.maximum ? " and " : "",
                              s.maximum ? "at most " + s.maximum->text() : ""));
  }
}

void has_kernel(const Machine& machine) {
  if (machine.kernels.empty())
    throw Error(fmt::format("machine `{}` has no kernel, so it stores nothing", machine.name));
}

void one_step_kernel(const Machine& machine) {
  const Kernel* first = machine.step_kernel();
  for (const auto& kernel : machine.kernels)
    if (kernel.role == KernelRole::step && &kernel != first)
      throw Error(kernel.location, fmt::format("`{}` is a second step kernel", kernel.name))
          .with_note(first->location, fmt::format("the first is `{}`", first->name));
}

}  // namespace paraiso::om::rule
