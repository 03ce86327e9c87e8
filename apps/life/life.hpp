// life: Conway's game on a cyclic grid.
// Gives: life. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] App life();

}  // namespace paraiso::apps
