#!/usr/bin/env bash
# Measures one list of recipes on the programs of FAST (2015), the kernels to learn from (`training`) and programs to predict
# for, and on the five programs of bench/held_out. `paraiso rivals` compares ways to predict on what it leaves. Stopped at any
# moment it continues when started again.
# Usage: scripts/record-training.sh [RECIPES [KERNELS [FACTOR [THREADS [COMPILER]]]]]: of the 48 kernels every (48 / KERNELS)-th,
# with 0 none; grids of 65,536 cells, FACTOR times as many along each axis; 60, 48, 1, 1, g++ if not given. Prints the seconds of
# each program. The database is $PARAISO_RECORDINGS/training.sqlite, in build/training if that is not set. $PARAISO_MEASURE goes
# before each call: `flock FILE`, say.
set -euo pipefail
cd "$(dirname "$0")/.."

recipes=${1:-60}
kernels=${2:-48}
factor=${3:-1}
threads=${4:-1}
compiler=${5:-g++}
paraiso=${PARAISO:-build/bin/paraiso}
folder=${PARAISO_RECORDINGS:-build/training}
mkdir -p "$folder"

# "64x32x32" times the factor
enlarged() { tr x '\n' <<<"$1" | awk -v f="$factor" '{printf "%s%d", (NR > 1 ? "x" : ""), $1 * f}'; }
size=$(enlarged 64x32x32)

record() {
  local began=$SECONDS
  # shellcheck disable=SC2086
  ${PARAISO_MEASURE:-} "$paraiso" tune "$@" --recipes "$recipes" --threads "$threads" --repeat 5 --rounds 6 --compile-limit 30 \
    --compiler "$compiler" --time-limit 30 --database "$folder/training.sqlite" >"$folder/last.log" 2>&1 || { cat "$folder/last.log" >&2; exit 1; }
  echo "$((SECONDS - began)) s: $*"
}

for call in "heat --dim 3" "himeno" "wave --dim 3" "acoustic --dim 3 --problem standing"; do
  # shellcheck disable=SC2086
  record $call --precision f32 --size "$size"
done
for program in fdtd poisson wave25; do record stencil --precision f32 --choose "program=$program" --size "$size"; done
"${HELD_OUT:-build/bin/bench_held_out}" "$folder/held_out" | while read -r file cells; do
  record "$file" --size "$(enlarged "$cells")" </dev/null
done
number=0 taken=0
for arrays in 2 4 8 16; do
  for order in 1 2 3; do
    for parameters in 1 2 3 4; do
      number=$((number + 1))
      [ $((number * kernels / 48)) -gt "$taken" ] || continue
      taken=$((taken + 1))
      record training --choose "order=$order" --choose "parameters=$parameters" --choose "arrays=$arrays" --size "$size"
    done
  done
done
