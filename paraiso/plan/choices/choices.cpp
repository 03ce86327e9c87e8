#include "paraiso/plan/choices/choices.hpp"

#include "paraiso/plan/choices/inner_states.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

Storage storage_named(const std::string& allele) {
  if (allele == kScratch) return Storage::scratch;
  if (allele == kRolling) return Storage::rolling;
  return allele == kInline ? Storage::inlined : Storage::array;
}

}  // namespace

bool is_materialisable(const Graph& graph, ValueId value) {
  const auto* load = graph.producer_as<Load>(value);
  return graph.producer_as<Arith>(value) || (load && load->step > 0);
}

KernelChoices choices_of(const Machine& machine, const Kernel& kernel, const KernelGenes& genes,
                         const Schedule& schedule) {
  KernelChoices choices{read_options<KernelOptions>(kernel, schedule), {}, {}};
  choices.storage.resize(kernel.graph.value_count(), Storage::inlined);
  choices.cut.resize(kernel.graph.value_count());
  for (ValueId v : genes.forced) choices.storage[v.index] = Storage::array;
  for (const auto& gene : genes.storage) {
    const auto chosen = schedule.choices.find(gene.name);
    const std::string& allele = chosen == schedule.choices.end() ? gene.alleles[0] : chosen->second;
    for (ValueId v : gene.values) {
      choices.storage[v.index] = storage_named(allele);
      choices.cut[v.index] = allele == kArrayAlone;
    }
  }
  settle_inner_states(machine, kernel, choices);
  return choices;
}

}  // namespace paraiso::plan
