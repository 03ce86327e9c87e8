// on_chip: where a block keeps values between the loops of a group, and where its threads wait for
// each other. Gives: thread_axes, single_axes, ThreadBlock, block_of, place_kept,
// waits_between_turns, waits_to_fill, buffer_of, in_register, shared_bytes, kept_registers. Needs:
// plan.
//
// Each thread of a block has one column of cells along the axis that is swept. A value that is read
// in its own column only lies in registers, which hand it on from plane to plane. Others lie in
// shared memory, as a ring of those planes that other columns read; what a thread reads of its own
// column it has in registers as well, since shared memory is what bounds many sweeps. Between the
// loop that writes a cell and one that reads it in another column there is a barrier; where that is
// a turn of the sweep later, a single one of the turn serves all such loops. A ring has one plane
// more than is read at a time, so that a barrier a turn, wherever it is, keeps the newest plane
// from replacing one that another thread still reads. With an extra barrier, between turns, it has
// just those planes.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// The axes along which a block has threads, innermost first: those that are not swept, at most
/// two.
[[nodiscard]] std::vector<int> thread_axes(const Group& group, int dimension);
/// Of a sweep, the others: along these a block has one cell, and keeps nothing of its neighbours.
[[nodiscard]] std::vector<int> single_axes(const Group& group, int dimension);

/// Threads of a block, and cells of its tile, along each of `axes`.
struct ThreadBlock {
  std::vector<int> axes, threads, tile;
};
[[nodiscard]] ThreadBlock block_of(const Group& group, int dimension);

/// Sets all of `group.device` but its options.
void place_kept(Group& group, int dimension);

/// Whether all threads of a block wait for each other between the turns of its sweep.
[[nodiscard]] bool waits_between_turns(const Group& group);
/// Whether they wait after a loop whose results have ghost cells that are filled from other
/// columns.
[[nodiscard]] bool waits_to_fill(const Group& group, const Stage& stage);

/// Which of the group's buffers has a value.
[[nodiscard]] std::size_t buffer_of(const Group& group, om::ValueId value);
/// Whether a thread reads a kept value, at that offset from a loop's cell, from its own registers.
[[nodiscard]] bool in_register(const Group& group, std::size_t buffer, const om::Offset& offset);
/// Of a block, for a group whose values have places.
[[nodiscard]] std::size_t shared_bytes(const Group& group, int dimension);
/// Of a thread, of 4 bytes, for the values that it hands on.
[[nodiscard]] int kept_registers(const Group& group);

}  // namespace paraiso::plan
