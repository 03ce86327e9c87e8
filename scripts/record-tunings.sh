#!/usr/bin/env bash
# Tunes heat and hydro for 2,000 individuals each and exports the measurements, for replaying strategies:
# tests/tune/recordings. They start from schedules that store nothing, so that a search has something to find. Both grids
# fit in L3, because the speed of memory shared with other guests varies by a factor of 1.4. Takes hours and needs the
# machine for itself. Stopped at any moment it leaves a recording of all except the last hundred individuals at most, and
# continues when started again. Another number: scripts/record-tunings.sh 500
# The databases are kept in $PARAISO_RECORDINGS, build/recordings if that is not set.
set -euo pipefail
cd "$(dirname "$0")/.."

total=${1:-2000}
chunk=100
paraiso=${PARAISO:-build/bin/paraiso}
databases=${PARAISO_RECORDINGS:-build/recordings}
recordings=tests/tune/recordings
mkdir -p "$databases" "$recordings"

# Written under another name and renamed: a recording is complete, or the old one.
export_recording() {
  local name=$1
  "$paraiso" replay "$databases/$name.sqlite" --output "$databases/$name.recording"
  cp "$databases/$name.recording" "$recordings/$name.recording.part"
  mv "$recordings/$name.recording.part" "$recordings/$name.recording"
}

record() {
  local name=$1
  shift
  local call=("$paraiso" tune "$@" --database "$databases/$name.sqlite" --compile-limit 30)
  local known=0
  if [ -e "$databases/$name.recording" ]; then known=$(($(wc -l <"$databases/$name.recording") - 1)); fi
  for ((known += chunk; known < total + chunk; known += chunk)); do
    "${call[@]}" --total "$((known < total ? known : total))"
    export_recording "$name"
  done
  "${call[@]}" --again 10
  export_recording "$name"
  "$paraiso" replay "$recordings/$name.recording" --evaluations "$total"
}

record heat heat --dim 2 --size 1000x1000 --from apps/heat/schedules/plain.schedule
record hydro hydro --size 512x512 --from apps/hydro/schedules/izanagi.schedule
