// An example: some steps of `channel` on a small grid.
//
//     build/example [STEPS [CELLS ALONG EACH AXIS ...]]
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "channel.hpp"

namespace {

std::int64_t number(const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || value < 0)
    throw std::invalid_argument("`" + text + "` is no number of steps or cells");
  return value;
}

void run(int argc, char** argv) {
  [[maybe_unused]] const std::int64_t steps = argc > 1 ? number(argv[1]) : 10;
  std::int64_t size[] = {64, 64, 64};
  for (int a = 0; a < 3 && a + 2 < argc; ++a) size[a] = number(argv[a + 2]);
  paraiso_solver::channel solver(size, 2);
  solver.calm();
  for (std::int64_t step = 0; step < steps; ++step) solver.proceed();
  solver.measure();
  std::cout << "density[0] = " << solver.density()[0] << '\n';
  std::cout << "momentum[0] = " << solver.momentum()[0] << '\n';
  std::cout << "dye[0] = " << solver.dye()[0] << '\n';
  std::cout << "time = " << solver.time() << '\n';
  std::cout << "speed = " << solver.speed() << '\n';
  std::cout << "mean = " << solver.mean() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
