// divided_size: a grid and how it is divided among ranks, as the text by which tuning problems are
// told apart: `512x512`, `512x512 on 4 ranks (1x4)`.
// Gives: divided_size, grid_of, division_of, ranks_of. Needs: Orthotree.
//
// Divisions of grids of other sizes are the same where they cut alike: into equal parts along each
// axis (`1x4`), or as even_division cuts (`even`). Any other is told by its cuts, and so is the
// same on grids of one size alone.
#pragma once

#include <optional>
#include <string>

#include "paraiso/om/divide/orthotree.hpp"

namespace paraiso::om {

/// Of a grid that is not divided, or into one part, its size alone.
[[nodiscard]] std::string divided_size(const Cell& size, const std::optional<Orthotree>& tree);

/// The parts of such a text: `512x512`; `4 ranks (1x4)` or nothing; the number of ranks.
[[nodiscard]] std::string grid_of(const std::string& size);
[[nodiscard]] std::string division_of(const std::string& size);
[[nodiscard]] int ranks_of(const std::string& size);

}  // namespace paraiso::om
