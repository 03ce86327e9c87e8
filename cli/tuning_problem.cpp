#include "cli/tuning_problem.hpp"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "paraiso/om/print.hpp"
#include "paraiso/runtime/host.hpp"
#include "paraiso/runtime/memory.hpp"
#include "paraiso/runtime/toolchain.hpp"

namespace paraiso::cli {

namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = getenv(name);
  return value ? value : "";
}

/// As the XDG base directory specification says, a relative $XDG_DATA_HOME is ignored.
fs::path data_folder() {
  if (fs::path data = environment("XDG_DATA_HOME"); data.is_absolute()) return data;
  fs::path home = environment("HOME");
  if (home.empty())
    if (const passwd* entry = getpwuid(geteuid())) home = entry->pw_dir;
  if (home.empty()) throw WrongCall("`--database FILE` is needed where there is no $HOME");
  return home / ".local" / "share";
}

}  // namespace

fs::path database_path(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const std::string file = environment("PARAISO_DATABASE"); !file.empty()) return file;
  return data_folder() / "paraiso" / "tuning.sqlite";
}

tune::Problem problem_of(const ChosenMachine& chosen, const om::Machine& program,
                         const Building& building, const std::string& compiler, int threads,
                         const std::vector<std::int64_t>& size) {
  tune::Problem problem;
  problem.machine = chosen.name;
  problem.program_hash = om::program_hash(program);
  problem.numbers = passes::name(building.numbers);
  problem.element = om::name(chosen.precision);
  problem.backend = building.backend;
  problem.compiler = runtime::find_toolchain(compiler).version;
  problem.threads = threads;
  problem.size = runtime::size_text(size);
  problem.host = runtime::host().name;
  problem.host_fingerprint = runtime::fingerprint(runtime::host());
  problem.genes = plan::genes(program);
  return problem;
}

}  // namespace paraiso::cli
