#!/usr/bin/env bash
# The full counts: every app in every dimension, strict and fma, under random schedules with both compilers on one and
# two threads, at least 200 an app in all; other problems of the same equations, fused steps and hydro in space under a
# fifth as many; and random programs. Takes hours; stopped at any moment, it goes on from there when it is started
# again with the same code. Of programs of special values, a quarter as many.
#   scripts/test-long.sh [SCHEDULES [PROGRAMS [TARGET]]]      50, 2000 and $PARAISO_TARGET or native unless told
# TARGET is what code is made for: x86-64-v3, ... Logs and a summary stay in build/test-long/, of a TARGET in
# build/test-long/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."
schedules=${1:-50} programs=${2:-2000}
export PARAISO_TARGET=${3:-${PARAISO_TARGET:-native}}

./scripts/build.sh -DPARAISO_TESTS=ON
out=build/test-long
[ "$PARAISO_TARGET" = native ] || out+=/$PARAISO_TARGET
build/bin/paraiso verify hello --schedules 1 --target "$PARAISO_TARGET" >/dev/null # or says why not
code=$(sha256sum build/bin/paraiso build/bin/test_differential)
[ "$(cat "$out/code" 2>/dev/null)" = "$code" ] || rm -rf "$out"
mkdir -p "$out"
echo "$code" >"$out/code"
touch "$out/summary"
sed -i "/^FAILED/d" "$out/summary" # again
export PARAISO_CACHE="$PWD/$out/cache"
mkdir -m 700 -p "$PARAISO_CACHE"

{
  for numbers in strict fma; do
    # Every app in every dimension, but for the dearest.
    for call in "hydro --dim 2 --problem jet" "hydro --dim 1 --problem sod" \
      "wave --dim 1" "wave --dim 2" "wave --dim 3" "heat --dim 1" "heat --dim 2" "heat --dim 3" "heat --dim 4" \
      "acoustic --dim 1" "acoustic --dim 2" "acoustic --dim 3"; do
      echo "build/bin/paraiso verify $call --numbers $numbers --schedules $schedules"
    done
    for call in hello life himeno; do
      echo "build/bin/paraiso verify $call --numbers $numbers --schedules $((2 * schedules))"
    done
    # The other boundaries and element types of the same equations, and several steps in a kernel.
    for call in "hydro --dim 2 --problem kelvin_helmholtz" "hydro --dim 2 --problem blast" \
      "hydro --dim 2 --problem entropy_wave --choose turned=60" "hydro --dim 2 --problem jet --precision f32" \
      "wave --dim 2 --precision f32" "acoustic --dim 2 --problem standing --precision f64" \
      "acoustic --dim 3 --problem shot --choose order=2" "himeno --precision f64" "life --fuse 2" "wave --dim 1 --fuse 5" \
      "wave --dim 2 --fuse 3" "heat --dim 1 --fuse 4" "heat --dim 2 --fuse 5" "heat --dim 2 --problem walls --fuse 3" \
      "heat --dim 3 --fuse 4" "acoustic --dim 2 --fuse 2" "acoustic --dim 3 --fuse 2" "himeno --fuse 2" \
      "hydro --dim 1 --problem sod --fuse 2 --hold-time-step" \
      "hydro --dim 2 --problem jet --fuse 2 --hold-time-step" \
      "hydro --dim 2 --problem blast --choose riemann=hll,limiter=van_leer,integrator=heun" \
      "hydro --dim 1 --problem sod --choose riemann=rusanov,limiter=superbee,integrator=ssp_rk3" \
      "hydro --dim 2 --problem sod --choose limiter=mc,turned=60" "hydro --dim 1 --choose limiter=van_albada"; do
      echo "build/bin/paraiso verify $call --numbers $numbers --schedules $((schedules / 5))"
    done
  done
  step=$(((programs + 7) / 8))
  for ((seed = 1; seed <= programs; seed += step)); do
    count=$((seed + step - 1 <= programs ? step : programs - seed + 1))
    echo "env PARAISO_SEED=$seed PARAISO_PROGRAMS=$count build/bin/test_differential"
  done
  # Special values, by what users get and by what random schedules are built with.
  step=$(((programs / 4 + 7) / 8))
  for ((seed = 1; seed <= programs / 4; seed += step)); do
    for optimization in -O3 -O1; do
      echo "env PARAISO_SPECIAL_SEED=$seed PARAISO_SPECIAL=$step PARAISO_SPECIAL_OPTIMIZATION=$optimization \
build/bin/test_differential --gtest_filter=SpecialValues.*"
    done
  done
  # A schedule of these takes as long as ten of the others.
  for numbers in strict fma; do
    echo "build/bin/paraiso verify hydro --dim 3 --problem jet --numbers $numbers --schedules $((schedules / 5))"
  done
} >"$out/jobs"

# One job a line, as many at a time as there are processors; each keeps its log. `verify` is content with fewer
# schedules than asked for where it finds no more; each of these programs has thousands, so that here it is a failure.
run_job() {
  local log="$2/$(printf '%s' "$1" | tr -c 'A-Za-z0-9_=-' '_' | cut -c1-150).log" asked compared
  asked=$(sed -n 's/.* --schedules \([0-9]*\)$/\1/p' <<<"$1")
  local passed="passed: $1${asked:+: $asked schedules}"
  grep -qxF "$passed" "$2/summary" && return
  if ! $1 >"$log" 2>&1; then
    echo "FAILED: $1 (see $log)"
    return
  fi
  compared=$(sed -n 's/.* kernel runs, \([0-9]*\) schedules, .*/\1/p' "$log")
  if [ "${compared:-0}" -lt "${asked:-0}" ]; then
    echo "FAILED: $1: ${compared:-0} schedules only (see $log)"
  else
    echo "$passed"
  fi
}
export -f run_job
tr '\n' '\0' <"$out/jobs" | xargs -0 -P "$(nproc)" -I{} bash -c 'run_job "$1" "$2"' _ {} "$out" |
  tee -a "$out/summary"

failed=$(grep -c '^FAILED' "$out/summary" || true)
compared=$(awk '/^passed: .* schedules$/ {sum += $(NF - 1)} END {print sum + 0}' "$out/summary")
echo "$(grep -c '^passed' "$out/summary") passed, $failed failed; $compared schedules compared"
[ "$failed" -eq 0 ]
