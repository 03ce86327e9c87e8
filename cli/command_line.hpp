// command_line: the `paraiso` command as a library, so that a user's own program has every
// subcommand for its own solvers by one call in its `main`.
// Gives: command_line. Needs: App.
#pragma once

#include <vector>

#include "paraiso/runtime/app.hpp"

namespace paraiso {

/// Runs the command that `argv` asks for with `apps` as the solvers known by name (`.om` files are
/// always known). Returns the exit status: 0 success, 1 the work failed (or what it printed could
/// not be written), 2 the call was wrong.
[[nodiscard]] int command_line(int argc, char** argv, std::vector<App> apps);

}  // namespace paraiso
