#include "paraiso/tune/tuning/tuned_program.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace paraiso::tune {

const om::Kernel& timed_kernel(const om::Machine& program, const passes::Fusion& fusion) {
  return fusion.kernel.empty() ? *program.step_kernel() : *program.find_kernel(fusion.kernel);
}

plan::Schedule TunedProgram::schedule(const plan::Genome& genome) const {
  return plan::overlaid(untuned, plan::schedule_of(problem.genes, genome));
}

plan::Genome TunedProgram::genome(const plan::Schedule& schedule) const {
  return canonical(plan::genome_of(problem.genes, schedule));
}

plan::Genome TunedProgram::genome_from(const std::string& letters) const {
  return plan::genome_from(problem.genes, letters);
}

std::string TunedProgram::schedule_text(const plan::Genome& genome) const {
  return fmt::format("genome:{}:{}", plan::gene_table_hash(genes),
                     plan::letters_of(genes, plan::genome_of(genes, schedule(genome))));
}

namespace {

void add_new(std::vector<plan::Genome>& genomes, const plan::Genome& genome) {
  if (std::ranges::find(genomes, genome) == genomes.end()) genomes.push_back(genome);
}

}  // namespace

std::vector<plan::Genome> tried_first(const TunedProgram& tuned,
                                      const std::optional<plan::Schedule>& named,
                                      const std::vector<plan::Genome>& predicted) {
  std::vector<plan::Genome> first;
  if (named) add_new(first, tuned.genome(*named));
  add_new(first, tuned.default_genome);
  for (const plan::Genome& genome : predicted) add_new(first, genome);
  return first;
}

std::vector<plan::Genome> starts_of(const TunedProgram& tuned,
                                    const std::optional<plan::Schedule>& named,
                                    const std::vector<plan::Genome>& predicted,
                                    const std::vector<plan::Schedule>& similar) {
  std::vector<plan::Genome> starts = tried_first(tuned, named, predicted);
  if (!plan::kernel_genes(tuned.kernel()).forced.empty()) add_new(starts, tuned.genome({}));
  for (const plan::Schedule& schedule : similar) add_new(starts, tuned.genome(schedule));
  return starts;
}

}  // namespace paraiso::tune
