#include "paraiso/tune/tuning/describe_problem.hpp"

#include <nlohmann/json.hpp>

#include "paraiso/om/print.hpp"
#include "paraiso/tune/predict/features.hpp"
#include "paraiso/tune/predict/known_features.hpp"
#include "paraiso/tune/predict/recipe.hpp"

namespace paraiso::tune {

Description describe_problem(const TunedProgram& tuned, std::int64_t steps) {
  const Features features = features_of({*tuned.backend, tuned.program, tuned.kernel(),
                                         tuned.on_ranks() ? tuned.part : tuned.size, tuned.machine,
                                         tuned.problem.compiler, tuned.problem.target, steps});
  auto roles = roles_of(tuned.kernel(), tuned.backend->options, tuned.on_ranks());
  for (std::size_t g = roles.size(); g < tuned.problem.genes.size(); ++g)  // of the whole program
    roles.push_back({tuned.problem.genes[g].name, true});
  return {features_json(features).dump(), roles_json(roles).dump()};
}

void keep_description(Database& database, std::int64_t problem, const TunedProgram& tuned,
                      std::int64_t steps) {
  database.keep_program(tuned.problem.program_hash, om::print(tuned.program));
  database.describe(problem, describe_problem(tuned, steps));
  const auto descriptions = database.descriptions();
  for (const auto& [id, other] : database.problems()) {
    const auto found = descriptions.find(id);
    if (found == descriptions.end()) continue;
    try {
      if (auto features = recomputed_features(database, other, found->second))
        database.describe(id, {features_json(*features).dump(), found->second.roles});
    } catch (const std::exception&) {  // damaged: those who read it say so
    }
  }
}

}  // namespace paraiso::tune
