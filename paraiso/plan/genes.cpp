#include "paraiso/plan/genes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/plan/gene_names.hpp"
#include "paraiso/plan/inner_states.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// The values that `manifest` puts into arrays. On a shifted value it stores what is shifted,
/// unless that lies in memory anyway.
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

std::string chosen(const Schedule& schedule, const std::string& gene, const char* fallback) {
  auto found = schedule.choices.find(gene);
  return found == schedule.choices.end() ? fallback : found->second;
}

std::int64_t chosen_number(const Schedule& schedule, const Kernel& kernel, const char* option) {
  std::string allele = chosen(schedule, kernel.name + "/" + option, "");
  std::int64_t number = 0;
  std::from_chars(allele.data(), allele.data() + allele.size(), number);
  return number;  // 0 for what is no number
}

std::int64_t chosen_tile(const Schedule& schedule, const Kernel& kernel, int axis) {
  const bool outermost = axis == kernel.graph.dimension() - 1;
  const std::string option = std::string("tile_") + axis_name(axis);
  const std::string allele =
      chosen(schedule, kernel.name + "/" + option, outermost ? "threads" : "all");
  if (allele == "threads") return kPerThread;
  return allele == "all" ? kWholeAxis : chosen_number(schedule, kernel, option.c_str());
}

Storage storage_named(const std::string& allele) {
  if (allele == kScratch) return Storage::scratch;
  if (allele == kRolling) return Storage::rolling;
  return allele == kInline ? Storage::inlined : Storage::array;
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

bool is_materialisable(const Graph& graph, ValueId value) {
  const auto* load = graph.producer_as<Load>(value);
  return graph.producer_as<Arith>(value) || (load && load->step > 0);
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

Choices choices_of(const Machine& machine, const Kernel& kernel, const KernelGenes& genes,
                   const Schedule& schedule) {
  Choices choices;
  choices.storage.resize(kernel.graph.value_count(), Storage::inlined);
  choices.cut.resize(kernel.graph.value_count());
  for (ValueId v : genes.forced) choices.storage[v.index] = Storage::array;
  for (const auto& gene : genes.storage) {
    const std::string allele = chosen(schedule, gene.name, gene.alleles[0].c_str());
    for (ValueId v : gene.values) {
      choices.storage[v.index] = storage_named(allele);
      choices.cut[v.index] = allele == kArrayAlone;
    }
  }
  choices.apart = chosen(schedule, kernel.name + "/grouping", kJoined) == kApart;
  choices.gather_divides = chosen(schedule, kernel.name + "/divides", "late") == "together";
  choices.split = chosen(schedule, kernel.name + "/form", kOverlapped) == kSplit;
  choices.vectors = std::max(1, static_cast<int>(chosen_number(schedule, kernel, "vectors")));
  choices.jam = std::max(1, static_cast<int>(chosen_number(schedule, kernel, "jam")));
  choices.streaming = chosen(schedule, kernel.name + "/streaming", "off") == "large";
  choices.prefetch = chosen(schedule, kernel.name + "/prefetch", "off") == "row";
  const int dimension = kernel.graph.dimension();
  for (int axis = 0; axis < dimension; ++axis)
    choices.tile.push_back(chosen_tile(schedule, kernel, axis));
  const std::string first = chosen(schedule, kernel.name + "/sweep", "");
  for (int axis = dimension - 1; axis > 0; --axis)
    choices.sweep.insert(first == axis_name(axis) ? choices.sweep.begin() : choices.sweep.end(),
                         axis);
  settle_inner_states(machine, kernel, choices);
  return choices;
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
