#include "paraiso/plan/choices/set_dispatch.hpp"

namespace paraiso::plan {
namespace {

/// Of the first loops of a kernel. Tiles that shrink cut one axis.
std::vector<std::int64_t> tile_of(const KernelPlan& kernel) {
  if (kernel.groups.empty()) return {};
  const Group& group = kernel.groups.front();
  std::vector<std::int64_t> tile(group.cpu.tile.begin(), group.cpu.tile.end());
  for (std::size_t a = 0; a < tile.size() && group.form == Form::split; ++a)
    if (static_cast<int>(a) != group.cut) tile[a] = 0;
  return tile;
}

}  // namespace

void set_dispatch(Plan& plan, std::optional<Dispatch> dispatch) {
  plan.dispatch = std::move(dispatch);
  if (!plan.dispatch) return;
  for (Version& version : plan.dispatch->versions) {
    const KernelPlan& kernel = *plan.find_kernel(version.kernel);
    version.tile = tile_of(kernel);
    version.shared_bytes = kernel.shared_bytes;
  }
  plan.dispatch->shared_bytes = plan.find_kernel(plan.dispatch->kernel)->shared_bytes;
}

}  // namespace paraiso::plan
