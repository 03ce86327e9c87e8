#include "paraiso/tune/analysis/lineage.hpp"

namespace paraiso::tune {

std::optional<std::size_t> best_of(const Lineage& lineage) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < lineage.size(); ++i)
    if (lineage[i].score > (best ? lineage[*best].score : 0)) best = i;
  return best;
}

}  // namespace paraiso::tune
