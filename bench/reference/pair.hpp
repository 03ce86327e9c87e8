// Pairs of vectors that are computed in step, with all that a vector can do.
// Gives: Pair. Needs: vector.
#pragma once

#include "bench/reference/vector.hpp"

namespace reference {

/// Two values in step: what is written once runs twice, interleaved, so that the latency of one
/// hides behind the other. The processor's own window is too short for chains of a flux's length.
template <class V>
struct Pair {
  V first, second;
};
template <class V>
struct ElementOf<Pair<V>> {
  using type = Element<V>;
};
/// The outcome of a comparison of pairs.
template <class Mask>
struct PairMask {
  Mask first, second;
};
template <class Mask>
[[gnu::always_inline]] inline PairMask<Mask> operator|(const PairMask<Mask>& a,
                                                       const PairMask<Mask>& b) {
  return {a.first | b.first, a.second | b.second};
}

#define REFERENCE_PAIRWISE(op)                                                            \
  template <class V>                                                                      \
  [[gnu::always_inline]] inline Pair<V> operator op(const Pair<V>& a, const Pair<V>& b) { \
    return {a.first op b.first, a.second op b.second};                                    \
  }                                                                                       \
  template <class V>                                                                      \
  [[gnu::always_inline]] inline Pair<V> operator op(const Pair<V>& a, Element<V> b) {     \
    return {a.first op b, a.second op b};                                                 \
  }                                                                                       \
  template <class V>                                                                      \
  [[gnu::always_inline]] inline Pair<V> operator op(Element<V> a, const Pair<V>& b) {     \
    return {a op b.first, a op b.second};                                                 \
  }
REFERENCE_PAIRWISE(+)
REFERENCE_PAIRWISE(-)
REFERENCE_PAIRWISE(*)
REFERENCE_PAIRWISE(/)
#undef REFERENCE_PAIRWISE
#define REFERENCE_PAIR_COMPARISON(op)                                                        \
  template <class V>                                                                         \
  [[gnu::always_inline]] inline auto operator op(const Pair<V>& a, const Pair<V>& b) {       \
    return PairMask<decltype(a.first op b.first)>{a.first op b.first, a.second op b.second}; \
  }
REFERENCE_PAIR_COMPARISON(<)
REFERENCE_PAIR_COMPARISON(<=)
REFERENCE_PAIR_COMPARISON(>=)
#undef REFERENCE_PAIR_COMPARISON
template <class V>
[[gnu::always_inline]] inline Pair<V> operator-(const Pair<V>& a) {
  return {-a.first, -a.second};
}
template <class V>
[[gnu::always_inline]] inline Pair<V>& operator+=(Pair<V>& a, const Pair<V>& b) {
  return a = a + b;
}
template <class V>
[[gnu::always_inline]] inline Pair<V> min(const Pair<V>& a, const Pair<V>& b) {
  return {min(a.first, b.first), min(a.second, b.second)};
}
template <class V>
[[gnu::always_inline]] inline Pair<V> max(const Pair<V>& a, const Pair<V>& b) {
  return {max(a.first, b.first), max(a.second, b.second)};
}
template <class Mask, class V>
[[gnu::always_inline]] inline Pair<V> select(const PairMask<Mask>& condition, const Pair<V>& yes,
                                             const Pair<V>& no) {
  return {select(condition.first, yes.first, no.first),
          select(condition.second, yes.second, no.second)};
}
/// As memory, a pair is one vector after another.
template <class P>
requires std::is_same_v<P, Pair<Vector<Element<P>>>>
[[gnu::always_inline]] inline P load(const Element<P>* from) {
  using V = Vector<Element<P>>;
  return {load<V>(from), load<V>(from + kLanes<Element<P>>)};
}
template <class Real>
[[gnu::always_inline]] inline void store(Real* to, const Pair<Vector<Real>>& value) {
  store(to, value.first);
  store(to + kLanes<Real>, value.second);
}
template <class V>
[[gnu::always_inline]] inline Pair<V> square_root(const Pair<V>& a) {
  return {square_root(a.first), square_root(a.second)};
}
template <class V>
[[gnu::always_inline]] inline Pair<V> reciprocal(const Pair<V>& a) {
  return {reciprocal(a.first), reciprocal(a.second)};
}
template <class V>
[[gnu::always_inline]] inline Pair<V> inverse_square_root(const Pair<V>& a) {
  return {inverse_square_root(a.first), inverse_square_root(a.second)};
}

template <class V>
[[gnu::always_inline]] inline Pair<V> shifted_in(const Pair<V>& before, const Pair<V>& now) {
  return {shifted_in(before.second, now.first), shifted_in(now.first, now.second)};
}
template <class V>
[[gnu::always_inline]] inline Pair<V> shifted_out(const Pair<V>& now, const Pair<V>& after) {
  return {shifted_out(now.first, now.second), shifted_out(now.second, after.first)};
}

template <class V>
[[nodiscard]] Element<V> smallest_lane(const Pair<V>& values) {
  return smallest_lane(min(values.first, values.second));
}

}  // namespace reference
