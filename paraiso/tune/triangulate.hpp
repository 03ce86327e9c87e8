// triangulate: the child of three parents that joins improvements found separately, Table 4 of the
// 2012 paper. Gives: triangulate. Needs: plan's genomes.
#pragma once

#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::tune {

/// Gene by gene, the change from base that primary or secondary has; primary's if both have one.
[[nodiscard]] inline plan::Genome triangulate(const plan::Genome& base,
                                              const plan::Genome& secondary,
                                              const plan::Genome& primary) {
  plan::Genome child = primary;
  for (std::size_t g = 0; g < child.size(); ++g)
    if (primary[g] == base[g]) child[g] = secondary[g];
  return child;
}

}  // namespace paraiso::tune
