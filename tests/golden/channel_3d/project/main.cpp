// An example: some steps of `channel` on a small grid.
#include <cstdlib>
#include <iostream>

#include "channel.hpp"

int main(int argc, char** argv) {
  [[maybe_unused]] const int steps = argc > 1 ? std::atoi(argv[1]) : 10;
  paraiso_solver::channel solver({64, 64, 64}, 2);
  solver.calm();
  for (int step = 0; step < steps; ++step) solver.proceed();
  solver.measure();
  std::cout << "density[0] = " << solver.density()[0] << '\n';
  std::cout << "momentum[0] = " << solver.momentum()[0] << '\n';
  std::cout << "dye[0] = " << solver.dye()[0] << '\n';
  std::cout << "time = " << solver.time() << '\n';
  std::cout << "speed = " << solver.speed() << '\n';
  std::cout << "mean = " << solver.mean() << '\n';
}
