#include "paraiso/tune/rivals/common_recipes.hpp"

#include <fmt/format.h>

#include <array>

#include "paraiso/base/rng.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::tune {

namespace {

const std::array<std::string, 5> kStorage = {plan::kInline, plan::kScratch, plan::kRolling,
                                             plan::kArray, plan::kArrayAlone};

Rng rng_of(int number, const std::string& name) {
  return Rng(fnv1a(fmt::format("{} {}", number, name)));
}

double nanoseconds(const TunedProgram& tuned, const plan::Genome& genome) {
  const plan::Plan plan = tuned.backend->make_plan(tuned.program, tuned.schedule(genome));
  const plan::KernelPlan* kernel = plan.find_kernel(tuned.kernel().name);
  if (!kernel) return 0;
  return tuned.backend->predict(plan.machine, *kernel, {tuned.size, tuned.machine}).nanoseconds;
}

}  // namespace

Recipe common_recipe(int number, const std::vector<plan::Gene>& genes,
                     const std::vector<Role>& roles) {
  Recipe recipe;
  if (number == 0) return recipe;
  const double part = rng_of(number, "part").unit();
  for (std::size_t g = 0; g < genes.size(); ++g) {
    Rng rng = rng_of(number, roles[g].name);
    if (!rng.chance(part)) continue;
    if (roles[g].is_option)
      recipe.options[roles[g].name] = genes[g].alleles[rng.below(genes[g].alleles.size())];
    else
      recipe.storage[roles[g].name] = kStorage[rng.below(kStorage.size())];
  }
  return recipe;
}

std::vector<ListedRecipe> listed_recipes(const TunedProgram& tuned, int count) {
  const auto& genes = tuned.problem.genes;
  const auto roles = roles_of(tuned.kernel(), tuned.backend->options);
  std::vector<ListedRecipe> recipes;
  for (int number = 0; number < count; ++number) {
    const plan::Genome genome =
        tuned.genome(schedule_of(common_recipe(number, genes, roles), genes, roles, tuned.untuned));
    recipes.push_back({number, plan::letters_of(genes, genome), nanoseconds(tuned, genome)});
  }
  return recipes;
}

}  // namespace paraiso::tune
