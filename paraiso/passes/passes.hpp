// The passes: OM -> OM, pure functions with a name and a line of help, each verified after.
// Gives: Numbers, Pass, passes, prepare, find_pass. Needs: om.
#pragma once

#include "paraiso/om/machine.hpp"

namespace paraiso::passes {

/// What arithmetic may do (design: Numbers). `fma` makes multiply-adds explicit in the graph.
enum class Numbers : std::uint8_t { strict, fma, fast };
[[nodiscard]] const char* name(Numbers numbers);
[[nodiscard]] std::optional<Numbers> parse_numbers(std::string_view text);

struct Pass {
  const char* name;
  const char* help;
  om::Machine (*run)(const om::Machine&);
  bool fma_only;  // skipped in strict
};

/// In the order in which `prepare` runs them.
[[nodiscard]] const std::vector<Pass>& passes();

/// Runs every pass for `numbers`, verifying after each; up to and including the pass named `after`
/// if given (throws Error with the nearest name if there is none such). The result is the program
/// whose interpretation all schedules and backends must equal in bits.
[[nodiscard]] om::Machine prepare(const om::Machine& machine, Numbers numbers,
                                  std::string_view after = {});

}  // namespace paraiso::passes
