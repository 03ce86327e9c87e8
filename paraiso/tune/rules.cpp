#include "paraiso/tune/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/kernel_options.hpp"
#include "paraiso/tune/allele_order.hpp"

namespace paraiso::tune {

using plan::Gene;
using plan::Genome;

namespace {

std::uint16_t place_of(const Gene& gene, const std::string& allele) {
  return static_cast<std::uint16_t>(std::ranges::find(gene.alleles, allele) - gene.alleles.begin());
}

/// The allele with the next larger or smaller number after that of allele `from`; `from` if none
/// has.
std::uint16_t neighbour(const Gene& gene, std::uint16_t from, bool upwards) {
  const auto start = number_in(gene.alleles[from]);
  std::optional<double> nearest;
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

void apply(const Rule::RuleChange& change, const std::vector<Gene>& table, Genome& genome) {
  for (const std::size_t g : change.genes) switch (change.kind) {
      case Rule::Kind::all: genome[g] = place_of(table[g], change.allele); break;
      case Rule::Kind::instead:
        if (genome[g] == place_of(table[g], change.instead_of))
          genome[g] = place_of(table[g], change.allele);
        break;
      case Rule::Kind::next: genome[g] = neighbour(table[g], genome[g], true); break;
      case Rule::Kind::previous: genome[g] = neighbour(table[g], genome[g], false); break;
    }
}

bool has(const Gene& gene, const std::string& allele) {
  return std::ranges::find(gene.alleles, allele) != gene.alleles.end();
}

void add_exchanges(const Family& family, const Gene& gene, std::vector<Rule>& rules) {
  if (family.genes.size() < 2) return;
  for (const std::string& from : gene.alleles)
    for (const std::string& to : gene.alleles)
      if (from != to)
        rules.push_back({fmt::format("{}: {} for {}", family.name, to, from),
                         {{Rule::Kind::instead, family.genes, to, from}}});
}

/// Without changes if the table has no such genes.
Rule no_synchronisation(const std::vector<Gene>& genes, const std::vector<Family>& found) {
  Rule rule{"no synchronisation", {}};
  for (const Family& family : found) {
    const Gene& gene = genes[family.genes[0]];
    if (has(gene, plan::kJoined))
      rule.changes.push_back({Rule::Kind::all, family.genes, plan::kJoined, ""});
    for (const char* array : {plan::kArray, plan::kArrayAlone})
      if (has(gene, array) && has(gene, plan::kScratch))
        rule.changes.push_back({Rule::Kind::instead, family.genes, plan::kScratch, array});
  }
  return rule;
}

/// The genes of a family whose values the user has named, if it has others too: those are called by
/// what they compute, `max(min,min)`.
std::optional<Family> named_values(const Family& family, const std::vector<Gene>& genes) {
  Family named{"named " + family.name, {}};
  std::ranges::copy_if(family.genes, std::back_inserter(named.genes),
                       [&](std::size_t g) { return genes[g].name.find('(') == std::string::npos; });
  if (named.genes.empty() || named.genes.size() == family.genes.size()) return std::nullopt;
  return named;
}

void add_rules(const Family& family, const std::vector<Gene>& genes, std::vector<Rule>& rules) {
  const Gene& gene = genes[family.genes[0]];
  for (const std::string& allele : gene.alleles)
    rules.push_back({fmt::format("all {} = {}", family.name, allele),
                     {{Rule::Kind::all, family.genes, allele, ""}}});
  add_exchanges(family, gene, rules);
  if (kind_of(gene) != GeneKind::numbers) return;
  rules.push_back({"next " + family.name, {{Rule::Kind::next, family.genes, "", ""}}});
  rules.push_back({"previous " + family.name, {{Rule::Kind::previous, family.genes, "", ""}}});
}

}  // namespace

Genome Rule::operator()(const std::vector<Gene>& table, Genome genome) const {
  for (const RuleChange& change : changes) apply(change, table, genome);
  return genome;
}

std::vector<Rule> rules_of(const std::vector<Gene>& genes) {
  std::vector<Rule> rules;
  const auto found = families(genes);
  for (const Family& family : found) {
    add_rules(family, genes, rules);
    if (const auto named = named_values(family, genes)) add_rules(*named, genes, rules);
  }
  if (Rule rule = no_synchronisation(genes, found); !rule.changes.empty())
    rules.push_back(std::move(rule));
  return rules;
}

Rule block_rule(const std::vector<Gene>& genes, const std::vector<Family>& families, Rng& rng) {
  const Family& family = families[rng.below(families.size())];
  const std::size_t all = family.genes.size();
  const auto count = static_cast<std::size_t>(std::pow(static_cast<double>(all), rng.unit()));
  const auto first = family.genes.begin() + static_cast<std::ptrdiff_t>(rng.below(all - count + 1));
  const auto& alleles = genes[*first].alleles;
  const std::string& allele = alleles[rng.below(alleles.size())];
  return {fmt::format("{} of {} = {}", count, family.name, allele),
          {{Rule::Kind::all, {first, first + static_cast<std::ptrdiff_t>(count)}, allele, ""}}};
}

}  // namespace paraiso::tune
