#include "cli/prediction.hpp"

#include <fmt/format.h>

#include "cli/tuning_problem.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::cli {

tune::Untuned untuned_of(const Prepared& prepared, const Building& building) {
  const runtime::Backend& backend = backend_of(building);
  const om::Kernel& kernel = tune::timed_kernel(prepared.program, prepared.fusion);
  const plan::MachineModel machine = machine_with(building, prepared.threads);
  const std::vector<std::int64_t> part = largest_part(prepared);
  const tune::RunningInstance instance{backend,
                                       prepared.program,
                                       kernel,
                                       part,
                                       machine,
                                       backend.find_toolchain(prepared.compiler).version,
                                       prepared.target.name,
                                       prepared.chosen.steps};
  const ScheduledProgram scheduled{
      backend, prepared.program, machine_lookup(building), prepared.genes, part, prepared.sharing};
  return {backend,
          prepared.program,
          kernel,
          plan::genes_of(all_genes(prepared), kernel),
          untuned_schedule(scheduled),
          tune::features_of(instance),
          {part, machine},
          ranks_of(prepared) > 1};
}

tune::Predicted prediction_from(const std::filesystem::path& database,
                                const std::function<tune::Untuned()>& program) {
  try {
    std::error_code ignored;
    if (!std::filesystem::exists(database, ignored)) return tune::no_prediction({});
    tune::Database file(database, kWaitForTuner, tune::Access::read);
    if (file.described_count() == 0) return tune::no_prediction({});
    const tune::Untuned untuned = program();
    return tune::predict_schedule(untuned,
                                  tune::nearest_known(file, untuned.features, untuned.on_ranks));
  } catch (const Error& error) {
    tune::Predicted none;
    none.why_not = fmt::format("what was tuned can't be read: {}", error.diagnostics()[0].message);
    return none;
  }
}

}  // namespace paraiso::cli
