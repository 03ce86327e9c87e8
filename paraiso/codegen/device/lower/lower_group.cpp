#include "paraiso/codegen/device/lower/lower_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/device/body/block_reductions.hpp"
#include "paraiso/codegen/device/body/frame.hpp"
#include "paraiso/codegen/device/body/vector_lowering.hpp"
#include "paraiso/codegen/device/lower/lower_sweep.hpp"

namespace paraiso::codegen {

using namespace claris;

namespace {

void append(Block& block, Block more) { std::ranges::move(more, std::back_inserter(block)); }

/// What blocks reduce of what their threads have made.
Block finish(const BlockReductions& reductions, const plan::Group& group, const BlockShape& shape) {
  ExprPtr inside;
  std::vector<ExprPtr> indices;
  for (const BlockTile& tile : shape.tiles) {
    const ExprPtr index = name(loop_variable(tile.axis));
    if (tile.axis > 0) indices.push_back(index);
    ExprPtr within = make({Within{index, integer(0), make({GridSize{tile.axis}})}});
    inside = inside ? both(std::move(inside), std::move(within)) : std::move(within);
  }
  Block block;
  for (const std::size_t number : reductions.of(group.stages.at(0)))
    append(block, reductions.finish_chunks(number, inside, indices));
  append(block, reductions.finish_blocks(static_cast<int>(shape.tiles.size())));
  return block;
}

}  // namespace

LoweredGroup lower_device_group(const plan::Plan& plan, const plan::KernelPlan& kernel,
                                const plan::Group& group, const GroupNames& group_names) {
  if (group.device.on_chip) return lower_device_sweep(plan, kernel, group, group_names);
  Names names = kernel_names();
  names.take(group_names.all);
  for (const om::Static& field : plan.machine.statics) names.take(repeat_routine(field.name));
  ParameterList parameters(names);
  const plan::Stage& stage = group.stages.at(0);
  const int vector = plan::vector_of(group);
  BlockReductions reductions(plan, kernel, group, names, parameters);
  Block cells, ghosts;
  std::string made;
  if (vector > 1) {
    VectorLowering lowering({plan, kernel, group, stage, names, parameters});
    cells = lowering.cells();
    for (Block& one : lowering.ghosts()) append(ghosts, std::move(one));
    made = lowering.describe();
  } else {
    CellLowering lowering({plan, kernel, group, stage, names, parameters});
    cells = lowering.body();
    for (Block& store : lowering.stores()) append(cells, std::move(store));
    for (Block& one : lowering.ghosts()) append(ghosts, std::move(one));
    for (const std::size_t number : reductions.of(stage))
      append(cells, reductions.take(number, lowering));
    made = lowering.describe();
  }
  LoweredGroup lowered;
  Lowered& all = lowered.all;
  all.function.name = group_names.all;
  BlockShape shape = block_shape(group.device, plan.machine.dimension);
  shape.shared_bytes = static_cast<std::size_t>(group.device.reduction_bytes);
  if (reductions.any()) all.function.body = reductions.declare();
  append(all.function.body,
         over_box(group.box, {std::move(cells), std::move(ghosts)}, group.device.cells, vector));
  if (reductions.any()) append(all.function.body, finish(reductions, group, shape));
  all.function.comment = {fmt::format("Computes the cells {}. {}", group.box.text(), made)};
  all.function.kernel = shape;
  parameters.add(FunctionParameter::Kind::grid, {}, "grid", GridArgument{});
  parameters.finish(all);
  return lowered;
}

}  // namespace paraiso::codegen
