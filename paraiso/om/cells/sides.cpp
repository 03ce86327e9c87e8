#include "paraiso/om/cells/sides.hpp"

#include "paraiso/om/cells/reads.hpp"

namespace paraiso::om {

bool is_cyclic(const std::array<Boundary, 2>& sides) {
  return std::holds_alternative<Cyclic>(sides[0]);
}

std::vector<StaticId> read_by_sides(const Machine& machine, const std::array<Boundary, 2>& sides) {
  std::vector<StaticId> read;
  for (const Boundary& side : sides)
    if (const auto* user = std::get_if<UserBoundary>(&side)) {
      const auto& kernel = machine.boundary_kernels[user->kernel.index];
      Reads reads = reads_of(kernel.graph, kernel.result);
      for (const auto& [id, offsets] : reads[0]) read.push_back(id);
    }
  return read;
}

}  // namespace paraiso::om
