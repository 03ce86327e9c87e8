#include "paraiso/tune/rivals/tables/ablations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/tune/rivals/orders.hpp"

namespace paraiso::tune {

namespace {

using Orders = std::vector<TryingOrder>;

constexpr const char* kGroups[] = {"architecture", "algorithm", "input", "plan"};
constexpr const char* kThatLookAtFeatures[] = {"champions", "neighbour", "fast", "ours"};
constexpr std::size_t kFixedCounts[] = {1, 5, 10, 25, 50};

/// Without the numbers and words of a group.
SolutionSpace without_group(SolutionSpace space, const std::string& group) {
  const auto belongs = [&](const auto& feature) { return feature.first.starts_with(group + "."); };
  std::erase_if(space.features.numbers, belongs);
  std::erase_if(space.features.words, belongs);
  return space;
}

std::vector<SolutionSpace> without_group(const Spaces& spaces, const std::string& group) {
  std::vector<SolutionSpace> left;
  for (const SolutionSpace* space : spaces) left.push_back(without_group(*space, group));
  return left;
}

Rival blind_to(const std::string& group, const Rival& rival) {
  return {
      fmt::format("{} -{}", rival.name, group),
      fmt::format("without the features of the group {}", group),
      [order = rival.order, group](const Spaces& known, const Spaces& asked, std::uint64_t seed) {
        const auto of_known = without_group(known, group), of_asked = without_group(asked, group);
        return order(pointers_to(of_known), pointers_to(of_asked), seed);
      },
      rival.draws};
}

/// FAST with the best `count` of the programs that it asks.
Orders with_count(const Spaces& known, const Spaces& asked, std::size_t count) {
  const Regression model = overlap_regression(known, count, Terms::signed_plain, kNoRidge);
  Orders orders;
  for (const SolutionSpace* one : asked) orders.push_back(by_fast(known, *one, model, count));
  return orders;
}

/// The same of the one program with the highest predicted overlap.
Orders of_the_closest(const Spaces& known, const Spaces& asked, std::size_t count) {
  const Regression model = overlap_regression(known, count, Terms::signed_plain, kNoRidge);
  Orders orders;
  for (const SolutionSpace* one : asked) {
    RecipeValues overlaps;
    for (const SolutionSpace* space : known)
      overlaps.push_back(model(one->features, space->features));
    orders.push_back(optimal(*known[order_by(overlaps).front()], count));
  }
  return orders;
}

using WithCount = Orders(const Spaces& known, const Spaces& asked, std::size_t count);
Rival fixed(std::string name, std::string summary, WithCount& orders, std::size_t count) {
  return {std::move(name), std::move(summary),
          [&orders, count](const Spaces& known, const Spaces& asked, std::uint64_t) {
            return orders(known, asked, count);
          }};
}

}  // namespace

std::vector<Rival> ablations(std::size_t recipes) {
  std::vector<Rival> table;
  for (const char* name : kThatLookAtFeatures) {
    const Rival& rival = *std::ranges::find(rivals(), std::string(name), &Rival::name);
    table.push_back(rival);
    for (const char* group : kGroups) table.push_back(blind_to(group, rival));
  }
  for (const std::size_t count : kFixedCounts) {
    if (count >= recipes) continue;
    table.push_back(fixed(fmt::format("fast K={}", count),
                          fmt::format("the best {} of the five with the highest overlap", count),
                          with_count, count));
    table.push_back(fixed(fmt::format("fast K={} of one", count),
                          fmt::format("the best {} of the one with the highest overlap", count),
                          of_the_closest, count));
  }
  return table;
}

}  // namespace paraiso::tune
