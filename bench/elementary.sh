#!/usr/bin/env bash
# Times elementary functions: ours, the C library's as `--numbers fast` calls them, and one by one.
# Usage: bench/elementary.sh [LEVEL...], of x86-64-v2, x86-64-v3, x86-64-v4; without: v3 and v4.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ $# -gt 0 ] || set -- x86-64-v3 x86-64-v4
for level in "$@"; do
  if [ "$level" = x86-64-v4 ] && ! grep -q avx512f /proc/cpuinfo; then
    echo "$level: this processor does not have it"
    continue
  fi
  width=
  [ "$level" != x86-64-v4 ] || width=-mprefer-vector-width=512
  for compiler in g++ clang++; do
    command -v "$compiler" > /dev/null || continue
    "$compiler" -std=c++17 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -march="$level" $width -I. \
      -o "$folder/elementary" bench/elementary.cpp
    echo "$level $compiler"
    "$folder/elementary"
  done
done
