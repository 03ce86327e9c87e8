// skew_genes: by how many whole cells the storage of a static lies shifted along an axis (block
// skew: Muranushi 2011, section 8.8), `FIELD.skew_x`.
// Gives: SkewGene, find_skew_genes, first_traders, skew_genes, with_skew_genes, skew_choices,
// skews_of. Needs: genome.
//
// Storage belongs to the program and not to one kernel, so these genes name none. The table of a
// program's genes does not have them, and a schedule in which all are 0 is the same with and
// without them. Statics that trade places (`store old (load new)`) lie in each other's storage:
// they share the genes of the first.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/om/graph/machine.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::plan {

inline constexpr const char* kSkewHelp =
    "cells by which the field's storage lies shifted along the axis; on processors";

struct SkewGene {
  Gene gene;
  int axis;
  std::vector<std::size_t> fields;  // statics that trade places, by number
};

/// For each static the first of those that it trades places with, which may be itself.
[[nodiscard]] inline std::vector<std::size_t> first_traders(const om::Machine& machine) {
  std::vector<std::size_t> first;
  for (std::size_t s = 0; s < machine.statics.size(); ++s) first.push_back(s);
  for (const om::Kernel& kernel : machine.kernels)
    for (const om::NodeId id : kernel.graph.stores()) {
      const om::Node& node = kernel.graph.node(id);
      const auto* load = kernel.graph.producer_as<om::Load>(node.operands[0]);
      if (load == nullptr || !kernel.graph.type(node.operands[0]).is_local()) continue;
      const std::size_t to = first[std::get<om::Store>(node.instruction).target.index];
      const std::size_t from = first[load->source.index];
      std::ranges::replace(first, std::max(to, from), std::min(to, from));
    }
  return first;
}

[[nodiscard]] inline std::vector<SkewGene> find_skew_genes(const om::Machine& machine) {
  const auto first = first_traders(machine);
  std::vector<SkewGene> found;
  for (std::size_t s = 0; s < first.size(); ++s) {
    if (first[s] != s || !machine.statics[s].type.is_local()) continue;
    std::vector<std::size_t> fields;
    for (std::size_t other = s; other < first.size(); ++other)
      if (first[other] == s) fields.push_back(other);
    for (int axis = 0; axis < machine.dimension; ++axis)
      found.push_back({{fmt::format("{}.skew_{}", machine.statics[s].name, axis_name(axis)),
                        {"0", "1", "2", "4", "8"}},
                       axis,
                       fields});
  }
  return found;
}

/// Of a program that went through passes::prepare, static by static and axis by axis.
[[nodiscard]] inline std::vector<Gene> skew_genes(const om::Machine& machine) {
  std::vector<Gene> table;
  for (SkewGene& found : find_skew_genes(machine)) table.push_back(std::move(found.gene));
  return table;
}

/// A table with these genes at its end.
[[nodiscard]] inline std::vector<Gene> with_skew_genes(const om::Machine& machine,
                                                       std::vector<Gene> table) {
  std::ranges::move(skew_genes(machine), std::back_inserter(table));
  return table;
}

/// What a schedule chooses of them, other than 0.
[[nodiscard]] inline Schedule skew_choices(const om::Machine& machine, const Schedule& schedule) {
  const auto table = skew_genes(machine);
  const Genome genome = genome_of(table, schedule);
  Schedule chosen;
  for (std::size_t g = 0; g < table.size(); ++g)
    if (genome[g] > 0) chosen.choices[table[g].name] = table[g].alleles[genome[g]];
  return chosen;
}

/// The same as cells along each axis, for each static; empty where nothing is shifted.
[[nodiscard]] inline std::vector<om::Offset> skews_of(const om::Machine& machine,
                                                      const Schedule& schedule) {
  const Schedule chosen = skew_choices(machine, schedule);
  if (chosen.choices.empty()) return {};
  std::vector<om::Offset> skews(machine.statics.size());
  for (const SkewGene& found : find_skew_genes(machine)) {
    const auto cells = chosen.choices.find(found.gene.name);
    if (cells == chosen.choices.end()) continue;
    for (const std::size_t s : found.fields) {
      skews[s].resize(static_cast<std::size_t>(machine.dimension));
      skews[s][static_cast<std::size_t>(found.axis)] = std::stoi(cells->second);
    }
  }
  return skews;
}

}  // namespace paraiso::plan
