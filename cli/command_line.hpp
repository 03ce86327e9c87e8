// command_line: the `paraiso` command as a library, so that a user's own program has every
// subcommand for its own solvers by one call in its `main`.
// Gives: FirstStep, command_line. Needs: App.
#pragma once

#include <string>
#include <vector>

#include "paraiso/runtime/app.hpp"

namespace paraiso {

/// An example call for newcomers.
struct FirstStep {
  std::string words;    // after the command's name: "run heat"
  std::string meaning;  // what it does
};

/// Runs the command that `argv` names with `apps` as the solvers known by name (`.om` files are
/// always accepted). Returns the exit status: 0 success, 1 the work failed (or its output could not
/// be written), 2 the call was wrong. Help begins with `first_steps`, by default runs of the first
/// app.
[[nodiscard]] int command_line(int argc, char** argv, std::vector<App> apps,
                               std::vector<FirstStep> first_steps = {});

}  // namespace paraiso
