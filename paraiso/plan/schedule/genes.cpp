#include "paraiso/plan/schedule/genes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/plan/schedule/gene_names.hpp"

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

}  // namespace

std::vector<OptionGene> kernel_options(int dimension) {
  std::vector<OptionGene> table = {
      {"grouping", {kJoined, kApart}},    // may groups make several arrays
      {"divides", {"late", "together"}},  // in their readers' loops, or in one loop before
      {"vectors", {"1", "2", "4"}},       // machine vectors that a loop takes at a time
      {"streaming", {"off", "large"}},    // are arrays that don't fit written past the caches
      {"prefetch", {"off", "row"}},       // are rows asked for ahead of their loops
  };
  for (int axis = 0; axis < dimension; ++axis) {
    const char* first = axis == dimension - 1 ? "threads" : "all";
    const char* second = axis == dimension - 1 ? "all" : "threads";
    std::vector<std::string> alleles{first, second, "1", "4", "8", "16", "32", "64", "256", "1024"};
    table.push_back({std::string("tile_") + axis_name(axis), std::move(alleles)});
  }
  if (dimension > 1) table.push_back({"jam", {"1", "2", "4"}});  // rows that a loop makes at a time
  // Do neighbours recompute what they share, or do tiles leave gaps that others fill.
  if (dimension > 1) table.push_back({"form", {kOverlapped, kSplit}});
  std::vector<std::string> axes;
  for (int axis = dimension - 1; axis > 0; --axis) axes.push_back(axis_name(axis));
  if (axes.size() > 1) table.push_back({"sweep", std::move(axes)});
  return table;
}

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
            {kArray, kScratch, kRolling});
    if (!std::holds_alternative<Arith>(node.instruction)) continue;
    for (int r = 0; r < node.result_count; ++r) {
      ValueId value(node.first_result.index + r);
      if (graph.type(value).realm == Realm::global) continue;
      const std::string name = names.next(value);
      if (graph.value(value).annotation.storing != Storing::free) continue;
      if (genes.forced.contains(value)) continue;
      share(name + ".storage", value, {kInline, kScratch, kRolling, kArray, kArrayAlone});
    }
  }
  return genes;
}

GeneTable gene_table(const Kernel& kernel) {
  GeneTable table{{}, kernel_genes(kernel)};
  for (const auto& option : kernel_options(kernel.graph.dimension()))
    table.genes.push_back({kernel.name + "/" + option.name, option.alleles});
  for (const auto& gene : table.values.storage) table.genes.push_back({gene.name, gene.alleles});
  return table;
}

std::vector<Gene> genes(const Kernel& kernel) { return gene_table(kernel).genes; }

std::vector<Gene> genes(const Machine& machine) {
  std::vector<Gene> table;
  for (const auto& kernel : machine.kernels) std::ranges::move(genes(kernel), back_inserter(table));
  return table;
}

}  // namespace paraiso::plan
