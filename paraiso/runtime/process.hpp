// run_program: runs a program without a shell, and takes its output.
// Gives: ProgramResult, run_program, find_program. Needs: posix_spawn.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace paraiso::runtime {

struct ProgramResult {
  int status = 0;          // exit status; 128 + signal where a signal ended it
  bool timed_out = false;  // it was killed after `timeout_seconds`
  std::string output;      // standard output and standard error, as they came; at most 1 MiB
};

/// `arguments[0]` is the program's path. Throws Error where it can't be started.
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& folder = {},
                                        double timeout_seconds = 600);

/// The first executable `name` on PATH, or `name` itself where it holds a slash and is executable.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace paraiso::runtime
