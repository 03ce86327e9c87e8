#include "paraiso/tune/contest/parts.hpp"

#include <array>

namespace paraiso::tune {

using plan::Gene;
using plan::Genome;

namespace {

constexpr std::array<GenePart, kPartCount> kParts = {GenePart::launch, GenePart::storage,
                                                     GenePart::synchronisation};

/// `start` with the champion's alleles where `takes` says so.
template <class Takes>
Genome cross(const Genome& start, const Genome& champion, Takes takes) {
  Genome genome = start;
  for (std::size_t g = 0; g < genome.size(); ++g)
    if (takes(g)) genome[g] = champion[g];
  return genome;
}

bool has_part(std::size_t parts, GenePart part) {
  return (parts >> static_cast<std::size_t>(part) & 1) != 0;
}

}  // namespace

const char* name(GenePart part) {
  switch (part) {
    case GenePart::launch: return "launch";
    case GenePart::storage: return "storage";
    case GenePart::synchronisation: return "synchronisation";
  }
  return "";
}

GenePart part_of(const Gene& gene) {
  const std::string& name = gene.name;
  if (name.ends_with(".storage") || name.ends_with(".state")) return GenePart::storage;
  if (name.ends_with("/grouping") || name.ends_with("/divides")) return GenePart::synchronisation;
  return GenePart::launch;
}

std::string crossing_name(std::size_t parts) {
  if (parts == 0) return "nothing";
  if (parts + 1 == std::size_t{1} << kPartCount) return "everything";
  std::string text;
  for (const GenePart part : kParts)
    if (has_part(parts, part)) text += (text.empty() ? "" : " + ") + std::string(name(part));
  return text;
}

std::vector<Crossing> crossings(const std::vector<Gene>& genes, const Genome& start,
                                const Genome& champion,
                                const std::function<Genome(const Genome&)>& canonical) {
  std::vector<Crossing> all;
  const auto add = [&](const std::string& name, auto takes) {
    all.push_back({name, canonical(cross(start, champion, takes))});
  };
  for (std::size_t parts = 0; parts < std::size_t{1} << kPartCount; ++parts)
    add(crossing_name(parts), [&](std::size_t g) { return has_part(parts, part_of(genes[g])); });
  for (std::size_t gene = 0; gene < genes.size(); ++gene) {
    if (start[gene] == champion[gene]) continue;
    add("only " + genes[gene].name, [&](std::size_t g) { return g == gene; });
    add("all but " + genes[gene].name, [&](std::size_t g) { return g != gene; });
  }
  return all;
}

std::vector<GeneChange> changes(const std::vector<Gene>& genes, const Genome& start,
                                const Genome& champion) {
  std::vector<GeneChange> found;
  for (std::size_t g = 0; g < genes.size(); ++g)
    if (start[g] != champion[g])
      found.push_back({genes[g].name, genes[g].alleles[start[g]], genes[g].alleles[champion[g]],
                       part_of(genes[g])});
  return found;
}

}  // namespace paraiso::tune
