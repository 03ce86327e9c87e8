// A program of a user's own around an emitted solver, by any number of processes: it reads and
// writes scalars and cells, runs kernels, gathers and scatters boxes, saves and loads the state.
//
//     mpirun -n 3 host STATE [OTHER]     saves to STATE, then goes on from OTHER
//
// What it prints depends on no number of processes, but for the count of MPI's collectives: those
// that sums take, which it counts by standing between the solver and MPI.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "flow_part.hpp"

namespace {
int collectives = 0;
}
extern "C" int MPI_Bcast(void* data, int count, MPI_Datatype type, int from, MPI_Comm world) {
  ++collectives;
  return PMPI_Bcast(data, count, type, from, world);
}
extern "C" int MPI_Allgather(const void* own, int n, MPI_Datatype type, void* all, int m,
                             MPI_Datatype received, MPI_Comm world) {
  ++collectives;
  return PMPI_Allgather(own, n, type, all, m, received, world);
}

namespace {

using Part = paraiso_solver::flow_part;
using Box = paraiso_mpi::Cells<2>;

bool prints = false;

void print_bits(const char* what, double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  if (prints) std::printf("%s %.17g %016" PRIx64 "\n", what, value, bits);
}

void print_state(const char* when, Part& part) {
  const std::string u = part.hash(part.u()), alive = part.hash(part.alive()),
                    n = part.hash(part.n());
  if (prints) std::printf("%s: u %s alive %s n %s\n", when, u.c_str(), alive.c_str(), n.c_str());
  print_bits("rate", part.rate());
  print_bits("total", part.total());
  print_bits("largest", part.largest());
  print_bits("goal", part.goal());
  const std::int64_t living = part.living();
  if (prints) std::printf("living %" PRId64 "\n", living);
}

void count(const char* what) {
  if (prints) std::printf("%s: %d collectives\n", what, collectives);
  collectives = 0;
}

/// Each process writes its own cells.
void write_cells(Part& part) {
  double* const u = part.u();
  const Box& core = part.core();
  for (std::int64_t y = core.begin[1]; y < core.end[1]; ++y)
    for (std::int64_t x = core.begin[0]; x < core.end[0]; ++x)
      u[(x - core.begin[0]) * part.stride(0) + (y - core.begin[1]) * part.stride(1)] =
          1.0 / static_cast<double>(1 + x + 10 * y);
  part.changed();
}

/// A box to the last process, which changes it and gives it back; and to the first, to look at.
void exchange_box(Part& part) {
  const Box box{{2, 1}, {9, 6}};
  const int last = part.ranks() - 1;
  std::vector<double> cells(static_cast<std::size_t>(box.count()));
  part.gather(part.u(), box, cells.data(), last);
  if (part.rank() == last)
    for (double& cell : cells) cell += 0.5;
  part.scatter(part.u(), box, cells.data(), last);
  const Box row{{0, 5}, {part.whole().end[0], 6}};
  std::vector<double> look(static_cast<std::size_t>(row.count()));
  part.gather(part.u(), row, look.data());
  if (prints)
    for (const double cell : look) std::printf("%.17g ", cell);
  if (prints) std::printf("\n");
}

void expect_refusals(Part& part) {
  try {
    part.gather(part.u(), {{0, 0}, {1, 1000}}, static_cast<double*>(nullptr));
  } catch (const std::invalid_argument& error) {
    if (prints) std::printf("%s\n", error.what());
  }
  for (const char* path : {"/dev/null", "no/such/folder"}) try {
      part.load(path);
    } catch (const std::runtime_error& error) {
      if (prints) std::printf("%s\n", error.what());
    }
  try {
    part.save("no/such/folder");
  } catch (const std::runtime_error& error) {
    if (prints) std::printf("%s\n", error.what());
  }
}

void run(const char* saved, const char* other) {
  Part part({300, 11});
  prints = part.rank() == 0;
  part.begin();
  write_cells(part);
  part.set_rate(0.25);
  collectives = 0;
  for (int step = 0; step < 3; ++step) part.proceed();
  print_bits("rate", part.rate());  // stored from no sum
  count("three steps");
  print_bits("total", part.total());
  count("their sums");
  part.proceed();
  part.scale();
  count("a kernel that reads one, and awaits another");
  print_state("after steps", part);
  part.look();
  exchange_box(part);
  part.look();
  print_bits("goal", part.goal());
  part.proceed();
  part.save(saved);
  print_state("saved", part);
  part.proceed();
  part.load(other);
  print_state("loaded", part);
  part.proceed();
  print_state("gone on", part);
  expect_refusals(part);
  if (part.rank() > 0) return;
  paraiso_solver::flow whole({300, 11});  // without MPI: files are the same
  whole.load(saved);
  whole.save((std::string(saved) + ".whole").c_str());
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  run(argv[1], argv[argc - 1]);
  MPI_Finalize();
}
