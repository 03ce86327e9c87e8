// An example: some steps of `channel` on a grid that any number of processes share.
//
//     mpirun -n 4 build/example_mpi [STEPS [CELLS ALONG EACH AXIS ...]]
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>

#include "channel_part.hpp"

namespace {

volatile std::sig_atomic_t told_to_stop = 0;

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
  paraiso_solver::channel_part part(size);
  part.calm();
  const double start = MPI_Wtime();
  std::int64_t step = 0;
  while (step < steps) {
    part.proceed();
    // All stop after the same step, or none does.
    if (++step % 16 == 0 && part.any(told_to_stop != 0)) break;
  }
  const double seconds = MPI_Wtime() - start;
  part.measure();
  std::ostream nowhere(nullptr);
  std::ostream& out = part.rank() == 0 ? std::cout : nowhere;
  out << step << " steps by " << part.ranks() << " processes in " << seconds << " s\n";
  out << std::setprecision(std::numeric_limits<double>::max_digits10);
  out << "density: hash " << part.hash(part.density()) << '\n';
  out << "momentum: hash " << part.hash(part.momentum()) << '\n';
  out << "dye: hash " << part.hash(part.dye()) << '\n';
  out << "time: " << part.time() << '\n';
  out << "speed: " << part.speed() << '\n';
  out << "mean: " << part.mean() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  int given = 0, rank = 0, status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (given < MPI_THREAD_FUNNELED) {
    if (rank == 0) std::cerr << "error: this MPI can't be used by programs with threads\n";
    MPI_Finalize();
    return 1;
  }
  std::signal(SIGINT, [](int) { told_to_stop = 1; });
  std::signal(SIGTERM, [](int) { told_to_stop = 1; });
  try {
    run(argc, argv);
  } catch (const std::invalid_argument& error) {  // which all processes throw
    if (rank == 0) std::cerr << "error: " << error.what() << '\n';
    status = 2;
  } catch (const std::exception& error) {
    std::cerr << "error: process " << rank << ": " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
