// The texts that users write and read about versions: the list of versions, and `.tuning` files.
// Gives: VersionLine, parse_versions, print_versions, read_tuning, print_tuning. Needs: dispatch.
//
//   # heat.versions: tried from the top; the last line is the base, which runs if no guard holds
//   memory  default@512x512x512   when 100000000 <= state_bytes
//   base    default
#pragma once

#include <optional>

#include "paraiso/plan/dispatch/dispatch.hpp"

namespace paraiso::plan {

struct VersionLine {
  std::string name;
  std::string schedule;              // as `--schedule` takes it, or `default@SIZE`
  std::optional<GuardedName> guard;  // none: the base
  std::string place = {};            // its file and line, in words; empty: in none
};

/// Throws Error at `file`:line. All lines but the last have a guard.
[[nodiscard]] std::vector<VersionLine> parse_versions(std::string_view text, std::string_view file);
[[nodiscard]] std::string print_versions(const std::vector<VersionLine>& versions);

/// A file of `name=value` lines, for the thresholds of a dispatch, if there is one, and those of
/// `loops` (loop_thresholds). Throws Error that names the file and what is wrong: that of another
/// program, an unknown name, a damaged line, a number that does not fit.
[[nodiscard]] Thresholds read_tuning(const std::string& file,
                                     const std::optional<Dispatch>& dispatch,
                                     const std::string& machine,
                                     const std::vector<std::string>& loops = {});
[[nodiscard]] std::string print_tuning(const Thresholds& tuning);

}  // namespace paraiso::plan
