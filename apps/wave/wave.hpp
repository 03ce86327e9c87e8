// wave: the linear wave equation of Muranushi (2012), section 2.3.
// Gives: wave. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] App wave();

}  // namespace paraiso::apps
