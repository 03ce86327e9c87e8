#include "paraiso/tune/tuning/describe_problem.hpp"

#include <nlohmann/json.hpp>

#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/tune/predict/features.hpp"
#include "paraiso/tune/predict/known_features.hpp"
#include "paraiso/tune/predict/near/place.hpp"
#include "paraiso/tune/predict/recipe.hpp"

namespace paraiso::tune {

Description describe_problem(const TunedProgram& tuned, std::int64_t steps) {
  const Features features = features_of({*tuned.backend, tuned.program, tuned.kernel(),
                                         tuned.on_ranks() ? tuned.part : tuned.size, tuned.machine,
                                         tuned.problem.compiler, tuned.problem.target, steps});
  auto roles = roles_of(tuned.kernel(), tuned.backend->options, tuned.on_ranks());
  for (std::size_t g = roles.size(); g < tuned.problem.genes.size(); ++g)  // of the whole program
    roles.push_back({tuned.problem.genes[g].name, true});
  return {features_json(features).dump(), roles_json(roles).dump(),
          place_of(features, tuned.on_ranks())};
}

namespace {

constexpr std::size_t kTogether = 1000;  // written in one transaction

/// The description with its place, by features of today; none if they can't be found out again.
std::optional<Description> placed(Database& database, std::int64_t id) {
  const auto problem = database.problem(id);
  auto description = database.description(id);
  if (!problem || !description) return std::nullopt;
  const auto features = known_features(database, *problem, *description);
  if (!features) return std::nullopt;
  description->features = features_json(*features).dump();
  description->place = place_of(*features, om::ranks_of(problem->size) > 1);
  return description;
}

}  // namespace

void keep_description(Database& database, std::int64_t problem, const TunedProgram& tuned,
                      std::int64_t steps) {
  database.keep_program(tuned.problem.program_hash, om::print(tuned.program));
  database.describe(problem, describe_problem(tuned, steps));
  std::map<std::int64_t, Description> anew;
  for (const std::int64_t id : database.described_without_place(Features::kVersion)) {
    try {
      if (auto description = placed(database, id)) anew.emplace(id, std::move(*description));
    } catch (const std::exception&) {  // damaged: those who read it say so
    }
    if (anew.size() < kTogether) continue;
    database.describe(anew);
    anew.clear();
  }
  database.describe(anew);
}

}  // namespace paraiso::tune
