#include "paraiso/codegen/device/lower/lower_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/device/body/frame.hpp"
#include "paraiso/codegen/device/lower/lower_sweep.hpp"
#include "paraiso/codegen/device/body/vector_lowering.hpp"

namespace paraiso::codegen {

using namespace claris;

LoweredGroup lower_device_group(const plan::Plan& plan, const plan::KernelPlan& kernel,
                                const plan::Group& group, const GroupNames& group_names) {
  if (group.device.on_chip) return lower_device_sweep(plan, kernel, group, group_names);
  Names names = kernel_names();
  names.take(group_names.all);
  ParameterList parameters(names);
  const plan::Stage& stage = group.stages.at(0);
  const int vector = plan::vector_of(group);
  Block cells;
  std::string made;
  if (vector > 1) {
    VectorLowering lowering({plan, kernel, group, stage, names, parameters});
    cells = lowering.cells();
    made = lowering.describe();
  } else {
    CellLowering lowering({plan, kernel, group, stage, names, parameters});
    cells = lowering.body();
    std::ranges::move(lowering.stores(), std::back_inserter(cells));
    made = lowering.describe();
  }
  LoweredGroup lowered;
  Lowered& all = lowered.all;
  all.function.name = group_names.all;
  const BlockShape shape = block_shape(group.device, plan.machine.dimension);
  all.function.body = over_box(group.box, std::move(cells), group.device.cells, vector);
  all.function.comment = {fmt::format("Computes the cells {}. {}", group.box.text(), made)};
  all.function.kernel = shape;
  parameters.add(FunctionParameter::Kind::grid, {}, "grid", GridArgument{});
  parameters.finish(all);
  return lowered;
}

}  // namespace paraiso::codegen
