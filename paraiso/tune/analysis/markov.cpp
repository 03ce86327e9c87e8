#include "paraiso/tune/analysis/markov.hpp"

#include "paraiso/tune/analysis/contribution.hpp"

namespace paraiso::tune {

namespace {

constexpr std::size_t kLetters = 3;

char letter_of(const Member& member) { return static_cast<char>('0' + member.parent_count()); }

bool is_letter(const Member& member) {
  return member.parent_count() >= 1 && member.parent_count() <= kLetters;
}

/// Adds the words that end with `ending`, which begins with `individual`.
void trace(const Lineage& lineage, std::size_t individual, const std::string& ending,
           std::size_t length, WordCounts& words) {
  const Member& member = lineage[individual];
  if (!is_letter(member)) return;
  const std::string word = letter_of(member) + ending;
  if (word.size() == length) {
    ++words[word];
    return;
  }
  for (const std::size_t parent : member.parents) trace(lineage, parent, word, length, words);
}

std::size_t place_of(char letter) { return static_cast<std::size_t>(letter - '1'); }

std::vector<std::vector<double>> empty_table() { return {kLetters, std::vector<double>(kLetters)}; }

ChiSquared zeroth_order(const WordCounts& pairs) {
  auto table = empty_table();
  for (const auto& [word, count] : pairs)
    table[place_of(word[0])][place_of(word[1])] += static_cast<double>(count);
  return independence(table);
}

/// Tests the outer letters for independence, separately for each letter between them, and adds up.
ChiSquared first_order(const WordCounts& triples) {
  std::vector tables(kLetters, empty_table());
  for (const auto& [word, count] : triples)
    tables[place_of(word[1])][place_of(word[0])][place_of(word[2])] += static_cast<double>(count);
  ChiSquared sum;
  for (const auto& table : tables) {
    const ChiSquared test = independence(table);
    sum.statistic += test.statistic;
    sum.degrees += test.degrees;
  }
  return sum;
}

/// Does `letter` follow `prefix` more often than it follows other prefixes?
MarkovTests::Prefix prefix_test(const WordCounts& words, const std::string& prefix,
                                const std::string& letter) {
  std::int64_t both = 0, first = 0, second = 0, all = 0;
  for (const auto& [word, count] : words) {
    const bool behind = word.starts_with(prefix), last = word.ends_with(letter);
    all += count;
    first += behind ? count : 0;
    second += last ? count : 0;
    both += behind && last ? count : 0;
  }
  return {prefix, letter, correlation(both, first, second, all)};
}

}  // namespace

WordCounts family_words(const Lineage& lineage, std::size_t length) {
  const std::vector<int> distances = contribution_distances(lineage);
  WordCounts words;
  for (std::size_t i = 0; i < lineage.size(); ++i)
    if (distances[i] == 0) trace(lineage, i, "", length, words);
  return words;
}

MarkovTests markov_tests(const WordCounts& pairs, const WordCounts& triples) {
  return {zeroth_order(pairs),
          first_order(triples),
          {prefix_test(pairs, "2", "2"), prefix_test(pairs, "3", "3"),
           prefix_test(triples, "22", "2"), prefix_test(triples, "33", "3")}};
}

MarkovTests markov_tests(const Lineage& lineage) {
  return markov_tests(family_words(lineage, 2), family_words(lineage, 3));
}

}  // namespace paraiso::tune
