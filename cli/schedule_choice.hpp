// ScheduleChoice: which schedule `--schedule` means, and where it comes from.
// Gives: untuned_schedule, choose_schedule, ScheduleChoice, choose_for_grid. Needs: session, tune.
#pragma once

#include "cli/planned_machine.hpp"
#include "cli/session.hpp"
#include "paraiso/plan/schedule/schedule.hpp"
#include "paraiso/tune/database/database.hpp"

namespace paraiso::cli {

/// What runs untuned on a machine.
[[nodiscard]] plan::Schedule untuned_schedule(const om::Machine& program,
                                              const plan::MachineModel& machine);

/// The schedule that `--schedule` names where there is no grid that a champion could be of: the
/// default one (if nothing is said, too), a file, or a genome; make_plan repairs it. Throws
/// WrongCall for `tuned` and for a file that is not there, naming `option`, Error for one that does
/// not fit the program.
[[nodiscard]] plan::Schedule choose_schedule(const om::Machine& program,
                                             const std::string& schedule,
                                             const MachineLookup& machine,
                                             const char* option = "--schedule");

struct ScheduleChoice {
  plan::Schedule schedule;
  std::string kind;    // "default", "tuned", "file" or "genome"
  std::string source;  // of the schedule, in words
};

/// The same for `run` and `bench`: where nothing is said, the nearest champion of `problem` that
/// the database (as `--database` says) knows, else the default schedule; `tuned` insists on the
/// champion. A database that can't be read is told of and does no harm, unless `tuned` insists.
[[nodiscard]] ScheduleChoice choose_for_grid(const om::Machine& program,
                                             const std::string& schedule,
                                             const MachineLookup& machine,
                                             const std::function<tune::Problem()>& problem,
                                             const std::string& database);

}  // namespace paraiso::cli
