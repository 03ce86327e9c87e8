// ScheduleChoice: which schedule `--schedule` means, and where it comes from.
// Gives: ScheduledProgram, planned_setting, untuned_schedule, choose_schedule, names_schedule,
// genome_text, ScheduleChoice, MakeProblem, choose_for_grid.
// Needs: session, backend, tune.
#pragma once

#include "cli/call/session.hpp"
#include "cli/choices/planned_machine.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/tune/database/database.hpp"
#include "paraiso/tune/predict/near/predict_schedule.hpp"

namespace paraiso::cli {

/// A program for which schedules are chosen. What it refers to outlives it.
struct ScheduledProgram {
  const runtime::Backend& backend;
  const om::Machine& program;
  MachineLookup machine;                 // that it is planned for
  const std::vector<plan::Gene>& genes;  // the program's table
  std::vector<std::int64_t> size = {};   // of the grid at hand, or a rank's; empty: none is
  double sharing = 1;                    // ranks that share a last cache
};

/// Whether what `--schedule` says is the same on all machines: a file's, or a genome.
[[nodiscard]] bool names_schedule(const std::string& text);

/// What is planned for: the grid at hand, or a rank's, on the machine as it is; where there is none
/// (`size` is empty), the usual grids, with caution.
[[nodiscard]] plan::Setting planned_setting(const std::vector<std::int64_t>& size,
                                            const MachineLookup& machine);

/// The schedule that runs untuned, for the grid at hand if there is one: in a cache other loops are
/// fast than from memory; and on a device a small grid needs all its cells in threads of their own,
/// a large one few threads that each do more.
[[nodiscard]] plan::Schedule untuned_schedule(const ScheduledProgram& scheduled);

/// The schedule that `--schedule` names if there is no grid for which there could be a champion:
/// the default one (also if nothing is said), a file, or a genome; make_plan repairs it. Throws
/// WrongCall for `tuned`, `predicted` and for a missing file, named after `before`, Error for one
/// that does not fit the program.
[[nodiscard]] plan::Schedule choose_schedule(const ScheduledProgram& scheduled,
                                             const std::string& schedule,
                                             std::string_view before = "--schedule ");

/// A schedule of a whole program as `--schedule` takes it, `genome:HASH:LETTERS`.
[[nodiscard]] std::string genome_text(const std::vector<plan::Gene>& genes,
                                      const plan::Schedule& schedule);

struct ScheduleChoice {
  plan::Schedule schedule;
  std::string kind;    // "default", "tuned", "predicted", "file" or "genome"
  std::string source;  // of the schedule, in words
};

using MakeProblem = std::function<tune::TuningProblem()>;

/// The same for `run` and `bench`: by default the nearest champion in the database of `--database`
/// of the first of `problems` (at least one) that has any, else `predicted`; `tuned` requires the
/// champion; `predicted` is what the champions of other programs let expect of `untuned`, if that
/// is faster than the default schedule, else the default schedule. A database that can't be read
/// is reported and otherwise ignored, unless `tuned` requires it.
[[nodiscard]] ScheduleChoice choose_for_grid(const ScheduledProgram& scheduled,
                                             const std::string& schedule,
                                             const std::vector<MakeProblem>& problems,
                                             const std::function<tune::Untuned()>& untuned,
                                             const std::string& database);

}  // namespace paraiso::cli
