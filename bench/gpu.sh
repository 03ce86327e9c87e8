#!/usr/bin/env bash
# Builds Paraiso, verifies every app on a card and measures what docs/devices.md sets goals for, in less than nine minutes.
# Arguments go to bench/gpu.py: --backend opencl --device pocl --small --only copy rows --apps heat
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 bench/gpu.py "$@"
