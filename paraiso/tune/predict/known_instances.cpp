#include "paraiso/tune/predict/known_instances.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/om/divided_size.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/predict/known_features.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

/// None if its features are of another version, and its program is not known.
std::optional<KnownInstance> read(Database& database, std::int64_t id, TuningProblem problem,
                                  const Contest& contest, const Description& description) {
  auto features = known_features(database, problem, description);
  if (!features) return std::nullopt;
  auto roles = roles_from(Json::parse(description.roles));
  if (roles.size() != problem.genes.size())
    throw Error(fmt::format("{} roles of {} genes", roles.size(), problem.genes.size()));
  const std::string& genome = contest.won ? contest.best.genome : contest.start.genome;
  const auto schedule = plan::schedule_of(problem.genes, plan::genome_from(problem.genes, genome));
  KnownInstance known{{}, std::move(*features), recipe_of(problem.genes, roles, schedule), 1, id};
  if (contest.won && contest.start.score > 0) known.gain = contest.best.score / contest.start.score;
  known.problem = std::move(problem);
  known.roles = std::move(roles);
  return known;
}

}  // namespace

KnownInstances known_instances(Database& database) {
  KnownInstances known;
  const auto descriptions = database.descriptions();
  if (descriptions.empty()) return known;
  for (auto& [id, problem] : database.problems()) {
    const auto description = descriptions.find(id);
    const auto contest = database.contest(id);
    if (description == descriptions.end() || !contest) continue;
    try {
      if (auto instance = read(database, id, std::move(problem), *contest, description->second))
        known.all.push_back(std::move(*instance));
      else
        ++known.of_other_version;
    } catch (const std::exception&) {  // of JSON, or that a genome is none
      throw Error(fmt::format("the description of problem {} is damaged", id));
    }
  }
  return known;
}

KnownInstances usable_for(KnownInstances known, bool on_ranks) {
  if (!on_ranks)
    std::erase_if(known.all,
                  [](const KnownInstance& one) { return om::ranks_of(one.problem.size) > 1; });
  return known;
}

std::string why_none_compares(const KnownInstances& known) {
  return known.of_other_version > 0
             ? "all tuned programs are described by another version of Paraiso"
         : known.all.empty() ? "no tuned program is known"
                             : "all tuned programs are of other back ends";
}

}  // namespace paraiso::tune
