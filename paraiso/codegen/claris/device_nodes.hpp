// The nodes of CLARIS that only a device with many small threads has a meaning for.
// Gives: DeviceExpr, DeviceStatement and their alternatives. Needs: om, device_options.
//
// A kernel is a function that runs in all threads of a launch. Threads are numbered along up to
// three axes. Arrays are given from their first element on.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "paraiso/codegen/claris/forward.hpp"
#include "paraiso/om/graph/machine.hpp"
#include "paraiso/plan/device_options.hpp"

namespace paraiso::codegen::claris {

// Expressions.

/// How far core cell 0 lies from an array's first element.
struct CoreCell {};

/// The number of this thread in its block, and of the block in its launch, along an axis of these.
struct ThreadOfBlock {
  int axis;
};
struct BlockOfLaunch {
  int axis;
};

/// value % divisor and value / divisor, of what is not negative.
struct Remainder {
  ExprPtr value;
  int divisor;
};
struct Quotient {
  ExprPtr value;
  int divisor;
};

/// Whether the index that FindSource has `called` so met a side's value: below or above the grid.
struct MeetsSide {
  std::string called;
  bool above;
};
/// Whether it is of a cell that is repeated with the other sign.
struct ChangesSign {
  std::string called;
};

/// A partial result of a reduction: where one lies that has these indices.
struct PlaceOfPartial {
  std::string places;
  std::vector<ExprPtr> indices;
};

using DeviceExpr = std::variant<CoreCell, ThreadOfBlock, BlockOfLaunch, Remainder, Quotient,
                                MeetsSide, ChangesSign, PlaceOfPartial>;

// Statements.

/// The cells from `begin` to `end` along an axis, shared by the threads of a launch: each has
/// `cells` of them, of which the variable is the first.
struct ThreadAxis {
  int axis;
  std::string variable;
  ExprPtr begin, end;
  int cells = 1;
};
/// What the threads do that have a cell along each of these axes.
struct ForThreads {
  std::vector<ThreadAxis> axes;
  Block body;
};

/// The loop that follows is to be written out so many times at once.
struct Unroll {
  int times;
};

/// An array of the thread's own, aligned as vectors are.
struct DeclareCells {
  om::Element element;
  std::string name;
  int cells;
};
/// Loads a vector of neighbours from an aligned address of an array, to an address of such cells.
struct LoadCells {
  om::Element element;
  int cells;
  ExprPtr to, from;
};
/// Stores the first `count` of a vector, or all where there are not so many.
struct StoreCells {
  om::Element element;
  int cells;
  ExprPtr to, from, count;
};

/// Stores the ghost cells that repeat a cell, whose value is in its array, or neighbours along x,
/// as many as there are in the grid; `at` is where the first lies in the array, and `cell` are its
/// indices. `routine`: what does so for a cell of that field.
struct StoreGhosts {
  struct Axis {
    om::Boundary lower, upper;
    int below, above;  // ghost cells beyond them
  };
  om::Element element;
  std::string routine, array;
  ExprPtr at;
  std::vector<ExprPtr> cell;
  std::vector<Axis> axes;
  int cells = 1;
};

/// An array of a block, which has one in the kernel's outermost scope.
struct DeclareShared {
  om::Element element;
  std::string name;
  std::vector<int> extents;  // the outermost first
};
/// A thread's variable that is assigned again.
struct DeclareVariable {
  om::Element element;
  std::string name;
  ExprPtr value;
};
/// All threads of a block wait for each other, and see each other's shared memory.
struct Barrier {};

/// What lies beyond a side of the grid: its rule, and what the value of a boundary kernel is.
struct GhostSide {
  om::Boundary rule;
  ExprPtr value;  // only of a boundary kernel
};
/// Along one axis.
struct GhostAxis {
  int axis;
  GhostSide lower, upper;
};
/// Fills the ghost cells of an array, shared by the threads of a launch: each from the core cell or
/// the value that the rules of all axes name, which `axes` has in ascending order. The box of these
/// cells is the variable `ghosts`, and a cell's indices are the variable `cell`.
struct FillGhosts {
  int dimension;
  om::Element element;
  std::string array;
  std::vector<GhostAxis> axes = {};
  std::string ghosts = "ghosts";
  int row = -1;  // of blocks, along the launch's second axis; -1: all of them
};

/// Declares an index along an axis, `called` so: of the cell that the sides' rules name for the
/// one at `index`, or some cell where a side's value is met.
struct FindSource {
  std::string called;
  int axis;
  ExprPtr index;
  om::Boundary lower, upper;
};

/// Where the ghost cells of states that a block keeps are filled from, of which those of several
/// states may be alike: found ahead of the sweep. Variables begin with `called`.
struct KeptSources {
  std::string called;
  /// An axis, the two sides that end it, and how many cells are filled beyond each; cyclic: none
  /// are, they are computed.
  struct Axis {
    int axis;
    om::Boundary lower, upper;
    int below, above;
    [[nodiscard]] bool is_filled() const { return below > 0 || above > 0; }
  };
  std::vector<Axis> across;  // of the block's threads
  Axis along;                // that is swept
  std::string made;          // whether the thread's column is needed
};

/// Fills the ghost cells of a value that a block keeps as a ring of planes, each thread those of
/// its column: those of the plane that was just made or lies above the grid, and those of planes
/// below the grid that repeat or mirror it.
struct FillKept {
  om::Element element;
  std::string kept;
  int planes;  // of the ring
  KeptSources sources;
  std::vector<std::string> columns;  // of a thread along `sources.across`
  int newest;                        // the plane that was made, from the one where the sweep is
  std::string turn;                  // the variable that counts planes of the sweep
};

/// Leaves the kernel where no step is to be taken any more. Not before a barrier.
struct ReturnIfStopped {};

/// Before several steps, with the time at entry and after each of them: of guarded steps it stops
/// these and all that follow (`stop` is 3) where a time before the last one has reached a limit, or
/// one stands still or is NaN. Then they are to be taken one by one.
struct GuardSteps {
  ExprPtr time;
  std::vector<ExprPtr> next;
};

/// Counts a step, or several at once, in the scalars, whose `time` is then to become `next`;
/// neither, where there is no time. Of guarded steps it stops those that follow once the time has
/// reached a limit (`stop` is 1) or stands still (2).
struct CountStep {
  ExprPtr time, next;
};

using DeviceStatement =
    std::variant<ForThreads, Unroll, DeclareCells, LoadCells, StoreCells, StoreGhosts,
                 DeclareShared, DeclareVariable, Barrier, FillGhosts, FindSource, KeptSources,
                 FillKept, ReturnIfStopped, GuardSteps, CountStep>;

/// Cells of the grid along an axis that a block makes; 0: all.
struct BlockTile {
  int axis, cells;
};

/// The blocks that a kernel's threads come in.
struct BlockShape {
  int x, y;                           // threads
  std::vector<BlockTile> tiles = {};  // along each axis of the launch
  std::size_t shared_bytes = 0;       // of its arrays
  int resident = 0;  // blocks that a multiprocessor is to hold at a time; 0: the compiler chooses

  /// Whether these are more than a kernel has unless its launch asks for them.
  [[nodiscard]] bool asks_for_shared() const { return shared_bytes > plan::kSharedUnasked; }
};

}  // namespace paraiso::codegen::claris
