// The tuning problem of a call, and what a prediction is made for.
// Gives: all_genes, problem_of, problems_of, untuned_of. Needs: prepared, tune.
#pragma once

#include "cli/prepared/prepared.hpp"
#include "paraiso/tune/database/database.hpp"

namespace paraiso::cli {

/// Of the program; where ranks share the grid, with how they await messages; then by how much
/// storage is shifted, if it is or may be.
[[nodiscard]] std::vector<plan::Gene> all_genes(const Prepared& prepared);

/// Of the program, grid, division, compiler and threads of `prepared`.
[[nodiscard]] tune::TuningProblem problem_of(const Prepared& prepared, const Building& building);

/// The problems whose champion may run `prepared`, the best suited first: its own; then, if its
/// grid is divided, that of the whole grid with as many threads as a rank has. On processors each
/// is followed by that with shifted storage. The arguments outlive it.
[[nodiscard]] std::vector<MakeProblem> problems_of(const Prepared& prepared,
                                                   const Building& building);

/// The program of `prepared`, whose names are read, with its features. The arguments outlive it.
[[nodiscard]] tune::Untuned untuned_of(const Prepared& prepared, const Building& building);

}  // namespace paraiso::cli
