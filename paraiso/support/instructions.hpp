// Instructions on whole vectors of floats that compilers don't find by themselves, one table for
// each level of processors.
// Gives: Instructions, Conversion in paraiso_support. Needs: the compiler's headers of intrinsic
// functions.
//
// g++ and clang++ compile loops over lanes, and conversions between such loops and vectors, to one
// instruction in one program and to pieces through memory in the next. Intrinsic functions leave
// them no choice. Operations that a level lacks (a fused multiply-add without FMA) are done lane by
// lane.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE4_1__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define PARAISO_INLINE [[gnu::always_inline]] inline

namespace paraiso_support {

/// On vectors of `bytes` bytes of T: roots, roundings and extremes (`min(x, y)` is y where either
/// is NaN or both are zero), and multiply-adds that are rounded once.
template <class T, std::size_t bytes>
struct Instructions {
  static constexpr bool rounding = false, extremes = false, fused = false;
};

#define PARAISO_ONE(name, type, call) \
  PARAISO_INLINE static type name(type x) { return call; }
#define PARAISO_TWO(name, type, call) \
  PARAISO_INLINE static type name(type x, type y) { return call; }
#define PARAISO_THREE(name, type, call) \
  PARAISO_INLINE static type name(type x, type y, type z) { return call; }
#if defined(__SSE4_1__)
#if defined(__FMA__)
#define PARAISO_FUSED_ROWS(type, p, s)               \
  static constexpr bool fused = true;                \
  PARAISO_THREE(madd, type, p##fmadd_##s(x, y, z))   \
  PARAISO_THREE(msub, type, p##fmsub_##s(x, y, z))   \
  PARAISO_THREE(nmadd, type, p##fnmadd_##s(x, y, z)) \
  PARAISO_THREE(nmsub, type, p##fnmsub_##s(x, y, z))
#else
#define PARAISO_FUSED_ROWS(type, p, s) static constexpr bool fused = false;
#endif
#define PARAISO_LEVEL(T, type, p, s, root, down, up, least, greatest) \
  template <>                                                         \
  struct Instructions<T, sizeof(type)> {                              \
    static constexpr bool rounding = true, extremes = true;           \
    PARAISO_ONE(sqrt, type, root)                                     \
    PARAISO_ONE(floor, type, down)                                    \
    PARAISO_ONE(ceil, type, up)                                       \
    PARAISO_TWO(min, type, least)                                     \
    PARAISO_TWO(max, type, greatest)                                  \
    PARAISO_FUSED_ROWS(type, p, s)                                    \
  };
PARAISO_LEVEL(double, __m128d, _mm_, pd, _mm_sqrt_pd(x), _mm_floor_pd(x), _mm_ceil_pd(x),
              _mm_min_pd(x, y), _mm_max_pd(x, y))
PARAISO_LEVEL(float, __m128, _mm_, ps, _mm_sqrt_ps(x), _mm_floor_ps(x), _mm_ceil_ps(x),
              _mm_min_ps(x, y), _mm_max_ps(x, y))
#if defined(__AVX__)
PARAISO_LEVEL(double, __m256d, _mm256_, pd, _mm256_sqrt_pd(x), _mm256_floor_pd(x),
              _mm256_ceil_pd(x), _mm256_min_pd(x, y), _mm256_max_pd(x, y))
PARAISO_LEVEL(float, __m256, _mm256_, ps, _mm256_sqrt_ps(x), _mm256_floor_ps(x), _mm256_ceil_ps(x),
              _mm256_min_ps(x, y), _mm256_max_ps(x, y))
#endif
#if defined(__AVX512F__)
// With a mask of all lanes: for the forms without a mask g++ 12 warns of an uninitialised operand.
PARAISO_LEVEL(double, __m512d, _mm512_, pd, _mm512_maskz_sqrt_pd(0xff, x),
              _mm512_maskz_roundscale_pd(0xff, x, _MM_FROUND_TO_NEG_INF),
              _mm512_maskz_roundscale_pd(0xff, x, _MM_FROUND_TO_POS_INF),
              _mm512_maskz_min_pd(0xff, x, y), _mm512_maskz_max_pd(0xff, x, y))
PARAISO_LEVEL(float, __m512, _mm512_, ps, _mm512_maskz_sqrt_ps(0xffff, x),
              _mm512_maskz_roundscale_ps(0xffff, x, _MM_FROUND_TO_NEG_INF),
              _mm512_maskz_roundscale_ps(0xffff, x, _MM_FROUND_TO_POS_INF),
              _mm512_maskz_min_ps(0xffff, x, y), _mm512_maskz_max_ps(0xffff, x, y))
#endif
#undef PARAISO_FUSED_ROWS
#undef PARAISO_LEVEL
#elif defined(__aarch64__)
// Extremes by comparison: the instructions for them treat NaN or zeros differently.
#define PARAISO_LEVEL(T, type, s)                                          \
  template <>                                                              \
  struct Instructions<T, sizeof(type)> {                                   \
    static constexpr bool rounding = true, extremes = false, fused = true; \
    PARAISO_ONE(sqrt, type, vsqrtq_##s(x))                                 \
    PARAISO_ONE(floor, type, vrndmq_##s(x))                                \
    PARAISO_ONE(ceil, type, vrndpq_##s(x))                                 \
    PARAISO_THREE(madd, type, vfmaq_##s(z, x, y))                          \
    PARAISO_THREE(msub, type, vfmaq_##s(-z, x, y))                         \
    PARAISO_THREE(nmadd, type, vfmsq_##s(z, x, y))                         \
    PARAISO_THREE(nmsub, type, vfmsq_##s(-z, x, y))                        \
  };
PARAISO_LEVEL(double, float64x2_t, f64)
PARAISO_LEVEL(float, float32x4_t, f32)
#undef PARAISO_LEVEL
#endif
#undef PARAISO_ONE
#undef PARAISO_TWO
#undef PARAISO_THREE

/// `lanes` integers to longer ones, with their sign; what else compilers do lane by lane.
template <class To, class From, int lanes>
struct Conversion {
  static constexpr bool known = false;
};
#define PARAISO_CONVERSION(to, from, lanes, call) \
  template <>                                     \
  struct Conversion<to, from, lanes> {            \
    static constexpr bool known = true;           \
    template <class Part>                         \
    PARAISO_INLINE static auto of(Part x) {       \
      return call;                                \
    }                                             \
  };
#if defined(__SSE4_1__)
/// The lower half or quarter of a register.
template <class Part>
PARAISO_INLINE __m128i in_register(Part x) {
  if constexpr (sizeof x == 4)
    return _mm_cvtsi32_si128((int)x);
  else if constexpr (sizeof x == 8)
    return _mm_cvtsi64_si128((long long)x);
  else
    return __m128i(x);
}
PARAISO_CONVERSION(std::int16_t, std::int8_t, 8, _mm_cvtepi8_epi16(in_register(x)))
PARAISO_CONVERSION(std::int32_t, std::int8_t, 4, _mm_cvtepi8_epi32(in_register(x)))
PARAISO_CONVERSION(std::int32_t, std::int16_t, 4, _mm_cvtepi16_epi32(in_register(x)))
PARAISO_CONVERSION(std::int64_t, std::int16_t, 2, _mm_cvtepi16_epi64(in_register(x)))
PARAISO_CONVERSION(std::int64_t, std::int32_t, 2, _mm_cvtepi32_epi64(in_register(x)))
PARAISO_CONVERSION(double, std::int32_t, 2, _mm_cvtepi32_pd(in_register(x)))
#if defined(__AVX2__)
PARAISO_CONVERSION(std::int16_t, std::int8_t, 16, _mm256_cvtepi8_epi16(in_register(x)))
PARAISO_CONVERSION(std::int32_t, std::int8_t, 8, _mm256_cvtepi8_epi32(in_register(x)))
PARAISO_CONVERSION(std::int64_t, std::int8_t, 4, _mm256_cvtepi8_epi64(in_register(x)))
PARAISO_CONVERSION(std::int32_t, std::int16_t, 8, _mm256_cvtepi16_epi32(in_register(x)))
PARAISO_CONVERSION(std::int64_t, std::int16_t, 4, _mm256_cvtepi16_epi64(in_register(x)))
PARAISO_CONVERSION(std::int64_t, std::int32_t, 4, _mm256_cvtepi32_epi64(in_register(x)))
#endif
#if defined(__AVX512F__)
PARAISO_CONVERSION(std::int32_t, std::int8_t, 16,
                   _mm512_maskz_cvtepi8_epi32(0xffff, in_register(x)))
PARAISO_CONVERSION(std::int64_t, std::int8_t, 8, _mm512_maskz_cvtepi8_epi64(0xff, in_register(x)))
PARAISO_CONVERSION(std::int32_t, std::int16_t, 16, _mm512_maskz_cvtepi16_epi32(0xffff, __m256i(x)))
PARAISO_CONVERSION(std::int64_t, std::int16_t, 8, _mm512_maskz_cvtepi16_epi64(0xff, in_register(x)))
PARAISO_CONVERSION(std::int64_t, std::int32_t, 8, _mm512_maskz_cvtepi32_epi64(0xff, __m256i(x)))
#endif
#elif defined(__aarch64__)
/// Bytes in half a register, or at its lower end.
template <class Part>
PARAISO_INLINE int8x8_t in_register(Part x) {
  if constexpr (sizeof x == 2)
    return vreinterpret_s8_s16(vdup_n_s16((short)x));
  else if constexpr (sizeof x == 4)
    return vreinterpret_s8_s32(vdup_n_s32((int)x));
  else
    return int8x8_t(x);
}
PARAISO_INLINE int16x4_t half_words(int8x8_t x) { return vget_low_s16(vmovl_s8(x)); }
PARAISO_INLINE int32x2_t half_numbers(int16x4_t x) { return vget_low_s32(vmovl_s16(x)); }
PARAISO_CONVERSION(std::int16_t, std::int8_t, 8, vmovl_s8(in_register(x)))
PARAISO_CONVERSION(std::int32_t, std::int8_t, 4, vmovl_s16(half_words(in_register(x))))
PARAISO_CONVERSION(std::int64_t, std::int8_t, 2,
                   vmovl_s32(half_numbers(half_words(in_register(x)))))
PARAISO_CONVERSION(std::int32_t, std::int16_t, 4, vmovl_s16(int16x4_t(x)))
PARAISO_CONVERSION(std::int64_t, std::int16_t, 2,
                   vmovl_s32(half_numbers(int16x4_t(in_register(x)))))
PARAISO_CONVERSION(std::int64_t, std::int32_t, 2, vmovl_s32(int32x2_t(x)))
PARAISO_CONVERSION(std::int8_t, std::int16_t, 8, vmovn_s16(int16x8_t(x)))
PARAISO_CONVERSION(std::int16_t, std::int32_t, 4, vmovn_s32(int32x4_t(x)))
PARAISO_CONVERSION(std::int32_t, std::int64_t, 2, vmovn_s64(int64x2_t(x)))
PARAISO_CONVERSION(std::int32_t, double, 2, vmovn_s64(vcvtq_s64_f64(float64x2_t(x))))
PARAISO_CONVERSION(double, std::int32_t, 2, vcvtq_f64_s64(vmovl_s32(int32x2_t(x))))
PARAISO_CONVERSION(double, float, 2, vcvt_f64_f32(float32x2_t(x)))
PARAISO_CONVERSION(float, double, 2, vcvt_f32_f64(float64x2_t(x)))
#endif
#undef PARAISO_CONVERSION

}  // namespace paraiso_support
