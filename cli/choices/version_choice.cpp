#include "cli/choices/version_choice.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "cli/call/values.hpp"
#include "paraiso/plan/dispatch/loop_thresholds.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {
namespace {

/// What a schedule says of one kernel.
plan::Schedule part_of(const plan::Schedule& schedule, const om::Kernel& kernel) {
  return plan::for_copy(schedule, kernel.name, kernel.name);
}

/// A grid of about `bytes` in all fields, as many cells along each axis.
std::string grid_of(const om::Machine& program, double bytes) {
  const double cells = bytes / static_cast<double>(plan::cell_bytes_of(program));
  const double side = std::pow(cells, 1.0 / program.dimension);
  const auto whole = std::max<std::int64_t>(1, std::llround(side));
  return runtime::size_text(
      std::vector<std::int64_t>(static_cast<std::size_t>(program.dimension), whole));
}

/// From the largest grids to the smallest; the default, for the usual grids, stands between.
std::vector<plan::VersionLine> planned_versions(const ScheduledProgram& scheduled) {
  const plan::MachineModel machine = plan::cautious(scheduled.machine());
  const double all = machine.caches.back().bytes * machine.threads;
  const double own = machine.caches[machine.caches.size() > 1 ? 1 : 0].bytes * machine.threads;
  const auto line = [&](const char* name, double bytes, std::optional<double> least) {
    plan::VersionLine made{name, std::string(kPlannedFor) + grid_of(scheduled.program, bytes), {}};
    if (least) made.guard = {name, plan::Measure::state_bytes, static_cast<std::int64_t>(*least)};
    return made;
  };
  std::vector<plan::VersionLine> lines{
      line("large", 16 * all, all),
      line("middle", all / 2, own),
      {"usual", "default",
       plan::GuardedName{"usual", plan::Measure::state_bytes, static_cast<std::int64_t>(own / 4)}},
      line("small", own / 4, {}),
  };
  return lines;
}

plan::Schedule schedule_named(const ScheduledProgram& scheduled, std::string_view text) {
  if (!text.starts_with(kPlannedFor)) return choose_schedule(scheduled, std::string(text), "");
  const auto size =
      parse_size(text.substr(kPlannedFor.size()), scheduled.program.dimension, kPlannedFor);
  return scheduled.backend.default_schedule(scheduled.program, {size, scheduled.machine()});
}

/// Without those whose schedule of the kernel a lower one has, too.
std::vector<plan::VersionLine> distinct(const ScheduledProgram& scheduled, const om::Kernel& kernel,
                                        const std::vector<plan::VersionLine>& lines) {
  std::vector<plan::VersionLine> kept;
  std::vector<plan::Schedule> seen;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    plan::Schedule own = part_of(schedule_of_version(scheduled, *line), kernel);
    if (std::ranges::find(seen, own) != seen.end()) continue;
    seen.push_back(std::move(own));
    kept.insert(kept.begin(), *line);
  }
  return kept;
}

/// None on devices.
std::vector<std::string> thresholds_of_loops(const runtime::Backend& backend,
                                             const om::Machine& program) {
  return backend.chooses_device ? std::vector<std::string>() : plan::loop_thresholds(program);
}

std::string names_of(const std::vector<plan::VersionLine>& lines) {
  std::vector<std::string> names;
  for (const plan::VersionLine& line : lines) names.push_back("`" + line.name + "`");
  return list_text(names);
}

}  // namespace

plan::Schedule schedule_of_version(const ScheduledProgram& scheduled,
                                   const plan::VersionLine& line) {
  const auto told = [&](const Error& error) {
    return line.place.empty() ? error : error.with_note({}, "at " + line.place);
  };
  try {
    return schedule_named(scheduled, line.schedule);
  } catch (const WrongCall& error) {
    throw WrongCall(told(error));
  } catch (const Error& error) {
    throw told(error);
  }
}

void declare_versions(CLI::App& command, VersionOptions& versions, bool tunes_loops) {
  CLI::Option* file = command
                          .add_option("--versions", versions.file,
                                      "schedules that the size chooses from: a list, or auto")
                          ->type_name("FILE");
  if (const CLI::Option* schedule = command.get_option_no_throw("--schedule"))
    file->excludes(const_cast<CLI::Option*>(schedule));
  CLI::Option* tuning =
      command.add_option("--tuning", versions.tuning, "thresholds: name=value lines");
  tuning->type_name("FILE");
  if (!tunes_loops) tuning->needs(file);
}

plan::Thresholds tuning_of_loops(const runtime::Backend& backend, const om::Machine& program,
                                 const VersionOptions& versions) {
  if (versions.tuning.empty()) return {};
  return as_wrong_call([&] {
    return plan::read_tuning(versions.tuning, std::nullopt, program.name,
                             thresholds_of_loops(backend, program));
  });
}

std::vector<plan::VersionLine> versions_asked(const ScheduledProgram& scheduled,
                                              const om::Kernel& kernel, const std::string& file) {
  if (file == "auto") return distinct(scheduled, kernel, planned_versions(scheduled));
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw WrongCall(fmt::format("`--versions {}`: no such file; or say `auto`", file));
  return as_wrong_call([&] { return plan::parse_versions(runtime::read_file(file), file); });
}

Versioned with_versions(const ScheduledProgram& scheduled, const om::Kernel& kernel,
                        const std::vector<plan::VersionLine>& lines) {
  Versioned made{scheduled.program, schedule_of_version(scheduled, lines.back()), {}, {}, {}};
  made.source = names_of(lines);
  if (lines.size() == 1) return made;
  std::vector<plan::GuardedName> guards;
  for (const plan::VersionLine& line : lines)
    if (line.guard) guards.push_back(*line.guard);
  const auto tiles = [](const auto& guard) {
    return guard.measure == plan::Measure::tiles_per_thread;
  };
  if (scheduled.backend.chooses_device && std::ranges::any_of(guards, tiles))
    throw WrongCall("`tiles_per_thread` is for processors: a device has no tiles of threads");
  made.dispatch = as_wrong_call([&] {
    return plan::make_dispatch(scheduled.program, kernel.name, lines.back().name, guards);
  });
  made.program = plan::add_versions(scheduled.program, *made.dispatch);
  for (std::size_t v = 0; v < guards.size(); ++v)
    made.schedule = plan::overlaid(std::move(made.schedule),
                                   plan::for_copy(schedule_of_version(scheduled, lines[v]),
                                                  kernel.name, made.dispatch->versions[v].kernel));
  return made;
}

Versioned choose_versions(const ScheduledProgram& scheduled, const om::Kernel& kernel,
                          const VersionOptions& options) {
  Versioned made =
      with_versions(scheduled, kernel, versions_asked(scheduled, kernel, options.file));
  made.source += fmt::format(" of `{}`, from `{}`", kernel.name, options.file);
  if (options.tuning.empty()) return made;
  if (!made.dispatch)
    throw WrongCall(fmt::format("`--tuning {}`: all versions of `{}` have the same schedule here",
                                options.tuning, kernel.name));
  made.tuning = as_wrong_call([&] {
    return plan::read_tuning(options.tuning, *made.dispatch, scheduled.program.name,
                             thresholds_of_loops(scheduled.backend, scheduled.program));
  });
  return made;
}

}  // namespace paraiso::cli
