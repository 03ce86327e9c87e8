#include "paraiso/tune/fast/solutions.hpp"

#include <algorithm>
#include <unordered_map>

#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/rivals/common_recipes.hpp"

namespace paraiso::tune {

namespace {

/// Translates the genomes of one problem.
class Translation {
 public:
  Translation(Database& database, const KnownInstance& known) : known_(known) {
    for (const ListedRecipe& recipe : database.listed(known.id))
      numbers_.emplace(recipe.genome, recipe.number);  // of equal ones the first
  }

  [[nodiscard]] Recipe operator()(const std::string& genome) const {
    const auto& genes = known_.problem.genes;
    if (const auto listed = numbers_.find(genome); listed != numbers_.end())
      return common_recipe(listed->second, genes, known_.roles);
    return recipe_of(genes, known_.roles,
                     plan::schedule_of(genes, plan::genome_from(genes, genome)));
  }

 private:
  const KnownInstance& known_;
  std::unordered_map<std::string, int> numbers_;
};

/// Genomes, the best first.
std::vector<std::string> best_genomes(Database& database, const KnownInstance& known,
                                      std::size_t count) {
  std::vector<std::string> genomes;
  const auto contest = database.contest(known.id);
  if (contest && contest->won) genomes.push_back(contest->best.genome);
  double least = 0;  // the default schedule's speed
  if (contest) {
    const auto start = database.find(known.id, contest->start.genome);
    least = start ? start->measurement.score : contest->start.score;
  }
  for (const Outcome& outcome : database.best_results(known.id, least, count))
    if (std::ranges::find(genomes, outcome.genome) == genomes.end())
      genomes.push_back(outcome.genome);
  genomes.resize(std::min(count, genomes.size()));
  return genomes;
}

}  // namespace

std::vector<Recipe> solutions_of(Database& database, const KnownInstance& known,
                                 std::size_t count) {
  const Translation recipe(database, known);
  std::vector<Recipe> recipes;
  for (const std::string& genome : best_genomes(database, known, count))
    recipes.push_back(recipe(genome));
  return recipes;
}

}  // namespace paraiso::tune
