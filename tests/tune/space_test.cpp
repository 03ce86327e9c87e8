#include "paraiso/tune/space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "paraiso/tune/database/history.hpp"
#include "paraiso/tune/rules.hpp"
#include "paraiso/tune/triangulate.hpp"
#include "tests/tune/landscape.hpp"

namespace paraiso::tune {
namespace {

using plan::Gene;
using plan::Genome;

const std::vector<Gene> kTable = {
    {"proceed/vectors", {"1", "2", "4"}},
    {"proceed/tile_x", {"all", "threads", "8", "4", "16"}},
    {"proceed/tile_y", {"threads", "all", "4", "8", "16"}},
    {"proceed/flux.storage", {"inline", "scratch", "array"}},
    {"proceed/flux/add#0.storage", {"inline", "scratch", "array"}},
};

std::vector<std::string> names(const std::vector<Family>& found) {
  std::vector<std::string> names;
  for (const Family& family : found) names.push_back(family.name);
  return names;
}

Genome follow(const std::string& name, const Genome& genome) {
  for (const Rule& rule : rules_of(kTable))
    if (rule.name == name) return rule(kTable, genome);
  ADD_FAILURE() << "no rule " << name;
  return {};
}

TEST(Space, CountsItsGenomes) {
  EXPECT_EQ(genome_count(kTable), 3 * 5 * 5 * 3 * 3);
  EXPECT_EQ(genome_count_text(kTable), "675");
  EXPECT_EQ(genome_count({}), 1);
  const std::vector<Gene> large(1908, Gene{"bit", {"0", "1"}});
  EXPECT_EQ(genome_count(large), std::nullopt);
  EXPECT_EQ(genome_count_text(large), "about 10^574");
  EXPECT_EQ(genome_count_text(std::vector<Gene>(40, Gene{"bit", {"0", "1"}})), "about 10^12");
}

TEST(Space, FindsFamilies) {
  const auto found = families(kTable);
  EXPECT_EQ(names(found), (std::vector<std::string>{"vectors", "tile", "storage"}));
  EXPECT_EQ(found[1].genes, (std::vector<std::size_t>{1, 2})) << "alleles in another order";
  EXPECT_EQ(found[2].genes, (std::vector<std::size_t>{3, 4}));
}

TEST(Space, GenesOfOtherAllelesAreAnotherFamily) {
  EXPECT_EQ(families({{"a/width", {"1", "2"}}, {"b/width", {"1", "2", "3"}}}).size(), 2u);
}

TEST(Space, RandomGenomesAreNearAndFar) {
  const test::Landscape landscape(1, {.genes = 50});
  Rng rng(1);
  std::set<std::size_t> distances;
  for (int i = 0; i < 500; ++i) {
    const Genome genome = scattered_genome(landscape.space(), rng);
    std::size_t distance = 0;
    for (std::size_t g = 0; g < genome.size(); ++g) {
      ASSERT_LT(genome[g], landscape.space().genes[g].alleles.size());
      distance += genome[g] != 0;
    }
    distances.insert(distance);
  }
  EXPECT_LT(*distances.begin(), 3u);
  EXPECT_GT(*distances.rbegin(), 30u);
}

TEST(Rules, SetAllOfAFamily) {
  EXPECT_EQ(follow("all storage = scratch", {0, 0, 0, 0, 2}), (Genome{0, 0, 0, 1, 1}));
  EXPECT_EQ(follow("all tile = 8", {0, 0, 0, 0, 0}), (Genome{0, 2, 3, 0, 0}))
      << "each gene by its own order";
}

TEST(Rules, ExchangeOneAlleleForAnother) {
  EXPECT_EQ(follow("storage: array for scratch", {0, 0, 0, 1, 0}), (Genome{0, 0, 0, 2, 0}));
}

TEST(Rules, DoubleAndHalveNumbers) {
  EXPECT_EQ(follow("next tile", {0, 3, 4, 0, 0}), (Genome{0, 2, 4, 0, 0})) << "16 is the last";
  EXPECT_EQ(follow("previous tile", {0, 2, 2, 0, 0}), (Genome{0, 3, 2, 0, 0}));
  EXPECT_EQ(follow("next tile", {0, 0, 0, 0, 0}), (Genome{0, 0, 0, 0, 0})) << "no number";
  EXPECT_EQ(follow("next vectors", {0, 0, 0, 0, 0}), (Genome{1, 0, 0, 0, 0}));
}

TEST(Rules, NoSynchronisationJoinsGroupsAndKeepsArraysInScratch) {
  const std::vector<Gene> table = {
      {"proceed/grouping", {"joined", "apart"}},
      {"proceed/tile_y", {"threads", "4"}},
      {"proceed/flux.storage", {"inline", "scratch", "rolling", "array", "array_alone"}},
      {"proceed/slope.storage", {"inline", "scratch", "rolling", "array", "array_alone"}},
      {"proceed_2/density.state", {"array", "scratch", "rolling"}},
  };
  const auto rules = rules_of(table);
  const auto rule = std::ranges::find(rules, "no synchronisation", &Rule::name);
  ASSERT_NE(rule, rules.end());
  EXPECT_EQ((*rule)(table, {1, 1, 3, 4, 0}), (Genome{0, 1, 1, 1, 1}));
  EXPECT_EQ((*rule)(table, {0, 1, 0, 2, 2}), (Genome{0, 1, 0, 2, 2})) << "no array";
  for (const Rule& other : rules_of({{"a/tile_x", {"1", "2"}}}))
    EXPECT_NE(other.name, "no synchronisation");
}

TEST(Rules, SetWhatTheUserHasNamed) {
  const std::vector<std::string> classes = {"inline", "scratch", "array"};
  const std::vector<Gene> table = {{"proceed/flux.storage", classes},
                                   {"proceed/x/max(min,min).storage", classes},
                                   {"proceed/x/slope.storage", classes}};
  const auto rules = rules_of(table);
  const auto follow_named = [&](const std::string& name) {
    return (*std::ranges::find(rules, name, &Rule::name))(table, {0, 0, 1});
  };
  EXPECT_EQ(follow_named("all named storage = array"), (Genome{2, 0, 2}));
  EXPECT_EQ(follow_named("named storage: array for inline"), (Genome{2, 0, 1}));
  for (const Rule& rule : rules_of(kTable))
    EXPECT_EQ(rule.name.find("named"), std::string::npos) << "there all are named";
}

TEST(Rules, OfABlockSetNeighboursAlike) {
  std::vector<Gene> table;
  for (int i = 0; i < 30; ++i) {
    table.push_back({"k/a(" + std::to_string(i) + ").storage", {"inline", "scratch", "array"}});
    table.push_back({"k" + std::to_string(i) + "/divides", {"late", "together"}});
  }
  Rng rng(1);
  std::set<std::size_t> lengths;
  for (int i = 0; i < 500; ++i) {
    const Rule rule = block_rule(table, families(table), rng);
    const auto& genes = rule.changes.at(0).genes;
    lengths.insert(genes.size());
    for (std::size_t g = 1; g < genes.size(); ++g) EXPECT_EQ(genes[g], genes[g - 1] + 2);
    const Genome after = rule(table, Genome(60, 1));
    for (std::size_t g = 0; g < after.size(); ++g)
      if (std::ranges::find(genes, g) == genes.end()) {
        EXPECT_EQ(after[g], 1);
      }
    EXPECT_EQ(table[genes[0]].alleles[after[genes[0]]], rule.changes[0].allele);
  }
  EXPECT_EQ(*lengths.begin(), 1u);
  EXPECT_GT(*lengths.rbegin(), 20u);
}

TEST(Rules, AFamilyOfOneHasNoExchanges) {
  std::set<std::string> names;
  for (const Rule& rule : rules_of(kTable)) names.insert(rule.name);
  EXPECT_FALSE(names.contains("vectors: 2 for 1"));
  EXPECT_TRUE(names.contains("storage: array for scratch"));
}

TEST(Triangulate, IsTable4) {
  const Genome base{0, 0, 0, 0, 1, 1, 1, 1}, secondary{0, 0, 1, 1, 0, 0, 1, 1},
      primary{0, 1, 0, 1, 0, 1, 0, 1}, child{0, 1, 1, 1, 0, 0, 0, 1};
  EXPECT_EQ(triangulate(base, secondary, primary), child);
}

TEST(Triangulate, PrefersThePrimaryWhereBothHaveChanged) {
  EXPECT_EQ(triangulate({0}, {1}, {2}), Genome{2});
}

TEST(History, RemembersEachGenomeOnce) {
  History history(kTable);
  const Genome one{1, 2, 3, 0, 1}, other{0, 0, 0, 0, 0};
  EXPECT_FALSE(history.known(one));
  history.expect(one);
  EXPECT_TRUE(history.known(one));
  EXPECT_EQ(history.find(one), std::nullopt);
  EXPECT_EQ(history.add(one, measured({2, 4})), 0u);
  EXPECT_EQ(history.add(one, measured({100})), 0u) << "the first measurement counts";
  EXPECT_EQ(history.add(other, failed("it hung")), 1u);
  EXPECT_EQ(history.size(), 2u);
  EXPECT_EQ(history.find(one), 0u);
  EXPECT_EQ(history.genome(0), one);
  EXPECT_EQ(history.score(0), 3);
  EXPECT_DOUBLE_EQ(history.deviation(0), std::sqrt(2));
  EXPECT_FALSE(history.ok(1));
  EXPECT_EQ(history.best(), 0u);
}

TEST(History, HasNoBestWhereAllFailed) {
  History history(kTable);
  history.add({0, 0, 0, 0, 0}, failed("it hung"));
  EXPECT_EQ(history.best(), std::nullopt);
}

}  // namespace
}  // namespace paraiso::tune
