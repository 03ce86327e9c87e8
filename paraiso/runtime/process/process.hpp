// run_program: runs a program without a shell, and takes its output.
// Gives: kHanging, ProgramLimits, ProgramResult, run_program, find_program. Needs: posix_spawn,
// process_session.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace paraiso::runtime {

/// Seconds after which a program is taken to hang, where nobody says otherwise: a compiler on a
/// slow machine takes a quarter of an hour for the largest solvers.
inline constexpr double kHanging = 3600;

/// For a program together with all that it starts; if one limit is exceeded, all are killed.
struct ProgramLimits {
  double seconds = kHanging;
  double bytes = 0;   // resident memory; 0: any
  int processes = 0;  // at a time; 0: any
};

struct ProgramResult {
  int status = 0;          // exit status; 128 + signal where a signal ended it
  bool timed_out = false;  // it was killed after the limit's seconds
  std::string exceeded;    // the other limit for which it was killed: "more than 64 processes"
  std::string output;      // standard output and standard error, as they came; at most 1 MiB
};

/// `arguments[0]` is the program's path. It gets a session of its own, and what it has left behind
/// there is killed when it ends. Throws Error if it can't be started.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& folder,
                                        const ProgramLimits& limits);
/// The same without a session of its own, with a limit on the time alone, and with a file to read
/// from.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& folder = {},
                                        double timeout_seconds = kHanging,
                                        const std::filesystem::path& input = "/dev/null");

/// The first executable `name` on PATH, or `name` itself where it holds a slash and is executable.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace paraiso::runtime
