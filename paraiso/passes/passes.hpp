// The passes: OM -> OM, pure functions with a name and a line of help, each verified after.
// Gives: Numbers, Phase, PassOptions, Pass, passes, find_pass, prepare, settled_annotations, fuse,
// parse_numbers. Needs: om, fuse_steps.
#pragma once

#include "paraiso/passes/steps/fuse_steps.hpp"

namespace paraiso::passes {

/// What arithmetic may do, each more than the one before. `fma` makes multiply-adds explicit in the
/// graph, `fast` also where code may call the C library.
enum class Numbers : std::uint8_t { strict, fma, fast };
[[nodiscard]] const char* name(Numbers numbers);
[[nodiscard]] std::optional<Numbers> parse_numbers(std::string_view text);

/// The options of passes.
struct PassOptions {
  Numbers numbers = Numbers::fma;
  int steps = 1;  // in one kernel; this and the next are for `fuse_steps`
  bool hold_time_step = false;
};

enum class Phase : std::uint8_t {
  prepare,  // what the program means in bits, whatever its schedule
  fuse,     // after these: several steps in one kernel, if asked for
};

struct Pass {
  const char* name;
  const char* help;
  Phase phase;
  Fused (*run)(const Fused&, const PassOptions&);
  Numbers least = Numbers::strict;  // skipped in modes before this one

  [[nodiscard]] bool runs_in(Numbers numbers) const { return numbers >= least; }
};

/// In the order in which they run.
[[nodiscard]] const std::vector<Pass>& passes();

/// Throws Error, with the nearest name, if there is none such.
[[nodiscard]] const Pass& find_pass(std::string_view name);

// prepare and fuse run their passes in order, verify after each, and stop after the one named
// `after`, if given (Error as in `find_pass`).

/// The result is the program whose interpretation all schedules and backends must equal in bits; in
/// `fast`, but for the functions that it lets be the C library's. Throws Error if `machine` has
/// such functions in another mode.
[[nodiscard]] om::Machine prepare(const om::Machine& machine, Numbers numbers,
                                  std::string_view after = {});

/// Where passes merged values with different annotations: each `delayed` that was overruled, and
/// the `manifest` that overruled it.
[[nodiscard]] std::vector<Diagnostic> settled_annotations(const om::Machine& machine);

/// A prepared program with an additional kernel that takes `steps` time steps; unchanged for one
/// step. Throws like `fuse_steps` if steps can't be fused.
[[nodiscard]] Fused fuse(const om::Machine& prepared, int steps, bool hold_time_step = false,
                         std::string_view after = {});

}  // namespace paraiso::passes
