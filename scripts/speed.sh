#!/usr/bin/env bash
# Prints how fast each app is on this machine: each row is one call of `paraiso bench`.
set -euo pipefail
cd "$(dirname "$0")/.."

speed() { build/bin/paraiso bench "$@" --schedule default --json 2>/dev/null | python3 -c '
import json, sys
print("%.1f" % (json.load(sys.stdin)["cell_updates_per_second"] / 1e6))'; }

row() {
  local title=$1
  shift
  echo "| $title | $(speed "$@" --threads 1) | $(speed "$@" --threads 2) |"
}

echo "| solver | size | precision | 1 thread | 2 threads |"
echo "| --- | --- | --- | --- | --- |"
row "hydro, 2-D | 1024x1024 | f64" hydro --dim 2 --size 1024x1024
row "hydro, 2-D | 1024x1024 | f32" hydro --dim 2 --size 1024x1024 --precision f32
row "hydro, 3-D | 128x128x128 | f64" hydro --dim 3 --size 128x128x128
row "heat, 3-D | 512x512x512 | f64" heat --dim 3 --size 512x512x512
row "wave, 3-D | 256x256x256 | f64" wave --dim 3 --size 256x256x256
row "acoustic, 3-D, order 8 | 512x512x512 | f32" acoustic --size 512x512x512
row "himeno, size L | 510x254x254 | f32" himeno --size 510x254x254
row "life, 2-D | 4096x4096 | bool" life --size 4096x4096
