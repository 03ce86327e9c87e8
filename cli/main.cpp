// The `paraiso` command: every subcommand, for the built-in solvers.
#include "apps/apps.hpp"
#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  return paraiso::command_line(
      argc, argv, paraiso::apps::built_in(),
      {{"run hydro --plot density --output out", "a jet of gas, and its pictures"},
       {"run hydro --dim 1 --problem sod", "a shock tube, and its error"},
       {"verify heat --schedules 2", "same bits as the interpreter"}});
}
