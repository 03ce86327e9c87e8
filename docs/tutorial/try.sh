# The tutorial's commands, in its order; run from a copy of this folder by tests/install.
set -e
cmake -S . -B build
cmake --build build

build/gray_scott run gray_scott --size 128x128 --steps 3000 --plot v --output out

build/gray_scott verify gray_scott --schedules 2

build/gray_scott show gray_scott
build/gray_scott show gray_scott --plan
build/gray_scott show gray_scott --source openmp

build/gray_scott run gray_scott --dim 3 --size 32x32x32 --steps 100

build/gray_scott run gray_scott --size 128x128 --steps 1000 --checkpoint state
build/gray_scott run gray_scott --restart state --steps 1500

build/gray_scott bench gray_scott --size 1024x1024

build/gray_scott emit gray_scott --output library

build/host
