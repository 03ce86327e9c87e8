#include "cli/prepared/tuning_problem.hpp"

#include <fmt/format.h>

#include "cli/prepared/divided_grid.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"
#include "paraiso/runtime/backend/code_hash.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::cli {

std::vector<plan::Gene> all_genes(const Prepared& prepared) {
  auto table = ranks_of(prepared) > 1 ? plan::genes_on_ranks(prepared.program, prepared.genes)
                                      : prepared.genes;
  const auto shifts = [&] {
    return !plan::skew_choices(prepared.program, prepared.schedule.schedule).choices.empty();
  };
  return prepared.skew || shifts() ? plan::with_skew_genes(prepared.program, std::move(table))
                                   : table;
}

namespace {

/// The kind of machine that a back end's programs run on: this host, and the device where one is
/// chosen.
std::string fingerprint_of(const runtime::Backend& backend) {
  const std::string host = runtime::fingerprint(runtime::host());
  const auto device = runtime::chosen_device(backend);
  return device ? fmt::format("{}; {}", host, device->name) : host;
}

/// Of the grid divided so, or whole; storage may lie shifted if it `skews`.
tune::TuningProblem problem_on(const std::optional<om::Orthotree>& tree,
                               const std::vector<plan::Gene>& genes, const Prepared& prepared,
                               const Building& building, bool skews) {
  const runtime::Backend& backend = backend_of(building);
  const bool singly = tree && tree->leaf_count() > 1 && takes_single_steps(prepared);
  const om::Kernel& kernel = singly ? *prepared.program.step_kernel()
                                    : tune::timed_kernel(prepared.program, prepared.fusion);
  tune::TuningProblem problem;
  problem.machine = prepared.chosen.name;
  problem.program_hash = om::program_hash(prepared.program);
  problem.numbers = passes::name(building.numbers);
  problem.element = om::name(prepared.chosen.precision);
  problem.backend = building.backend;
  problem.compiler = backend.find_toolchain(prepared.compiler).version;
  problem.threads = prepared.threads;
  problem.size = om::divided_size(prepared.size, tree);
  problem.host = runtime::host().name;
  problem.host_fingerprint = fingerprint_of(backend);
  problem.genes = plan::genes_of(genes, kernel);
  if (skews) problem.genes = plan::with_skew_genes(prepared.program, problem.genes);
  problem.generator = runtime::generator_hash(backend, prepared.program, kernel, problem.genes);
  problem.initial = prepared.chosen.problem;
  problem.parameters = runtime::parameters_text(prepared.parameters);
  problem.target = target_of(building).name;
  return problem;
}

}  // namespace

tune::TuningProblem problem_of(const Prepared& prepared, const Building& building) {
  return problem_on(prepared.tree, all_genes(prepared), prepared, building, prepared.skew);
}

std::vector<MakeProblem> problems_of(const Prepared& prepared, const Building& building) {
  std::vector<MakeProblem> problems;
  const auto add = [&](const std::optional<om::Orthotree>& tree,
                       const std::vector<plan::Gene>& genes) {
    for (const bool skews : {false, true})
      if (!skews || !backend_of(building).chooses_device)
        problems.push_back([&prepared, &building, tree, genes, skews] {
          return problem_on(tree, genes, prepared, building, skews);
        });
  };
  add(prepared.tree, all_genes(prepared));
  if (ranks_of(prepared) > 1) add({}, prepared.genes);
  return problems;
}

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

}  // namespace paraiso::cli
