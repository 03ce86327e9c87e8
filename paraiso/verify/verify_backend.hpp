// verify_schedules: generated code against the interpreter, bit for bit (where it calls the C
// library, within a tolerance), over random schedules.
// Gives: kFruitlessDraws, VerifyReport, verify_schedules, verify_library. Needs: backend, compare,
// references.
//
// Each schedule, compiler, target and thread count must give a reference's bits in every core cell
// and every scalar after each kernel; code that calls the C library's functions, what
// tolerance.hpp allows.
#pragma once

#include "paraiso/verify/compare.hpp"
#include "paraiso/verify/verify_options.hpp"

namespace paraiso::verify {

/// A small program has few schedules with distinct generated source: after this many random ones in
/// a row without a new one there are taken to be no more.
inline constexpr int kFruitlessDraws = 50;

struct VerifyReport {
  int schedules = 0;                     // with distinct generated source
  int libraries = 0;                     // built: schedules x compilers x targets
  std::int64_t kernels = 0;              // runs of one kernel that were compared
  std::int64_t cells = 0;                // core cells and scalars that were compared
  bool exact = true;                     // bits were compared, nothing was tolerated
  std::optional<Difference> difference;  // the first; the work stops there
};

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
