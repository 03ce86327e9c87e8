#include "paraiso/plan/schedule/genes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/schedule/gene_names.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// The values that `manifest` puts into arrays. Of a shifted value the unshifted one is stored,
/// unless that is in memory anyway.
std::set<ValueId> forced_values(const Graph& graph) {
  std::set<ValueId> forced;
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    for (int r = 0; r < node.result_count; ++r) {
      ValueId value(node.first_result.index + r);
      if (graph.value(value).annotation.storing != Storing::manifest) continue;
      while (graph.producer_as<Shift>(value)) value = graph.producer(value).operands[0];
      if (graph.producer_as<Arith>(value) && graph.type(value).is_local()) forced.insert(value);
    }
  }
  return forced;
}

const std::vector<std::string> kStateAlleles{kArray, kScratch, kRolling};
const std::vector<std::string> kStorageAlleles{kInline, kScratch, kRolling, kArray, kArrayAlone};

}  // namespace

KernelGenes kernel_genes(const Kernel& kernel) {
  const Graph& graph = kernel.graph;
  KernelGenes genes;
  genes.forced = forced_values(graph);
  GeneNames names(graph);
  std::map<std::string, std::size_t> known;
  const auto share = [&](const std::string& name, ValueId value,
                         const std::vector<std::string>& alleles) {
    auto [entry, added] = known.try_emplace(name, genes.storage.size());
    if (added) genes.storage.push_back({fmt::format("{}/{}", kernel.name, name), {}, alleles});
    genes.storage[entry->second].values.push_back(value);
  };
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    const auto* load = std::get_if<Load>(&node.instruction);
    if (load && load->step > 0 && graph.type(node.first_result).is_local())
      share(graph.signature().statics[load->source.index].name + ".state", node.first_result,
            kStateAlleles);
    if (!std::holds_alternative<Arith>(node.instruction)) continue;
    for (int r = 0; r < node.result_count; ++r) {
      ValueId value(node.first_result.index + r);
      if (graph.type(value).realm == Realm::global) continue;
      const std::string name = names.next(value);
      if (graph.value(value).annotation.storing != Storing::free) continue;
      if (genes.forced.contains(value)) continue;
      share(name + ".storage", value, kStorageAlleles);
    }
  }
  return genes;
}

GeneTable gene_table(const Kernel& kernel, OptionTable options) {
  GeneTable table{{}, kernel_genes(kernel)};
  for (const OptionGene& option : options(kernel.graph.dimension())) {
    Gene& gene = table.genes.emplace_back(Gene{kernel.name + "/" + option.name, {}});
    for (const Allele& allele : option.alleles) gene.alleles.push_back(allele.name);
  }
  for (const auto& gene : table.values.storage) table.genes.push_back({gene.name, gene.alleles});
  return table;
}

std::vector<Gene> genes(const Kernel& kernel, OptionTable options) {
  return gene_table(kernel, options).genes;
}

std::vector<Gene> genes(const Machine& machine, OptionTable options) {
  std::vector<Gene> table;
  for (const auto& kernel : machine.kernels)
    std::ranges::move(genes(kernel, options), back_inserter(table));
  return table;
}

std::vector<Gene> genes_of(const std::vector<Gene>& table, const Kernel& kernel) {
  std::vector<Gene> own;
  std::ranges::copy_if(table, back_inserter(own),
                       [&](const Gene& gene) { return gene.name.starts_with(kernel.name + "/"); });
  return own;
}

std::string genes_help(const Schedule& schedule, const Machine& machine, OptionTable options) {
  std::string text;
  std::set<std::string> own;
  for (const Gene& gene : genes(machine, options)) own.insert(gene.name);
  for (const auto& choice : schedule.choices) own.insert(choice.first);
  const auto add = [&](const std::string& kind, const std::string& end, const std::string& help,
                       const std::vector<std::string>& alleles) {
    if (std::ranges::any_of(own, [&](const std::string& gene) { return gene.ends_with(end); }))
      text += fmt::format("# {}{}: {}: {}\n", kind, end, help, fmt::join(alleles, ", "));
  };
  for (const OptionGene& option : options(machine.dimension)) {
    std::vector<std::string> alleles;
    for (const Allele& allele : option.alleles) alleles.push_back(allele.name);
    add("KERNEL", "/" + option.name, option.help, alleles);
  }
  add("KERNEL", std::string("/") + kExchange, kExchangeHelp, {kBlocking, kOverlapped});
  const std::vector<Gene> skews = skew_genes(machine);
  for (int axis = 0; axis < machine.dimension && !skews.empty(); ++axis)
    add("FIELD", fmt::format(".skew_{}", axis_name(axis)), kSkewHelp, skews.front().alleles);
  add("KERNEL/VALUE", ".storage", "how much of the value is stored", kStorageAlleles);
  add("KERNEL/FIELD", ".state", "the same of a state between fused steps", kStateAlleles);
  return text;
}

}  // namespace paraiso::plan
