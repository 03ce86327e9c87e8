// The command for gas.hpp.
#include "gas.hpp"

#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  App app;
  app.name = "gas";
  app.summary = "a gas of density, momentum and energy";
  app.dimensions = {2, 1, 3};
  app.precisions = {om::Element::f64};
  app.problems = {{"ball", "a ball of dense gas bursts", 0.2, 0},
                  {"tube", "Sod's shock tube", 0.2, 0}};
  app.build = [](const AppOptions& options) {
    if (options.dimension == 1) return gas<1>(options.problem);
    return options.dimension == 2 ? gas<2>(options.problem) : gas<3>(options.problem);
  };
  return command_line(argc, argv, {app});
}
