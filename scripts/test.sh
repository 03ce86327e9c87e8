#!/usr/bin/env bash
# Sets up, builds, and runs the whole test suite: the tests that pass on a busy machine too, then those that depend on
# time or on the processor, one after another; each part ends with its summary. With the full counts of random programs and
# schedules: scripts/test-long.sh.
#   scripts/test.sh --label quick     the inner loop: builds and runs the tests with that label (or full, or machine) only
# Further arguments are passed to ctest. With PARAISO_TARGET=x86-64-v3 every test that runs generated code compiles it for
# that level.
set -euo pipefail
cd "$(dirname "$0")/.."

# tests ARGUMENTS...: runs the tests that ctest's options choose; what failed ones printed stands below the summary, too.
tests() {
  ctest --test-dir build --output-on-failure "$@" && return
  local status=$?
  awk '/^[0-9]+\/[0-9]+ Testing: / { text = "" } { text = text $0 "\n" } /^Test Failed\.$/ { printf "%s", text }' \
    build/Testing/Temporary/LastTest.log | tail -n 300
  return $status
}

jobs=$(($(nproc) + 1)) # at a time: tests wait for locks, ranks and time-outs, too
label=
if [ "${1:-}" = --label ]; then
  label=${2:?a label: quick, full or machine}
  shift 2
fi
case $label in
  quick)
    ./scripts/build.sh --target quick_tests -DPARAISO_TESTS=ON
    tests -L '^quick$' --parallel "$jobs" "$@"
    exit
    ;;
  '' | full | machine) ;;
  *)
    echo "test: error: no label \`$label\`: quick, full or machine" >&2
    exit 2
    ;;
esac

./scripts/build.sh -DPARAISO_TESTS=ON
command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
  echo "test: no chromium: reports are not looked at in a browser"
[ "$(uname -m)" != x86_64 ] || { command -v qemu-aarch64 && command -v aarch64-linux-gnu-g++; } >/dev/null ||
  echo "test: no qemu-user or no g++-aarch64-linux-gnu: no code for AArch64 is tested"
command -v valgrind >/dev/null || echo "test: no valgrind: nothing counts what the switch between versions costs"
status=0
[ "$label" = machine ] || tests -LE '^machine$' --parallel "$jobs" "$@" || status=$?
[ "$label" = full ] || tests -L '^machine$' "$@" || status=$?
exit $status
