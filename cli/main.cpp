// The `paraiso` command: every subcommand, for the built-in solvers.
#include "apps/apps.hpp"
#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  return paraiso::command_line(argc, argv, paraiso::apps::built_in());
}
