// Family lines as words: does the birth of a parent predict the birth of its child?
// Gives: WordCounts, family_words, MarkovTests, markov_tests. Needs: chi_squared, contribution.
//
// Section 5.5 of the 2012 paper. The letters 1, 2 and 3 are numbers of parents. A word ends with an
// individual at contribution distance 0; before it comes one of its parents, before that one of the
// parent's parents, in all possible ways.
#pragma once

#include <map>

#include "paraiso/tune/analysis/chi_squared.hpp"
#include "paraiso/tune/analysis/lineage.hpp"

namespace paraiso::tune {

using WordCounts = std::map<std::string, std::int64_t>;

/// The words of `length` letters. Lines that reach a start earlier give no word.
[[nodiscard]] WordCounts family_words(const Lineage& lineage, std::size_t length);

/// Table 11.
struct MarkovTests {
  ChiSquared zeroth;  // of pairs: p(ab) = p(a) p(b)
  ChiSquared first;   // of triples: p(abc) = p(ab) p(bc) / p(b)
  struct Prefix {
    std::string prefix, letter;
    ChiSquared test;
  };
  std::vector<Prefix> prefixes;  // 2 -> 2, 3 -> 3, 22 -> 2, 33 -> 3
};
/// For words of two and of three letters.
[[nodiscard]] MarkovTests markov_tests(const WordCounts& pairs, const WordCounts& triples);
[[nodiscard]] MarkovTests markov_tests(const Lineage& lineage);

}  // namespace paraiso::tune
