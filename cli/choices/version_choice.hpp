// VersionChoice: which versions of a kernel `--versions` means, and the thresholds of `--tuning`.
// Gives: VersionOptions, declare_versions, tuning_of_loops, Versioned, kPlannedFor,
// schedule_of_version, versions_asked, with_versions, choose_versions. Needs: schedule_choice,
// plan/dispatch.
#pragma once

#include "cli/choices/schedule_choice.hpp"
#include "paraiso/plan/dispatch/versions_text.hpp"

namespace CLI {
class App;
}

namespace paraiso::cli {

struct VersionOptions {
  std::string file;    // that lists versions, or `auto`; empty: there is one version only
  std::string tuning;  // a file of thresholds; empty: those of the list
  bool log = false;    // print what was compared
};

/// `--tuning` needs `--versions`, unless the command takes the thresholds of loops, too.
void declare_versions(CLI::App& command, VersionOptions& versions, bool tunes_loops = false);

/// What `--tuning` sets where there are no versions: thresholds of loops. Throws WrongCall.
[[nodiscard]] plan::Thresholds tuning_of_loops(const runtime::Backend& backend,
                                               const om::Machine& program,
                                               const VersionOptions& versions);

/// A program whose kernel has versions.
struct Versioned {
  om::Machine program;                     // with the copies
  plan::Schedule schedule;                 // of all of it
  std::optional<plan::Dispatch> dispatch;  // none if only one version is left
  plan::Thresholds tuning;                 // as the user set them
  std::string source;                      // in words
};

inline constexpr std::string_view kPlannedFor = "default@";

/// The default schedule for one size, `default@SIZE`, or one that `--schedule` could name. Its
/// errors name the line of the list.
[[nodiscard]] plan::Schedule schedule_of_version(const ScheduledProgram& scheduled,
                                                 const plan::VersionLine& line);

/// The versions that `--versions` asks for: those of the file, or for `auto` the default schedules
/// for grids that fit the second cache, the last one, and neither. Of versions with the same
/// schedule the lower one stays. Throws WrongCall for a missing or wrong file.
[[nodiscard]] std::vector<plan::VersionLine> versions_asked(const ScheduledProgram& scheduled,
                                                            const om::Kernel& kernel,
                                                            const std::string& file);

/// The program with these versions of `kernel`; its other kernels are scheduled like the base.
[[nodiscard]] Versioned with_versions(const ScheduledProgram& scheduled, const om::Kernel& kernel,
                                      const std::vector<plan::VersionLine>& lines);

/// Both, and the thresholds that the user set. Throws WrongCall also for a wrong `--tuning`.
[[nodiscard]] Versioned choose_versions(const ScheduledProgram& scheduled, const om::Kernel& kernel,
                                        const VersionOptions& options);

}  // namespace paraiso::cli
