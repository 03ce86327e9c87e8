#include "paraiso/runtime/transport/launch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/system/user_folder.hpp"

namespace paraiso::runtime {
namespace fs = std::filesystem;
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

/// Where the loader looks: $LD_LIBRARY_PATH, this program's run path, the system's folders.
std::vector<fs::path> library_folders() {
  void* const self = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo needed{};
  if (self == nullptr || dlinfo(self, RTLD_DI_SERINFOSIZE, &needed) != 0) return {};
  std::vector<std::max_align_t> memory(needed.dls_size / sizeof(std::max_align_t) + 1);
  auto* const all = reinterpret_cast<Dl_serinfo*>(memory.data());
  if (dlinfo(self, RTLD_DI_SERINFOSIZE, all) != 0 || dlinfo(self, RTLD_DI_SERINFO, all) != 0)
    return {};
  const Dl_serpath* const paths = all->dls_serpath;
  std::vector<fs::path> folders;
  for (unsigned i = 0; i < all->dls_cnt; ++i) folders.emplace_back(paths[i].dls_name);
  return folders;
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

std::optional<fs::path> mpi_library(const MpiKind& kind) {
  std::error_code ignored;
  for (const fs::path& folder : mpi_folders()) {
    const fs::path file = folder / fmt::format("libparaiso_mpi_{}.so", kind.name);
    if (fs::exists(file, ignored)) return file;
  }
  return std::nullopt;
}

std::vector<fs::path> mpi_folders() {
  std::error_code ignored;
  const fs::path command = fs::read_symlink("/proc/self/exe", ignored);
  std::vector<fs::path> folders{command.parent_path().parent_path() / "lib/paraiso",
                                PARAISO_MPI_FOLDER};
  std::ranges::copy(library_folders(), std::back_inserter(folders));
  return folders;
}

}  // namespace paraiso::runtime
