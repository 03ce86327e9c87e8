#!/usr/bin/env bash
# Tunes hydro and heat for 2,000 individuals each and exports what was measured, for replaying strategies:
# tests/tune/recordings. Takes hours and wants the machine for itself; stopped at any moment, it goes on from
# there when it is started again. Another number: scripts/record-tunings.sh 500
set -euo pipefail
cd "$(dirname "$0")/.."

total=${1:-2000}
paraiso=${PARAISO:-build/bin/paraiso}
folder=build/recordings
mkdir -p "$folder" tests/tune/recordings

record() {
  local name=$1
  shift
  local database=$folder/$name.sqlite
  "$paraiso" tune "$@" --database "$database" --total "$total"
  "$paraiso" replay "$database" --output "tests/tune/recordings/$name.recording"
  "$paraiso" replay "$database"
}

record hydro hydro --size 512x512
record heat heat --dim 2 --size 2048x2048
