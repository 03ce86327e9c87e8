// figures_page: the curves of FAST's figures on recorded spaces, as one HTML page.
// Gives: figures_page, holds_text. Needs: chart, page, rivals/tables/figures.
#pragma once

#include "paraiso/tune/rivals/tables/figures.hpp"

namespace paraiso::tune {

/// "holds here", "fails here", "too little data".
[[nodiscard]] const char* holds_text(PaperFigure::Holds holds);

/// Throws Error as `svg` does.
[[nodiscard]] std::string figures_page(const std::vector<PaperFigure>& figures,
                                       const std::vector<SolutionSpace>& spaces);

}  // namespace paraiso::tune
