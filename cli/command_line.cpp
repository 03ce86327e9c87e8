#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>

namespace paraiso {

int command_line(int argc, char** argv, std::vector<App>) {
  CLI::App command{"explicit solvers of partial differential equations, generated and proved"};
  CLI11_PARSE(command, argc, argv);
  return 0;
}

}  // namespace paraiso
