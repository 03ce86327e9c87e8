// Included by tests before generated code: no array is small enough to keep, and stores past the
// caches are counted. The compile cache knows the name of this file, not its text.
#pragma once

#include <atomic>

extern "C" {
std::atomic<long> paraiso_streamed;
}

#define PARAISO_CACHED_BYTES 0
#ifdef __clang__
#define __builtin_nontemporal_store(...) \
  (++paraiso_streamed, __builtin_nontemporal_store(__VA_ARGS__))
#else
#define __builtin_ia32_movntpd(...) (++paraiso_streamed, __builtin_ia32_movntpd(__VA_ARGS__))
#define __builtin_ia32_movntpd256(...) (++paraiso_streamed, __builtin_ia32_movntpd256(__VA_ARGS__))
#define __builtin_ia32_movntpd512(...) (++paraiso_streamed, __builtin_ia32_movntpd512(__VA_ARGS__))
#endif
