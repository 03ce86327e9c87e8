// outputs: what a kernel must leave in memory under given choices, what each of that reads, and in
// which group it is made. Gives: Made, Reach, Renaming, Outputs, find_outputs. Needs: choices.
#pragma once

#include "paraiso/passes/step_chain.hpp"
#include "paraiso/plan/choices/choices.hpp"

namespace paraiso::plan {

/// How far beyond the cell itself something is read.
struct ArrayRead {
  Extent box;    // were there one tile; cells of states beyond the grid may be filled, not made
  Extent reach;  // by a tile, which makes what it needs of its neighbours' cells
  bool through_state = false;  // of which cells beyond the grid's edge may be filled from others
};

/// How far one thing reads arrays, through values that are kept nowhere or by a thread; and the
/// Globals that it reads.
struct Reach {
  std::map<om::ValueId, ArrayRead> arrays;
  std::vector<om::ValueId> scalars;
};

/// An array (of a value, of statics, or of both) or a Reduce.
struct Made {
  om::ValueId value;                       // Local: what is written or reduced
  std::vector<om::StaticId> targets = {};  // statics that it becomes
  std::optional<om::NodeId> reduce = {};   // the Reduce, if it is one
  bool stored = false;                     // its value's storage is `array`: others may read it
  Reach reach = {};
  Extent box = {};   // the cells on which it is needed
  Extent halo = {};  // of an inner state, which is made on the core: as far as it is filled
  int level = 0;     // of its group: groups of lower levels run earlier
};

/// A static that becomes, unchanged, what another one was: its array only changes its name.
struct Renaming {
  om::StaticId target, source;
};

struct Outputs {
  passes::StepChain chain;
  std::vector<Renaming> renamings = {};
  std::vector<Made> list = {};                // producers before consumers
  std::vector<int> of_value = {};             // per value: its array's place in `list`, or -1
  std::vector<std::vector<int>> groups = {};  // places in `list`, in the order of running
  std::vector<int> ready = {};                // per value: the level at which a Global is known
};

/// Something is made in the group of what it reads only where it reads the cell itself; a Global is
/// ready one level after the last Reduce that it depends on. So every arrow between groups goes
/// from a lower level to a higher one: no cycle can arise.
[[nodiscard]] Outputs find_outputs(const om::Graph& graph, const Choices& choices);

}  // namespace paraiso::plan
