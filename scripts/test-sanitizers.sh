#!/usr/bin/env bash
# Paraiso and its generated code under sanitizers: the test suite with those for addresses and
# undefined behaviour (g++), then random programs, and every app under random schedules, with the one for
# threads (clang++: its OpenMP library tells ThreadSanitizer which thread waits for which). Takes about an
# hour.
#   scripts/test-sanitizers.sh [SCHEDULES [PROGRAMS]]      by default 10 and 200
set -euo pipefail
cd "$(dirname "$0")/.."
schedules=${1:-10} programs=${2:-200}

./scripts/setup.sh

# sanitized SANITIZERS C C++: configures build/SANITIZERS and builds all of it.
sanitized() {
  cmake -G Ninja -S . -B "build/$1" -DPARAISO_SANITIZE="$1" -DCMAKE_C_COMPILER="$2" -DCMAKE_CXX_COMPILER="$3" -DPARAISO_TESTS=ON
  cmake --build "build/$1"
}

sanitized address,undefined gcc g++
# g++'s sanitizer up to version 13 takes some thread-local memory of libraries loaded at run time for that of an
# older C library, and ends in its search for leaks (github.com/google/sanitizers/issues/1322).
ASAN_OPTIONS=intercept_tls_get_addr=0 ctest --test-dir build/address,undefined --output-on-failure --parallel "$(nproc)"

sanitized thread clang clang++
archer=$(ls /usr/lib/llvm-*/lib/libarcher.so | tail -1)
export OMP_TOOL_LIBRARIES=$archer TSAN_OPTIONS=ignore_noninstrumented_modules=1
PARAISO_PROGRAMS=$programs build/thread/bin/test_differential
build/thread/bin/test_tune
for app in hello life "wave --dim 2" "heat --dim 3" "heat --dim 3 --fuse 3" "acoustic --dim 2" himeno "hydro --dim 2"; do
  build/thread/bin/paraiso verify $app --schedules "$schedules"
done
