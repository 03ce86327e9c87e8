#include "paraiso/tune/allele_order.hpp"

#include <gtest/gtest.h>

#include <set>

namespace paraiso::tune {
namespace {

const std::vector<plan::Gene> kGenes = {{"tile", {"all", "8", "1", "64", "2"}},
                                        {"layout", {"row", "tile", "column"}},
                                        {"block", {"16", "32"}},
                                        {"version", {"0", "1", "2"}}};

TEST(AlleleOrder, NumbersHaveOneAndNamesHaveNone) {
  const std::vector<GeneKind> kinds = {GeneKind::numbers, GeneKind::names, GeneKind::numbers,
                                       GeneKind::numbers};
  EXPECT_EQ(kinds_of(kGenes), kinds);
  const AlleleOrder order(kGenes);
  EXPECT_DOUBLE_EQ(order.distance(0, 2, 4), 1 / 3.0) << "1 and 2";
  EXPECT_DOUBLE_EQ(order.distance(0, 2, 3), 1) << "1 and 64";
  EXPECT_DOUBLE_EQ(order.distance(0, 0, 3), 1) << "`all` is no number";
  EXPECT_DOUBLE_EQ(order.distance(1, 0, 1), 1);
  EXPECT_DOUBLE_EQ(order.distance({2, 0, 0, 0}, {4, 1, 0, 0}), 4 / 3.0);
  EXPECT_EQ(order.next_to(0, 4), (std::vector<std::uint16_t>{0, 1, 2})) << "of 2: all, 8, 1";
  EXPECT_EQ(order.next_to(1, 0), (std::vector<std::uint16_t>{1, 2}));
  EXPECT_EQ(order.allele_at(0, 1.4), 4) << "the second number is 2";
  EXPECT_EQ(order.allele_at(0, 99), 3);
}

TEST(AlleleOrder, AFileMaySayThatNumbersAreNames) {
  const AlleleOrder order(kGenes, std::vector<GeneKind>(4, GeneKind::names));
  EXPECT_DOUBLE_EQ(order.distance(3, 0, 1), 1);
  const AlleleOrder wrong(std::vector<plan::Gene>{{"layout", {"row", "tile"}}},
                          {GeneKind::numbers});
  EXPECT_FALSE(wrong.ordered(0)) << "these are none";
}

TEST(AlleleOrder, ChangesByAStepOrToAny) {
  const AlleleOrder order(kGenes);
  Rng rng(1);
  std::set<std::uint16_t> steps, any;
  for (int i = 0; i < 200; ++i) {
    steps.insert(order.changed(0, 2, 1, rng));
    any.insert(order.changed(0, 2, 0, rng));
  }
  EXPECT_EQ(steps, (std::set<std::uint16_t>{0, 4})) << "of 1: all, 2";
  EXPECT_EQ(any, (std::set<std::uint16_t>{0, 1, 3, 4}));
  EXPECT_EQ(AlleleOrder(std::vector<plan::Gene>{{"one", {"1"}}}).changed(0, 0, 1, rng), 0);
}

}  // namespace
}  // namespace paraiso::tune
