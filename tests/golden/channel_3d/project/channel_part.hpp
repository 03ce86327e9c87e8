// `channel` on a grid that the processes of MPI share.
#pragma once

#include "channel_late.hpp"
#include "paraiso_share.hpp"

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

  // State. An array's pointer is that of this part's first cell; a kernel may change it. Who writes
  // cells calls `changed()`. Scalars are the same on all processes: all ask for them, because sums
  // may be added up only then, and all set them alike.
  double* density() { return own(solver().density()); }
  double* momentum() { return own(solver().momentum()); }
  float* dye() { return own(solver().dye()); }
  double time() { return settle(0), solver().time(); }
  void set_time(double value) { settle(0), solver().time() = value; }
  double speed() { return settle(1), solver().speed(); }
  void set_speed(double value) { settle(1), solver().speed() = value; }
  double mean() { return settle(2), solver().mean(); }
  void set_mean(double value) { settle(2), solver().mean() = value; }

  // Kernels: what others need is sent before they run.
  void calm() { run(0); }
  void proceed() { run(1); }
  void measure() { run(2); }

 private:
  /// Of each field its sides, and how scalars are found. Of each kernel what it reads, {field, from,
  /// to} beside a cell, of which fields it changes ghost cells, and which scalars it loads and
  /// stores; those that are stored from sums are known later.
  static Rules rules() {
    using paraiso_support::Side;
    Rules rules;
    // 0: density
    rules.fields.push_back({[](Solver& solver) -> void* { return solver.density(); },
        sizeof(double)});
    rules.sides.push_back({{{{Side::value, {{0, {0, -1, 0}, {0, -1, 0}}}}, {Side::outflow}},
        {{Side::reflect}, {Side::value}}, {{Side::outflow}, {Side::reflect}}}});
    rules.statics.push_back(0);
    // 1: momentum
    rules.fields.push_back({[](Solver& solver) -> void* { return solver.momentum(); },
        sizeof(double)});
    rules.sides.push_back({{{{Side::value}, {Side::outflow}}, {{Side::reflect_negative},
        {Side::reflect_negative}}, {{Side::cyclic}, {Side::cyclic}}}});
    rules.statics.push_back(1);
    // 2: dye
    rules.fields.push_back({[](Solver& solver) -> void* { return solver.dye(); }, sizeof(float)});
    rules.sides.push_back({{{{Side::value}, {Side::outflow}}, {{Side::cyclic}, {Side::cyclic}},
        {{Side::reflect}, {Side::value}}}});
    rules.statics.push_back(2);
    // 0: time
    rules.scalars.push_back({[](Solver& solver) -> void* { return &solver.time(); },
        sizeof(double)});
    rules.statics.push_back(-1);
    // 1: speed
    rules.scalars.push_back({[](Solver& solver) -> void* { return &solver.speed(); },
        sizeof(double)});
    rules.statics.push_back(-2);
    // 2: mean
    rules.scalars.push_back({[](Solver& solver) -> void* { return &solver.mean(); },
        sizeof(double)});
    rules.statics.push_back(-3);
    rules.kernels.push_back({&Solver::calm, false,
        {},
        {0, 1, 2}, {0, 1}, {0}});
    rules.kernels.push_back({&Solver::proceed, false,
        {{0, {-2, 0, 0}, {0, 0, 0}}, {0, {0, 0, 1}, {0, 0, 1}}, {1, {0, -1, 0}, {0, 1, 0}},
         {2, {-1, 1, 0}, {-1, 1, 0}}, {2, {0, 0, 0}, {0, 0, 0}}},
        {0, 1, 2}, {0, 1}, {0}});
    rules.kernels.push_back({&Solver::measure, false,
        {{0, {0, 0, 0}, {0, 0, 0}}},
        {}, {0, 1}, {2}, {2},
        channel_late_measure});
    return rules;
  }
};

}  // namespace paraiso_solver
