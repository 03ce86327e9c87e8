// The C library's elementary functions for cells, where `--numbers fast` lets them be called.
// Gives: libm_exp, libm_pow, ... of scalars and vectors in paraiso_support.
// Needs: elementary_lanes.hpp.
//
// glibc has each of them for whole vectors (libmvec): up to 4 ulp from the true value, and faster
// than ours. Compilers call these only where -ffast-math lets them change everything else as well,
// so they are called here by the names that the x86-64 and AArch64 vector ABIs give them. Programs
// that are linked to libm find them.
#pragma once

#include <cmath>
#include <cstddef>

#include "paraiso/support/elementary_lanes.hpp"

// Since these versions glibc has all of the functions below.
#if defined(__GLIBC__) && defined(__x86_64__)
#if __GLIBC_PREREQ(2, 35)
#define PARAISO_LIBMVEC
#define PARAISO_VECTOR_CALL
#endif
#elif defined(__GLIBC__) && defined(__aarch64__)
#if __GLIBC_PREREQ(2, 40)
#define PARAISO_LIBMVEC
#define PARAISO_VECTOR_CALL __attribute__((aarch64_vector_pcs))
#endif
#endif

namespace paraiso_support {

// DO(level, element, lanes, function) for each vector that fits a register of the processor.
#if defined(__aarch64__)
#define PARAISO_VECTORS_16(DO, name) DO(n, double, 2, name) DO(n, float, 4, name##f)
#else
#define PARAISO_VECTORS_16(DO, name) DO(b, double, 2, name) DO(b, float, 4, name##f)
#endif
#if defined(__AVX2__)
#define PARAISO_VECTORS_32(DO, name) DO(d, double, 4, name) DO(d, float, 8, name##f)
#elif defined(__AVX__)
#define PARAISO_VECTORS_32(DO, name) DO(c, double, 4, name) DO(c, float, 8, name##f)
#else
#define PARAISO_VECTORS_32(DO, name)
#endif
#if defined(__AVX512F__)
#define PARAISO_VECTORS_64(DO, name) DO(e, double, 8, name) DO(e, float, 16, name##f)
#else
#define PARAISO_VECTORS_64(DO, name)
#endif
#if defined(PARAISO_LIBMVEC)
#define PARAISO_VECTORS(DO, name) \
  PARAISO_VECTORS_16(DO, name)    \
  PARAISO_VECTORS_32(DO, name)    \
  PARAISO_VECTORS_64(DO, name)
inline constexpr bool libm_has_vectors = true;
#else
#define PARAISO_VECTORS(DO, name)
inline constexpr bool libm_has_vectors = false;
#endif

/// The library's function on vectors of any size: one call for each whole vector, or for each cell
/// where it has no functions of vectors.
template <class Function, class T, int L, class... More>
PARAISO_INLINE Vector<T, L> libm_call(Vector<T, L> x, More... more) {
  if constexpr (!is_native<T, L>) {
    return {libm_call<Function>(x.first, more.first...),
            libm_call<Function>(x.second, more.second...)};
  } else if constexpr (libm_has_vectors && sizeof(T) * L < 16) {
    return libm_call<Function>(join(x, x), join(more, more)...).low();
  } else if constexpr (libm_has_vectors) {
    return Function::of(x.native, more.native...);
  } else {
    typename Vector<T, L>::Native result;
    for (int l = 0; l < L; ++l) result[l] = Function::of(x.native[l], more.native[l]...);
    return result;
  }
}

#define PARAISO_DECLARE_1(level, T, lanes, name)                \
  extern "C" PARAISO_VECTOR_CALL __attribute__((const))         \
  NativeVector<T, lanes>::type _ZGV##level##N##lanes##v_##name( \
      NativeVector<T, lanes>::type) noexcept;
#define PARAISO_DECLARE_2(level, T, lanes, name)                 \
  extern "C" PARAISO_VECTOR_CALL __attribute__((const))          \
  NativeVector<T, lanes>::type _ZGV##level##N##lanes##vv_##name( \
      NativeVector<T, lanes>::type, NativeVector<T, lanes>::type) noexcept;
#define PARAISO_WHOLE_1(level, T, lanes, name)                    \
  PARAISO_INLINE static auto of(NativeVector<T, lanes>::type x) { \
    return _ZGV##level##N##lanes##v_##name(x);                    \
  }
#define PARAISO_WHOLE_2(level, T, lanes, name)                                                    \
  PARAISO_INLINE static auto of(NativeVector<T, lanes>::type x, NativeVector<T, lanes>::type y) { \
    return _ZGV##level##N##lanes##vv_##name(x, y);                                                \
  }
#define PARAISO_LIBM_1(name)                                   \
  PARAISO_VECTORS(PARAISO_DECLARE_1, name)                     \
  struct Libm_##name {                                         \
    static float of(float x) { return std::name(x); }          \
    static double of(double x) { return std::name(x); }        \
    PARAISO_VECTORS(PARAISO_WHOLE_1, name)                     \
  };                                                           \
  inline float libm_##name(float x) { return std::name(x); }   \
  inline double libm_##name(double x) { return std::name(x); } \
  template <class T, int L>                                    \
  PARAISO_INLINE Vector<T, L> libm_##name(Vector<T, L> x) {    \
    return libm_call<Libm_##name>(x);                          \
  }
/// One operand may be a scalar.
#define PARAISO_LIBM_2(name)                                                \
  PARAISO_VECTORS(PARAISO_DECLARE_2, name)                                  \
  struct Libm_##name {                                                      \
    static float of(float x, float y) { return std::name(x, y); }           \
    static double of(double x, double y) { return std::name(x, y); }        \
    PARAISO_VECTORS(PARAISO_WHOLE_2, name)                                  \
  };                                                                        \
  inline float libm_##name(float x, float y) { return std::name(x, y); }    \
  inline double libm_##name(double x, double y) { return std::name(x, y); } \
  template <class T, int L>                                                 \
  PARAISO_INLINE Vector<T, L> libm_##name(Vector<T, L> x, Vector<T, L> y) { \
    return libm_call<Libm_##name>(x, y);                                    \
  }                                                                         \
  template <class T, int L>                                                 \
  PARAISO_INLINE Vector<T, L> libm_##name(Vector<T, L> x, T y) {            \
    return libm_call<Libm_##name>(x, Vector<T, L>(y));                      \
  }                                                                         \
  template <class T, int L>                                                 \
  PARAISO_INLINE Vector<T, L> libm_##name(T x, Vector<T, L> y) {            \
    return libm_call<Libm_##name>(Vector<T, L>(x), y);                      \
  }
PARAISO_LIBM_1(cbrt)
PARAISO_LIBM_1(exp)
PARAISO_LIBM_1(log)
PARAISO_LIBM_1(sin)
PARAISO_LIBM_1(cos)
PARAISO_LIBM_1(tan)
PARAISO_LIBM_1(asin)
PARAISO_LIBM_1(acos)
PARAISO_LIBM_1(atan)
PARAISO_LIBM_1(sinh)
PARAISO_LIBM_1(cosh)
PARAISO_LIBM_1(tanh)
PARAISO_LIBM_2(pow)
PARAISO_LIBM_2(atan2)
#undef PARAISO_VECTORS_16
#undef PARAISO_VECTORS_32
#undef PARAISO_VECTORS_64
#undef PARAISO_VECTORS
#undef PARAISO_DECLARE_1
#undef PARAISO_DECLARE_2
#undef PARAISO_WHOLE_1
#undef PARAISO_WHOLE_2
#undef PARAISO_LIBM_1
#undef PARAISO_LIBM_2
#undef PARAISO_VECTOR_CALL

}  // namespace paraiso_support
