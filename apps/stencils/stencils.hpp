// The programs of FAST (Luo et al., 2015): 48 kernels to learn from, and those to predict for that
// are no other solver here.
// Gives: training, stencil. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] App training();
[[nodiscard]] App stencil();

}  // namespace paraiso::apps
