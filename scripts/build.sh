#!/usr/bin/env bash
# Sets up, configures and builds Paraiso in build/; the command is then build/bin/paraiso.
# Arguments are handed to CMake's configure step: scripts/build.sh -DPARAISO_TESTS=OFF; `--target NAME`
# before them builds only that target.
set -euo pipefail
cd "$(dirname "$0")/.."

target=()
if [ "${1:-}" = --target ]; then
  target=(--target "$2")
  shift 2
fi

# Packages that only tests need are large.
without=()
[[ " $* " != *" -DPARAISO_TESTS=OFF "* ]] || without=(--without-tests)
./scripts/setup.sh "${without[@]}"

launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -G Ninja -S . -B build "${launcher[@]}" "$@"
cmake --build build "${target[@]}"
