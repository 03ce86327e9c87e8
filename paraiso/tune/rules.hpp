// Rules: changes to a genome that a person would think of, improbable as random ones: all values
// in scratch, nothing stored, twice the tile, no synchronisation, one part of the program alike.
// Gives: Rule, rules_of, block_rule. Needs: space.
//
// They come from the gene table alone: a new gene in the plan has its rules at once. One is known
// by what it means: `no synchronisation` joins what may share a group, and keeps in scratch what
// else would be an array, for between groups the whole grid synchronises. And the values that the
// user has named, which a gene's name tells, are a family of their own beside that of all values.
#pragma once

#include "paraiso/tune/space.hpp"

namespace paraiso::tune {

struct Rule {
  enum class Kind {
    all,      // to one allele
    instead,  // one allele wherever another one is
    next,     // numbers to the next larger one: twice the tile
    previous  // or the next smaller one
  };
  /// Sets the genes of one family.
  struct Change {
    Kind kind = Kind::all;
    std::vector<std::size_t> genes;
    std::string allele, instead_of;
  };
  std::string name;  // "all storage = scratch", "storage: scratch for array", "next tile"
  std::vector<Change> changes;

  [[nodiscard]] plan::Genome operator()(const std::vector<plan::Gene>& table,
                                        plan::Genome genome) const;
};

[[nodiscard]] std::vector<Rule> rules_of(const std::vector<plan::Gene>& genes);

/// One allele for a block of one of the `families` of `genes`, of any order of magnitude: genes
/// that are neighbours in the table belong to one part of the program.
[[nodiscard]] Rule block_rule(const std::vector<plan::Gene>& genes,
                              const std::vector<Family>& families, Rng& rng);

}  // namespace paraiso::tune
