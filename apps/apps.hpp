// The built-in solvers. To add one: a folder, and a row in apps.cpp.
// Gives: built_in. Needs: App.
#pragma once

#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

[[nodiscard]] const std::vector<App>& built_in();

}  // namespace paraiso::apps
