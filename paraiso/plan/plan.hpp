// Plan: a program and a schedule made concrete: arrays, boxes, stages in order, buffers, swaps.
// Gives: Storage, Form, ArrayRef, Buffer, Output, Keep, BufferFill, RowFill, Reduction, Stage,
// Group, Fill, Step, Swap, KernelPlan, Plan. Needs: schedule, footprint, vector_form.
#pragma once

#include "paraiso/passes/footprint.hpp"
#include "paraiso/plan/schedule/schedule.hpp"
#include "paraiso/plan/vector_form.hpp"

namespace paraiso::plan {

using passes::Extent;

/// How many lines of a value exist (design: storage classes): none; those of a thread's tile; those
/// that a sweep through the tile still needs; all of it.
enum class Storage : std::uint8_t { inlined, scratch, rolling, array };

/// How a group's stages traverse tiles: each stage over the whole tile, one after the other; or all
/// stages row by row, each behind the ones that it reads; or over tiles that shrink from stage to
/// stage, then over tiles that grow into the gaps between them, so that nothing is made twice.
enum class Form : std::uint8_t { tiled, swept, split };

/// An array: the current one of a static, or a spare one.
struct ArrayRef {
  std::optional<om::StaticId> front;  // the static's current array, if that
  int spare = 0;  // else the number of the spare among those of its element size
  om::Element element = om::Element::f64;
  friend auto operator<=>(const ArrayRef&, const ArrayRef&) = default;
};

/// What a thread keeps of one value while it works on a tile.
struct Buffer {
  om::ValueId value;
  om::Element element;
  Lane lane;               // what it is kept as
  Extent reach;            // cells kept beyond the tile, along axes where all of it is kept
  std::vector<int> lines;  // per axis: how many rows, planes, ... are kept, in turn; 0: all
};

/// One array that a stage writes.
struct Output {
  om::ValueId value;
  ArrayRef array;
  std::optional<om::StaticId> target;  // the static that the value becomes, if it is stored
  int root = 0;                        // which root of the stage's expansion it is
};

/// One buffer that a stage writes.
struct Keep {
  int buffer;  // in Group::buffers
  int root = 0;
};

/// Cells of a buffer beyond the grid, filled from those within it by a static's boundary: after
/// each row in a sweep, else after the whole tile. Along cyclic axes all cells are made by the
/// loop.
struct BufferFill {
  int buffer;  // in Group::buffers
  om::StaticId rules;
  Extent reach;    // of the buffer's cells beyond the tile
  Extent width;    // of those beyond the grid
  om::Offset lag;  // behind the loop's row
};

/// The same in an array, of a split group.
struct RowFill {
  om::ValueId value;
  om::StaticId rules;
  Extent box;      // all cells that are needed
  Extent width;    // of those beyond the grid that are filled
  om::Offset lag;  // behind the loop's row
};

/// A Reduce fused into the loop that makes its operand; its group's box is the core.
struct Reduction {
  om::ValueId result;  // the Global
  om::ReduceOp op;
  om::ValueId operand;
  Lane lane;     // what the operand's cells are kept as
  int root = 0;  // which root of the stage's expansion the operand is
};

/// Values computed by one loop nest. In a sweep the loop at row r makes row r - lag of a value:
/// that is its root's offset.
struct Stage {
  Extent reach;  // beyond the tile; in a sweep counted in the loop's own rows, maybe negative
  Extent limit;  // beyond the grid, counted alike: what lies further out is not made
  std::vector<Output> outputs;
  std::vector<Keep> keeps;
  std::vector<Reduction> reductions;
  std::vector<BufferFill> fills;
  std::vector<RowFill> row_fills;
  std::vector<om::Offset> lags;  // of each root
  std::int32_t slope = 0;        // of a split group: cells that each end of a tile has moved by now
  Extent row_ends;  // along axis 0: cells beyond rows' ends that the loop makes from the rows
  Expansion expansion;
  std::optional<VectorForm> vectors;  // none: they can't compute everything in it

  /// Whether its loop is written in vectors.
  [[nodiscard]] bool in_vectors() const;
  /// Where row r - lag of a root lies, relative to the loop's own row r.
  [[nodiscard]] om::Offset behind(int root) const;
};

/// Stages traversed together, tile by tile; between groups the whole grid synchronises.
struct Group {
  Form form = Form::tiled;
  Extent box;                      // the cells that its arrays get; tiles divide it
  std::vector<int> sweep;          // axes along which its loops lie apart, outermost first
  int cut = 0;                     // of a split group: the axis along which tiles shrink and grow
  std::vector<std::int64_t> tile;  // cells along each axis; kWholeAxis or kPerThread
  std::int64_t granule = 0;        // tiles of axis 0 start at multiples of this many cells
  std::vector<Buffer> buffers;
  std::vector<Stage> stages;
  std::map<om::ValueId, ArrayRef> arrays;  // of a split group: where the values lie that it makes
  std::int64_t row_unit = 0;  // rows of what a thread keeps are whole multiples of this many cells
  int vectors = 1;            // machine vectors that a loop takes at a time
  int jam = 1;                // rows that it makes at a time (jam.hpp)
  // Arrays are written past the caches where all that the kernel touches are too large for these.
  bool streaming = false;
  bool prefetch = false;  // a later row of each array is asked for, or a share of coming rows

  /// Of a split group: how far the ends of a tile move in all.
  [[nodiscard]] std::int32_t steepest() const;
};
inline constexpr std::int64_t kWholeAxis = 0;     // one tile
inline constexpr std::int64_t kPerThread = -1;    // one tile a thread
inline constexpr std::int64_t kVectorCells = 16;  // lanes of a vector of 4-byte numbers

/// Fills an array around the core by a static's boundary.
struct Fill {
  ArrayRef array;
  om::StaticId rules;
  Extent width;
  // What boundary kernels read: of statics that a step before has stored. Others are as at entry.
  std::map<om::StaticId, ArrayRef> arrays = {};
  std::map<om::StaticId, om::ValueId> scalars = {};
};

/// One Global to compute, one group to run, or one array between steps to fill.
struct Step {
  std::optional<om::ValueId> scalar = {};
  int group = -1;
  int fill = -1;
};

/// Exchanges what two names stand for: a static's array and another static's, or a spare one.
struct Swap {
  om::StaticId target;
  ArrayRef with;
};

struct KernelPlan {
  const om::Kernel* kernel = nullptr;
  std::vector<Extent> halo;  // per static: what this kernel reads outside the core
  // Per static: whether the loops that read cells beyond the ends of its rows make them themselves.
  std::vector<bool> own_row_ends;
  Extent margin;  // the cells around the core that its loops touch
  std::vector<Group> groups;
  std::vector<Fill> fills;
  std::vector<Step> steps;
  std::map<om::ValueId, ArrayRef> arrays;  // of stored values
  std::vector<Swap> swaps;                 // at exit
  std::map<std::size_t, int> spares;       // how many spare arrays of each element size
  std::size_t touched_bytes = 0;           // of one cell in all arrays that its loops read or write

  /// The cells around the core of a static that are filled before the kernel runs.
  [[nodiscard]] Extent filled_halo(om::StaticId id) const;
  /// What a term reads: none where that is no array.
  [[nodiscard]] std::optional<ArrayRef> array_read(const Group& group, const Term& term) const;
};

/// One program as it will run. Holds the prepared machine and the repaired schedule it was made
/// from. It moves and is not copied: its kernels point into its machine.
struct Plan {
  Plan() = default;
  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;

  om::Machine machine;
  Schedule schedule;
  Extent margin;                      // the cells around the core that every array has
  std::int64_t row_unit = 8;          // its rows are whole multiples of this many cells
  std::map<std::size_t, int> spares;  // how many spare arrays of each element size
  std::vector<Extent> halo;           // per static: the widest of all kernels
  std::vector<KernelPlan> kernels;    // as machine.kernels
  std::vector<Expansion> boundaries;  // as machine.boundary_kernels
};

}  // namespace paraiso::plan
