// WorkerTask: what a worker process of a tuning is to do, as a value and as the JSON file in which
// it goes there.
// Gives: WorkerTask, write_task, read_task. Needs: prepared.
#pragma once

#include <sys/types.h>

#include "cli/prepared/prepared.hpp"
#include "paraiso/runtime/build/compile.hpp"

namespace paraiso::cli {

struct WorkerTask {
  Execution execution;     // with a schedule and parameters as values
  std::string phase;       // "build", "reference" or "time"
  std::string answer;      // the file to write
  pid_t tuner = 0;         // the process that started it
  std::string expected;    // the hash of the state after `steps`
  std::int64_t steps = 0;  // in a repeat of the default
  int repeats = 30;
  double best = 0;        // stop timing if the individual can't reach this score
  int check_seconds = 0;  // limit for checking on the small grid; 0: none
  double compile_seconds = runtime::CompileOptions{}.seconds;
};

void write_task(const WorkerTask& task, const std::filesystem::path& file);

/// Throws Error if the file holds no task.
[[nodiscard]] WorkerTask read_task(const std::filesystem::path& file);

}  // namespace paraiso::cli
