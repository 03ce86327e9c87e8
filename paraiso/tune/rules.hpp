// Rules: changes to a genome that a person would think of, but that are improbable as random ones:
// all values in scratch, nothing stored, twice the tile, no synchronisation, one part of the
// program alike. Gives: Rule, rules_of, block_rule. Needs: space.
//
// They follow from the gene table alone: a new gene of the plan has its rules at once. One rule
// depends on the meaning of genes: `no synchronisation` joins loops that may share a group, and
// keeps arrays in scratch instead, because the whole grid synchronises between groups. And values
// that the user has named, as a gene's name shows, are a family of their own in addition to that of
// all values.
#pragma once

#include "paraiso/tune/space.hpp"

namespace paraiso::tune {

struct Rule {
  enum class Kind {
    all,      // to one allele
    instead,  // one allele for all others of one kind
    next,     // numbers to the next larger one: twice the tile
    previous  // or the next smaller one
  };
  /// Sets the genes of one family.
  struct RuleChange {
    Kind kind = Kind::all;
    std::vector<std::size_t> genes;
    std::string allele, instead_of;
  };
  std::string name;  // "all storage = scratch", "storage: scratch for array", "next tile"
  std::vector<RuleChange> changes;

  [[nodiscard]] plan::Genome operator()(const std::vector<plan::Gene>& table,
                                        plan::Genome genome) const;
};

[[nodiscard]] std::vector<Rule> rules_of(const std::vector<plan::Gene>& genes);

/// One allele for a block of one of the `families` of `genes`, of any order of magnitude in length:
/// neighbours in the gene table belong to one part of the program.
[[nodiscard]] Rule block_rule(const std::vector<plan::Gene>& genes,
                              const std::vector<Family>& families, Rng& rng);

}  // namespace paraiso::tune
