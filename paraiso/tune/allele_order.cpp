#include "paraiso/tune/allele_order.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace paraiso::tune {

using plan::Gene;
using plan::Genome;

std::optional<double> number_in(const std::string& allele) {
  double number = 0;
  const auto end = allele.data() + allele.size();
  const auto [stop, error] = std::from_chars(allele.data(), end, number);
  return error == std::errc{} && stop == end && std::isfinite(number) ? std::optional(number)
                                                                      : std::nullopt;
}

GeneKind kind_of(const Gene& gene) {
  const auto numbers =
      std::ranges::count_if(gene.alleles, [](const auto& a) { return number_in(a).has_value(); });
  return numbers > 1 ? GeneKind::numbers : GeneKind::names;
}

std::vector<GeneKind> kinds_of(const std::vector<Gene>& genes) {
  std::vector<GeneKind> kinds;
  for (const Gene& gene : genes) kinds.push_back(kind_of(gene));
  return kinds;
}

AlleleOrder::AlleleOrder(const std::vector<Gene>& genes, std::vector<GeneKind> kinds) {
  if (kinds.empty()) kinds = kinds_of(genes);
  for (std::size_t g = 0; g < genes.size(); ++g) genes_.push_back(row_of(genes[g], kinds[g]));
}

AlleleOrder::Row AlleleOrder::row_of(const Gene& gene, GeneKind kind) {
  Row row{kind == GeneKind::numbers && kind_of(gene) == kind, {}, {}, {}, {}};
  const auto count = static_cast<std::uint16_t>(gene.alleles.size());
  std::vector<double> numbers(count);
  for (std::uint16_t a = 0; a < count; ++a) {
    const auto number = number_in(gene.alleles[a]);
    row.places.push_back(a);
    row.placed.push_back(number.has_value());
    numbers[a] = number.value_or(0);
    if (!row.ordered || number) row.in_order.push_back(a);
  }
  row.next_to.resize(count);
  if (row.ordered) {
    std::ranges::stable_sort(row.in_order, {}, [&](std::uint16_t a) { return numbers[a]; });
    for (std::uint16_t a = 0; a < count; ++a)  // others lie beyond the largest number
      row.places[a] = static_cast<double>(row.in_order.size() + a);
    for (std::size_t p = 0; p < row.in_order.size(); ++p)
      row.places[row.in_order[p]] = static_cast<double>(p);
  }
  for (std::uint16_t a = 0; a < count; ++a)
    for (std::uint16_t b = 0; b < count; ++b) {
      const bool both = row.ordered && row.placed[a] && row.placed[b];
      if (a != b && (!both || std::abs(row.places[a] - row.places[b]) == 1))
        row.next_to[a].push_back(b);
    }
  return row;
}

double AlleleOrder::distance(std::size_t gene, std::uint16_t one, std::uint16_t other) const {
  const Row& row = genes_[gene];
  if (one == other) return 0;
  if (!row.ordered || !row.placed[one] || !row.placed[other]) return 1;
  return std::abs(row.places[one] - row.places[other]) /
         static_cast<double>(row.in_order.size() - 1);
}

double AlleleOrder::distance(const Genome& one, const Genome& other) const {
  double sum = 0;
  for (std::size_t g = 0; g < one.size(); ++g) sum += distance(g, one[g], other[g]);
  return sum;
}

std::uint16_t AlleleOrder::changed(std::size_t gene, std::uint16_t allele, double stepping,
                                   Rng& rng) const {
  const Row& row = genes_[gene];
  const std::size_t count = row.places.size();
  if (count < 2) return allele;
  if (row.ordered && rng.chance(stepping))
    return row.next_to[allele][rng.below(row.next_to[allele].size())];
  return static_cast<std::uint16_t>((allele + 1 + rng.below(count - 1)) % count);
}

std::uint16_t AlleleOrder::allele_at(std::size_t gene, double place) const {
  const auto& alleles = genes_[gene].in_order;
  const double last = static_cast<double>(alleles.size() - 1);
  return alleles[static_cast<std::size_t>(std::lround(std::clamp(place, 0.0, last)))];
}

}  // namespace paraiso::tune
