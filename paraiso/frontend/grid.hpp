// What a kernel does with the grid: reads and writes statics, reads neighbours, reduces.
// Gives: load, store, at, shift, reduce_sum, ..., index, size. Needs: statics, functions.
//
// Records and Vecs are taken like single values.
#pragma once

#include "paraiso/frontend/functions.hpp"
#include "paraiso/frontend/statics.hpp"

namespace paraiso {

/// The state of a static at the kernel's entry.
template <class T, int D>
Local<T, D> load(const Field<T, D>& field, Here here = {}) {
  return Local<T, D>(detail::record_load(field.handle(), here.location));
}
template <class T, int D>
Global<T, D> load(const Scalar<T, D>& scalar, Here here = {}) {
  return Global<T, D>(detail::record_load(scalar.handle(), here.location));
}
template <class T, int D>
Global<T, D> load(const Parameter<T, D>& parameter, Here here = {}) {
  return Global<T, D>(detail::record_load(parameter.handle(), here.location));
}
template <Composite S>
auto load(const S& statics, Here here = {}) {
  return map([&](const auto& one) { return load(one, here); }, statics);
}

/// Sets the static's value at the kernel's exit. A kernel stores a static once.
template <class T, int D>
void store(const Field<T, D>& field, std::type_identity_t<detail::Operand<Local<T, D>>> value) {
  detail::record_store(field.handle(), value.handle, value.location);
}
template <class T, int D>
void store(const Scalar<T, D>& scalar, std::type_identity_t<detail::Operand<Global<T, D>>> value) {
  detail::record_store(scalar.handle(), value.handle, value.location);
}
template <class T, int D, class V>
void store(const Parameter<T, D>&, const V&) {
  static_assert(detail::always_false<V>,
                "a kernel cannot store a parameter: use a Scalar for what a kernel computes");
}
template <Composite S, Composite V>
void store(const S& statics, const V& values, Here here = {}) {
  for_each([&](const auto& one, const auto& value) { store(one, {value, here}); }, statics, values);
}

/// `value` at the neighbour that `offset` leads to: `at(f, +x)`, `at(f, -2 * x)`.
template <class T, int D>
Local<T, D> at(const Local<T, D>& value, std::type_identity_t<Offset<D>> offset, Here here = {}) {
  if (offset == Offset<D>{}) return value;
  return Local<T, D>(detail::record_shift((-offset).cells(), value.handle(), here.location));
}
template <Composite V, int D>
V at(const V& values, const Offset<D>& offset, Here here = {}) {
  return map([&](const auto& value) { return at(value, offset, here); }, values);
}
template <Composite V, int D>
V at(const V& values, Axis<D> axis, Here here = {}) {
  return at(values, Offset<D>(axis), here);
}

namespace detail {

template <class V>
auto reduce(om::ReduceOp op, const V& value, Here here) {
  const auto one = [&]<class T, int D>(const Local<T, D>& v) {
    return Global<T, D>(record_reduce(op, v.handle(), here.location));
  };
  return map(one, value);
}

}  // namespace detail

// Over all core cells, each once; sums and products of floats by the machine's fixed tree.
template <class V>
auto reduce_sum(const V& value, Here here = {}) {
  return detail::reduce(om::ReduceOp::sum, value, here);
}
template <class V>
auto reduce_product(const V& value, Here here = {}) {
  return detail::reduce(om::ReduceOp::product, value, here);
}
/// NaN if any cell is NaN.
template <class V>
auto reduce_min(const V& value, Here here = {}) {
  return detail::reduce(om::ReduceOp::min, value, here);
}
/// NaN if any cell is NaN.
template <class V>
auto reduce_max(const V& value, Here here = {}) {
  return detail::reduce(om::ReduceOp::max, value, here);
}
template <int D>
Global<bool, D> reduce_any(const Local<bool, D>& value, Here here = {}) {
  return detail::reduce(om::ReduceOp::any, value, here);
}
template <int D>
Global<bool, D> reduce_all(const Local<bool, D>& value, Here here = {}) {
  return detail::reduce(om::ReduceOp::all, value, here);
}

/// Each cell's index along the axis: 0 at the first core cell, negative below it.
template <int D>
Local<std::int64_t, D> index(Axis<D> axis, Here here = {}) {
  return Local<std::int64_t, D>(detail::record_index(axis.index(), here.location));
}
/// The number of core cells along the axis.
template <int D>
Global<std::int64_t, D> size(Axis<D> axis, Here here = {}) {
  return Global<std::int64_t, D>(detail::record_size(axis.index(), here.location));
}

}  // namespace paraiso
