// Plan: a program and a schedule made concrete: arrays, boxes, stages in order, buffers, swaps.
// Gives: ArrayRef, Output, Reduction, Stage, Group, KernelPlan, Plan, make_plan, describe.
// Needs: schedule, expand, footprint.
#pragma once

#include "paraiso/passes/footprint.hpp"
#include "paraiso/plan/expand.hpp"
#include "paraiso/plan/schedule.hpp"

namespace paraiso::plan {

using passes::Extent;

/// How many lines of a value exist (design: storage classes).
enum class Storage : std::uint8_t { inlined, array };

/// How a group's stages traverse the grid. `tiled` with one stage and the whole grid as its tile is
/// the form that is always legal.
enum class Form : std::uint8_t { tiled };

/// An array: the current one of a static, or a spare one.
struct ArrayRef {
  std::optional<om::StaticId> front;  // the static's current array, if that
  int spare = 0;  // else the number of the spare among those of its element size
  om::Element element = om::Element::f64;
  friend bool operator==(const ArrayRef&, const ArrayRef&) = default;
};

/// One array that a stage writes.
struct Output {
  om::ValueId value;
  ArrayRef array;
  std::optional<om::StaticId> target;  // the static that the value becomes, if it is stored
  int root = 0;                        // which root of the stage's expansion it is
};

/// A Reduce fused into the loop that makes its operand; the stage's box is the core.
struct Reduction {
  om::ValueId result;  // the Global
  om::ReduceOp op;
  om::ValueId operand;
  int root = 0;  // which root of the stage's expansion the operand is
};

/// Values computed by one loop nest over one box.
struct Stage {
  Extent box;
  std::vector<Output> outputs;
  std::vector<Reduction> reductions;
  Expansion expansion;
};

/// Stages traversed together; between groups the whole grid synchronises.
struct Group {
  Form form = Form::tiled;
  std::vector<Stage> stages;
  std::int64_t block = 0;  // cells of axis 0 a vector loop takes at a time; 0: the whole row
  int parallel_axes = 1;   // how many outer axes share the work between threads
  int vector_length = 0;   // lanes asked for by name; 0: the compiler's choice
};

/// Either one Global to compute or one group to run.
struct Step {
  std::optional<om::ValueId> scalar;
  int group = -1;
};

struct Swap {
  om::StaticId target;
  int spare;
};

struct KernelPlan {
  const om::Kernel* kernel = nullptr;
  std::vector<Extent> halo;  // per static: what this kernel reads outside the core
  std::vector<Group> groups;
  std::vector<Step> steps;
  std::map<om::ValueId, ArrayRef> arrays;  // of stored values
  std::vector<Swap> swaps;                 // at exit
  std::map<std::size_t, int> spares;       // how many spare arrays of each element size
};

/// One program as it will run. Holds the prepared machine and the repaired schedule it was made
/// from.
struct Plan {
  om::Machine machine;
  Schedule schedule;
  Extent margin;                      // the cells around the core that every array has
  std::map<std::size_t, int> spares;  // how many spare arrays of each element size
  std::vector<Extent> halo;           // per static: the widest of all kernels
  std::vector<KernelPlan> kernels;    // as machine.kernels
  std::vector<Expansion> boundaries;  // as machine.boundary_kernels
};

/// Repairs `schedule` and makes it concrete. `machine` must have been through passes::prepare.
/// Throws Error for what no schedule can run (a chained step, for now).
[[nodiscard]] Plan make_plan(const om::Machine& machine, const Schedule& schedule);

/// The plan in words, for `show --plan`.
[[nodiscard]] std::string describe(const Plan& plan);

}  // namespace paraiso::plan
