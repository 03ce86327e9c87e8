// emulated_launch: a launch of kernels that a C++ compiler compiled, on the processor, in one
// thread of the host. Gives: EmulatedPiece, EmulatedRandom, emulated_pieces, emulated_random,
// emulated_calls, emulated_complaint, start_emulation, emulate_launch in paraiso_cuda. Needs:
// emulated_kernels; POSIX.
//
// $PARAISO_EMULATION says in which order blocks, and between two barriers the threads of a block,
// follow each other: `ascending`, `descending`, `random`, or `turns`, by default, which takes these
// three in turn, launch by launch; `random:7` also sets the seed, which is 1 else. A thread is a
// fiber where the kernel has barriers. Shared memory is NaN at a block's beginning. What touches
// memory beyond an array, and a barrier that not all threads of a block reach, ends the launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "paraiso/support/device/emulated_kernels.hpp"

namespace paraiso_cuda {

/// Memory between two pages that nobody may touch.
struct EmulatedPiece {
  char* mapped;
  std::size_t mapped_bytes, bytes;
};
/// All that there is, by address.
std::map<std::uint64_t, EmulatedPiece>& emulated_pieces();

/// splitmix64.
struct EmulatedRandom {
  std::uint64_t state;

  std::uint64_t below(std::uint64_t n) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) % n;
  }
};
/// That of all that is arbitrary.
EmulatedRandom& emulated_random();

/// Held by a call that changes these or runs kernels, of which there is one at a time.
std::mutex& emulated_calls();

/// What was wrong with the thread's last call that gave a status other than 0.
const std::string& emulated_complaint();

/// Reads $PARAISO_EMULATION; gives a status of the driver's.
int start_emulation();

/// The threads of all blocks, one after the other; gives a status of the driver's.
int emulate_launch(const EmulatedKernels& source, const EmulatedKernel& kernel,
                   const EmulatedIndex& blocks, const EmulatedIndex& block, void* const* arguments);

}  // namespace paraiso_cuda
