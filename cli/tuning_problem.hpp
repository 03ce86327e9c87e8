// The tuning problem that a call of the command is about, and the database that knows of it.
// Gives: database_path, timed_kernel, problem_of. Needs: execution, tune.
#pragma once

#include "cli/execution.hpp"
#include "paraiso/tune/database/database.hpp"

namespace paraiso::cli {

/// `--database FILE`; else $PARAISO_DATABASE; else `paraiso/tuning.sqlite` in $XDG_DATA_HOME or
/// ~/.local/share. Throws WrongCall where there is none of these.
[[nodiscard]] std::filesystem::path database_path(const std::string& asked);

/// The kernel that takes the steps: the fused one, where there is one. Only its genes are tuned: no
/// other kernel is timed.
[[nodiscard]] const om::Kernel& timed_kernel(const om::Machine& program,
                                             const passes::Fusion& fusion);

/// `program` is the chosen machine after all passes, `fusion` of its steps; `threads` and
/// `compiler` are those that run.
[[nodiscard]] tune::Problem problem_of(const ChosenMachine& chosen, const om::Machine& program,
                                       const passes::Fusion& fusion, const Execution& execution,
                                       const std::string& compiler, int threads,
                                       const std::vector<std::int64_t>& size);

}  // namespace paraiso::cli
