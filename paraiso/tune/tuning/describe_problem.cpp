#include "paraiso/tune/tuning/describe_problem.hpp"

#include <nlohmann/json.hpp>

#include "paraiso/tune/predict/features.hpp"
#include "paraiso/tune/predict/recipe.hpp"

namespace paraiso::tune {

Description describe_problem(const TunedProgram& tuned, std::int64_t steps) {
  const Features features = features_of({*tuned.backend, tuned.program, tuned.kernel(),
                                         tuned.on_ranks() ? tuned.part : tuned.size, tuned.machine,
                                         tuned.problem.compiler, tuned.problem.target, steps});
  return {features_json(features).dump(),
          roles_json(roles_of(tuned.kernel(), tuned.backend->options, tuned.on_ranks())).dump()};
}

}  // namespace paraiso::tune
