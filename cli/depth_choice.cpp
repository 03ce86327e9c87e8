#include "cli/depth_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/start_instance.hpp"
#include "cli/tuning_problem.hpp"
#include "paraiso/om/divided_size.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/runtime/build/host_lock.hpp"
#include "paraiso/tune/database/champion.hpp"
#include "paraiso/tune/tuning/tuning_run.hpp"

namespace paraiso::cli {

namespace {

constexpr int kDepths[] = {1, 2, 3, 4, 6, 8};
// So many in a row that are slower than one before: deeper ones are taken to be slower, too.
constexpr int kSlower = 2;

/// The default schedule of so many steps, or why it can't be timed.
tune::Measurement time_default(const TuneCall& call, Tuning& tuning) {
  const runtime::TemporaryFolder scratch;
  find_reference(call, scratch, tuning);
  tune::ProcessEvaluator evaluator(
      {command_of(call, tuning), scratch.path(), limits_of(call), runtime::host_lock_file()});
  return evaluator.time(tuning.tuned.default_genome);
}

/// With so many steps fused; none if they can't be, or if ranks would not run them so.
std::optional<Tuning> set_up_with(int depth, const Session& session, TuneCall& call) {
  call.execution.building.fuse = depth;
  try {
    return set_up(session, call);
  } catch (const WrongCall&) {
    if (depth == 1) throw;
    return std::nullopt;
  }
}

/// The same, divided, without any schedule yet.
std::optional<Prepared> prepare_with(int depth, const Session& session, Execution execution) {
  execution.building.fuse = depth;
  try {
    Prepared prepared = read_names(session, execution, "run");
    divide_grid(prepared, session, execution);
    return prepared;
  } catch (const WrongCall&) {
    return std::nullopt;
  }
}

}  // namespace

void measure_depth(const Session& session, TuneCall& call) {
  if (call.execution.building.fuse || !is_divided(call.execution.division)) return;
  int best = 1, slower = 0;
  double score = 0;
  std::string told;
  for (const int depth : kDepths) {
    TuneCall fused = call;
    std::optional<Tuning> tuning = set_up_with(depth, session, fused);
    if (!tuning) break;
    if (om::ranks_of(tuning->tuned.problem.size) == 1) return;
    const tune::Measurement measured = time_default(fused, *tuning);
    told += fmt::format("{}{}: {}", told.empty() ? "" : ", ", depth, tune::outcome_text(measured));
    slower = measured.score > score ? 0 : slower + 1;
    if (slower == kSlower) break;
    if (slower == 0) best = depth, score = measured.score;
  }
  call.execution.building.fuse = best;
  say_aside(
      fmt::format("steps for an exchange of messages: {}, the fastest by default schedules ({})\n",
                  best, told));
}

void take_tuned_depth(Prepared& prepared, const Session& session, const Execution& execution) {
  if (execution.building.fuse || ranks_of(prepared) == 1) return;
  const auto file = database_path(execution.database);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  try {
    tune::Database database(file, kWaitForTuner, tune::Access::read);
    const auto known = database.problems();
    double score = 0;
    for (const int depth : kDepths) {
      auto fused = prepare_with(depth, session, execution);
      if (!fused) break;
      const std::string hash = om::program_hash(fused->program);
      if (std::ranges::none_of(known, [&](const auto& entry) {
            return entry.second.program_hash == hash && om::ranks_of(entry.second.size) > 1;
          }))
        continue;  // before any code is generated
      const auto champion =
          tune::nearest_champion(database, problem_of(*fused, execution.building));
      if (!champion || champion->contest.best.score <= score) continue;
      score = champion->contest.best.score;
      prepared = std::move(*fused);
    }
  } catch (const Error&) {
    // The choice of a schedule will tell.
  }
}

}  // namespace paraiso::cli
