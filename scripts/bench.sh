#!/usr/bin/env bash
# Builds Paraiso and the hand-written references, and measures them side by side on this machine.
# Arguments go to bench/run.py: --only hydro2d --rounds 9 --threads 1 2 --output bench.json
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/build.sh -DPARAISO_TESTS=ON
cmake --build build --target references
exec python3 bench/run.py "$@"
