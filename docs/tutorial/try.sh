# The tutorial's commands, page by page; run from a copy of this folder by tests/install.
set -e
cmake -S . -B build
cmake --build build

# 1. Heat
build/heat run heat --size 128x128 --plot u --output out
build/heat run heat --dim 3 --size 32x32x32 --steps 100
build/heat verify heat --schedules 2

# 2. Boundaries
build/plate run plate --size 64x64 --plot u --every 0.05 --output plate
build/plate run plate --size 64x64 --set kappa=0.1

# 3. Records and a Riemann solver
build/gas run gas --size 256x256 --plot density --output ball
build/gas run gas --dim 1 --problem tube --size 400 --plot density
build/gas run gas --size 128x128 --steps 100 --checkpoint state
build/gas run gas --restart state --steps 150

# 4. Reading a plan
build/gas show gas --plan --size 1024x1024
build/gas show gas
build/gas show gas --genes
build/gas show gas --source openmp
build/gas bench gas --size 512x512

# 5. Tuning
build/heat tune heat --size 256x256 --budget 3 --repeat 5 --database tuning.sqlite
build/heat run heat --size 256x256 --database tuning.sqlite
build/heat report tuning.sqlite --output report.html

# 6. Your own main, and emit
build/gas emit gas --output library
build/host

# Gray and Scott
build/gray_scott run gray_scott --size 128x128 --steps 3000 --plot v --output labyrinth
