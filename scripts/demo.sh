#!/usr/bin/env bash
# Sets up, builds, and runs the two-dimensional supersonic jet with pictures, half a minute at most; ends with a verdict:
# how fast that was, how near to an exact solution, and whether the interpreter has the same bits.
# Arguments are passed to `paraiso run`. The folder is a new demo/, or $PARAISO_DEMO. $PARAISO may name a command that
# is built already.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${PARAISO:-}" ]; then
  ./scripts/build.sh -DPARAISO_TESTS=OFF
  PARAISO=build/bin/paraiso
fi
output=${PARAISO_DEMO:-demo}
[ "$output" != demo ] || rm -rf demo
mkdir -p "$output"

# The value of a name in a file that `--json` wrote.
value() {
  awk -v name="\"$2\":" '$1 == name { sub(/,$/, "", $2); gsub(/"/, "", $2); print $2; found = 1; exit }
                         END { exit !found }' "$output/$1.json"
}
threads_text() {
  local threads
  threads=$(value jet threads)
  echo "$threads thread$([ "$threads" = 1 ] || echo s)"
}
# A line of the verdict: a label, and a result.
tell() { printf '  %-10s %s\n' "$1" "$2"; }
failures=0
fail() {
  tell "$1" "FAILED: $2"
  failures=$((failures + 1))
}
# A call of `paraiso` whose output is kept; its messages are shown only if it fails.
ask() {
  local name=$1
  shift
  "$PARAISO" "$@" --json >"$output/$name.json" 2>"$output/$name.log" || { cat "$output/$name.log" >&2; return 1; }
}

jet=(hydro --dim 2 --problem jet)
[[ " $* " == *" --wall-time"* ]] || set -- --wall-time 30 "$@"
echo
"$PARAISO" run "${jet[@]}" --size 384x192 --plot density --output "$output" --every 0.05 --json "$@" >"$output/jet.json"
compiler=$(value jet compiler)

printf '\nverdict: a gas jet at ten times the speed of sound\n'
pictures=$(grep -o '[^"]*\.png' "$output/jet.json" || true)
if [ -n "$pictures" ]; then
  tell pictures "$(wc -l <<<"$pictures"), the last one is $(tail -n 1 <<<"$pictures")"
else
  fail pictures "none was drawn"
fi

if speed=$(value jet cell_updates_per_second) && awk "BEGIN { exit !($speed > 0) }"; then
  tell speed "$(awk "BEGIN { printf \"%.3g\", $speed / 1e6 }") million cells a second, $(threads_text), by $compiler"
else
  fail speed "the run tells none"
fi

# The same equations where the solution is known. tests/apps/hydro_test.cpp has the same limit.
expected=0.00321 limit=0.0034
if ask tube run hydro --dim 1 --problem sod --size 256 --compiler "$compiler" && error=$(value tube l1_error); then
  told="error of a shock tube $(printf '%.3g' "$error"); expected $expected, at most $limit"
  if awk "BEGIN { exit !($error <= $limit) }"; then tell accuracy "$told"; else fail accuracy "$told"; fi
else
  fail accuracy "the shock tube has told no error"
fi

# The jet's own program; if nothing was tuned, it is exactly the code that drew the pictures.
if ask bits verify "${jet[@]}" --size 24x12 --schedules 1 --compiler "$compiler"; then
  tell bits "the same as the interpreter's, in $(value bits cells) numbers of a small jet"
else
  fail bits "not the same as the interpreter's, see $output/bits.json"
fi

echo
if [ $failures -ne 0 ]; then
  echo "demo: error: $failures of the checks failed" >&2
  exit 1
fi
echo "All is well. What else there is: build/bin/paraiso --help"
