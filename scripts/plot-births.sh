#!/usr/bin/env bash
# Measures how many individuals per second the tuning's master creates for 1,000 simulated workers, with 1,000 to a million
# in the database, and draws it: scripts/plot-births.sh [PICTURE.svg]. Takes two minutes; build first.
set -euo pipefail
root=$(dirname "$(realpath "$0")")/..
picture=$(realpath -m "${1:-$root/build/births.svg}")
cd "$root"

table=$(mktemp)
trap 'rm -f "$table"' EXIT
build/bin/bench_births | tee "$table"

TABLE=$table PICTURE=$picture gnuplot <<'PLOT'
table = system('printenv TABLE')
set terminal svg size 640,400 font "sans-serif,13" background "white"
set output system('printenv PICTURE')
set logscale x
set xrange [500:2e6]
set yrange [0:*]
set format x "10^{%T}"
set xlabel "individuals in the database"
set ylabel "microseconds a birth"
set key top left
set grid
set fit quiet logfile '/dev/null'
logarithm(n) = at_one + slope * log10(n)
fit logarithm(x) table using 1:3 every ::1 via at_one, slope
plot table using 1:3 every ::1 with points pointtype 7 title "measured", \
     logarithm(x) title sprintf("%.0f + %.0f log_{10} n", at_one, slope)
PLOT
echo "$picture"
