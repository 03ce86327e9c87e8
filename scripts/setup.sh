#!/usr/bin/env bash
# Installs what Paraiso needs and this machine lacks, from the distribution's packages; with --without-tests only what
# building and running the command needs, and packages that are named after it.
# Debian 12 and Ubuntu 24.04; asks for sudo only when not root, and only if something is missing.
set -euo pipefail

tests=true more=()
case "$*" in
  "") ;;
  --without-tests | "--without-tests "[a-z]*) tests=false more=("${@:2}") ;;
  *) echo "setup: error: \`--without-tests\` or nothing, and not \`$*\`" >&2; exit 2 ;;
esac

# docs/dependencies.md says why each one is needed.
packages=(
  g++ cmake ninja-build pkg-config
  libfmt-dev libcli11-dev nlohmann-json3-dev libhdf5-dev libpng-dev zlib1g-dev libfreetype-dev fonts-dejavu-core libssl-dev libhwloc-dev libsqlitecpp-dev
)
packages+=("${more[@]}")
# The second compiler, charts of reports, builds by make, and what only tests need.
! $tests || packages+=(clang libclang-rt-dev libomp-dev gnuplot-nox make python3 libgtest-dev libbenchmark-dev)

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup: this is not Debian or Ubuntu; install what is named as in Debian: ${packages[*]}" >&2
  exit 0
fi

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# The given packages that are not installed.
missing_of() {
  for package in "$@"; do installed "$package" || echo "$package"; done
}

install() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "setup: error: missing: $*; ask an administrator for: apt-get install $*" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "setup: installing $*"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
    apt-get install -y --no-install-recommends "$@" || { apt-get update && apt-get install -y --no-install-recommends "$@"; }
  ' setup "$@"
}

mapfile -t missing < <(missing_of "${packages[@]}")
[ ${#missing[@]} -eq 0 ] || install "${missing[@]}"

$tests || exit 0

# Packages that tests can do without, and the message if they can't be installed.
try_to_install() {
  local without=$1
  shift
  mapfile -t missing < <(missing_of "$@")
  [ ${#missing[@]} -eq 0 ] || install "${missing[@]}" || echo "setup: $without" >&2
}
# The browser in which tests look at reports: without it they are skipped, so that its absence is no error. Ubuntu has
# it as a snap only.
browser=()
if grep -qx ID=debian /etc/os-release; then browser=(chromium); fi
try_to_install "without chromium no test looks at reports in a browser" "${browser[@]}"
try_to_install "without pocl-opencl-icd no code for OpenCL is tested" ocl-icd-libopencl1 pocl-opencl-icd
try_to_install "without oclgrind nothing looks for races in code for OpenCL" oclgrind
# Each alone: both can be there, side by side.
try_to_install "without Open MPI no run of its processes is tested" libopenmpi-dev openmpi-bin
try_to_install "without MPICH no run of its processes is tested" libmpich-dev mpich
try_to_install "without Slurm no job of its is tested" slurmctld slurmd slurm-client munge
try_to_install "without hipcc no code for AMD's cards is compiled" hipcc
try_to_install "without valgrind nothing counts what the switch between versions costs" valgrind
try_to_install "without libmpfr-dev elementary functions are not compared with true values" libmpfr-dev
if [ "$(uname -m)" = x86_64 ]; then
  try_to_install "without qemu-user and g++-aarch64-linux-gnu no code for AArch64 is tested" qemu-user g++-aarch64-linux-gnu
fi
