#!/usr/bin/env bash
# Records complete spaces of our own solvers, on which `paraiso scoreboard` compares strategies: schedules drawn from near the
# default one to far from it, regardless of how fast earlier ones were (`--strategy scattered`). Needs the machine for itself,
# for hours; stopped at any moment it continues when started again. Other solvers or numbers:
# scripts/record-complete.sh [TOTAL [NAME...]], NAME being one of those below.
# Grids fit in the caches, and one thread works, so that a timing is short and steady.
# Databases and recordings are kept in $PARAISO_RECORDINGS, build/complete if that is not set.
set -euo pipefail
cd "$(dirname "$0")/.."

total=${1:-5000}
shift $(($# > 0 ? 1 : 0))
paraiso=${PARAISO:-build/bin/paraiso}
folder=${PARAISO_RECORDINGS:-build/complete}
mkdir -p "$folder"

# Measured once: all that is recorded in this folder is planned for it, and recordings name it.
machine=$folder/machine.json
[ -f "$machine" ] || "$paraiso" calibrate --output "$machine"
export PARAISO_MACHINE=$machine
source="planned for the machine that calibrate measured as machine.json, sha256 $(sha256sum "$machine" | cut -c 1-16)"

declare -A calls=(
  [heat]="heat --dim 2 --size 256x256"
  [himeno]="himeno --size 32x32x32"
  [acoustic]="acoustic --dim 2 --size 256x256"
  [hydro]="hydro --dim 1 --size 4096"
  [mhd]="mhd --dim 1 --problem brio_wu --size 4096"
  [fdtd]="stencil --choose program=fdtd --size 32x32x32"
)
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(heat himeno acoustic hydro mhd fdtd)

for name in "${names[@]}"; do
  if [ -z "${calls[$name]:-}" ]; then echo "record-complete: error: no solver \`$name\`: there is ${!calls[*]}" >&2; exit 2; fi
  # shellcheck disable=SC2086
  "$paraiso" tune ${calls[$name]} --strategy scattered --threads 1 --total "$total" --compile-limit 120 --database "$folder/$name.sqlite"
  "$paraiso" replay "$folder/$name.sqlite" --complete --source "$source" --output "$folder/$name.recording"
done
"$paraiso" scoreboard "$folder"
