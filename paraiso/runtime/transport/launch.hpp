// launch: whether this process is one of several that an MPI launcher started, and of which MPI.
// Gives: MpiKind, kMpiKinds, Launch, launch_of_environment, mpi_library, mpi_folders, launch_of.
// Needs: the environment.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace paraiso::runtime {

struct MpiKind {
  const char* name;      // as in the name of our library for it
  const char* title;     // "Open MPI"
  const char* packages;  // that Debian has to build that library
};
inline constexpr MpiKind kMpiKinds[] = {
    {"openmpi", "Open MPI", "libopenmpi-dev openmpi-bin"},
    {"mpich", "MPICH", "libmpich-dev mpich"},
};

struct Launch {
  const MpiKind* kind = nullptr;  // nullptr: the launcher connects its processes by no MPI
  std::string launcher;           // "Open MPI's mpirun"
  int rank = 0, ranks = 1;
};

/// None for a process on its own, also for the only one of a launcher. $PARAISO_MPI, `openmpi` or
/// `mpich`, decides where a launcher serves several MPIs; throws Error for another word.
[[nodiscard]] std::optional<Launch> launch_of_environment();
/// The same of an environment as a function.
[[nodiscard]] std::optional<Launch> launch_of(
    const std::function<std::string(const char* variable)>& environment);

/// Our library for that MPI; none if it is in none of these folders.
[[nodiscard]] std::optional<std::filesystem::path> mpi_library(const MpiKind& kind);
/// Where it may be: beside the command, where Paraiso was to be installed, and wherever this
/// program looks for libraries.
[[nodiscard]] std::vector<std::filesystem::path> mpi_folders();

}  // namespace paraiso::runtime
