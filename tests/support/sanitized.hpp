// Whether a sanitizer slows these tests down and takes memory of its own.
// Gives: kSanitized. Needs: nothing.
#pragma once

#if defined(__has_feature)
#define PARAISO_HAS_FEATURE(feature) __has_feature(feature)
#else
#define PARAISO_HAS_FEATURE(feature) 0
#endif

namespace paraiso::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    PARAISO_HAS_FEATURE(address_sanitizer) || PARAISO_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace paraiso::test

#undef PARAISO_HAS_FEATURE
