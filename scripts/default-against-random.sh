#!/usr/bin/env bash
# Is the untuned default good? For each app: the best of 100 random schedules, measured again side by side with the
# default. The default should reach 85 % of the best everywhere. Takes hours, most of them for compiling random
# schedules, and needs the machine for itself; it can be stopped at any moment and continues when started again.
# Another number, some of the apps: scripts/default-against-random.sh 20 hydro2 heat3
set -euo pipefail
cd "$(dirname "$0")/.."

total=$((${1:-100} + 1)) # the default is one of them
shift $(($# > 0))
only=" $* "
paraiso=${PARAISO:-build/bin/paraiso}
folder=build/default-against-random
mkdir -p "$folder"

row() {
  local name=$1
  shift
  [[ $only == "  " || $only == *" $name "* ]] || return 0
  "$paraiso" tune "$@" --strategy random --total "$total" --repeat 5 --time-limit 120 \
    --database "$folder/$name.sqlite" --json >"$folder/$name.json"
  python3 - "$folder/$name.json" "$*" <<'PYTHON'
import json, sys
path, call = sys.argv[1:]
contest = json.load(open(path))
best = contest["champion_cell_updates_per_second"]
default = contest["default_cell_updates_per_second"]
print(f"| {call} | {default / 1e6:.4g} | {best / 1e6:.4g} | {default / best:.2f} |")
PYTHON
}

echo "| app | default, M/s | best, M/s | default / best |"
echo "| --- | --- | --- | --- |"
row hello hello
row life life --size 2048x2048
row wave1 wave --dim 1 --size 4194304
row wave2 wave --dim 2 --size 2048x2048
row wave3 wave --dim 3 --size 128x128x128
row heat2 heat --dim 2 --size 2048x2048
row heat3 heat --dim 3 --size 256x256x256
row acoustic2 acoustic --dim 2 --problem standing --size 2048x2048
row acoustic3 acoustic --dim 3 --problem standing --size 256x256x256
row himeno himeno --size 254x126x126
row hydro1 hydro --dim 1 --problem sod --size 100000
row hydro2 hydro --dim 2 --size 512x512
row hydro3 hydro --dim 3 --size 64x64x64
row mhd mhd --size 512x512
row training training --choose order=2 --choose arrays=4 --size 256x128x128
for program in fdtd poisson wave25; do
  row "stencil-$program" stencil --choose "program=$program" --size 256x128x128
done
