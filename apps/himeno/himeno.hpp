// himeno: the Jacobi kernel of the Himeno benchmark.
// Gives: himeno. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] App himeno();

}  // namespace paraiso::apps
