// Vec: one component per axis, of numbers, values, statics or again of Vecs (a tensor).
// Gives: Vec<T, D>, make_vec, uniform, sum, product, dot. Needs: axis, value.
//
//   auto divergence = sum<D>([&](Axis<D> a) { return at(flux[a], +a) - flux[a]; });
#pragma once

#include "paraiso/frontend/axis.hpp"
#include "paraiso/frontend/value.hpp"

namespace paraiso {

template <class T, int D>
struct Vec;

namespace detail {

template <class A>
struct VecOperand;

/// The parameter type for an operand of type A that also catches the line; A itself for a plain
/// number.
template <class A>
struct Located {
  using type = A;
};
template <GraphValue A>
struct Located<A> {
  using type = Operand<A>;
};
template <class T, int D>
struct Located<Vec<T, D>> {
  using type = VecOperand<Vec<T, D>>;
};
template <class A>
using located_t = typename Located<A>::type;

/// `a`, for an operator that reports `location`.
template <class A>
located_t<A> located(const A& a, Location location) {
  if constexpr (std::is_same_v<located_t<A>, A>)
    return a;
  else
    return located_t<A>(a, location);
}

template <class T, int D>
struct VecOperand<Vec<T, D>> {
  const Vec<T, D>& vec;
  Location location;
  VecOperand(const Vec<T, D>& v, Here here = {})  // NOLINT: catches the line
      : vec(v), location(here.location) {}
  located_t<T> operator[](Axis<D> axis) const { return located(vec[axis], location); }
};

template <int D, class F, int... I>
auto collect(F& f, std::integer_sequence<int, I...>) {
  const auto component = [&](Axis<D> axis) {
    Scope scope(component_name(axis.index(), D));
    return f(axis);
  };
  return Vec<decltype(component(Axis<D>(0))), D>{{component(Axis<D>(I))...}};
}

}  // namespace detail

/// The vector whose component along `axis` is `f(axis)`.
template <int D, class F>
auto make_vec(F&& f) {
  return detail::collect<D>(f, std::make_integer_sequence<int, D>{});
}

/// `Vec<double, 2>{1.0, 2.0}`. Vecs of one type add and subtract, and scale by anything that
/// multiplies their components: numbers, and Globals or Locals of the same elements.
template <class T, int D>
struct Vec {
  T components[D];

  [[nodiscard]] constexpr T& operator[](Axis<D> axis) { return components[axis.index()]; }
  [[nodiscard]] constexpr const T& operator[](Axis<D> axis) const {
    return components[axis.index()];
  }

 private:
  using Operand = detail::VecOperand<Vec>;
  using Factor = detail::located_t<T>;

  friend Vec operator+(Operand a, Operand b) {
    return make_vec<D>([&](Axis<D> i) -> T { return a[i] + b[i]; });
  }
  friend Vec operator-(Operand a, Operand b) {
    return make_vec<D>([&](Axis<D> i) -> T { return a[i] - b[i]; });
  }
  friend Vec operator-(Operand a) {
    return make_vec<D>([&](Axis<D> i) -> T { return -a[i]; });
  }
  friend Vec operator*(Factor a, Operand b) {
    return make_vec<D>([&](Axis<D> i) -> T { return a * b[i]; });
  }
  friend Vec operator*(Operand a, Factor b) {
    return make_vec<D>([&](Axis<D> i) -> T { return a[i] * b; });
  }
  friend Vec operator/(Operand a, Factor b) {
    return make_vec<D>([&](Axis<D> i) -> T { return a[i] / b; });
  }
};

template <class T, class... Rest>
Vec(T, Rest...) -> Vec<T, 1 + sizeof...(Rest)>;

/// The vector with all components equal to `value`.
template <int D, class T>
[[nodiscard]] Vec<T, D> uniform(const T& value) {
  return make_vec<D>([&](Axis<D>) { return value; });
}

/// f(x) + f(y) + ... from left to right, beginning with the first term.
template <int D, class F>
auto sum(F&& f, Here here = {}) {
  const auto terms = make_vec<D>(f);
  auto total = terms[Axis<D>(0)];
  for (int i = 1; i < D; ++i)
    total =
        detail::located(total, here.location) + detail::located(terms[Axis<D>(i)], here.location);
  return total;
}

/// f(x) * f(y) * ... from left to right, beginning with the first factor.
template <int D, class F>
auto product(F&& f, Here here = {}) {
  const auto factors = make_vec<D>(f);
  auto total = factors[Axis<D>(0)];
  for (int i = 1; i < D; ++i)
    total =
        detail::located(total, here.location) * detail::located(factors[Axis<D>(i)], here.location);
  return total;
}

/// The scalar product of two vectors.
template <class T, class U, int D>
auto dot(const Vec<T, D>& a, const Vec<U, D>& b, Here here = {}) {
  return sum<D>(
      [&](Axis<D> i) {
        return detail::located(a[i], here.location) * detail::located(b[i], here.location);
      },
      here);
}

}  // namespace paraiso
