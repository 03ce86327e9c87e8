// The whole command, for our own machine.
#include "gray_scott.hpp"

#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  paraiso::App app;
  app.name = "gray_scott";
  app.summary = "two chemicals that draw a labyrinth";
  app.dimensions = {2, 3};
  app.precisions = {paraiso::om::Element::f64};
  app.problems = {{"square", "a square of v in the middle of u", 0, 5000}};
  app.build = [](const paraiso::AppOptions& options) {
    return options.dimension == 3 ? gray_scott<double, 3>() : gray_scott<double, 2>();
  };
  return paraiso::command_line(argc, argv, {app});
}
