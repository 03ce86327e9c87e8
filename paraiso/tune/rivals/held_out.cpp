#include "paraiso/tune/rivals/held_out.hpp"

#include <fmt/format.h>

#include <map>

#include "paraiso/base/error.hpp"

namespace paraiso::tune {

Split without(const Spaces& spaces, const std::set<std::string>& families) {
  Split split;
  for (const SolutionSpace* space : spaces)
    (families.contains(space->family) ? split.asked : split.known).push_back(space);
  return split;
}

namespace {

/// One after the other, in the order of `key`.
template <class Key>
std::vector<Split> each_without(const Spaces& all, Key key, const char* what) {
  std::map<std::decay_t<decltype(key(*all.front()))>, Split> splits;
  for (const SolutionSpace* space : all) splits[key(*space)].asked.push_back(space);
  if (splits.size() < 2) throw Error(fmt::format("all that was measured is of one {}", what));
  std::vector<Split> found;
  for (auto& [value, split] : splits) {
    for (const SolutionSpace* space : all)
      if (key(*space) != value) split.known.push_back(space);
    found.push_back(std::move(split));
  }
  return found;
}

}  // namespace

std::vector<Split> splits_of(const Spaces& all, const Judging& judging) {
  if (!judging.judges.empty()) return {without(all, judging.judges)};
  switch (judging.by) {
    case HeldOutBy::solver:
      return each_without(
          all, [](const SolutionSpace& one) { return one.family; }, "solver");
    case HeldOutBy::size:
      return each_without(
          all, [](const SolutionSpace& one) { return one.cells; }, "size");
    case HeldOutBy::machine:
      return each_without(
          all, [](const SolutionSpace& one) { return one.host; }, "machine");
  }
  return {};
}

}  // namespace paraiso::tune
