// hydro: the compressible Euler equations of Muranushi (2012), section 4.1.
// Gives: hydro. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] App hydro();

}  // namespace paraiso::apps
