// Dispatch: versions of one kernel, and which of them runs on a grid.
// Gives: kMostVersions, kSplitGuard, kSharedGuard, kLargestThreshold, Version, Dispatch,
// Thresholds, make_dispatch, add_versions, tuned, check_tuning, chosen_version, forcing,
// thresholds_text, compared, cell_bytes_of, live_cell_bytes_of, for_copy, version_name.
// Needs: measure, schedule, footprint.
//
// A version is the kernel once more under a name of its own, so that a schedule can have genes for
// it: planned together, all of them agree about arrays, margins and padding. Guards are tried in
// order, `threshold <= measure`; the first that holds says which version runs, and if none does
// the kernel itself runs, the base:
//
//   kernel proceed         runs if nothing else does
//   kernel proceed_memory  if heat.proceed.memory <= state_bytes
//   kernel proceed_cache   else if heat.proceed.cache <= state_bytes
//
// A version whose blocks ask for more shared memory than the device at hand gives is passed over,
// as if it were not there: of the others the last is the base.
//
// After Futhark's incremental flattening (Henriksen et al., PPoPP 2019), whose formats the texts
// below have.
#pragma once

#include "paraiso/plan/dispatch/measure.hpp"
#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::plan {

inline constexpr std::size_t kMostVersions = 4;  // of a kernel: sources grow with each of them
/// Guards of the hardware's, which are no thresholds: `heat.proceed.split (fits)`.
inline constexpr const char *kSplitGuard = "split", *kSharedGuard = "shared";
inline constexpr std::int64_t kLargestThreshold = INT64_MAX;  // which no measure reaches

struct Version {
  std::string name;       // "memory"
  std::string kernel;     // the copy: "proceed_memory"
  std::string threshold;  // "heat.proceed.memory"
  Measure measure = Measure::state_bytes;
  std::int64_t least = 0;  // of the measure, unless the user sets another
  // Once it is planned: the tile of its first loops (MeasuredGrid), KernelPlan::shared_bytes.
  std::vector<std::int64_t> tile = {};
  std::size_t shared_bytes = 0;
};

struct Dispatch {
  std::string kernel;               // that has versions
  std::string base;                 // what the version is called that it is itself
  std::vector<Version> versions;    // the others, in the order in which their guards are tried
  std::size_t live_cell_bytes = 0;  // of the kernel, whatever the version (live_cell_bytes_of)
  std::size_t shared_bytes = 0;     // of the base
};

/// Thresholds by name.
using Thresholds = std::map<std::string, std::int64_t>;

/// Named for a kernel of `machine`. Throws Error for names that are not identifiers or are taken
/// (as those of the hardware's guards are), for one version alone, and for more than kMostVersions.
struct GuardedName {
  std::string name;
  Measure measure = Measure::state_bytes;
  std::int64_t least = 0;
};
[[nodiscard]] Dispatch make_dispatch(const om::Machine& machine, const std::string& kernel,
                                     const std::string& base,
                                     const std::vector<GuardedName>& guarded);

/// The machine with the copies, which come last.
[[nodiscard]] om::Machine add_versions(om::Machine machine, const Dispatch& dispatch);
/// What `schedule` chooses for a kernel, as choices for another one that is its copy.
[[nodiscard]] Schedule for_copy(const Schedule& schedule, const std::string& kernel,
                                const std::string& copy);

/// Throws Error where a value is negative, or with a list where there is no such threshold;
/// `loops`, which may be set elsewhere, are listed too.
void check_tuning(const Dispatch& dispatch, const Thresholds& tuning,
                  const std::vector<std::string>& loops = {});
/// With other thresholds; throws like check_tuning.
[[nodiscard]] Dispatch tuned(Dispatch dispatch, const Thresholds& tuning);
/// With which a version runs on every grid: its number in `versions`, or their count for the base.
[[nodiscard]] Thresholds forcing(const Dispatch& dispatch, std::size_t version);

/// The number of the version that runs; the count of `versions` for the base, also where none fits.
/// On a device that gives a block so much shared memory; 0: it does not say, or there is none.
[[nodiscard]] std::size_t chosen_version(const Dispatch& dispatch, const MeasuredGrid& grid,
                                         double block_shared_bytes = 0);
/// The name of a version by its number.
[[nodiscard]] const std::string& version_name(const Dispatch& dispatch, std::size_t version);

/// `NAME (threshold (!A !B))`, a line for each guard: those that fail before it is reached.
[[nodiscard]] std::string thresholds_text(const Dispatch& dispatch);

/// What the guard of a version compares.
[[nodiscard]] std::int64_t compared(const Dispatch& dispatch, const Version& version,
                                    MeasuredGrid grid);

/// Bytes of one cell in all fields.
[[nodiscard]] std::size_t cell_bytes_of(const om::Machine& machine);
/// Bytes at one cell of a row (of a plane in three dimensions) of all rows that a loop reads at a
/// time, and of the one that it writes: they are to stay in a cache until the next row is computed.
[[nodiscard]] std::size_t live_cell_bytes_of(const om::Kernel& kernel);

}  // namespace paraiso::plan
