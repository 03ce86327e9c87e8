#!/usr/bin/env bash
# Sets up, builds, and runs the whole test suite; the last lines are its summary. With the full counts of
# random programs and schedules: scripts/test-long.sh. Arguments are handed to ctest.
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/build.sh -DPARAISO_TESTS=ON
ctest --test-dir build --output-on-failure --parallel "$(nproc)" "$@"
