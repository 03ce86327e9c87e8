// Random programs for differential tests: valid machines, states, grid sizes, and how two states
// differ. Gives: RandomMachineOptions, random_machine, random_state, random_size, compare_states.
// Needs: om, and an Rng, so that a seed tells the whole program.
#pragma once

#include "paraiso/base/rng.hpp"
#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::test {

struct RandomMachineOptions {
  int dimension = 0;             // 0: 1 to 4, more often 1 and 2
  int largest_static_count = 5;  // at least one is Local
  int largest_kernel_count = 3;
  int operations = 24;      // at most, of each kernel
  int reach = 4;            // cells that a kernel reads at most beyond a cell, per axis and side
  bool elementary = false;  // functions that take long to compile and to run
  bool user_boundaries = true;
  bool annotations = true;  // manifest or delayed on some values
  bool stencils = false;    // f64 Locals, additions and the like only: steps that always fuse
};

/// A machine that verifies. It has statics of all elements and realms, every kind of boundary mixed
/// by axis and side, one-sided stencils, shifts of shifts, reductions that feed arithmetic and
/// broadcasts.
[[nodiscard]] om::Machine random_machine(Rng& rng, const RandomMachineOptions& options = {});

/// Values of order one; in some states, some cells hold NaN, infinities, -0 or extreme integers.
[[nodiscard]] om::State random_state(const om::Machine& machine, std::vector<std::int64_t> size,
                                     Rng& rng);

/// A grid of at most `largest_cell_count` cells: mostly 1 to 7 cells an axis, odd sizes among them;
/// sometimes axis 0 is longer than a chunk of the reduction tree.
[[nodiscard]] std::vector<std::int64_t> random_size(Rng& rng, int dimension,
                                                    std::int64_t largest_cell_count = 2000);

/// The first difference, "`density` at (3, 0): expected 1.5, got 2.5"; empty if there is none.
[[nodiscard]] std::string compare_states(const om::Machine& machine, const om::State& expected,
                                         const om::State& seen);

}  // namespace paraiso::test
