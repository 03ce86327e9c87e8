#!/usr/bin/env bash
# Builds Paraiso, verifies every app on a card and measures what docs/devices.md sets goals for, in less than nine minutes.
# Arguments go to bench/gpu.py: --backend opencl --device pocl --small --only copy rows --apps heat
set -euo pipefail
cd "$(dirname "$0")/.."
# A bare machine has no Python; what a build needs is asked for at once. It counts as time spent.
command -v python3 >/dev/null || scripts/setup.sh --without-tests python3 >&2
exec python3 bench/gpu.py --spent "$SECONDS" "$@"
