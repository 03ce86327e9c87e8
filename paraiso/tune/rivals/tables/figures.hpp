// figures: curves of FAST (2015), its figures 1, 6, 7, 8 and 10 to 13, on recorded spaces of
// solutions, and whether what the paper says of them holds there.
// Gives: PaperFigure, paper_figures, program_figures, holds_if, require_long_lists, best_twentieth,
// csv. Needs: rivals.
//
// The paper's sets are of 100 solutions of 2,100 or more; of a shorter list they are the same part
// of it, a twentieth, but at least five recipes.
#pragma once

#include "paraiso/tune/rivals/rivals.hpp"

namespace paraiso::tune {

struct PaperFigure {
  enum class Holds : std::uint8_t { unknown, yes, no };  // unknown: too little was recorded

  std::string name;  // "6", "8-size"
  std::string title;
  std::vector<std::string> columns;  // the first one is the abscissa
  std::vector<std::vector<double>> rows;
  std::string claim;  // the paper's
  Holds holds = Holds::unknown;
  std::string seen;                     // here, in words
  std::vector<std::string> names = {};  // of the rows, where the abscissa only numbers them
};

/// 1, 6, 7 and 8. Throws Error for fewer than three solvers, and for lists that are too short.
[[nodiscard]] std::vector<PaperFigure> paper_figures(const std::vector<SolutionSpace>& spaces);

/// 10 to 13: of the programs that are no `training`, each predicted for with its solver held out;
/// none if there is no such program. Throws Error as paper_figures does.
[[nodiscard]] std::vector<PaperFigure> program_figures(const std::vector<SolutionSpace>& spaces);

[[nodiscard]] PaperFigure::Holds holds_if(bool enough, bool holds);

/// Throws Error for lists of fewer recipes than parts of them can be told from one another.
void require_long_lists(const Spaces& spaces);

/// How many recipes are the paper's 100 of 2,100.
[[nodiscard]] std::size_t best_twentieth(std::size_t recipes);

/// A line of the columns' names, then one a row: beginning with its name, if it has one.
[[nodiscard]] std::string csv(const PaperFigure& figure);

}  // namespace paraiso::tune
