#include "paraiso/tune/rivals/held_out.hpp"

namespace paraiso::tune {

Split without(const Spaces& spaces, const std::set<std::string>& families) {
  Split split;
  for (const SolutionSpace* space : spaces)
    (families.contains(space->family) ? split.asked : split.known).push_back(space);
  return split;
}

std::vector<Split> splits_of(const Spaces& all, const std::set<std::string>& judges) {
  std::vector<Split> splits;
  if (judges.empty())
    for (const std::string& family : solvers(all)) splits.push_back(without(all, {family}));
  else
    splits.push_back(without(all, judges));
  return splits;
}

}  // namespace paraiso::tune
