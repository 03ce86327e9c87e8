// `channel` on a grid that the processes of MPI share.
#pragma once

#include "channel.hpp"
#include "paraiso_mpi.hpp"

namespace paraiso_solver {

/// One process's part of the grid; results have the bits of a whole one. Each process makes one, and
/// all call the same in the same order, on the thread that has initialised MPI.
class channel_part : public paraiso_mpi::Part<channel, 3> {
 public:
  /// `whole`: cells of the whole grid along each axis. Throws std::invalid_argument, on all
  /// processes, if there are fewer cells than processes.
  explicit channel_part(const std::int64_t (&whole)[3], int threads = 1,
      MPI_Comm world = MPI_COMM_WORLD)
      : Part(rules(), whole, threads, world) {}

  // Kernels: what others need is sent before they run.
  void calm() { run(0); }
  void proceed() { run(1); }
  void measure() { run(2); }

 private:
  /// Of each field its sides. Of each kernel what it reads, {field, from, to} beside a cell, and of
  /// which fields it changes ghost cells.
  static Rules rules() {
    using paraiso_support::Side;
    Rules rules;
    // 0: density
    rules.fields.push_back({[](Solver& solver) -> void* { return solver.density(); },
        sizeof(double)});
    rules.sides.push_back({{{{Side::value, {{0, {0, -1, 0}, {0, -1, 0}}}}, {Side::outflow}},
        {{Side::reflect}, {Side::value}}, {{Side::outflow}, {Side::reflect}}}});
    // 1: momentum
    rules.fields.push_back({[](Solver& solver) -> void* { return solver.momentum(); },
        sizeof(double)});
    rules.sides.push_back({{{{Side::value}, {Side::outflow}}, {{Side::reflect_negative},
        {Side::reflect_negative}}, {{Side::cyclic}, {Side::cyclic}}}});
    // 2: dye
    rules.fields.push_back({[](Solver& solver) -> void* { return solver.dye(); }, sizeof(float)});
    rules.sides.push_back({{{{Side::value}, {Side::outflow}}, {{Side::cyclic}, {Side::cyclic}},
        {{Side::reflect}, {Side::value}}}});
    rules.kernels.push_back({&Solver::calm, false,
        {},
        {0, 1, 2}});
    rules.kernels.push_back({&Solver::proceed, false,
        {{0, {-2, 0, 0}, {0, 0, 0}}, {0, {0, 0, 1}, {0, 0, 1}}, {1, {0, -1, 0}, {0, 1, 0}},
         {2, {-1, 1, 0}, {-1, 1, 0}}, {2, {0, 0, 0}, {0, 0, 0}}},
        {0, 1, 2}});
    rules.kernels.push_back({&Solver::measure, false,
        {{0, {0, 0, 0}, {0, 0, 0}}},
        {}});
    return rules;
  }
};

}  // namespace paraiso_solver
