// Functions of one cell, on plain numbers and on values of a kernel alike.
// Gives: min, max, abs, select, sqrt, exp, ..., cast, divmod, sincos. Needs: value.
// On plain numbers they are the functions of paraiso/support/arithmetic.hpp that the machine uses
// too, so a generic function gives the same bits in a unit test as in the interpreter.
// generic function gives the same bits in a unit test as in the interpreter.
#pragma once

#include "paraiso/frontend/value.hpp"
#include "paraiso/support/arithmetic.hpp"

namespace paraiso {
namespace detail {

/// Records `op` on values, or computes `meaning` on numbers, with all operands converted to type R.
template <class R, class Meaning, class... A>
R compute(om::Op op, Meaning meaning, Here here, const A&... operands) {
  if constexpr (GraphValue<R>)
    return apply<R>(op, Operand<R>(operands, here)...);
  else
    return meaning(static_cast<R>(operands)...);
}

/// The result type of functions of reals; plain integers count as double.
template <class... A>
struct Real {
  using M = meet_t<A...>;
  using type = std::conditional_t<std::is_integral_v<M>, double, M>;
};
template <class... A>
using real_t = typename Real<A...>::type;

template <class A, class U>
struct RebindElement {
  using type = U;
};
template <GraphValue A, class U>
struct RebindElement<A, U> {
  using type = typename ValueTraits<A>::template Rebind<U>;
};
/// A with elements of type U.
template <class A, class U>
using with_element_t = typename RebindElement<std::remove_cvref_t<A>, U>::type;

}  // namespace detail

// One row per function: its result type and its operands.
#define PARAISO_FUNCTION1(name, op, result_t)                                \
  template <detail::Single A>                                                \
  detail::result_t<A> name(const A& a, Here here = {}) {                     \
    return detail::compute<detail::result_t<A>>(                             \
        om::Op::op, [](auto x) { return paraiso_support::op(x); }, here, a); \
  }
#define PARAISO_FUNCTION2(name, op, result_t)                                              \
  template <detail::Single A, detail::Single B>                                            \
  detail::result_t<A, B> name(const A& a, const B& b, Here here = {}) {                    \
    return detail::compute<detail::result_t<A, B>>(                                        \
        om::Op::op, [](auto x, auto y) { return paraiso_support::op(x, y); }, here, a, b); \
  }
#define PARAISO_FUNCTION3(name, op, result_t)                                                     \
  template <detail::Single A, detail::Single B, detail::Single C>                                 \
  detail::result_t<A, B, C> name(const A& a, const B& b, const C& c, Here here = {}) {            \
    return detail::compute<detail::result_t<A, B, C>>(                                            \
        om::Op::op, [](auto x, auto y, auto z) { return paraiso_support::op(x, y, z); }, here, a, \
        b, c);                                                                                    \
  }

PARAISO_FUNCTION2(min, min, meet_t)  // a < b ? a : b
PARAISO_FUNCTION2(max, max, meet_t)  // a > b ? a : b
PARAISO_FUNCTION1(abs, abs, meet_t)
PARAISO_FUNCTION1(signum, signum, meet_t)  // 1, -1, or x itself if it is zero or NaN
PARAISO_FUNCTION2(mod, mod, meet_t)        // the remainder of truncating division; mod(x, 0) = x
PARAISO_FUNCTION1(inv, inv, real_t)        // 1 / x

PARAISO_FUNCTION3(fma, madd, real_t)     // a b + c, rounded once
PARAISO_FUNCTION3(madd, madd, real_t)    // a b + c
PARAISO_FUNCTION3(msub, msub, real_t)    // a b - c
PARAISO_FUNCTION3(nmadd, nmadd, real_t)  // -(a b) + c
PARAISO_FUNCTION3(nmsub, nmsub, real_t)  // -(a b) - c

PARAISO_FUNCTION1(sqrt, sqrt, real_t)
PARAISO_FUNCTION1(cbrt, cbrt, real_t)
PARAISO_FUNCTION2(pow, pow, real_t)
PARAISO_FUNCTION1(exp, exp, real_t)
PARAISO_FUNCTION1(log, log, real_t)
PARAISO_FUNCTION1(sin, sin, real_t)
PARAISO_FUNCTION1(cos, cos, real_t)
PARAISO_FUNCTION1(tan, tan, real_t)
PARAISO_FUNCTION1(asin, asin, real_t)
PARAISO_FUNCTION1(acos, acos, real_t)
PARAISO_FUNCTION1(atan, atan, real_t)
PARAISO_FUNCTION2(atan2, atan2, real_t)  // of y and x, in that order
PARAISO_FUNCTION1(sinh, sinh, real_t)
PARAISO_FUNCTION1(cosh, cosh, real_t)
PARAISO_FUNCTION1(tanh, tanh, real_t)
PARAISO_FUNCTION1(floor, floor, real_t)
PARAISO_FUNCTION1(ceil, ceil, real_t)

#undef PARAISO_FUNCTION1
#undef PARAISO_FUNCTION2
#undef PARAISO_FUNCTION3

/// x to the power of an integer, by the machine's fixed tree of multiplications.
template <detail::Single A>
A ipow(const A& x, std::int32_t exponent, Here here = {}) {
  if constexpr (detail::GraphValue<A>) {
    using Exponent = detail::with_element_t<A, std::int32_t>;
    return detail::apply<A>(om::Op::ipow, detail::Operand<A>(x, here),
                            detail::Operand<Exponent>(exponent, here));
  } else {
    return paraiso_support::ipow(x, exponent);
  }
}
template <std::int32_t N, detail::Single A>
A ipow(const A& x, Here here = {}) {
  return ipow(x, N, here);
}

/// The same value as another element type: floats truncate to integers and saturate, NaN gives 0.
template <class U, detail::Single A>
detail::with_element_t<A, U> cast(const A& x, Here here = {}) {
  if constexpr (detail::GraphValue<A>)
    return detail::with_element_t<A, U>(
        detail::record_cast(om::element_of<U>(), x.handle(), here.location));
  else
    return paraiso_support::cast<U>(x);
}

/// Quotient (truncated) and remainder.
template <detail::Single A, detail::Single B, class R = detail::meet_t<A, B>>
std::pair<R, R> divmod(const A& a, const B& b, Here here = {}) {
  if constexpr (detail::GraphValue<R>) {
    auto [quotient, remainder] = detail::record_arith_pair(
        om::Op::divmod, {detail::Operand<R>(a, here).handle, detail::Operand<R>(b, here).handle},
        here.location);
    return {R(quotient), R(remainder)};
  } else {
    R x = static_cast<R>(a), y = static_cast<R>(b);
    return {paraiso_support::quotient(x, y), paraiso_support::mod(x, y)};
  }
}

/// Sine and cosine.
template <detail::Single A, class R = detail::real_t<A>>
std::pair<R, R> sincos(const A& x, Here here = {}) {
  if constexpr (detail::GraphValue<A>) {
    auto [sine, cosine] = detail::record_arith_pair(om::Op::sincos, {x.handle()}, here.location);
    return {R(sine), R(cosine)};
  } else {
    R real = static_cast<R>(x);
    return {paraiso_support::sin(real), paraiso_support::cos(real)};
  }
}

namespace detail {

/// The realm that a condition and two choices have in common, with the choices' elements.
template <class C, class R>
struct Selected {};
template <std::same_as<bool> C, class R>
struct Selected<C, R> {
  using type = R;
};
template <int D, class R>
requires(!GraphValue<R>) struct Selected<Local<bool, D>, R> {
  using type = Local<R, D>;
};
template <int D, class R>
requires(!GraphValue<R>) struct Selected<Global<bool, D>, R> {
  using type = Global<R, D>;
};
template <class T, int D>
struct Selected<Local<bool, D>, Local<T, D>> {
  using type = Local<T, D>;
};
template <class T, int D>
struct Selected<Local<bool, D>, Global<T, D>> {
  using type = Local<T, D>;
};
template <class T, int D>
struct Selected<Global<bool, D>, Local<T, D>> {
  using type = Local<T, D>;
};
template <class T, int D>
struct Selected<Global<bool, D>, Global<T, D>> {
  using type = Global<T, D>;
};
template <class C, class A, class B>
using selected_t = typename Selected<std::remove_cvref_t<C>, meet_t<A, B>>::type;

}  // namespace detail

/// `condition ? a : b`, both computed.
template <detail::Single C, detail::Single A, detail::Single B>
detail::selected_t<C, A, B> select(const C& condition, const A& a, const B& b, Here here = {}) {
  using R = detail::selected_t<C, A, B>;
  if constexpr (!detail::GraphValue<R>) {
    return condition ? static_cast<R>(a) : static_cast<R>(b);
  } else if constexpr (!detail::GraphValue<C>) {
    return condition ? R(detail::Operand<R>(a, here).handle)
                     : R(detail::Operand<R>(b, here).handle);
  } else {
    using Condition = detail::with_element_t<R, bool>;
    return detail::apply<R>(om::Op::select, detail::Operand<Condition>(condition, here),
                            detail::Operand<R>(a, here), detail::Operand<R>(b, here));
  }
}

}  // namespace paraiso
