// verify_options: what generated code is compared with the interpreter on, and by what it is built.
// Gives: VerifyOptions. Needs: backend, fuse_steps.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::verify {

struct VerifyOptions {
  const runtime::Backend* backend = &runtime::default_backend();
  int schedules = 10;                   // at most: `first`, then random ones
  std::optional<plan::Schedule> first;  // none: the default one
  std::vector<plan::Gene> genes;        // the program's table; empty: made anew
  std::uint64_t seed = 1;               // of schedules and of random states
  std::vector<std::string> compilers;   // empty: all that work here
  std::vector<std::string> targets = {runtime::default_target()};
  std::vector<int> threads = {1, 2};
  // Empty: usual_sizes, whose turns alternate with the number of threads and the schedule.
  std::vector<std::vector<std::int64_t>> sizes;
  std::vector<std::string> problems;  // initial kernels; empty: all
  // Of each grid among ranks, which generated code then runs on; none: it has the whole grid.
  std::function<om::Orthotree(const std::vector<std::int64_t>& size)> divide;
  int steps = 3;
  // For a fused program: its fused kernel must equal this many single steps of the interpreter.
  passes::Fusion fusion;
  std::optional<plan::Dispatch> dispatch;  // whose versions must equal their kernel
  std::string first_optimization = "-O3";  // of the first schedule
  std::string optimization = "-O1";        // of the random ones
  std::size_t together = 8;                // schedules per run of the compiler
  std::filesystem::path cache;             // empty: cache_folder()
  // Waits for the device that the code runs on; it is this process's own as long as the result
  // lives. On a card that many processes share, each would wait for all others at each step.
  std::function<std::shared_ptr<const void>()> take_device;
};

}  // namespace paraiso::verify
