#include "paraiso/plan/schedule/genome.hpp"

#include <gtest/gtest.h>

#include "paraiso/base/error.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/make/canonical.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::plan {
namespace {

const std::string kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

Gene gene(std::string name, std::size_t count) {
  Gene made{std::move(name), {}};
  for (std::size_t a = 0; a < count; ++a) made.alleles.push_back(std::to_string(a));
  return made;
}

std::string random_letters(Rng& rng, std::size_t length) {
  std::string letters;
  while (letters.size() < length) letters += kLetters[rng.below(kLetters.size())];
  return letters;
}

Genome random_genome(Rng& rng, const std::vector<Gene>& table) {
  Genome genome;
  for (const Gene& g : table)
    genome.push_back(static_cast<std::uint16_t>(rng.below(g.alleles.size())));
  return genome;
}

/// Calls `check(machine, rng)` for programs of all shapes.
template <class Check>
void for_random_programs(Check check) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    check(passes::prepare(test::random_machine(rng), passes::Numbers::fma), rng);
  }
}

TEST(Genome, EveryAlleleReturnsFromItsLetters) {
  for (const std::size_t count : {1, 2, 26, 52, 53, 2704, 2705, 60000}) {
    const std::vector<Gene> table{gene("before", 3), gene("gene", count), gene("behind", 5)};
    Rng rng(count);
    for (int i = 0; i < 200; ++i) {
      Genome genome = random_genome(rng, table);
      if (i == 0) genome[1] = static_cast<std::uint16_t>(count - 1);
      EXPECT_EQ(genome_from(table, letters_of(table, genome)), genome);
    }
  }
}

TEST(Genome, TakesAsManyLettersAsTheAllelesNeed) {
  const std::vector<Gene> table{gene("a", 1), gene("b", 52), gene("c", 53), gene("d", 2705)};
  EXPECT_EQ(letters_of(table, {0, 51, 52, 2704}), "AzBABAA");
  EXPECT_EQ(letters_of(table, {0, 26, 1, 1}), "AaABAAB");
}

TEST(Genome, LettersCountModuloTheAlleles) {
  EXPECT_EQ(genome_from({gene("a", 3), gene("b", 2)}, "EZ"), (Genome{1, 1}));
}

TEST(Genome, MissingLettersAreTheDefault) {
  const std::vector<Gene> table{gene("a", 3), gene("b", 53), gene("c", 2)};
  EXPECT_EQ(genome_from(table, ""), (Genome{0, 0, 0}));
  EXPECT_EQ(genome_from(table, "BAC"), (Genome{1, 2, 0}));
  EXPECT_EQ(genome_from(table, "BC"), (Genome{1, 0, 0})) << "half of a gene";
}

TEST(Genome, SurplusLettersAreIgnored) {
  EXPECT_EQ(genome_from({gene("a", 3)}, "Bzzz"), (Genome{1}));
}

TEST(Genome, RefusesWhatIsNoLetter) {
  try {
    (void)genome_from({gene("a", 3)}, "AB7C");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "error: a genome is made of letters: character 3 of 4 is `7`");
  }
}

TEST(Genome, UnknownNamesAndAllelesAreTheDefault) {
  const std::vector<Gene> table{gene("a", 3), gene("b", 2)};
  EXPECT_EQ(genome_of(table, {{{"a", "2"}, {"b", "many"}, {"gone", "1"}}}), (Genome{2, 0}));
}

TEST(Genome, TableHashKnowsNamesAllelesAndOrder) {
  const Gene a = gene("a", 3), b = gene("b", 3), other = gene("a", 4);
  const std::string hash = gene_table_hash({a, b});
  EXPECT_EQ(gene_table_hash({a, b}), hash);
  EXPECT_NE(gene_table_hash({b, a}), hash);
  EXPECT_NE(gene_table_hash({other, b}), hash);
  EXPECT_NE(gene_table_hash({a}), hash);
}

TEST(Genome, DecodesWhatItEncoded) {
  for_random_programs([](const om::Machine& machine, Rng& rng) {
    for (int i = 0; i < 5; ++i) {
      const Schedule schedule = random_schedule(machine, rng);
      EXPECT_EQ(decode(machine, encode(machine, schedule)), schedule);
    }
    const Schedule untuned = default_schedule(machine);
    EXPECT_EQ(decode(machine, encode(machine, untuned)), repair(machine, untuned));
  });
}

TEST(Genome, EveryLetterStringIsALegalScheduleWithOneCanonicalForm) {
  for_random_programs([](const om::Machine& machine, Rng& rng) {
    const std::size_t length = genes(machine).size();
    for (int i = 0; i < 5; ++i) {
      const std::string any = random_letters(rng, rng.below(2 * length + 2));
      const Schedule schedule = decode(machine, any);
      EXPECT_EQ(schedule, repair(machine, schedule)) << any;
      const std::string form = encode(machine, schedule);
      EXPECT_EQ(encode(machine, decode(machine, form)), form) << any;
    }
  });
}

TEST(Genome, CanonicalFormIsAFixedPoint) {
  for_random_programs([](const om::Machine& machine, Rng& rng) {
    std::string all;
    Schedule whole;
    for (const om::Kernel& kernel : machine.kernels) {
      const Canonical canonical(machine, kernel.name, cpu_options);
      EXPECT_EQ(canonical.genes(), genes(kernel));
      const Genome any = random_genome(rng, canonical.genes());
      const Genome once = canonical(any);
      EXPECT_EQ(once, genome_of(canonical.genes(),
                                repair(machine, kernel, schedule_of(canonical.genes(), any))));
      EXPECT_EQ(canonical(once), once);
      all += letters_of(canonical.genes(), once);
      whole = overlaid(std::move(whole), schedule_of(canonical.genes(), once));
    }
    EXPECT_EQ(all, encode(machine, whole));
  });
}

/// What is chosen for one kernel says nothing about another one.
TEST(Genome, KernelsAreRepairedApart) {
  for_random_programs([](const om::Machine& machine, Rng& rng) {
    const Schedule schedule = random_schedule(machine, rng), other = random_schedule(machine, rng);
    for (const om::Kernel& kernel : machine.kernels) {
      const Schedule alone = repair(machine, kernel, schedule);
      EXPECT_EQ(alone.choices.size(), genes(kernel).size());
      EXPECT_EQ(repair(machine, overlaid(other, alone)), overlaid(other, alone));
    }
  });
}

TEST(Schedule, OverlaidTakesWhatTheOtherChooses) {
  const Schedule base{{{"a", "1"}, {"b", "2"}}}, other{{{"b", "3"}, {"c", "4"}}};
  EXPECT_EQ(overlaid(base, other), (Schedule{{{"a", "1"}, {"b", "3"}, {"c", "4"}}}));
}

}  // namespace
}  // namespace paraiso::plan
