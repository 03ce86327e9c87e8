// hello: the smallest possible program, y = x x, z = y + y on one field.
// Gives: hello. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] App hello();

}  // namespace paraiso::apps
