// outputs: the results that a kernel must leave in memory under given choices, what each of them
// reads, and the group that computes it.
// Gives: Product, OutputReads, Renaming, KernelOutputs, find_outputs. Needs: choices.
#pragma once

#include "paraiso/passes/analysis/step_chain.hpp"
#include "paraiso/plan/choices/choices.hpp"

namespace paraiso::plan {

/// How far from the cell itself an array is read.
struct ArrayRead {
  Extent box;    // with one tile for the whole grid; ghost cells of states may be filled
  Extent reach;  // by a tile, which computes what it needs of its neighbours' cells
  bool through_state = false;  // by way of a state whose ghost cells may be filled
};

/// How far one output reads arrays, through inlined values and buffers; and the Globals that it
/// reads.
struct OutputReads {
  std::map<om::ValueId, ArrayRead> arrays;
  std::vector<om::ValueId> scalars;
};

/// An array (of a value, of statics, or of both) or a Reduce.
struct Product {
  om::ValueId value;                       // Local: what is written or reduced
  std::vector<om::StaticId> targets = {};  // statics that it is stored to
  std::optional<om::NodeId> reduce = {};   // the Reduce, if it is one
  bool stored = false;                     // its value's storage is `array`: others may read it
  OutputReads reach = {};
  Extent box = {};   // the cells on which it is needed
  Extent halo = {};  // of an inner state, which is made on the core: as far as it is filled
  int level = 0;     // of its group: groups of lower levels run earlier
};

/// A static whose new value is the old one of another static, unchanged: the array is renamed.
struct Renaming {
  om::StaticId target, source;
};

struct KernelOutputs {
  passes::StepChain chain;
  std::vector<Renaming> renamings = {};
  std::vector<Product> list = {};             // producers before consumers
  std::vector<int> of_value = {};             // per value: its array's place in `list`, or -1
  std::vector<std::vector<int>> groups = {};  // places in `list`, in the order of running
  std::vector<int> ready = {};                // per value: the level at which a Global is known
};

/// An output shares a group with an output that it reads only if it reads it at the cell itself. A
/// Global is ready one level after the last Reduce that it depends on. So groups depend only on
/// groups of lower levels, and no cycle can arise.
[[nodiscard]] KernelOutputs find_outputs(const om::Graph& graph, const KernelChoices& choices);

}  // namespace paraiso::plan
