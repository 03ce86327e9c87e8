// command_line: the `paraiso` command as a library, so that a user's own program has every
// subcommand for its own solvers by one call in its `main`.
// Gives: FirstStep, command_line. Needs: App.
#pragma once

#include <string>
#include <vector>

#include "paraiso/runtime/app.hpp"

namespace paraiso {

/// A call for whoever has never made one.
struct FirstStep {
  std::string words;    // behind the command's name: "run heat"
  std::string meaning;  // what comes of it
};

/// Runs the command that `argv` asks for with `apps` as the solvers known by name (`.om` files are
/// always known). Returns the exit status: 0 success, 1 the work failed (or what it printed could
/// not be written), 2 the call was wrong. Help begins with `first_steps`; unless given, with runs
/// of the first app.
[[nodiscard]] int command_line(int argc, char** argv, std::vector<App> apps,
                               std::vector<FirstStep> first_steps = {});

}  // namespace paraiso
