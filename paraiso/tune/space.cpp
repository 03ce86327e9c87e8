#include "paraiso/tune/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paraiso/base/axis_name.hpp"

namespace paraiso::tune {

using plan::Gene;
using plan::Genome;

namespace {

/// The end of a gene's name, without the axis: `proceed/tile_x` -> `tile`.
std::string kind_of(const std::string& name) {
  std::string kind = name.substr(name.find_last_of("./") + 1);
  const auto underscore = kind.rfind('_');
  for (int axis = 0; underscore != std::string::npos && axis < 8; ++axis)
    if (kind.substr(underscore + 1) == axis_name(axis)) return kind.substr(0, underscore);
  return kind;
}

std::vector<std::string> sorted(std::vector<std::string> alleles) {
  std::ranges::sort(alleles);
  return alleles;
}

}  // namespace

Genome uniform_genome(const Space& space, Rng& rng) {
  if (space.draw) return space.draw(rng);
  Genome genome;
  for (const Gene& gene : space.genes)
    genome.push_back(static_cast<std::uint16_t>(rng.below(gene.alleles.size())));
  return space.canonical(genome);
}

Genome scattered_genome(const Space& space, Rng& rng) {
  Genome genome = space.starts.front();
  const double keeping = rng.unit();
  for (std::size_t g = 0; g < genome.size(); ++g)
    if (!rng.chance(keeping))
      genome[g] = static_cast<std::uint16_t>(rng.below(space.genes[g].alleles.size()));
  return space.canonical(genome);
}

std::optional<std::int64_t> genome_count(const std::vector<Gene>& genes) {
  std::int64_t count = 1;
  for (const Gene& gene : genes)
    if (__builtin_mul_overflow(count, static_cast<std::int64_t>(gene.alleles.size()), &count))
      return std::nullopt;
  return count;
}

std::string genome_count_text(const std::vector<Gene>& genes) {
  if (const auto count = genome_count(genes); count && *count < 1000000000)
    return std::to_string(*count);
  double exponent = 0;
  for (const Gene& gene : genes) exponent += std::log10(static_cast<double>(gene.alleles.size()));
  return fmt::format("about 10^{:.0f}", exponent);
}

std::vector<Family> families(const std::vector<Gene>& genes) {
  std::vector<Family> found;
  for (std::size_t g = 0; g < genes.size(); ++g) {
    const auto same = std::ranges::find_if(found, [&](const Family& family) {
      return family.name == kind_of(genes[g].name) &&
             sorted(genes[family.genes[0]].alleles) == sorted(genes[g].alleles);
    });
    if (same == found.end())
      found.push_back({kind_of(genes[g].name), {g}});
    else
      same->genes.push_back(g);
  }
  return found;
}

}  // namespace paraiso::tune
