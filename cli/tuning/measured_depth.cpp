#include "cli/tuning/measured_depth.hpp"

#include <fmt/format.h>

#include "cli/execution/tuned_depth.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/runtime/build/host_lock.hpp"
#include "paraiso/tune/tuning/tuning_run.hpp"

namespace paraiso::cli {

namespace {

// So many in a row that are slower than one before: deeper ones are taken to be slower, too.
constexpr int kSlower = 2;

/// Of the default schedule of so many steps fused: the speed, or why it can't be timed. That of one
/// step has to run: throws like find_reference.
tune::Measurement time_default(int depth, const TuneCall& call, Tuning& tuning) {
  const runtime::TemporaryFolder scratch;
  try {
    find_reference(call, scratch, tuning);
  } catch (const runtime::Stopped&) {
    throw;
  } catch (const runtime::CannotWrite&) {
    throw;
  } catch (const Error& error) {
    if (depth == 1) throw;
    return tune::failed(error.diagnostics()[0].message);
  }
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
    const tune::Measurement measured = time_default(depth, fused, *tuning);
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

}  // namespace paraiso::cli
