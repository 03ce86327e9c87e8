#include "paraiso/tune/rivals/tables/ablations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace paraiso::tune {
namespace {

constexpr std::size_t kRecipes = 30, kBestOfFew = 10, kBestOfMany = 20;

/// Programs of two kinds, which differ in their flop density alone and have each a best recipe of
/// their own; what else is known of them tells nothing.
std::vector<SolutionSpace> alike_but_for_density() {
  std::vector<SolutionSpace> spaces;
  for (int i = 0; i < 12; ++i) {
    const bool few = i % 2 == 0;
    const double flops = (few ? 2 : 200) + 0.1 * i;
    const Features features{{{"algorithm.flop_density", flops}, {"input.cells", 100 + i}}, {}};
    const std::string name = "solver" + std::to_string(i);
    SolutionSpace made{name, name, features, {}, std::vector<double>(kRecipes, 1)};
    for (std::size_t r = 0; r < kRecipes; ++r)
      made.speed.push_back(
          r == (few ? kBestOfFew : kBestOfMany) ? 2 : 1 - 0.001 * static_cast<double>(r));
    spaces.push_back(made);
  }
  return spaces;
}

std::vector<std::string> names(const std::vector<Rival>& table) {
  std::vector<std::string> names;
  for (const Rival& rival : table) names.push_back(rival.name);
  return names;
}

/// The worst of all programs after one try.
double worst(const std::string& name) {
  static const auto standings = compare_rivals(alike_but_for_density(), ablations(kRecipes), 1);
  for (const RivalStanding& standing : standings)
    if (standing.name == name) return standing.worst.front();
  throw std::logic_error("no rival " + name);
}

TEST(Ablations, FindNothingWithoutTheFeaturesThatTellKindsApart) {
  for (const std::string name : {"champions", "neighbour", "fast", "ours"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(worst(name), 1);
    EXPECT_EQ(worst(name + " -architecture"), 1);
    EXPECT_EQ(worst(name + " -input"), 1);
    EXPECT_EQ(worst(name + " -plan"), 1);
    EXPECT_LE(worst(name + " -algorithm"), 0.5);
  }
}

/// With one best recipe a kind, K = 1 is enough; whoever asks one program gets what is best there.
TEST(Ablations, FixWhatFastChooses) {
  EXPECT_EQ(worst("fast K=1"), 1);
  EXPECT_EQ(worst("fast K=1 of one"), 1);
  const auto spaces = alike_but_for_density();
  Spaces known;
  for (const SolutionSpace& space : spaces) known.push_back(&space);
  SolutionSpace asked = spaces.front();
  asked.family = "asked";
  for (const Rival& rival : ablations(kRecipes)) {
    if (rival.name != "fast K=5 of one") continue;
    const auto orders = rival.order(known, {&asked}, 1);
    ASSERT_EQ(orders.size(), 1u);
    EXPECT_EQ(orders[0], (TryingOrder{kBestOfFew, 0, 1, 2, 3}));
  }
}

TEST(Ablations, HaveNoCountThatTakesTheWholeListIn) {
  const auto all = names(ablations(51)), few = names(ablations(10));
  const auto has = [](const auto& table, const char* name) {
    return std::ranges::find(table, name) != table.end();
  };
  EXPECT_TRUE(has(all, "fast K=50"));
  EXPECT_TRUE(has(few, "fast K=5"));
  EXPECT_FALSE(has(few, "fast K=10"));
  EXPECT_FALSE(has(few, "fast K=25"));
}

}  // namespace
}  // namespace paraiso::tune
