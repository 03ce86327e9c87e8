// Time marching: one step of d(state)/dt = rate, for any record of variables and any rate.
// Gives: add, Integrator, two_stage, heun, ssp_rk3, Rate, integrators. Needs: annotate, method.
//
// A scheme is given `change(state, dt, stage)`, the rate at `state` times `dt`, so that the time
// step enters where it costs least, for instance together with the mesh width. `stage` is the
// state's name, for naming values computed from it.
//
// To add one: a function here and its row in `integrators`; the solvers offer it.
#pragma once

#include <concepts>
#include <functional>

#include "numerics/method.hpp"
#include "paraiso/frontend/annotate.hpp"

namespace paraiso::numerics {

/// Takes a step of length `dt` from `state`, a record or a single value, at the rate given by
/// `change`; units are the caller's. The sum over all cells changes by nothing but `change`, up to
/// rounding.
template <class F, class R, class Time, class Change>
concept Integrator = requires(const F& integrator, const R& state, const Time& dt,
                              const Change& change) {
  { integrator(state, dt, change) } -> std::same_as<R>;
};

/// The sum of two records, or of single values.
template <class R>
[[nodiscard]] R add(const R& a, const R& b) {
  return zip([](const auto& x, const auto& y) { return x + y; }, a, b);
}

/// Second order in two stages, the midpoint rule: half a step, then a whole step at the rate found
/// there. Runge (1895); eq. 24 to 27 of Muranushi (2012). The stages are `start` and `half`.
inline constexpr auto two_stage = []<class R, class Time, class Change>(
                                      const R& state, const Time& dt, const Change& change) -> R {
  const R half = scoped("start", [&] {
    return named("half", add(state, change(state, Time(dt / 2), std::string("start"))));
  });
  return scoped("half", [&] { return add(state, change(half, dt, std::string("half"))); });
};

/// Second order in two stages, each a convex combination of Euler steps, so that total variation
/// grows only if it does in an Euler step: Heun (1900); Shu and Osher (1988), eq. 2.16. The stages
/// are `start` and `first`.
inline constexpr auto heun = []<class R, class Time, class Change>(const R& state, const Time& dt,
                                                                   const Change& change) -> R {
  const R from_start = scoped("start", [&] { return change(state, dt, std::string("start")); });
  const R first = scoped("start", [&] { return named("first", add(state, from_start)); });
  return scoped("first", [&] {
    return zip([]<class T>(const T& u, const T& c0,
                           const T& c1) -> T { return u + number_type<T>(0.5) * (c0 + c1); },
               state, from_start, change(first, dt, std::string("first")));
  });
};

/// The same in third order with three stages: Shu and Osher (1988), eq. 2.18, written as changes of
/// the first state. The stages are `start`, `first` and `second`.
inline constexpr auto ssp_rk3 = []<class R, class Time, class Change>(
                                    const R& state, const Time& dt, const Change& change) -> R {
  const R from_start = scoped("start", [&] { return change(state, dt, std::string("start")); });
  const R first = scoped("start", [&] { return named("first", add(state, from_start)); });
  const R so_far =
      scoped("first", [&] { return add(from_start, change(first, dt, std::string("first"))); });
  const R second = scoped("first", [&] {
    return named(
        "second",
        zip([]<class T>(const T& u, const T& c) -> T { return u + number_type<T>(0.25) * c; },
            state, so_far));
  });
  return scoped("second", [&] {
    return zip([]<class T>(const T& u, const T& c,
                           const T& c2) -> T { return u + number_type<T>(1.0 / 6) * (c + 4 * c2); },
               state, so_far, change(second, dt, std::string("second")));
  });
};

/// The type of `change` in a table of integrators.
template <class R, class Time>
using Rate = std::function<R(const R& state, const Time& dt, const std::string& stage)>;

template <class R, class Time>
using IntegratorFunction = R (*)(const R& state, const Time& dt, const Rate<R, Time>& change);

template <class R, class Time>
[[nodiscard]] Methods<IntegratorFunction<R, Time>> integrators() {
  return {
      {"midpoint", "second order, two stages: Runge (1895)", two_stage},
      {"heun", "second order, two stages, TVD: Shu and Osher (1988)", heun},
      {"ssp_rk3", "third order, three stages, TVD: Shu and Osher (1988)", ssp_rk3},
  };
}

}  // namespace paraiso::numerics
