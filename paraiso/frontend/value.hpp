// The typed values of a kernel: Local (one element per cell) and Global (one scalar), and their
// operators.
// Gives: Local<T, D>, Global<T, D>, number_type, and for its neighbours Operand, apply.
// Needs: recorder.
//
// An operator takes its operands as `Operand`, which converts from every type that may meet in it
// (a value of the same type, a Global where a Local is needed, a plain number) and catches the
// user's line while doing so. Nothing converts from Local to Global, between element types or
// between dimensions.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "paraiso/frontend/recorder.hpp"

namespace paraiso {

template <class T, int D>
class Local;
template <class T, int D>
class Global;

namespace detail {

template <class T>
inline constexpr bool always_false = false;

/// A plain number that may stand for a T: floats take any number, integers integers, bools bools.
template <class N, class T>
concept NumberFor = std::is_arithmetic_v<N> &&
    (std::same_as<T, bool>
         ? std::same_as<N, bool>
         : !std::same_as<N, bool> && (std::floating_point<T> || std::integral<N>));

template <class H>
struct ValueTraits {
  static constexpr bool is_value = false, is_local = false;
};
template <class T, int D>
struct ValueTraits<Local<T, D>> {
  static constexpr bool is_value = true, is_local = true;
  using Element = T;
  using Scalar = Global<T, D>;  // what broadcasts into it
  template <class U>
  using Rebind = Local<U, D>;
};
template <class T, int D>
struct ValueTraits<Global<T, D>> {
  static constexpr bool is_value = true, is_local = false;
  using Element = T;
  template <class U>
  using Rebind = Global<U, D>;
};

/// A Local or a Global.
template <class H>
concept GraphValue = ValueTraits<std::remove_cvref_t<H>>::is_value;
/// A plain number, a Local or a Global.
template <class A>
concept Single = GraphValue<A> || std::is_arithmetic_v<std::remove_cvref_t<A>>;

template <class H>
struct Operand;

template <class T, int D>
struct Operand<Global<T, D>> {
  Handle handle;
  Location location;
  Operand(const Global<T, D>& value, Here here = {})
      : handle(value.handle()), location(here.location) {}
  template <NumberFor<T> N>
  Operand(N value, Here here = {})
      : handle(record_constant(om::element_of<T>(), number(value), here.location)),
        location(here.location) {}
};

template <class T, int D>
struct Operand<Local<T, D>> {
  Handle handle;
  Location location;
  Operand(const Local<T, D>& value, Here here = {})
      : handle(value.handle()), location(here.location) {}
  Operand(const Global<T, D>& value, Here here = {})
      : handle(record_broadcast(value.handle(), here.location)), location(here.location) {}
  template <NumberFor<T> N>
  Operand(N value, Here here = {}) : Operand(Global<T, D>(value, here), here) {}
};

template <class Result, class... Operands>
Result apply(om::Op op, const Operands&... operands) {
  Location location = std::get<0>(std::tie(operands...)).location;
  return Result(record_arith(op, {operands.handle...}, location));
}

/// The operators of one value type `Self` with elements T, as friends found by their arguments
/// alone. There is no conversion to bool: values are not known while a kernel is being written, so
/// `if` can't test one; use `select`.
template <class Self, class T>
class Operators {
  using Boolean = typename ValueTraits<Self>::template Rebind<bool>;
  static constexpr bool kNumber = !std::same_as<T, bool>;
  static constexpr bool kLogical = std::integral<T>;
  using Value = Operand<Self>;

  // clang-format off
  friend Self operator+(Value a, Value b) requires kNumber { return apply<Self>(om::Op::add, a, b); }
  friend Self operator-(Value a, Value b) requires kNumber { return apply<Self>(om::Op::sub, a, b); }
  friend Self operator*(Value a, Value b) requires kNumber { return apply<Self>(om::Op::mul, a, b); }
  friend Self operator/(Value a, Value b) requires kNumber { return apply<Self>(om::Op::div, a, b); }
  friend Self operator%(Value a, Value b) requires (kNumber && kLogical) { return apply<Self>(om::Op::mod, a, b); }
  friend Self operator-(Value a) requires kNumber { return apply<Self>(om::Op::neg, a); }

  friend Boolean operator==(Value a, Value b) { return apply<Boolean>(om::Op::eq, a, b); }
  friend Boolean operator!=(Value a, Value b) { return apply<Boolean>(om::Op::ne, a, b); }
  friend Boolean operator<(Value a, Value b) requires kNumber { return apply<Boolean>(om::Op::lt, a, b); }
  friend Boolean operator<=(Value a, Value b) requires kNumber { return apply<Boolean>(om::Op::le, a, b); }
  friend Boolean operator>(Value a, Value b) requires kNumber { return apply<Boolean>(om::Op::gt, a, b); }
  friend Boolean operator>=(Value a, Value b) requires kNumber { return apply<Boolean>(om::Op::ge, a, b); }

  // bitwise on integers; on bools `&&`, `||`, `!` are the same and compute both sides
  friend Self operator&(Value a, Value b) requires kLogical { return apply<Self>(om::Op::and_, a, b); }
  friend Self operator|(Value a, Value b) requires kLogical { return apply<Self>(om::Op::or_, a, b); }
  friend Self operator^(Value a, Value b) requires kLogical { return apply<Self>(om::Op::xor_, a, b); }
  friend Self operator~(Value a) requires kLogical { return apply<Self>(om::Op::not_, a); }
  friend Self operator&&(Value a, Value b) requires (!kNumber) { return apply<Self>(om::Op::and_, a, b); }
  friend Self operator||(Value a, Value b) requires (!kNumber) { return apply<Self>(om::Op::or_, a, b); }
  friend Self operator!(Value a) requires (!kNumber) { return apply<Self>(om::Op::not_, a); }

  // the handle then stands for the new value; no value ever changes
  friend Self& operator+=(Self& a, Value b) requires kNumber { return a = apply<Self>(om::Op::add, Value(a, b.location), b); }
  friend Self& operator-=(Self& a, Value b) requires kNumber { return a = apply<Self>(om::Op::sub, Value(a, b.location), b); }
  friend Self& operator*=(Self& a, Value b) requires kNumber { return a = apply<Self>(om::Op::mul, Value(a, b.location), b); }
  friend Self& operator/=(Self& a, Value b) requires kNumber { return a = apply<Self>(om::Op::div, Value(a, b.location), b); }
  // clang-format on
};

}  // namespace detail

/// One scalar of type T in a kernel on a D-dimensional grid.
template <class T, int D>
class Global : public detail::Operators<Global<T, D>, T> {
 public:
  explicit Global(detail::Handle handle) : handle_(std::move(handle)) {}
  template <detail::NumberFor<T> N>
  Global(N value, Here here = {})  // NOLINT: a number is a Global
      : handle_(
            detail::record_constant(om::element_of<T>(), detail::number(value), here.location)) {}
  [[nodiscard]] const detail::Handle& handle() const { return handle_; }

 private:
  detail::Handle handle_;
};

/// One element of type T per cell of a D-dimensional grid.
template <class T, int D>
class Local : public detail::Operators<Local<T, D>, T> {
 public:
  explicit Local(detail::Handle handle) : handle_(std::move(handle)) {}
  Local(const Global<T, D>& value, Here here = {})  // NOLINT: a Global broadcasts
      : handle_(detail::Operand<Local>(value, here).handle) {}
  template <detail::NumberFor<T> N>
  Local(N value, Here here = {})  // NOLINT: a number is the same in each cell
      : handle_(detail::Operand<Local>(value, here).handle) {}
  [[nodiscard]] const detail::Handle& handle() const { return handle_; }

 private:
  detail::Handle handle_;
};

namespace detail {

template <class A>
struct NumberType {
  using type = A;
};
template <GraphValue A>
struct NumberType<A> {
  using type = typename ValueTraits<A>::Element;
};

/// The common type of `a` and `b`: the Local if there is one, else the Global, else C++'s common
/// type.
template <class A, class B>
struct CommonValue {};
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
struct CommonValue<A, B> : std::common_type<A, B> {
};
template <GraphValue A, NumberFor<typename ValueTraits<A>::Element> B>
struct CommonValue<A, B> {
  using type = A;
};
template <GraphValue B, NumberFor<typename ValueTraits<B>::Element> A>
struct CommonValue<A, B> {
  using type = B;
};
template <GraphValue A>
struct CommonValue<A, A> {
  using type = A;
};
template <class T, int D>
struct CommonValue<Local<T, D>, Global<T, D>> {
  using type = Local<T, D>;
};
template <class T, int D>
struct CommonValue<Global<T, D>, Local<T, D>> {
  using type = Local<T, D>;
};

template <class... A>
struct MeetAll {};
template <class A>
struct MeetAll<A> {
  using type = A;
};
template <class A, class B, class... Rest>
requires requires { typename CommonValue<A, B>::type; }
struct MeetAll<A, B, Rest...> : MeetAll<typename CommonValue<A, B>::type, Rest...> {};

template <class... A>
using meet_t = typename MeetAll<std::remove_cvref_t<A>...>::type;

}  // namespace detail

/// The plain type of elements: T for Local<T, D> and Global<T, D>, a number's own type. Generic
/// functions write constants with it: `number_type<R>(0.5) * x`.
template <class R>
using number_type = typename detail::NumberType<std::remove_cvref_t<R>>::type;

}  // namespace paraiso
