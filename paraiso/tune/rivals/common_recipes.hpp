// common_recipes: one endless list of recipes for all programs, so that what was fast in one can be
// compared with what was fast in another: FAST's spaces of optimal solutions overlap only where
// they were measured over one list. Gives: common_recipe, listed_recipes. Needs: recipe,
// tuned_program.
//
// Number 0 changes nothing: it is the default schedule. Every other number changes a part of the
// choices, a part drawn between none and all; a choice is drawn by its number and its name alone,
// so that it is the same in all programs that have it with the same alleles, whatever else they
// have. An option is drawn by the place of its allele: `tile_y` begins with `threads` in two
// dimensions and with `all` in three, so there a number means another choice.
//
// The list does not change: databases know recipes by their numbers.
#pragma once

#include "paraiso/tune/predict/recipe.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::tune {

/// What recipe `number` chooses for genes with these roles.
[[nodiscard]] Recipe common_recipe(int number, const std::vector<plan::Gene>& genes,
                                   const std::vector<Role>& roles);

/// The first `count` of the list as genomes of a program, with what the cost model says of them.
/// Several may be one genome.
[[nodiscard]] std::vector<ListedRecipe> listed_recipes(const TunedProgram& tuned, int count);

}  // namespace paraiso::tune
