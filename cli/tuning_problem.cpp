#include "cli/tuning_problem.hpp"

#include <map>

#include "paraiso/om/print.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/runtime/backend/code_hash.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/runtime/system/user_folder.hpp"

namespace paraiso::cli {

namespace fs = std::filesystem;

namespace {

/// One text for assignments that mean the same: of several to one parameter the last counts, and
/// their order does not.
std::string parameters_text(const std::vector<std::string>& set) {
  std::map<std::string, std::string> last;
  for (const std::string& assignment : set)
    last[assignment.substr(0, assignment.find('='))] = assignment;
  std::vector<std::string> assignments;
  for (const auto& [name, assignment] : last) assignments.push_back(assignment);
  return list_text(assignments);
}

}  // namespace

fs::path database_path(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const std::string file = runtime::environment("PARAISO_DATABASE"); !file.empty()) return file;
  const auto data = runtime::user_folder("XDG_DATA_HOME", fs::path(".local") / "share");
  if (!data) throw WrongCall("`--database FILE` is needed where there is no $HOME");
  return *data / "paraiso" / "tuning.sqlite";
}

const om::Kernel& timed_kernel(const om::Machine& program, const passes::Fusion& fusion) {
  return fusion.kernel.empty() ? *program.step_kernel() : *program.find_kernel(fusion.kernel);
}

tune::Problem problem_of(const ChosenMachine& chosen, const om::Machine& program,
                         const passes::Fusion& fusion, const Execution& execution,
                         const std::string& compiler, int threads,
                         const std::vector<std::int64_t>& size) {
  tune::Problem problem;
  problem.machine = chosen.name;
  problem.program_hash = om::program_hash(program);
  problem.numbers = passes::name(execution.building.numbers);
  problem.element = om::name(chosen.precision);
  problem.backend = execution.building.backend;
  problem.compiler = runtime::find_toolchain(compiler).version;
  problem.threads = threads;
  problem.size = runtime::size_text(size);
  problem.host = runtime::host().name;
  problem.host_fingerprint = runtime::fingerprint(runtime::host());
  problem.genes = plan::genes(timed_kernel(program, fusion));
  problem.generator = runtime::generator_hash(backend_of(execution.building), program,
                                              timed_kernel(program, fusion));
  problem.initial = chosen.problem;
  problem.parameters = parameters_text(execution.set);
  problem.target = target_of(execution.building).name;
  return problem;
}

}  // namespace paraiso::cli
