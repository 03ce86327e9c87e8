#include "paraiso/tune/predict/near/known_instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/predict/known_features.hpp"
#include "paraiso/tune/predict/likeness.hpp"
#include "paraiso/tune/predict/near/place.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

constexpr float kRounding = 1e-3f;                  // of distances between places
constexpr std::size_t kMostRead = 4 * kNeighbours;  // where many are as far as each other

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

void add(Database& database, std::int64_t id, TuningProblem problem, const Contest& contest,
         const Description& description, KnownInstances& known) {
  try {
    if (auto instance = read(database, id, std::move(problem), contest, description))
      known.all.push_back(std::move(*instance));
    else
      ++known.of_other_version;
  } catch (const std::exception&) {  // of JSON, or that a genome is none
    throw Error(fmt::format("the description of problem {} is damaged", id));
  }
}

/// The problem with this number, if it was judged by a contest.
void add_known(Database& database, std::int64_t id, KnownInstances& known) {
  const auto contest = database.contest(id);
  if (!contest) return;
  auto problem = database.problem(id);
  const auto description = database.description(id);
  if (problem && description) add(database, id, std::move(*problem), *contest, *description, known);
}

/// A problem and its distance; those that are as far, in the order of the database.
using Far = std::pair<float, std::int64_t>;

bool is_wanted(const Nearby& wanted, std::int64_t id) {
  return !wanted.left_out || !wanted.left_out(id);
}

/// By the number of the axes; those of ranks are missing where they are not wanted.
std::map<std::int64_t, PlacesAway> away_by_axes(Database& database, const Nearby& wanted) {
  std::map<std::int64_t, PlacesAway> away;
  try {
    for (const auto& [number, text] : database.axes(Features::kVersion))
      if (const PlaceAxes axes = axes_from(text); wanted.on_ranks || !axes.on_ranks)
        away.emplace(number, wanted.away(axes));
  } catch (const Json::exception&) {
    throw Error("what the numbers of places are of is damaged");
  }
  return away;
}

/// All that have a place and may be used, as a heap with the closest on top; and counts those that
/// have one.
std::vector<Far> all_by_distance(Database& database, const Nearby& wanted, std::size_t& placed) {
  const std::map<std::int64_t, PlacesAway> away = away_by_axes(database, wanted);
  std::vector<Far> all;
  database.each_place(Features::kVersion,
                      [&](std::int64_t id, std::int64_t axes, std::span<const float> numbers) {
                        ++placed;
                        const auto from = away.find(axes);
                        if (from != away.end() && is_wanted(wanted, id))
                          all.emplace_back(from->second(numbers), id);
                      });
  std::ranges::make_heap(all, std::greater());
  return all;
}

}  // namespace

KnownInstances nearest_known(Database& database, const Features& features, bool on_ranks) {
  return nearest_known(
      database, {[&](const PlaceAxes& axes) { return PlaceDistance(features, axes); }, on_ranks});
}

KnownInstances nearest_known(Database& database, const Nearby& wanted) {
  std::size_t placed = 0;
  std::vector<Far> all = all_by_distance(database, wanted, placed);
  KnownInstances known;
  float last = 0;  // of those that are enough
  while (!all.empty() && known.all.size() < kMostRead) {
    std::ranges::pop_heap(all, std::greater());
    const auto [far, id] = all.back();
    all.pop_back();
    if (known.all.size() >= kNeighbours && far > last + kRounding) break;
    add_known(database, id, known);
    if (known.all.size() <= kNeighbours) last = far;
  }
  if (database.described_count() != placed)
    for (const std::int64_t id : database.described_without_place(Features::kVersion))
      if (is_wanted(wanted, id)) add_known(database, id, known);
  std::ranges::sort(known.all, {}, &KnownInstance::id);
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
