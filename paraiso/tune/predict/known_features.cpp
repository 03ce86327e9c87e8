#include "paraiso/tune/predict/known_features.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "paraiso/base/extents.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/om/text/print.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

/// The machine that the features are of, as far as features tell.
plan::MachineModel machine_in(const Json& numbers) {
  const auto number = [&](const std::string& name) {
    return numbers.at("architecture." + name).get<double>();
  };
  plan::MachineModel machine;
  machine.threads = static_cast<int>(number("threads"));
  for (const plan::MachineField& field : plan::machine_fields())
    if (numbers.contains(std::string("architecture.") + field.name))  // else as documented
      machine.*field.value = number(field.name);
  for (int level = 1; numbers.contains(fmt::format("architecture.cache{}.bytes", level)); ++level) {
    const std::string name = fmt::format("cache{}.bytes", level);
    machine.caches.push_back({number(name), number(name + "_per_second")});
  }
  return machine;
}

/// Genes are called `KERNEL/...`, all of the kernel that takes the steps.
const om::Kernel* timed_kernel(const om::Machine& program, const TuningProblem& problem) {
  if (problem.genes.empty()) return nullptr;
  return program.find_kernel(split(problem.genes.front().name, '/').front());
}

/// Those of today instead of those of another version. What `calibrate` had measured is taken from
/// the old ones. None for problems of devices and ranks, which no description tells all of, and
/// where the text is not kept: databases of before did not have it.
std::optional<Features> recomputed_features(Database& database, const TuningProblem& problem,
                                            const Json& old) {
  const runtime::Backend* backend = runtime::find_backend(problem.backend);
  if (backend == nullptr || backend->chooses_device || om::ranks_of(problem.size) > 1)
    return std::nullopt;
  const auto text = database.program(problem.program_hash);
  if (!text) return std::nullopt;
  const om::Machine program = om::parse(*text);
  const om::Kernel* kernel = timed_kernel(program, problem);
  if (kernel == nullptr) return std::nullopt;
  const auto& numbers = old.at("numbers");
  return features_of({*backend, program, *kernel, extents_of(problem.size), machine_in(numbers),
                      problem.compiler, problem.target,
                      static_cast<std::int64_t>(numbers.at("input.steps").get<double>())});
}

}  // namespace

std::optional<Features> known_features(Database& database, const TuningProblem& problem,
                                       const Description& description) {
  const auto found = Json::parse(description.features);
  auto features = features_from(found);
  return features ? features : recomputed_features(database, problem, found);
}

}  // namespace paraiso::tune
