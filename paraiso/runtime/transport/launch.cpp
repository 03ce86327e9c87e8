#include "paraiso/runtime/transport/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/system/user_folder.hpp"

namespace paraiso::runtime {
namespace {

using Environment = std::function<std::string(const char*)>;

/// A launcher, by the variables that it sets; the first row of which both are there counts.
struct Launcher {
  const char* rank;
  const char* ranks;
  const char* needs;  // one more variable, or nullptr
  const char* kind;   // nullptr: it offers its processes no MPI
  const char* name;
};
constexpr Launcher kLaunchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr, "openmpi", "Open MPI's mpirun"},
    {"PMI_RANK", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "mpich", "srun"},
    {"PMI_RANK", "PMI_SIZE", nullptr, "mpich", "MPICH's mpirun"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", nullptr, "openmpi", "srun"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", nullptr, nullptr, "srun"},
};

std::optional<int> number(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

const MpiKind* kind_named(std::string_view name) {
  const auto* found = std::ranges::find(kMpiKinds, name, &MpiKind::name);
  return found == std::end(kMpiKinds) ? nullptr : found;
}

/// The user's choice, or the launcher's own.
const MpiKind* kind_of(const Launcher& launcher, const std::string& chosen) {
  if (launcher.kind == nullptr) return nullptr;
  if (chosen.empty()) return kind_named(launcher.kind);
  const MpiKind* kind = kind_named(chosen);
  if (kind == nullptr)
    throw Error(fmt::format("PARAISO_MPI is `{}`: there is openmpi, mpich", chosen));
  return kind;
}

}  // namespace

std::optional<Launch> launch_of(const Environment& environment) {
  for (const Launcher& launcher : kLaunchers) {
    const auto rank = number(environment(launcher.rank));
    const auto ranks = number(environment(launcher.ranks));
    if (!rank || !ranks) continue;
    if (launcher.needs != nullptr && environment(launcher.needs).empty()) continue;
    if (*ranks <= 1) return std::nullopt;
    return Launch{kind_of(launcher, environment("PARAISO_MPI")), launcher.name, *rank, *ranks};
  }
  return std::nullopt;
}

std::optional<Launch> launch_of_environment() {
  return launch_of([](const char* variable) { return environment(variable); });
}

std::optional<std::filesystem::path> mpi_library(const MpiKind& kind) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path command = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = PARAISO_MPI_FOLDER;
  for (const fs::path& folder : {command.parent_path().parent_path() / "lib/paraiso", installed}) {
    const fs::path file = folder / fmt::format("libparaiso_mpi_{}.so", kind.name);
    if (fs::exists(file, ignored)) return file;
  }
  return std::nullopt;
}

}  // namespace paraiso::runtime
