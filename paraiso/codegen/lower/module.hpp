// Module: a whole solver as one value: its state, its functions and what each kernel does, by name.
// Gives: Module and its parts. Needs: plan, CLARIS, lower.
//
// What a back end prints: as a class, or as device code with a host's side.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "paraiso/codegen/lower/lower.hpp"
#include "paraiso/om/graph/reduces.hpp"

namespace paraiso::codegen {

/// An argument of a function that a kernel calls; an expression is a Global or a number.
using Given =
    std::variant<GridArgument, ThreadsArgument, CellArgument, ScratchArgument, ArrivalArgument,
                 PartialsArgument, PlacesArgument, plan::ArrayRef, claris::ExprPtr>;

/// One static of the machine: a field of the grid, or a scalar.
struct Variable {
  std::string name;    // as users see it
  std::string member;  // the class's variable that holds it
  om::Element element;
  bool is_field;
  om::Constant initial;  // of a scalar
};

/// A call of a boundary kernel's function.
struct BoundaryCall {
  std::string function;
  std::vector<Given> arguments;
};
/// Fills the ghost cells of an array by a static's boundary, along one axis after the other.
struct HaloFill {
  struct Axis {
    int axis;
    claris::AxisSides sides;
    std::array<std::optional<BoundaryCall>, 2> calls;  // where a side is a boundary kernel's
  };
  om::StaticId rules;
  plan::ArrayRef array;
  plan::Extent width;
  om::Element element;
  std::vector<Axis> axes;
  std::vector<claris::AxisSides> sides;  // of all axes
  // At the ends of rows, where `width` leaves out what loops compute: its width in divided rows.
  std::array<std::int32_t, 2> computed_ends = {};
};

/// The method that fills a field's halo before kernels run. `chosen`: each kernel chooses whether
/// the ghost cells at the ends of rows are filled too.
struct FillMethod {
  std::string name;
  bool chosen;
  HaloFill fill;
};

// The actions of a kernel, one after the other.

struct CallFill {
  om::StaticId id;
  bool row_ends;  // where that is chosen
};
/// A Global that is computed.
struct Compute {
  claris::Declare scalar;
};
/// A variable for the result of a reduction.
struct DeclareResult {
  om::Element element;
  std::string name;
};
/// Calls a group's function; its forecast stands in the kernel's table, at that place.
struct RunGroup {
  std::string function;
  std::vector<Given> arguments;
  plan::Extent box;  // the cells that it makes
  std::string forecast_table;
  int forecast;
  std::vector<CallFill> refilled = {};  // when messages have come, if it computes meanwhile
};
/// Reduces the core cells of an array, where the group itself does not reduce them.
struct ReduceArray {
  om::ReduceOp op;
  plan::ArrayRef array;
  std::string result;  // the variable
};
/// Combines the partial results that a group's blocks have left.
struct ReducePartials {
  std::size_t number;  // in Module::partials
  std::string result;  // the variable
};
/// Runs a kernel of one thread that computes scalars in a device's memory; `reduced`: from what the
/// reduction before it has left, of these partial results or, with none, of an array.
struct RunScalars {
  std::string function;
  bool reduced;
  std::optional<std::size_t> partials = {};
};
/// Fills the ghost cells of a static that an earlier step of the kernel has stored.
struct FillBetween {
  HaloFill fill;
};
/// Fills the ghost cells of several fields and arrays, in any order: by one launch on a device.
struct FillTogether {
  std::vector<HaloFill> fills;
};
/// Whether the ghost cells of a field, whose cells the kernel has stored, repeat these.
struct MarkGhosts {
  om::StaticId id;
  std::optional<plan::Extent> stored;  // those that were stored with them
};
struct Assigned {
  om::StaticId target;
  claris::ExprPtr value;
};
using Action =
    std::variant<CallFill, Compute, DeclareResult, RunGroup, ReduceArray, ReducePartials,
                 RunScalars, FillBetween, FillTogether, plan::Swap, MarkGhosts, Assigned>;

struct KernelMethod {
  std::string name;
  std::vector<claris::Function> functions;  // its own: callees first
  std::vector<Action> body;
  std::string forecast_table;     // the name of the table of these:
  std::vector<double> forecasts;  // of each group: nanoseconds that one thread takes for a cell
  // Of several steps: the time after each of them. None where there is no time.
  std::vector<claris::ExprPtr> times = {};
};

/// At the beginning of a kernel: the first guard, `threshold <= measure`, that holds says which
/// other kernel, a version of it, runs instead.
struct VersionSwitch {
  struct Guard {
    std::string threshold;
    std::int64_t least;
    plan::Measure measure;
    std::size_t kernel;              // the version,
    std::vector<std::int64_t> tile;  // and its tiles
    std::size_t shared_bytes;        // that a block of it asks of a device, if any
  };
  std::size_t kernel;
  std::vector<Guard> guards;
  std::size_t cell_bytes, live_cell_bytes;  // of one cell in all fields, and of live rows
  std::size_t shared_bytes;                 // as Guard has it, of the base
};

/// What the loops of threads decide by their work: thresholds that no list of versions has.
struct LoopThresholds {
  std::optional<std::int64_t> least_shared, streaming;  // as the user set them
  std::size_t touched_bytes = 0;  // of one cell, by the kernel that touches most
};

/// What blocks of a device's group leave of a reduction: one each or, of sums and products of
/// floats, one for each chunk of a row.
struct PartialResults {
  om::ReduceOp op;
  om::Element element;
  std::string function;  // the group's
  [[nodiscard]] bool of_chunks() const { return om::has_order(op, element); }
};

struct Module {
  std::string name;     // of the class
  std::string machine;  // as the program calls itself
  int dimension;
  std::string program_hash, schedule_hash;
  plan::Extent margin;       // of every array, as its rows' unit
  plan::Extent part_margin;  // the same in a part of a divided grid
  std::int64_t row_unit;
  std::vector<Variable> statics;      // as in the machine
  std::map<std::size_t, int> spares;  // arrays in addition to the fields', by size of element
  plan::Skews skews;                  // of those arrays
  std::vector<plan::SkewedArray> skewed_arrays;
  std::vector<claris::Function> boundaries;      // functions of boundary kernels that are needed
  std::vector<std::optional<FillMethod>> fills;  // of each static, if its halo is filled
  std::vector<KernelMethod> kernels;             // as in the machine
  std::optional<VersionSwitch> versions = {};
  std::optional<LoopThresholds> loops = {};  // none on devices
  std::string threshold_tree = {};           // what the class says of all thresholds
  std::vector<PartialResults> partials = {};
  std::vector<bool> ghosts_kept = {};  // of each static, whether some kernel keeps its ghost cells
  bool calls_libm = false;             // some function of cells may be the C library's

  /// The number of arrays for each size of element.
  [[nodiscard]] std::map<std::size_t, int> arrays() const;
};

}  // namespace paraiso::codegen
