#include "cli/execution/tuned_depth.hpp"

#include <algorithm>

#include "cli/choices/database_choice.hpp"
#include "cli/prepared/divided_grid.hpp"
#include "cli/prepared/tuning_problem.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/tune/database/champion.hpp"

namespace paraiso::cli {
namespace {

/// With so many steps fused, divided, without any schedule yet.
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
