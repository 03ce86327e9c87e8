#include "paraiso/runtime/run/outputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/plot/font.hpp"
#include "paraiso/runtime/plot/plot.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

/// Of a run that has no folder: in the current one.
std::filesystem::path only_picture(const om::Machine& machine, const RunOptions& options) {
  return fmt::format("{}_{}.png", machine.name, options.plot);
}

void check_checkpoint(const std::filesystem::path& checkpoint) {
  if (checkpoint.empty()) return;
  const auto folder =
      checkpoint.has_parent_path() ? checkpoint.parent_path() : std::filesystem::path(".");
  std::error_code unreachable;
  if (!std::filesystem::is_directory(folder, unreachable))
    throw Error(fmt::format("can't write checkpoints to `{}`: there is no folder `{}`",
                            checkpoint.string(), folder.string()));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error(fmt::format("can't write checkpoints to `{}`: the folder is not writable",
                            checkpoint.string()));
}

}  // namespace

Outputs::Outputs(Instance& instance, const RunOptions& options, std::int64_t first_step,
                 bool goes_on)
    : instance_(instance), options_(options) {
  if (options_.output.empty()) return;
  make_folder(options_.output);
  if (goes_on) find_earlier(first_step);
  series_.emplace_back(options_.output / "scalars.csv", instance_.machine(),
                       goes_on ? first_step : -1);
}

void Outputs::find_earlier(std::int64_t first_step) {
  const auto hash = program_hash(instance_.machine(), options_.record);
  const auto stem = instance_.machine().name + "_";
  for (const auto& entry : std::filesystem::directory_iterator(options_.output)) {
    const auto name = entry.path().filename().string();
    if (name.rfind(stem, 0) != 0 || entry.path().extension() != ".h5") continue;
    try {
      const auto info = read_snapshot_info(entry.path());
      if (info.program_hash == hash && info.step < first_step) snapshots_.push_back(info);
    } catch (const Error&) {
      // Not ours: leave the file alone, and out of the series.
    }
  }
  std::sort(snapshots_.begin(), snapshots_.end(),
            [](const SnapshotInfo& a, const SnapshotInfo& b) { return a.step < b.step; });
}

double Outputs::now(std::int64_t step) const {
  const auto time = instance_.machine().find_role(om::StaticRole::time);
  return time ? instance_.scalar(*time).to_double() : static_cast<double>(step);
}

double Outputs::interval_of(double time) const {
  // A time that should be a multiple of `every` may have been rounded to just below it.
  return std::floor(time / options_.every * (1 + 1e-12));
}

bool Outputs::due(std::int64_t step) const { return due_at(now(step)); }

double Outputs::next_due() const {
  if (options_.output.empty() || options_.every <= 0) return INFINITY;
  return (last_interval_ + 1) * options_.every * (1 - 1e-11);
}

bool Outputs::due_at(double time) const {
  return !options_.output.empty() && options_.every > 0 && interval_of(time) > last_interval_;
}

std::filesystem::path Outputs::numbered(const std::string& stem, std::int64_t step,
                                        const char* extension) const {
  return options_.output / fmt::format("{}_{:08}{}", stem, step, extension);
}

void Outputs::draw(const std::filesystem::path& path, std::int64_t step) {
  PlotOptions plot;
  plot.record = options_.record;
  write_plot(path, instance_, options_.plot, step, plot);
  pictures_.push_back(path);
}

void Outputs::write(std::int64_t step) {
  if (options_.output.empty()) return;
  const auto& machine = instance_.machine();
  const auto path = numbered(machine.name, step, ".h5");
  write_snapshot(path, instance_, step, options_.record);
  written_.push_back(path);
  snapshots_.push_back(read_snapshot_info(path));
  if (machine.dimension <= 3)
    write_xdmf(options_.output / (machine.name + ".xdmf"), instance_, snapshots_);
  series_[0].add(instance_, step);
  if (!options_.plot.empty()) draw(numbered(options_.plot, step, ".png"), step);
  last_step_ = step;
  if (options_.every > 0) last_interval_ = interval_of(now(step));
}

void Outputs::finish(std::int64_t step, RunResult& result) {
  if (last_step_ != step) write(step);
  const auto& machine = instance_.machine();
  if (options_.output.empty() && !options_.plot.empty())
    draw(only_picture(machine, options_), step);
  result.snapshots = written_;
  result.pictures = pictures_;
  if (options_.output.empty()) return;
  result.series = options_.output / "scalars.csv";
  if (machine.dimension <= 3) result.xdmf = options_.output / (machine.name + ".xdmf");
}

void check_places(const om::Machine& machine, const RunOptions& options) {
  if (!options.plot.empty()) {
    (void)find_field(machine, options.plot);
    require_font();
    if (options.output.empty()) const AtomicFile tried(only_picture(machine, options));
  }
  if (!options.output.empty()) make_folder(options.output);
  check_checkpoint(options.checkpoint);
}

}  // namespace paraiso::runtime
