// figures: curves of FAST (2015), its figures 1, 6, 7 and 8, on recorded spaces of solutions, and
// whether what the paper says of them holds there. Gives: PaperFigure, paper_figures, csv.
// Needs: rivals.
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
  std::string seen;  // here, in words
};

/// Throws Error for fewer than three solvers.
[[nodiscard]] std::vector<PaperFigure> paper_figures(const std::vector<SolutionSpace>& spaces);

/// A line of the columns' names, then one a row.
[[nodiscard]] std::string csv(const PaperFigure& figure);

}  // namespace paraiso::tune
