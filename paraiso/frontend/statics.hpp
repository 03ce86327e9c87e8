// Statics: what a machine remembers between kernels: a Field has one element per cell, a Scalar
// one.
// Gives: Field, Scalar, Parameter, Time, TimeStep, TimeLimit, fields. Needs: builder, boundary.
//
// A static is neither copied nor moved: `load` reads it into a value, `store` writes a value back.
// (For a static that is initialised in its class's member declaration, compilers report the line of
// the class's constructor.)
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "paraiso/frontend/boundary.hpp"
#include "paraiso/frontend/builder.hpp"

namespace paraiso {
namespace detail {

class StaticBase {
 public:
  StaticBase(const StaticBase&) = delete;
  StaticBase& operator=(const StaticBase&) = delete;
  [[nodiscard]] const StaticHandle& handle() const { return handle_; }
  [[nodiscard]] const std::string& name() const { return handle_.name; }

 protected:
  explicit StaticBase(StaticHandle handle) : handle_(std::move(handle)) {}
  ~StaticBase() = default;

 private:
  StaticHandle handle_;
};

[[nodiscard]] inline om::Static static_named(std::string_view name, om::StaticRole role,
                                             int axis = 0) {
  om::Static declared;
  declared.name = name;
  declared.role = role;
  declared.axis = axis;
  return declared;
}

/// A Global static of `declared`'s name, role and bounds, with elements T.
template <class T>
StaticHandle declare_global(Recorder& machine, om::Static declared, om::Constant initial,
                            Location location) {
  declared.type = {om::Realm::global, om::element_of<T>()};
  declared.initial = constant_of(om::element_of<T>(), initial, location);
  declared.location = location;
  return machine.declare(std::move(declared));
}

}  // namespace detail

/// One element of type T per cell.
template <class T, int D>
class Field : public detail::StaticBase {
 public:
  Field(Builder<D>& om, std::string_view name, const Boundaries<D>& boundary, Here here = {})
      : Field(om, name, boundary, uniform<D>(1), here) {}
  /// `mirror[a]` is -1 if `reflect()` along axis a changes the sign.
  Field(Builder<D>& om, std::string_view name, const Boundaries<D>& boundary,
        const Vec<int, D>& mirror, Here here = {})
      : StaticBase(declare(om, name, boundary, mirror, here.location)),
        recorder_(&om.recorder()),
        mirror_(mirror) {}

  /// Replaces the rules of the declaration, for a boundary kernel that loads the Field it is for.
  void set_boundary(const Boundaries<D>& boundary, Here here = {}) const {
    recorder_->set_boundary(
        handle(), boundary.for_static(om::element_of<T>(), mirror_, *recorder_, here.location),
        here.location);
  }

 private:
  static detail::StaticHandle declare(Builder<D>& om, std::string_view name,
                                      const Boundaries<D>& boundary, const Vec<int, D>& mirror,
                                      Location location) {
    om::Static declared;
    declared.name = name;
    declared.type = {om::Realm::local, om::element_of<T>()};
    declared.boundary = boundary.for_static(om::element_of<T>(), mirror, om.recorder(), location);
    declared.location = location;
    return om.recorder().declare(std::move(declared));
  }
  detail::Recorder* recorder_;
  Vec<int, D> mirror_;
};

/// One number of type T; 0 before any kernel runs, unless given otherwise.
template <class T, int D>
class Scalar : public detail::StaticBase {
 public:
  Scalar(Builder<D>& om, std::string_view name, Here here = {})
      : Scalar(om, name, om::StaticRole::plain, T{}, here) {}
  Scalar(Builder<D>& om, std::string_view name, om::StaticRole role, T initial, Here here = {})
      : StaticBase(detail::declare_global<T>(om.recorder(), detail::static_named(name, role),
                                             detail::number(initial), here.location)) {}
};

/// The time of the state; `run` compares it with the end time.
template <class T, int D>
class Time : public Scalar<T, D> {
 public:
  explicit Time(Builder<D>& om, std::string_view name = "time", Here here = {})
      : Scalar<T, D>(om, name, om::StaticRole::time, T{}, here) {}
};

/// The length of the next step, unless the time limit is nearer.
template <class T, int D>
class TimeStep : public Scalar<T, D> {
 public:
  explicit TimeStep(Builder<D>& om, std::string_view name = "time_step", Here here = {})
      : Scalar<T, D>(om, name, om::StaticRole::time_step, T{}, here) {}
};

/// The time that no step may go beyond; infinite unless `run` sets it.
template <class T, int D>
class TimeLimit : public Scalar<T, D> {
 public:
  explicit TimeLimit(Builder<D>& om, std::string_view name = "time_limit", Here here = {})
      : Scalar<T, D>(om, name, om::StaticRole::time_limit, std::numeric_limits<T>::infinity(),
                     here) {}
};

/// Closed bounds of a parameter.
struct Bounds {
  std::optional<double> minimum, maximum;
};

/// A number that the user may set before a run, and no kernel stores.
template <class T, int D>
class Parameter : public detail::StaticBase {
 public:
  Parameter(Builder<D>& om, std::string_view name, T initial, Bounds bounds = {}, Here here = {})
      : Parameter(om, detail::static_named(name, om::StaticRole::parameter), initial, bounds,
                  here) {}
  Parameter(Builder<D>& om, om::Static declared, T initial, Bounds bounds, Here here)
      : StaticBase(detail::declare_global<T>(om.recorder(),
                                             bounded(std::move(declared), bounds, here.location),
                                             detail::number(initial), here.location)) {}

 private:
  static om::Static bounded(om::Static declared, const Bounds& bounds, Location location) {
    const auto constant = [&](double bound) {
      return detail::constant_of(om::element_of<T>(), om::Constant(bound), location);
    };
    if (bounds.minimum) declared.minimum = constant(*bounds.minimum);
    if (bounds.maximum) declared.maximum = constant(*bounds.maximum);
    return declared;
  }
};

namespace detail {

/// Fields in the shape of S: a record or Vec of Fields, or one Field; names are joined by `_`.
template <class S, int D, class Rules>
S make_fields(Builder<D>& om, const std::string& name, const Rules& rules, Vec<int, D> mirror,
              Here here) {
  if constexpr (!CompositeType<S>) {
    return S(om, name, rules, mirror, here);
  } else {
    return assemble<S>(
        [&](auto i) {
          std::string path = (name.empty() ? "" : name + "_") + component_name<S>(i);
          Vec<int, D> turned = mirror;
          // Of more components than space has, none is a direction.
          if constexpr (IsVec<S>::value && component_count<S>() <= std::max(D, 3) && i < D)
            turned.components[i] *= -1;
          return make_fields<component_t<S, i>>(om, path, component<i>(rules), turned, here);
        },
        std::make_integer_sequence<int, component_count<S>()>{});
  }
}

}  // namespace detail

/// A record or Vec of Fields: `auto state = fields<Conserved<Field<Real, D>, D>>(om, "", cyclic())`
/// declares `density`, `momentum_x`, ...; a `name` comes first: `state_density`. `boundary` is for
/// all of them, or a record of Boundaries with one for each. `reflect()` reverses a Vec's component
/// along the wall's axis, if it has no more components than a vector in space.
template <class S, int D, class Rules>
S fields(Builder<D>& om, std::string_view name, const Rules& boundary, Here here = {}) {
  if constexpr (Composite<Rules>)
    return detail::make_fields<S>(om, std::string(name), boundary, uniform<D>(1), here);
  else
    return detail::make_fields<S>(om, std::string(name), Boundaries<D>(boundary), uniform<D>(1),
                                  here);
}

}  // namespace paraiso
