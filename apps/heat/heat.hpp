// heat: diffusion by the stencil of 2 D + 1 points.
// Gives: heat. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] App heat();

}  // namespace paraiso::apps
