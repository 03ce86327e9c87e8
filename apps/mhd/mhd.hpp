// mhd: ideal magnetohydrodynamics with divergence cleaning. Gives: mhd. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] App mhd();

}  // namespace paraiso::apps
