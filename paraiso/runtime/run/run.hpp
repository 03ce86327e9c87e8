// run: the driver: initial kernel, steps, outputs, checkpoints, until done, a NaN or a stop signal.
// Gives: RunOptions, RunResult, run, run_bytes. Needs: Instance, and the rest of this folder.
//
// Watching a run never changes its bits: outputs and checkpoints take the steps as they come. Only
// `until` changes them, as it becomes the machine's time_limit. Before each output and at the end
// the machine's diagnostics are run (passes/analysis/diagnostics.hpp).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/runtime/fields/parameters.hpp"
#include "paraiso/runtime/fields/record.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/fields/summary.hpp"

namespace paraiso::runtime {

struct RunOptions {
  // The initial kernel; empty: the machine's first, if it has one. The instance is reset before,
  // except for its parameters.
  std::string problem;
  bool initial = true;                // false: no initial kernel, the instance's state as it is
  std::optional<std::int64_t> steps;  // stop at that step, counted from the problem's beginning
  std::optional<double> until;        // stop at that time; whichever comes first ends the run
  // Steps of the instance's machine to take at once. Single steps are taken where a run of single
  // steps would end, write or fail: the same steps are seen, and the state has the same bits.
  passes::Fusion fusion;
  Parameters parameters;         // set before the initial kernel
  std::filesystem::path fields;  // HDF5 file to set fields from, after the initial kernel

  std::filesystem::path output;  // folder of snapshots, pictures and scalars.csv; empty: none
  double every = 0;  // between outputs: in time, or in steps if the machine has no time;
                     // 0: the first and last state only
  std::string plot;  // field to draw at each output; without `output`: once, at the end

  std::filesystem::path checkpoint;  // written at the end, at a stop, and every checkpoint_seconds
  double checkpoint_seconds = 600;
  std::filesystem::path restart;  // go on from that checkpoint instead of the initial kernel

  double wall_time = 0;         // seconds after which to stop; 0: none
  bool progress = true;         // the progress line on standard error
  double progress_seconds = 2;  // between lines, and between searches for NaN
  bool stop_on_signals = true;  // SIGINT and SIGTERM end the run after the current steps
  Record record;                // stored in every file

  /// Called before the first step and after each step, or group of fused steps; false ends the run.
  std::function<bool(Instance&, std::int64_t step)> between;
};

enum class RunEnd { finished, callback, wall_time, interrupt, terminate };
/// "finished", "stopped by the program", "stopped at the wall time", "interrupted", "terminated"
[[nodiscard]] const char* name(RunEnd end);

struct RunResult {
  RunEnd end = RunEnd::finished;
  std::int64_t steps = 0;              // counted from the problem's beginning
  std::int64_t steps_run = 0;          // of this call
  std::optional<double> time;          // if the machine has one
  double seconds = 0;                  // in the step kernel alone
  double cell_updates_per_second = 0;  // of the step kernel
  std::vector<FieldSummary> fields;
  std::vector<ScalarSummary> scalars;
  std::vector<std::filesystem::path> snapshots, pictures;
  std::filesystem::path series, xdmf, checkpoint;  // empty if not written
};

/// Bytes that `run` needs on top of the instance (the state kept for finding a NaN's step).
[[nodiscard]] double run_bytes(const om::Machine& machine, const std::vector<std::int64_t>& size);

/// Throws Error for options that do not fit the machine, a NaN (field, cell and step; the last
/// checkpoint is kept), a time that does not advance, and files that can't be read or written.
RunResult run(Instance& instance, const RunOptions& options);

}  // namespace paraiso::runtime
