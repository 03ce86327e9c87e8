#include "paraiso/tune/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace paraiso::tune {

using plan::Gene;
using plan::Genome;

namespace {

std::optional<std::int64_t> number_in(const std::string& allele) {
  std::int64_t number = 0;
  const auto end = allele.data() + allele.size();
  const auto [stop, error] = std::from_chars(allele.data(), end, number);
  return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

std::uint16_t place_of(const Gene& gene, const std::string& allele) {
  return static_cast<std::uint16_t>(std::ranges::find(gene.alleles, allele) - gene.alleles.begin());
}

/// The allele whose number follows that of allele `from` upwards or downwards; `from` if none does.
std::uint16_t neighbour(const Gene& gene, std::uint16_t from, bool upwards) {
  const auto start = number_in(gene.alleles[from]);
  std::optional<std::int64_t> nearest;
  std::uint16_t found = from;
  for (std::uint16_t a = 0; start && a < gene.alleles.size(); ++a) {
    const auto number = number_in(gene.alleles[a]);
    if (!number || (upwards ? *number <= *start : *number >= *start)) continue;
    if (nearest && (upwards ? *number >= *nearest : *number <= *nearest)) continue;
    nearest = number;
    found = a;
  }
  return found;
}

bool has_numbers(const Gene& gene) {
  return std::ranges::count_if(gene.alleles,
                               [](const auto& a) { return number_in(a).has_value(); }) > 1;
}

void add_exchanges(const Family& family, const Gene& gene, std::vector<Rule>& rules) {
  if (family.genes.size() < 2) return;
  for (const std::string& from : gene.alleles)
    for (const std::string& to : gene.alleles)
      if (from != to)
        rules.push_back({fmt::format("{}: {} for {}", family.name, to, from), Rule::Kind::instead,
                         family.genes, to, from});
}

}  // namespace

Genome Rule::operator()(const std::vector<Gene>& table, Genome genome) const {
  for (const std::size_t g : genes) switch (kind) {
      case Kind::all: genome[g] = place_of(table[g], allele); break;
      case Kind::instead:
        if (genome[g] == place_of(table[g], instead_of)) genome[g] = place_of(table[g], allele);
        break;
      case Kind::next: genome[g] = neighbour(table[g], genome[g], true); break;
      case Kind::previous: genome[g] = neighbour(table[g], genome[g], false); break;
    }
  return genome;
}

std::vector<Rule> rules_of(const std::vector<Gene>& genes) {
  std::vector<Rule> rules;
  for (const Family& family : families(genes)) {
    const Gene& gene = genes[family.genes[0]];
    for (const std::string& allele : gene.alleles)
      rules.push_back({fmt::format("all {} = {}", family.name, allele), Rule::Kind::all,
                       family.genes, allele, ""});
    add_exchanges(family, gene, rules);
    if (!has_numbers(gene)) continue;
    rules.push_back({"next " + family.name, Rule::Kind::next, family.genes, "", ""});
    rules.push_back({"previous " + family.name, Rule::Kind::previous, family.genes, "", ""});
  }
  return rules;
}

}  // namespace paraiso::tune
