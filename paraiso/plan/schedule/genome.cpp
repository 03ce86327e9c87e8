#include "paraiso/plan/schedule/genome.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"

namespace paraiso::plan {

namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

std::size_t number_of(char letter) {
  return static_cast<std::size_t>(letter >= 'a' ? letter - 'a' + 26 : letter - 'A');
}

/// The number of letters that a gene takes.
std::size_t letter_count(const Gene& gene) {
  std::size_t count = 1;
  for (std::size_t reach = kLetters.size(); reach < gene.alleles.size(); reach *= kLetters.size())
    ++count;
  return count;
}

void require_letters(std::string_view letters) {
  const auto at = letters.find_first_not_of(kLetters);
  if (at != std::string_view::npos)
    throw Error(fmt::format("a genome is made of letters: character {} of {} is {}", at + 1,
                            letters.size(), shown(letters.substr(at, 1))));
}

std::uint16_t allele_named(const Gene& gene, const Schedule& schedule) {
  const auto chosen = schedule.choices.find(gene.name);
  if (chosen == schedule.choices.end()) return 0;
  const auto at = std::ranges::find(gene.alleles, chosen->second);
  return at == gene.alleles.end() ? 0 : static_cast<std::uint16_t>(at - gene.alleles.begin());
}

}  // namespace

std::string letters_of(const std::vector<Gene>& table, const Genome& genome) {
  std::string letters;
  for (std::size_t g = 0; g < table.size(); ++g) {
    const std::size_t end = letters.size() + letter_count(table[g]);
    letters.resize(end, kLetters[0]);
    std::size_t rest = genome[g];
    for (std::size_t at = end; rest > 0; rest /= kLetters.size())
      letters[--at] = kLetters[rest % kLetters.size()];
  }
  return letters;
}

Genome genome_from(const std::vector<Gene>& table, std::string_view letters) {
  require_letters(letters);
  Genome genome;
  for (const Gene& gene : table) {
    const std::size_t count = letter_count(gene);
    std::size_t number = 0;
    if (letters.size() >= count)
      for (const char letter : letters.substr(0, count))
        number = number * kLetters.size() + number_of(letter);
    genome.push_back(static_cast<std::uint16_t>(number % gene.alleles.size()));
    letters.remove_prefix(std::min(count, letters.size()));
  }
  return genome;
}

Genome genome_of(const std::vector<Gene>& table, const Schedule& schedule) {
  Genome genome;
  for (const Gene& gene : table) genome.push_back(allele_named(gene, schedule));
  return genome;
}

Schedule schedule_of(const std::vector<Gene>& table, const Genome& genome) {
  Schedule schedule;
  for (std::size_t g = 0; g < table.size(); ++g)
    schedule.choices[table[g].name] = table[g].alleles[genome[g]];
  return schedule;
}

std::string gene_table_hash(const std::vector<Gene>& table) {
  std::string text;
  for (const Gene& gene : table)
    text += fmt::format("{} = {}\n", gene.name, fmt::join(gene.alleles, ", "));
  return hex(fnv1a(text));
}

}  // namespace paraiso::plan
