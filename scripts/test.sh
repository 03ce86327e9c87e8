#!/usr/bin/env bash
# Sets up, builds, and runs the whole test suite; the last lines are its summary. With the full counts of
# random programs and schedules: scripts/test-long.sh. Arguments are handed to ctest. With PARAISO_TARGET=x86-64-v3 every
# test that runs generated code has it made for that level.
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/build.sh -DPARAISO_TESTS=ON
command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
  echo "test: no chromium: reports are not looked at in a browser"
[ "$(uname -m)" != x86_64 ] || { command -v qemu-aarch64 && command -v aarch64-linux-gnu-g++; } >/dev/null ||
  echo "test: no qemu-user or no g++-aarch64-linux-gnu: no code for AArch64 is tested"
ctest --test-dir build --output-on-failure --parallel "$(nproc)" "$@"
