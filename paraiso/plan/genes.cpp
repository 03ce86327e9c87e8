#include "paraiso/plan/genes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "paraiso/base/text.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Scopes come from files too: keep what can stand in a schedule file's line.
std::string tidy(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '/' && c != '_' && c != '.') c = '_';
  return text;
}

/// The bundle of a named value, or scope, operator and ordinal: stable when other lines change.
std::string stable_name(const Graph& graph, ValueId value, std::map<std::string, int>& ordinals) {
  if (const auto& name = graph.name(value); !name.empty()) return split(name, '.')[0];
  std::string path = tidy(graph.scope(value));
  if (!path.empty()) path += '/';
  path += info(graph.producer_as<Arith>(value)->op).name;
  int ordinal = ordinals[path]++;
  return fmt::format("{}#{}", path, ordinal);
}

/// `manifest` on a shifted value stores what is shifted, unless that lies in memory anyway.
void force_shifted(const Graph& graph, ValueId value, std::vector<ValueId>& forced) {
  while (graph.producer_as<Shift>(value)) value = graph.producer(value).operands[0];
  if (graph.producer_as<Arith>(value)) forced.push_back(value);
}

std::string chosen(const Schedule& schedule, const std::string& gene, const char* fallback) {
  auto found = schedule.choices.find(gene);
  return found == schedule.choices.end() ? fallback : found->second;
}

std::int64_t chosen_number(const Schedule& schedule, const Kernel& kernel, const char* option) {
  std::string allele = chosen(schedule, kernel.name + "/" + option, "");
  std::int64_t number = 0;
  std::from_chars(allele.data(), allele.data() + allele.size(), number);
  return number;  // 0 for what is no number: `row`, `auto`, nothing
}

}  // namespace

const std::vector<OptionGene>& kernel_options() {
  static const std::vector<OptionGene> table = {
      {"grouping", {"joined", "apart"}},            // may stages have several values
      {"block", {"row", "256", "1024", "4096"}},    // cells of axis 0 at a time
      {"parallel_axes", {"1", "2"}},                // outer axes that threads share
      {"vector_length", {"auto", "4", "8", "16"}},  // lanes of the vector loop
  };
  return table;
}

KernelGenes kernel_genes(const Kernel& kernel) {
  const Graph& graph = kernel.graph;
  KernelGenes genes;
  std::map<std::string, int> ordinals;
  std::map<std::string, std::size_t> known;
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    if (std::holds_alternative<Shift>(node.instruction) &&
        graph.value(node.first_result).annotation.storing == Storing::manifest)
      force_shifted(graph, node.first_result, genes.forced);
    if (!std::holds_alternative<Arith>(node.instruction)) continue;
    for (int r = 0; r < node.result_count; ++r) {
      ValueId value(node.first_result.index + r);
      if (graph.type(value).realm == Realm::global) continue;
      std::string name = stable_name(graph, value, ordinals);
      Storing storing = graph.value(value).annotation.storing;
      if (storing == Storing::manifest) genes.forced.push_back(value);
      if (storing != Storing::free) continue;
      auto [entry, added] = known.try_emplace(name, genes.storage.size());
      if (added) genes.storage.push_back({fmt::format("{}/{}.storage", kernel.name, name), {}});
      genes.storage[entry->second].values.push_back(value);
    }
  }
  return genes;
}

Choices choices_of(const Kernel& kernel, const KernelGenes& genes, const Schedule& schedule) {
  Choices choices;
  choices.stored.resize(kernel.graph.value_count());
  choices.cut.resize(kernel.graph.value_count());
  for (ValueId v : genes.forced) choices.stored[v.index] = true;
  for (const auto& gene : genes.storage) {
    std::string allele = chosen(schedule, gene.name, kInline);
    for (ValueId v : gene.values) {
      choices.stored[v.index] = allele != kInline;
      choices.cut[v.index] = allele == kArrayAlone;
    }
  }
  choices.apart = chosen(schedule, kernel.name + "/grouping", "joined") == "apart";
  choices.block = chosen_number(schedule, kernel, "block");
  choices.parallel_axes =
      std::max(1, static_cast<int>(chosen_number(schedule, kernel, "parallel_axes")));
  choices.vector_length = static_cast<int>(chosen_number(schedule, kernel, "vector_length"));
  return choices;
}

std::vector<Gene> genes(const Machine& machine) {
  std::vector<Gene> table;
  for (const auto& kernel : machine.kernels) {
    for (const auto& option : kernel_options())
      table.push_back({kernel.name + "/" + option.name, option.alleles});
    for (const auto& gene : kernel_genes(kernel).storage)
      table.push_back({gene.name, {kInline, kArray, kArrayAlone}});
  }
  return table;
}

}  // namespace paraiso::plan
