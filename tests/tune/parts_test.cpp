#include "paraiso/tune/contest/parts.hpp"

#include <gtest/gtest.h>

namespace paraiso::tune {
namespace {

using plan::Gene;
using plan::Genome;

const std::vector<Gene> kGenes = {{"k/tile_x", {"all", "8", "16"}},
                                  {"k/grouping", {"joined", "apart"}},
                                  {"k/flux.storage", {"inline", "array"}},
                                  {"k/vectors", {"1", "2"}}};
const Genome kStart = {0, 0, 0, 0}, kChampion = {2, 1, 1, 0};

Genome as_it_is(const Genome& genome) { return genome; }

Genome crossed(const std::string& name) {
  for (const Crossing& crossing : crossings(kGenes, kStart, kChampion, as_it_is))
    if (crossing.name == name) return crossing.genome;
  ADD_FAILURE() << name;
  return {};
}

TEST(Parts, AreOfThreeKinds) {
  EXPECT_EQ(part_of(kGenes[0]), GenePart::launch);
  EXPECT_EQ(part_of(kGenes[1]), GenePart::synchronisation);
  EXPECT_EQ(part_of(kGenes[2]), GenePart::storage);
  EXPECT_EQ(part_of({"k/density.state", {}}), GenePart::storage);
  EXPECT_EQ(part_of({"k/divides", {}}), GenePart::synchronisation);
}

TEST(Parts, EachCombinationIsCrossed) {
  EXPECT_EQ(crossed("nothing"), kStart);
  EXPECT_EQ(crossed("everything"), kChampion);
  EXPECT_EQ(crossed("launch"), (Genome{2, 0, 0, 0}));
  EXPECT_EQ(crossed("storage + synchronisation"), (Genome{0, 1, 1, 0}));
}

TEST(Parts, EachChangedGeneIsCrossedAloneAndLeftOut) {
  EXPECT_EQ(crossed("only k/grouping"), (Genome{0, 1, 0, 0}));
  EXPECT_EQ(crossed("all but k/grouping"), (Genome{2, 0, 1, 0}));
  EXPECT_EQ(crossings(kGenes, kStart, kChampion, as_it_is).size(), 8u + 2 * 3);
}

TEST(Parts, CrossingsAreCanonical) {
  const auto repaired = [](Genome genome) {
    genome[2] = 0;
    return genome;
  };
  const auto found = crossings(kGenes, kStart, kChampion, repaired);
  EXPECT_FALSE(found.empty());
  for (const Crossing& crossing : found) EXPECT_EQ(crossing.genome[2], 0) << crossing.name;
}

TEST(Parts, ChangesAreNamed) {
  const auto found = changes(kGenes, kStart, kChampion);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].gene, "k/tile_x");
  EXPECT_EQ(found[0].from, "all");
  EXPECT_EQ(found[0].to, "16");
}

}  // namespace
}  // namespace paraiso::tune
