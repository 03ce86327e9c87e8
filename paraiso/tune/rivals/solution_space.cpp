#include "paraiso/tune/rivals/solution_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "paraiso/base/error.hpp"
#include "paraiso/base/extents.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/tune/predict/known_features.hpp"

namespace paraiso::tune {

namespace {

std::int64_t cells_in(const std::string& size) {
  std::int64_t cells = 1;
  for (const std::int64_t extent : extents_of(om::grid_of(size))) cells *= extent;
  return cells;
}

std::optional<Features> features_in(Database& database, std::int64_t id,
                                    const TuningProblem& problem, const Description& description) {
  try {
    return known_features(database, problem, description);
  } catch (const std::exception&) {  // of JSON, or of the program's text
    throw Error(fmt::format("the description of problem {} is damaged", id));
  }
}

std::optional<ListChampion> champion_of(Database& database, std::int64_t id,
                                        const std::vector<ListedRecipe>& listed) {
  const auto contest = database.contest(id);
  if (!contest || contest->start.score <= 0) return std::nullopt;
  if (!contest->won) return ListChampion{};
  const auto found = std::ranges::find(listed, contest->best.genome, &ListedRecipe::genome);
  if (found == listed.end()) return std::nullopt;
  return ListChampion{static_cast<std::size_t>(found - listed.begin()),
                      contest->best.score / contest->start.score};
}

/// None if a recipe was not measured.
std::optional<SolutionSpace> read(Database& database, std::int64_t id, const TuningProblem& problem,
                                  Features features) {
  const auto listed = database.listed(id);
  std::unordered_map<std::string, double> speeds;
  database.each_result(id, 0, 0, [&](const Outcome& outcome) {
    speeds[outcome.genome] = outcome.measurement.score;
  });
  std::string name =
      fmt::format("{} {} {}", problem.machine, problem.program_hash.substr(0, 6), problem.size);
  if (problem.threads > 1) name += fmt::format(" on {} threads", problem.threads);
  SolutionSpace space{problem.machine,      std::move(name),        std::move(features),     {}, {},
                      problem.program_hash, cells_in(problem.size), problem.host_fingerprint};
  for (const ListedRecipe& recipe : listed) {
    const auto speed = speeds.find(recipe.genome);
    if (speed == speeds.end()) return std::nullopt;
    space.speed.push_back(speed->second);
    space.model.push_back(recipe.nanoseconds);
  }
  space.champion = champion_of(database, id, listed);
  return space;
}

/// Gives how many have features of another version, with which nothing can be compared.
std::size_t add_spaces(Database& database, std::int64_t left_out,
                       std::vector<SolutionSpace>& spaces) {
  std::size_t of_other_version = 0;
  for (const std::int64_t id : database.problems_with_lists()) {
    if (id == left_out) continue;
    const auto problem = database.problem(id);
    const auto description = database.description(id);
    if (!problem || !description) continue;
    auto features = features_in(database, id, *problem, *description);
    if (!features)
      ++of_other_version;
    else if (auto space = read(database, id, *problem, std::move(*features)))
      spaces.push_back(std::move(*space));
  }
  return of_other_version;
}

std::vector<SolutionSpace> of_one_length(std::vector<SolutionSpace> spaces) {
  std::size_t shortest = SIZE_MAX;
  for (const SolutionSpace& space : spaces) shortest = std::min(shortest, space.speed.size());
  for (SolutionSpace& space : spaces) {
    space.speed.resize(shortest), space.model.resize(shortest);
    if (space.champion && space.champion->recipe.value_or(0) >= shortest) space.champion.reset();
  }
  std::erase_if(spaces, [](const SolutionSpace& space) { return space.speed.front() <= 0; });
  return spaces;
}

}  // namespace

double SolutionSpace::best() const { return *std::ranges::max_element(speed); }

std::vector<SolutionSpace> solution_spaces(Database& database, std::int64_t left_out) {
  std::vector<SolutionSpace> spaces;
  add_spaces(database, left_out, spaces);
  return of_one_length(std::move(spaces));
}

std::vector<SolutionSpace> solution_spaces(std::span<Database> databases) {
  std::vector<SolutionSpace> spaces;
  std::size_t of_other_version = 0;
  for (Database& database : databases) of_other_version += add_spaces(database, 0, spaces);
  if (spaces.empty() && of_other_version > 0)
    throw Error("all measured lists are of programs described by another version of Paraiso");
  return of_one_length(std::move(spaces));
}

std::vector<std::size_t> order_by(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t r) { return values[r]; });
  return order;
}

std::vector<std::size_t> optimal(const SolutionSpace& space, std::size_t count) {
  std::vector<std::size_t> order = order_by(space.speed);
  order.resize(std::min(count, order.size()));
  return order;
}

double overlap(const SolutionSpace& one, const SolutionSpace& other, std::size_t count) {
  const auto mine = optimal(one, count), theirs = optimal(other, count);
  const auto shared = std::ranges::count_if(
      mine, [&](std::size_t recipe) { return std::ranges::find(theirs, recipe) != theirs.end(); });
  return mine.empty() ? 0 : static_cast<double>(shared) / static_cast<double>(mine.size());
}

}  // namespace paraiso::tune
