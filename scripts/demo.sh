#!/usr/bin/env bash
# Sets up, builds, and runs the two-dimensional supersonic jet for some seconds, with pictures.
# Arguments are handed to `paraiso run`; the folder is demo/, made anew, or $PARAISO_DEMO.
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/build.sh -DPARAISO_TESTS=OFF
output=${PARAISO_DEMO:-demo}
[ "$output" != demo ] || rm -rf demo

echo
build/bin/paraiso run hydro --dim 2 --problem jet --size 384x192 --wall-time 30 \
  --plot density --output "$output" --every 0.05 "$@"
