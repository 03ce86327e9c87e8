// acoustic: sound in a medium whose speed varies, by central differences of second to eighth order.
// Gives: acoustic. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] App acoustic();

}  // namespace paraiso::apps
