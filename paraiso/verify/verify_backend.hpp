// verify_schedules: generated code against the interpreter, bit for bit (where it calls the C
// library, within a tolerance), over random schedules.
// Gives: VerifyOptions, kFruitlessDraws, Difference, VerifyReport, verify_schedules,
// verify_library, usual_sizes. Needs: compile, om.
//
// The reference is computed once per grid and start: the initial kernel (or a random state), then
// some steps, then every plain kernel; for a fused program, by single steps. Each schedule,
// compiler, target and thread count must give the same bits in every core cell and every scalar
// after each kernel; code that calls the C library's functions, what tolerance.hpp allows.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "paraiso/passes/fuse_steps.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::verify {

/// A small program has few schedules with distinct generated source: after this many random ones in
/// a row without a new one there are taken to be no more.
inline constexpr int kFruitlessDraws = 50;

struct VerifyOptions {
  const runtime::Backend* backend = &runtime::default_backend();
  int schedules = 10;                   // at most: `first`, then random ones
  std::optional<plan::Schedule> first;  // none: the default one
  std::vector<plan::Gene> genes;        // the program's table; empty: made anew
  std::uint64_t seed = 1;               // of schedules and of random states
  std::vector<std::string> compilers;   // empty: all that work here
  std::vector<std::string> targets = {runtime::default_target()};
  std::vector<int> threads = {1, 2};
  // Empty: usual_sizes, whose turns alternate with the number of threads and the schedule.
  std::vector<std::vector<std::int64_t>> sizes;
  std::vector<std::string> problems;  // initial kernels; empty: all
  // Of each grid among ranks, which generated code then runs on; none: it has the whole grid.
  std::function<om::Orthotree(const std::vector<std::int64_t>& size)> divide;
  int steps = 3;
  // For a fused program: its fused kernel must equal this many single steps of the interpreter.
  passes::Fusion fusion;
  std::optional<plan::Dispatch> dispatch;  // whose versions must equal their kernel
  std::string first_optimization = "-O3";  // of the first schedule
  std::string optimization = "-O1";        // of the random ones
  std::size_t together = 8;                // schedules per run of the compiler
  std::filesystem::path cache;             // empty: cache_folder()
  // Waits for the device that the code runs on; it is this process's own as long as the result
  // lives. On a card that many processes share, each would wait for all others at each step.
  std::function<std::shared_ptr<const void>()> take_device;
};

/// Where generated code and interpreter differ, with everything needed to reproduce it.
struct Difference {
  std::string name;                // of the static
  std::vector<std::int64_t> cell;  // empty for a Global
  om::Constant expected, got;
  double allowed = 0;  // between them; 0: they should have the same bits
  std::string kernel;  // after which it shows; which `call` of the sequence
  int call = 0;
  std::string start;  // "problem `jet`", "random state"
  std::vector<std::int64_t> size;
  std::size_t ranks = 1;
  std::string compiler, target;
  int threads = 1;
  int schedule = 0;  // its number; with `seed`, its identity
  std::uint64_t seed = 1;
  std::string schedule_text;  // as `--schedule FILE` reads it

  /// Everything but the schedule's text, on a few lines.
  [[nodiscard]] std::string text() const;
};

struct VerifyReport {
  int schedules = 0;                     // with distinct generated source
  int libraries = 0;                     // built: schedules x compilers x targets
  std::int64_t kernels = 0;              // runs of one kernel that were compared
  std::int64_t cells = 0;                // core cells and scalars that were compared
  bool exact = true;                     // bits were compared, nothing was tolerated
  std::optional<Difference> difference;  // the first; the work stops there
};

/// Odd, tiny (axes of one cell, halos wider than the grid) and long grids. The tiny ones differ
/// between even and odd turns; both together have each length from 1 to 7 along each axis.
[[nodiscard]] std::vector<std::vector<std::int64_t>> usual_sizes(int dimension, int turn);

/// `program` must have been through passes::prepare. `progress(done, of)` counts libraries. Stops
/// at the first difference. Throws Error if anything can't be built or run.
[[nodiscard]] VerifyReport verify_schedules(const om::Machine& program,
                                            const VerifyOptions& options = {},
                                            const std::function<void(int, int)>& progress = {});

/// The same for one library that is already built; of `options` only grids, their division,
/// problems, steps, fusion, versions and the seed of random states count. Adds what was compared to
/// `report`.
[[nodiscard]] std::optional<Difference> verify_library(const runtime::Library& library,
                                                       const VerifyOptions& options,
                                                       VerifyReport& report);
[[nodiscard]] std::optional<Difference> verify_library(const runtime::Library& library,
                                                       const VerifyOptions& options);

}  // namespace paraiso::verify
