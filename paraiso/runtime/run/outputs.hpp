// Outputs: what a run writes to its output folder, and when.
// Gives: Outputs, check_places. Needs: output, plot, series.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "paraiso/runtime/output/output.hpp"
#include "paraiso/runtime/output/series.hpp"
#include "paraiso/runtime/run/run.hpp"

namespace paraiso::runtime {

/// In the folder: `MACHINE_STEP.h5` and, if a field is drawn, `FIELD_STEP.png` at each output;
/// `MACHINE.xdmf` over all snapshots; `scalars.csv` with a row per output. A restart continues the
/// series and the snapshots of the same program that are there up to its step.
class Outputs {
 public:
  /// `first_step` is where this run begins; `goes_on` after a restart.
  Outputs(Instance& instance, const RunOptions& options, std::int64_t first_step, bool goes_on);

  /// True if `every` has passed since the last output.
  [[nodiscard]] bool due(std::int64_t step) const;
  /// The same for a future state: `time` is its time, or its step if the machine has no time.
  [[nodiscard]] bool due_at(double time) const;
  /// Just below the next time at which one is due, or infinite: states before it need no look.
  [[nodiscard]] double next_due() const;
  void write(std::int64_t step);
  /// Writes the final outputs that are not there yet; without a folder, the picture.
  void finish(std::int64_t step, RunResult& result);

 private:
  void find_earlier(std::int64_t first_step);
  [[nodiscard]] double now(std::int64_t step) const;
  [[nodiscard]] double interval_of(double time) const;
  [[nodiscard]] std::filesystem::path numbered(const std::string& stem, std::int64_t step,
                                               const char* extension) const;
  void draw(const std::filesystem::path& path, std::int64_t step);

  Instance& instance_;
  const RunOptions& options_;
  std::vector<Series> series_;           // one if there is a folder
  std::vector<SnapshotInfo> snapshots_;  // earlier ones included
  std::vector<std::filesystem::path> written_, pictures_;
  std::int64_t last_step_ = -1;
  double last_interval_ = -1;
};

/// Makes the output folder, and throws Error for what would otherwise fail only after hours of
/// computing: a field or a font that is not there, a place that can't be written.
void check_places(const om::Machine& machine, const RunOptions& options);

}  // namespace paraiso::runtime
