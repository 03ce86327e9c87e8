#!/usr/bin/env bash
# The full counts: every app that `paraiso apps` names in every dimension, strict and fma, under random schedules with both
# compilers on one and two threads, at least 200 per app in all; other problems of the same equations, the other precision,
# fused steps and hydro in space under a fifth as many; three versions of each kernel, forced; and random programs; of
# programs of special values, a quarter as many, which also mean the same before and after the passes. All levels of the
# processor beside each other. On devices (an OpenCL one, if there is any, and CUDA's text on the processor) every app,
# dimension, precision and mode under 20 schedules, 500 random programs each, and, if there is nvcc, all that it makes of
# kernels. A million points of each elementary function. Each source by itself, with clang++. What some compilers build for
# some levels of the processor by each of them for each. The parser under libFuzzer, ten minutes. Every app by both MPIs and
# compilers on 2 to 16 processes, all tests of ranks by both, and a job of Slurm at its time limit.
# Takes hours; it can be stopped at any moment and continues when started again with the same code.
#   scripts/test-long.sh [SCHEDULES [PROGRAMS [TARGET]]]      50, 2000 and $PARAISO_TARGET or native by default
# TARGET is what code is compiled for: x86-64-v3, ...; what no TARGET changes, devices among it, is then left out. Logs and a
# summary stay in build/test-long/, with a TARGET in build/test-long/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."
schedules=${1:-50} programs=${2:-2000}
export PARAISO_TARGET=${3:-${PARAISO_TARGET:-native}}
export OMP_WAIT_POLICY=passive # grids are small, and a job for each processor has threads: those that wait must not spin

./scripts/build.sh -DPARAISO_TESTS=ON
out=build/test-long
[ "$PARAISO_TARGET" = native ] || out+=/$PARAISO_TARGET
build/bin/paraiso verify hello --schedules 1 --target "$PARAISO_TARGET" >/dev/null # or says why not
code=$(sha256sum build/bin/paraiso build/bin/test_differential build/bin/test_device)
[ "$(cat "$out/code" 2>/dev/null)" = "$code" ] || rm -rf "$out"
mkdir -p "$out"
echo "$code" >"$out/code"
touch "$out/summary"
sed -i "/^\(FAILED\|skipped\)/d" "$out/summary" # again
export PARAISO_CACHE="$PWD/$out/cache"
mkdir -m 700 -p "$PARAISO_CACHE"

# The calls of `verify`, from the list of `paraiso apps`: every app in every dimension; other problems, each
# choice and the other precision in its first one; and several steps in a kernel, of which a time step that follows from the state is
# held. An app of one dimension has twice as many schedules in it, so that each has at least 200.
calls_of_apps() {
  build/bin/paraiso apps --json | python3 -c '
import json, subprocess, sys

schedules = int(sys.argv[1])
few = max(schedules // 5, 1)
DEAR = {("hydro", 3)}  # a schedule of these takes as long as ten of the others
STEPS = {1: 4, 2: 3, 3: 2}  # fused, by dimension; two where the time step is held: these kernels are large
later = []


def can_fuse(app, dimension, *more):
    call = ["build/bin/paraiso", "show", app, "--dim", str(dimension), "--fuse", "2", *more]
    return subprocess.run(call, capture_output=True).returncode == 0


def call(count, app, dimension, *more):
    for numbers in "strict", "fma":
        words = ["build/bin/paraiso verify", app, "--dim", dimension, *more, "--numbers", numbers, "--schedules", count]
        line = " ".join(map(str, words))
        later.append(line) if (app, dimension) in DEAR else print(line)


for app in json.load(sys.stdin)["apps"]:
    name, dimensions = app["name"], app["dimensions"]
    for dimension in dimensions:
        dear = (name, dimension) in DEAR
        call(few if dear else schedules * (2 if len(dimensions) == 1 else 1), name, dimension)
        if dear or dimension not in STEPS:
            continue
        hold = [] if can_fuse(name, dimension) else ["--hold-time-step"]
        if can_fuse(name, dimension, *hold):
            call(few, name, dimension, "--fuse", 2 if hold else STEPS[dimension], *hold)
        else:
            sys.exit(f"{name}: its steps can not be fused in {dimension} dimensions")
    for problem in app["problems"][1:]:
        call(few, name, dimensions[0], "--problem", problem["name"])
    for option in app.get("options", []):
        problem = (option["problems"] or [app["problems"][0]["name"]])[0]
        for value in option["values"][1:]:
            choice = option["name"] + "=" + value["name"]
            call(few, name, dimensions[0], "--problem", problem, "--choose", choice)
    for precision in app["precisions"][1:]:
        call(few, name, dimensions[0], "--precision", precision)
print(*later, sep="\n", file=open(sys.argv[2], "w"))
' "$schedules" "$out/later"
}

# Three versions of every app in every dimension, each forced: nothing stored, everything stored, the default.
calls_of_versions() {
  {
    echo "nothing genome:A when 40 <= cells"
    echo "everything genome:$(printf 'D%.0s' {1..4000}) when 9 <= cells"
    echo "base default"
  } >"$out/every.versions"
  build/bin/paraiso apps --json | python3 -c '
import json, sys

for app in json.load(sys.stdin)["apps"]:
    for dimension in app["dimensions"]:
        print("build/bin/paraiso verify", app["name"], "--dim", dimension, "--versions", sys.argv[1])
' "$out/every.versions"
}

of_tests="PARAISO=$PWD/build/bin/paraiso PARAISO_MACHINE=$PWD/docs/machines/zen5-x86-64-v4.json"

# What no TARGET changes: how Paraiso itself is compiled, what compares levels, and what runs on devices. `--schedules` is not
# the last word there: most programs have fewer.
calls_of_no_target() {
  echo "env PARAISO_EVERY_SOURCE=1 PARAISO_SOURCE_DIR=$PWD PARAISO_BINARY_DIR=$PWD/build \
python3 -B tests/architecture/clang_test.py"
  python3 -c '
import json, subprocess


def asked(*words):
    return json.loads(subprocess.run(["build/bin/paraiso", *words, "--json"], capture_output=True, text=True).stdout)


backends = ["cuda --device emulated"]
if any(device["usable"] for device in asked("doctor")["devices"]["opencl"]):
    backends.append("opencl")
apps = asked("apps")["apps"]
for app in apps:
    for dimension in app["dimensions"]:
        words = "build/bin/paraiso verify", app["name"], "--dim", dimension
        print(*words, "--target all --schedules 1 --numbers fma")
        print(*words, "--backend hip --device emulated --schedules 1 --compiler g++")
for backend in backends:
    for app in apps:
        for dimension in app["dimensions"]:
            for precision in app["precisions"]:
                for numbers in "strict", "fma":
                    print("build/bin/paraiso verify", app["name"], "--dim", dimension, "--precision", precision, "--numbers",
                          numbers, "--backend", backend, "--schedules 20 --compiler g++")
'
  for ((seed = 1; seed <= 500; seed += 125)); do
    echo "env PARAISO_OPTIMIZED=1 PARAISO_SEED=$seed PARAISO_PROGRAMS=125 build/bin/test_device --gtest_filter=*RandomPrograms*"
  done
  for ((seed = 1; seed <= 60; seed += 12)); do # each compiled as one
    echo "env PARAISO_SPECIAL_SEED=$seed PARAISO_SPECIAL=12 build/bin/test_device --gtest_filter=*SpecialValues*"
  done
  echo "env PARAISO_OPTIMIZED=1 PARAISO_CASES=99 build/bin/test_device --gtest_filter=*Ghosts*:*FusedSums*:*Sides*:SweepBarriers*:*FourAxes*:DeviceReductions.Have*"
  echo "env PARAISO_OPTIMIZED=1 PARAISO_KEPT=1 build/bin/test_device --gtest_filter=*KeptProgramsOnDevice*"
  echo "env PARAISO_EVERY_BUILD=1 build/bin/test_codegen --gtest_filter=*Support*Checks*:*AnyName*"
  echo "env PARAISO_EVERY_BUILD=1 build/bin/test_differential --gtest_filter=*EveryOperator*:*KeptValues*"
  echo "env PARAISO_EVERY_BUILD=1 $of_tests python3 -B tests/cli/aarch64_test.py"
  cmake --build build --target references >/dev/null &&
    echo "env REFERENCES=$PWD/build/bin $of_tests python3 -B tests/bench/references_test.py"
  if cmake --build build --target paraiso_fuzz_parse >/dev/null; then # with clang++
    mkdir -p "$out/corpus"
    echo "build/bin/paraiso_fuzz_parse -seed=2 -max_total_time=600 -max_len=4096 -timeout=10 -rss_limit_mb=2048 $out/corpus \
tests/om/samples tests/om/malformed"
  fi
  echo "env PARAISO_ELEMENTARY=1000000 build/bin/test_elementary"
  echo "env PARAISO_NVCC=all PARAISO=$PWD/build/bin/paraiso python3 -B tests/cli/nvcc_test.py"
  echo "env PARAISO_SANITIZE_ALL=1 $of_tests python3 -B tests/cli/cuda_test.py Emitted.test_does_nothing_undefined"
  echo "env PARAISO_HIP_ALL=1 PARAISO=$PWD/build/bin/paraiso python3 -B tests/cli/hip_test.py Hipcc"
}

{
  calls_of_apps
  calls_of_versions
  [ "$PARAISO_TARGET" != native ] || calls_of_no_target
  step=$(((programs + 7) / 8))
  for ((seed = 1; seed <= programs; seed += step)); do
    count=$((seed + step - 1 <= programs ? step : programs - seed + 1))
    echo "env PARAISO_SEED=$seed PARAISO_PROGRAMS=$count PARAISO_DIVIDED=$((count / 4)) build/bin/test_differential"
  done
  echo "env PARAISO_KILLS=50 $of_tests python3 -B tests/cli/faults_test.py KilledTuner Kills"
  echo "env PARAISO_MPI_ALL=1 $of_tests MPI_RANKS=$PWD/build/bin/mpi_ranks python3 -B tests/cli/mpi_test.py"
  for script in mpi_files emit_mpi hosts slurm; do
    echo "env PARAISO_MPI_ALL=1 $of_tests python3 -B tests/cli/${script}_test.py"
  done
  echo "env PARAISO_SPECIAL=$((programs / 4)) build/bin/test_differential --gtest_filter=SpecialPasses.*"
  # Special values, by what users get and by what random schedules are built with.
  step=$(((programs / 4 + 7) / 8))
  for ((seed = 1; seed <= programs / 4; seed += step)); do
    for optimization in -O3 -O1; do
      echo "env PARAISO_EVERY_BUILD=1 PARAISO_SPECIAL_SEED=$seed PARAISO_SPECIAL=$step \
PARAISO_SPECIAL_OPTIMIZATION=$optimization \
build/bin/test_differential --gtest_filter=SpecialValues.*"
    done
  done
  cat "$out/later"
} >"$out/jobs"

# One job per line, one per processor at a time; each keeps its log. `verify` accepts fewer schedules than requested if
# it finds no more; each of these programs has thousands, so here that is a failure.
run_job() {
  local log="$2/$(printf '%s' "$1" | tr -c 'A-Za-z0-9_=-' '_' | cut -c1-150)-$(cksum <<<"$1" | cut -d' ' -f1).log" asked compared
  asked=$(sed -n 's/.* --schedules \([0-9]*\)$/\1/p' <<<"$1")
  local passed="passed: $1${asked:+: $asked schedules}"
  grep -qxF "$passed" "$2/summary" && return
  local status=0
  $1 >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then # 77: a package is missing, as CTest knows it
    [ "$status" -eq 77 ] && echo "skipped: $1 (see $log)" || echo "FAILED: $1 (see $log)"
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
