// Records: structs of several components that functions map over as a whole, as they do over Vecs.
// Gives: Composite, map, zip, for_each, for_each_named. Needs: vec.
//
//   template <class T, int D>
//   struct Primitive {
//     T density;
//     Vec<T, D> velocity;
//     T pressure;
//     static constexpr std::array components{"density", "velocity", "pressure"};
//   };
//
//   auto next = zip([&](auto u, auto slope) { return u + dt * slope; }, state, slopes);
//
// A record is an aggregate template of its element type (and the dimension) that names its
// components, at most 12, in order; a component is an element, a Vec or a record of the same
// element type. All functions here descend to the elements; an argument that is neither record nor
// Vec is passed to each call as it is.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include "paraiso/frontend/vec.hpp"

namespace paraiso {
namespace detail {

template <class R>
concept Record = std::is_class_v<R> && requires {
  R::components.size();
};

template <class A>
struct IsVec : std::false_type {};
template <class T, int D>
struct IsVec<Vec<T, D>> : std::true_type {
  static_assert(1 <= D && D <= kMostComponents, "a Vec has 1 to 32 components");
  static constexpr int count = D;
};

/// The same record or Vec with other elements, and whether two types are of one shape.
template <class S>
struct ShapeTraits;
template <template <class, int> class S, class T, int D>
struct ShapeTraits<S<T, D>> {
  using Element = T;
  template <class U>
  using Rebind = S<U, D>;
};
template <template <class> class S, class T>
struct ShapeTraits<S<T>> {
  using Element = T;
  template <class U>
  using Rebind = S<U>;
};

/// References to the components of a record.
template <class R>
constexpr auto tie_components(R& r) {
  constexpr auto n = std::remove_const_t<R>::components.size();
  static_assert(1 <= n && n <= 12, "a record has 1 to 12 components");
  // clang-format off
  if constexpr (n == 1) { auto& [a] = r; return std::tie(a); }
  else if constexpr (n == 2) { auto& [a, b] = r; return std::tie(a, b); }
  else if constexpr (n == 3) { auto& [a, b, c] = r; return std::tie(a, b, c); }
  else if constexpr (n == 4) { auto& [a, b, c, d] = r; return std::tie(a, b, c, d); }
  else if constexpr (n == 5) { auto& [a, b, c, d, e] = r; return std::tie(a, b, c, d, e); }
  else if constexpr (n == 6) { auto& [a, b, c, d, e, f] = r; return std::tie(a, b, c, d, e, f); }
  else if constexpr (n == 7) { auto& [a, b, c, d, e, f, g] = r; return std::tie(a, b, c, d, e, f, g); }
  else if constexpr (n == 8) { auto& [a, b, c, d, e, f, g, h] = r; return std::tie(a, b, c, d, e, f, g, h); }
  else if constexpr (n == 9) { auto& [a, b, c, d, e, f, g, h, i] = r; return std::tie(a, b, c, d, e, f, g, h, i); }
  else if constexpr (n == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = r; return std::tie(a, b, c, d, e, f, g, h, i, j); }
  else if constexpr (n == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = r; return std::tie(a, b, c, d, e, f, g, h, i, j, k); }
  else { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = r; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l); }
  // clang-format on
}

template <class A>
concept CompositeType = Record<A> || IsVec<A>::value;

template <class S>
constexpr int component_count() {
  if constexpr (IsVec<S>::value)
    return IsVec<S>::count;
  else
    return static_cast<int>(S::components.size());
}

template <class S>
const char* component_name(int i) {
  if constexpr (IsVec<S>::value)
    return paraiso::component_name(i, component_count<S>());
  else
    return S::components[i];
}

/// Component I of a record or Vec; anything else is its own component.
template <int I, class A>
constexpr decltype(auto) component(A& a) {
  using S = std::remove_const_t<A>;
  if constexpr (IsVec<S>::value)
    return (a.components[I]);
  else if constexpr (Record<S>)
    return std::get<I>(tie_components(a));
  else
    return (a);
}

template <class S, int I>
using component_t = std::remove_reference_t<decltype(component<I>(std::declval<S&>()))>;

template <class A>
struct Leaf {
  using type = A;
};
template <CompositeType A>
struct Leaf<A> : Leaf<typename ShapeTraits<A>::Element> {};

/// A record or Vec of the shape of `S`, its components made by `make(integral_constant<int, I>)`,
/// in order.
template <class S, class Make, int... I>
auto assemble(Make&& make, std::integer_sequence<int, I...>) {
  using First = decltype(make(std::integral_constant<int, 0>{}));
  if constexpr (IsVec<S>::value) {
    return Vec<First, component_count<S>()>{{make(std::integral_constant<int, I>{})...}};
  } else {
    using R = typename ShapeTraits<S>::template Rebind<typename Leaf<First>::type>;
    return R{make(std::integral_constant<int, I>{})...};
  }
}

/// The first record or Vec among the arguments; void if there is none.
template <class... A>
struct FirstShape {
  using type = void;
};
template <class A, class... Rest>
struct FirstShape<A, Rest...> : FirstShape<Rest...> {};
template <CompositeType A, class... Rest>
struct FirstShape<A, Rest...> {
  using type = A;
};

template <class S, class A>
constexpr bool joins() {
  if constexpr (!CompositeType<A>)
    return true;
  else if constexpr (IsVec<S>::value != IsVec<A>::value)
    return false;
  else if constexpr (IsVec<S>::value)
    return component_count<S>() == component_count<A>();
  else
    return std::is_same_v<
        S, typename ShapeTraits<A>::template Rebind<typename ShapeTraits<S>::Element>>;
}

template <class F, class... A>
auto zip_elements(F& f, A&... args) {
  using S = typename FirstShape<std::remove_const_t<A>...>::type;
  if constexpr (std::is_void_v<S>) {
    return f(args...);
  } else {
    static_assert((joins<S, std::remove_const_t<A>>() && ...),
                  "records and Vecs that are zipped must be of one kind and one dimension");
    return assemble<S>(
        [&](auto i) {
          Scope scope(component_name<S>(i));
          return zip_elements(f, component<i>(args)...);
        },
        std::make_integer_sequence<int, component_count<S>()>{});
  }
}

template <class F, class... A>
void visit_elements(F& f, const std::string& path, A&... args) {
  using S = typename FirstShape<std::remove_const_t<A>...>::type;
  if constexpr (std::is_void_v<S>) {
    f(path, args...);
  } else {
    static_assert(
        (joins<S, std::remove_const_t<A>>() && ...),
        "records and Vecs that are traversed together must be of one kind and one dimension");
    [&]<int... I>(std::integer_sequence<int, I...>) {
      const auto down = [&](auto i) {
        const std::string name = component_name<S>(i);
        Scope scope(name);
        visit_elements(f, path.empty() ? name : path + "." + name, component<i>(args)...);
      };
      (down(std::integral_constant<int, I>{}), ...);
    }
    (std::make_integer_sequence<int, component_count<S>()>{});
  }
}

}  // namespace detail

/// A record or a Vec.
template <class A>
concept Composite = detail::CompositeType<std::remove_cvref_t<A>>;

/// Calls `f` on the corresponding elements of `args`; the results have the shape of the args.
template <class F, class... A>
auto zip(F&& f, const A&... args) {
  return detail::zip_elements(f, args...);
}

/// Calls `f` on each element.
template <class F, class A>
auto map(F&& f, const A& a) {
  return detail::zip_elements(f, a);
}

/// Calls `f` on the corresponding elements, for its side effects.
template <class F, class... A>
void for_each(F&& f, const A&... args) {
  const auto unnamed = [&](const std::string&, const auto&... elements) { f(elements...); };
  detail::visit_elements(unnamed, {}, args...);
}

/// Calls `f(name, elements...)`, with names such as `density` and `velocity.x`.
template <class F, class... A>
void for_each_named(F&& f, const A&... args) {
  detail::visit_elements(f, {}, args...);
}

/// Chooses whole records or Vecs by one condition.
template <detail::Single C, Composite A, Composite B>
auto select(const C& condition, const A& a, const B& b, Here here = {}) {
  return zip([&](const auto& x, const auto& y) { return select(condition, x, y, here); }, a, b);
}

}  // namespace paraiso
