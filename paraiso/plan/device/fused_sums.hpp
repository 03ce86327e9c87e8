// fused_sums: reductions that a block computes of what it makes, so that no array has it.
// Gives: kCellsOfChunk, kLanesOfChunk, is_fused, reduction_bytes, has_chunks. Needs: plan, on_chip.
//
// What has no order is reduced by any block: each thread combines what it makes, then the block
// what its threads have. Sums and products of floats follow the fixed tree of docs/om.md, whose
// chunks are 256 cells of a row: a block must have whole chunks, each cell by a thread of its own.
#pragma once

#include "paraiso/om/graph/reduces.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/plan/device/thread/several_cells.hpp"

namespace paraiso::plan {

inline constexpr int kCellsOfChunk = static_cast<int>(om::kChunk),
                     kLanesOfChunk = static_cast<int>(om::kLanes);

inline constexpr std::size_t kMostFused = 4;  // of a group: each takes shared memory

/// Whether a block has whole chunks of rows, of which each cell has a thread at a time.
[[nodiscard]] inline bool has_chunks(const Group& group, int dimension) {
  if (dimension > kLaunchAxes || (!group.device.on_chip && group.device.cells > 1)) return false;
  const ThreadBlock block = block_of(group, dimension);
  return block.axes[0] == 0 && block.tile[0] == block.threads[0] &&
         block.tile[0] % kCellsOfChunk == 0;
}

/// For a group that has all of its `device`.
[[nodiscard]] inline bool is_fused(const om::Graph& graph, const Group& group,
                                   const Reduction& reduction) {
  std::size_t all = 0;
  for (const Stage& stage : group.stages) all += stage.reductions.size();
  if (!group.device.fused_sums || all > kMostFused) return false;
  return !has_order(reduction.op, graph.type(reduction.operand).element) ||
         has_chunks(group, graph.dimension());
}

/// Of shared memory, for all of a group's that are fused.
[[nodiscard]] inline std::size_t reduction_bytes(const om::Graph& graph, const Group& group) {
  std::size_t threads = 1, bytes = 0;
  for (const int along : block_of(group, graph.dimension()).threads)
    threads *= static_cast<std::size_t>(along);
  for (const Stage& stage : group.stages)
    for (const Reduction& reduction : stage.reductions) {
      if (!is_fused(graph, group, reduction)) continue;
      const om::Element element = graph.type(reduction.operand).element;
      const std::size_t lanes =
          has_order(reduction.op, element) ? threads / kCellsOfChunk * kLanesOfChunk : 0;
      bytes += (threads + lanes) * om::size_of(element);
    }
  return bytes;
}

}  // namespace paraiso::plan
