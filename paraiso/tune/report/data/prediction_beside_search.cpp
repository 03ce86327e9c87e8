#include "paraiso/tune/report/data/prediction_beside_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "paraiso/base/error.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/tune/predict/likeness.hpp"
#include "paraiso/tune/predict/near/predict_schedule.hpp"
#include "paraiso/tune/rivals/rivals.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;
using Scores = std::map<plan::Genome, double>;

/// The problem that is predicted for.
struct Asked {
  const TuningProblem& problem;
  Features features;
  std::vector<Role> roles;
  Scores scores;
};

/// None if it is not described by this version.
std::optional<Asked> asked_of(Database& database, std::int64_t id, const Recording& recording) {
  const auto description = database.description(id);
  if (!description) return std::nullopt;
  auto features = features_from(Json::parse(description->features));
  if (!features) return std::nullopt;
  Asked asked{
      recording.problem, std::move(*features), roles_from(Json::parse(description->roles)), {}};
  if (asked.roles.size() != asked.problem.genes.size())
    throw Error(fmt::format("the description of problem {} is damaged", id));
  for (const Recording::Entry& entry : recording.entries)
    asked.scores[entry.genome] = entry.measurement.score;
  return asked;
}

struct Voter {
  double likeness;
  const KnownInstance* instance;
  std::string name;  // "wave 1024x1024"; with the program's hash, where others are called alike
};

std::string plain_name(const std::string& machine, const std::string& size) {
  return fmt::format("{} {}", machine, size);
}

/// All that may have a vote.
struct Electorate {
  std::set<std::int64_t> same_solver;  // which have none
  std::map<std::string, int> called;   // by the plain name
};

Electorate electorate_of(Database& database, const TuningProblem& asked) {
  Electorate all;
  database.each_judged([&](std::int64_t id, const std::string& machine, const std::string& size) {
    if (machine == asked.machine) all.same_solver.insert(id);
    ++all.called[plain_name(machine, size)];
  });
  return all;
}

std::string name_of(const TuningProblem& problem, const Electorate& all) {
  const std::string name = plain_name(problem.machine, problem.size);
  const auto called = all.called.find(name);  // another tuner may have added it since
  if (called == all.called.end() || called->second == 1) return name;
  return fmt::format("{} ({})", name, problem.program_hash.substr(0, 6));
}

/// Those with a vote, the one most alike first.
std::vector<Voter> voters_of(const Asked& asked, const std::vector<KnownInstance>& known,
                             const Electorate& all) {
  std::vector<Voter> near;
  for (const KnownInstance& instance : known) {
    const double like = likeness(distance(instance.features, asked.features));
    if (like >= kAlike) near.push_back({like, &instance, name_of(instance.problem, all)});
  }
  std::ranges::stable_sort(near, std::greater(), &Voter::likeness);
  if (near.size() > kNeighbours) near.resize(kNeighbours);
  return near;
}

/// What they vote for, each with the weight of its likeness.
std::vector<ExpectedSchedule> votes(const Asked& asked, const plan::Genome& untuned,
                                    const std::vector<Voter>& near) {
  const auto& genes = asked.problem.genes;
  const plan::Schedule base = plan::schedule_of(genes, untuned);
  std::map<plan::Genome, std::size_t> places;
  std::vector<ExpectedSchedule> found;
  std::vector<double> sums;  // of weighted logarithms of gains
  double weights = 0;
  for (const auto& [likeness, instance, name] : near) {
    const plan::Genome genome =
        plan::genome_of(genes, schedule_of(instance->best, genes, asked.roles, base));
    const auto [place, first] = places.emplace(genome, found.size());
    if (first) {
      const auto score = asked.scores.find(genome);
      found.push_back({{}, likeness, 1, genome == untuned, std::nullopt});
      if (score != asked.scores.end()) found.back().score = score->second;
      sums.push_back(0);
    }
    found[place->second].from.push_back(name);
    sums[place->second] += likeness * std::log(instance->gain);
    weights += likeness;
  }
  for (std::size_t f = 0; f < found.size(); ++f)
    if (!found[f].is_default) found[f].gain = std::exp(sums[f] / weights);
  std::ranges::stable_sort(found, std::greater(), &ExpectedSchedule::gain);
  return found;
}

/// The common list in this problem.
struct List {
  std::vector<plan::Genome> genomes;
  SolutionSpace space;  // without speeds unless all were measured
};

List list_of(Database& database, std::int64_t id, const Asked& asked) {
  List list{{}, {asked.problem.machine, "", asked.features, {}, {}}};
  for (const ListedRecipe& recipe : database.listed(id)) {
    list.genomes.push_back(plan::genome_from(asked.problem.genes, recipe.genome));
    list.space.model.push_back(recipe.nanoseconds);
    if (const auto score = asked.scores.find(list.genomes.back()); score != asked.scores.end())
      list.space.speed.push_back(score->second);
  }
  if (list.space.speed.size() != list.space.model.size()) list.space.speed.clear();
  return list;
}

BestSoFar best_so_far(std::string name, const std::vector<double>& scores, double best) {
  BestSoFar found{std::move(name), {}};
  double most = 0;
  for (const double score : scores) {
    most = std::max(most, score);
    found.fractions.push_back(most / best);
  }
  return found;
}

/// Each rival that draws nothing, on the list of which all other solvers' speeds are known.
void add_rivals(PredictionBesideSearch& beside, const std::vector<SolutionSpace>& spaces,
                SolutionSpace asked) {
  Spaces known;
  for (const SolutionSpace& space : spaces)
    if (space.family != asked.family) known.push_back(&space);
  if (asked.speed.empty() || solvers(known).size() < 2) return;
  const std::size_t recipes = std::min(asked.speed.size(), known.front()->speed.size());
  asked.speed.resize(recipes), asked.model.resize(recipes);
  beside.recipes = recipes;
  for (const Rival& rival : rivals()) {
    if (rival.draws) continue;
    std::vector<double> scores;
    for (const std::size_t recipe : order_for(rival, known, asked))
      scores.push_back(asked.speed[recipe]);
    beside.orders.push_back(best_so_far(rival.name, scores, beside.best));
  }
}

/// Individuals that are not of the list, which a search has found, from the default on.
void add_search(PredictionBesideSearch& beside, const Recording& recording, const List& list,
                const std::optional<plan::Genome>& untuned) {
  const std::set<plan::Genome> listed(list.genomes.begin(), list.genomes.end());
  std::vector<double> scores;
  bool found = false, list_begun = false;
  for (const Recording::Entry& entry : recording.entries) {
    const bool start = entry.genome == untuned, of_list = listed.contains(entry.genome) && !start;
    list_begun = list_begun || of_list;
    if (!of_list) scores.push_back(entry.measurement.score);
    if (of_list || start) continue;
    if (!found) beside.search_knew_list = list_begun;
    found = true;
  }
  if (found) beside.orders.push_back(best_so_far("search", scores, beside.best));
}

/// The default schedule's genome, by a contest or by the list, which begins with it.
std::optional<plan::Genome> untuned_genome(const std::optional<Contest>& contest,
                                           const std::vector<plan::Gene>& genes, const List& list) {
  if (contest) return plan::genome_from(genes, contest->start.genome);
  return list.genomes.empty() ? std::nullopt : std::optional(list.genomes.front());
}

void add_votes(PredictionBesideSearch& beside, Database& database, const Asked& asked,
               const plan::Genome& untuned) {
  const bool on_ranks = om::ranks_of(asked.problem.size) > 1;
  const Electorate all = electorate_of(database, asked.problem);
  const Nearby wanted{[&](const PlaceAxes& axes) { return PlaceDistance(asked.features, axes); },
                      on_ranks, [&](std::int64_t id) { return all.same_solver.contains(id); }};
  const KnownInstances known = usable_for(nearest_known(database, wanted), on_ranks);
  beside.expected = votes(asked, untuned, voters_of(asked, known.all, all));
  if (beside.expected.empty()) return;
  std::vector<double> scores;
  if (beside.predicts_default()) scores.push_back(beside.untuned);
  for (const ExpectedSchedule& one : beside.expected)
    if (!one.is_default || !beside.predicts_default()) scores.push_back(one.score.value_or(0));
  beside.orders.push_back(best_so_far("votes", scores, beside.best));
}

PredictionBesideSearch beside_of(Database& database, std::int64_t id, const Recording& recording) {
  PredictionBesideSearch beside;
  const auto asked = asked_of(database, id, recording);
  if (!asked) {
    beside.why_not = "this version has not described the problem: `paraiso tune` does that";
    return beside;
  }
  for (const auto& [genome, score] : asked->scores) beside.best = std::max(beside.best, score);
  if (beside.best <= 0) {
    beside.why_not = "no individual succeeded";
    return beside;
  }
  const List list = list_of(database, id, *asked);
  const auto untuned = untuned_genome(database.contest(id), asked->problem.genes, list);
  if (untuned) {
    const auto score = asked->scores.find(*untuned);
    beside.untuned = score != asked->scores.end() ? score->second : 0;
    add_votes(beside, database, *asked, *untuned);
  }
  add_rivals(beside, solution_spaces(database), list.space);
  add_search(beside, recording, list, untuned);
  if (beside.expected.empty() && beside.recipes == 0)
    beside.why_not = "no problem of another solver that is like this one has a contest here";
  return beside;
}

}  // namespace

bool PredictionBesideSearch::predicts_default() const {
  return expected.empty() || expected.front().is_default || expected.front().gain < kLeastGain;
}

PredictionBesideSearch prediction_beside_search(Database& database, std::int64_t problem,
                                                const Recording& recording) {
  PredictionBesideSearch none;
  try {
    return beside_of(database, problem, recording);
  } catch (const Error& error) {
    none.why_not = error.diagnostics()[0].message;
  } catch (const nlohmann::json::exception&) {
    none.why_not = fmt::format("the description of problem {} is damaged", problem);
  }
  return none;
}

}  // namespace paraiso::tune
