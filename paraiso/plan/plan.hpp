// Plan: a program and a schedule made concrete: arrays, boxes, stages in order, buffers, swaps. All
// of it is for any kind of machine, but the members `cpu` and `device`. Gives: Storage, Form,
// ArrayRef, Skews, Buffer, Output, BufferWrite, BufferFill, RowFill, Reduction, Stage, Group, Fill,
// PlanStep, Swap, KernelPlan, Plan, SkewedArray, skewed_arrays. Needs: schedule, dispatch,
// footprint, cpu_parts.
#pragma once

#include "paraiso/passes/analysis/footprint.hpp"
#include "paraiso/plan/cpu_parts.hpp"
#include "paraiso/plan/device_parts.hpp"
#include "paraiso/plan/dispatch/dispatch.hpp"
#include "paraiso/plan/expand.hpp"
#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::plan {

using passes::Extent;

/// Storage classes: which lines of a value exist: none; those of a thread's tile; of these, those
/// that a sweep still reads; all.
enum class Storage : std::uint8_t { inlined, scratch, rolling, array };

/// How the stages of a group traverse tiles. Tiled: each stage over the whole tile, one after the
/// other. Swept: all stages row by row, each lagging behind those that it reads. Split: over tiles
/// that shrink from stage to stage, then over tiles that grow into the gaps, so that nothing is
/// computed twice.
enum class Form : std::uint8_t { tiled, swept, split };

/// An array: the current one of a static, or a spare one.
struct ArrayRef {
  std::optional<om::StaticId> front;  // the static's current array, if that
  int spare = 0;  // else the number of the spare among those of its element size
  om::Element element = om::Element::f64;
  friend auto operator<=>(const ArrayRef&, const ArrayRef&) = default;
};

/// By how many cells along each axis storage lies shifted (skew_genes.hpp). An offset is empty, or
/// is missing, where storage is not shifted.
struct Skews {
  std::vector<om::Offset> statics = {};
  std::map<std::size_t, std::vector<om::Offset>> spares = {};  // by size of element

  [[nodiscard]] om::Offset of(om::StaticId id) const;
  [[nodiscard]] om::Offset of(const ArrayRef& array) const;
  [[nodiscard]] bool any() const { return !statics.empty(); }
};

/// Memory of a thread for one value while it works on a tile.
struct Buffer {
  om::ValueId value;
  om::Element element;
  Lane lane;               // the element it is stored as
  Extent reach;            // cells stored beyond the tile, along axes without a limit on lines
  std::vector<int> lines;  // per axis: the length of a rolling buffer in rows, planes, ...; 0: all
};

/// One array that a stage writes.
struct Output {
  om::ValueId value;
  ArrayRef array;
  std::optional<om::StaticId> target;  // the static that the value becomes, if it is stored
  int root = 0;                        // which root of the stage's expansion it is
};

/// One buffer that a stage writes.
struct BufferWrite {
  int buffer;  // in Group::buffers
  int root = 0;
};

/// Ghost cells of a buffer, filled from core cells by a static's boundary: after each row in a
/// sweep, else after the whole tile. Along cyclic axes the loop computes all cells.
struct BufferFill {
  int buffer;  // in Group::buffers
  om::StaticId rules;
  Extent reach;    // of the buffer's cells beyond the tile
  Extent width;    // of those beyond the grid
  om::Offset lag;  // behind the loop's row
};

/// The same for an array of a split group.
struct RowFill {
  om::ValueId value;
  om::StaticId rules;
  Extent box;      // all cells that are needed
  Extent width;    // of those beyond the grid that are filled
  om::Offset lag;  // behind the loop's row
};

/// A Reduce fused into the loop that computes its operand; its group's box is the core.
struct Reduction {
  om::ValueId result;  // the Global
  om::ReduceOp op;
  om::ValueId operand;
  Lane lane;     // the element that the operand is stored as
  int root = 0;  // which root of the stage's expansion the operand is
  // Where a stage stores the operand, to be reduced from there after it; none: in the loop itself.
  std::optional<ArrayRef> array = {};
};

/// Values computed by one loop nest. In a sweep the loop at row r computes row r - lag of a value:
/// that is its root's offset.
struct Stage {
  Extent reach;  // beyond the tile; in a sweep counted in the loop's own rows, maybe negative
  Extent limit;  // beyond the grid, counted alike: cells further out are not computed
  std::vector<Output> outputs;
  std::vector<BufferWrite> buffer_writes;
  std::vector<Reduction> reductions;
  std::vector<BufferFill> fills;
  std::vector<RowFill> row_fills;
  std::vector<om::Offset> lags;  // of each root
  std::int32_t slope = 0;        // split groups: cells that each end of a tile has moved by now
  Expansion expansion;
  CpuStage cpu;

  /// Where row r - lag of a root lies, relative to the loop's own row r.
  [[nodiscard]] om::Offset behind(int root) const;
};

inline constexpr double kNotForecast = 1e9;

/// Stages traversed together, tile by tile; between groups the whole grid synchronises.
struct Group {
  Form form = Form::tiled;
  Extent box;              // the cells that are written to its arrays; tiles divide it
  std::vector<int> sweep;  // axes along which its loops lag, outermost first
  int cut = 0;             // split groups: the axis along which tiles shrink and grow
  std::vector<Buffer> buffers;
  std::vector<Stage> stages;
  std::map<om::ValueId, ArrayRef> arrays;  // split groups: where its results are stored
  // Forecast of what one thread needs for a cell (cost/forecast.hpp): the generated code decides by
  // it how many threads share the group. Without one all threads share it.
  double nanoseconds_alone = kNotForecast;
  CpuGroup cpu;
  DeviceGroup device;

  /// Split groups: how far the ends of a tile move in total.
  [[nodiscard]] std::int32_t steepest() const;
};

/// Fills the ghost cells of an array by a static's boundary.
struct Fill {
  ArrayRef array;
  om::StaticId rules;
  Extent width;
  // The values that boundary kernels read of statics stored by an earlier step. All others are as
  // at kernel entry.
  std::map<om::StaticId, ArrayRef> arrays = {};
  std::map<om::StaticId, om::ValueId> scalars = {};
};

/// One Global to compute, one group to run, or one array between steps to fill.
struct PlanStep {
  std::optional<om::ValueId> scalar = {};
  int group = -1;
  int fill = -1;
};

/// Exchanges the arrays of two names: a static's with another static's, or with a spare one.
struct Swap {
  om::StaticId target;
  ArrayRef with;
};

struct KernelPlan {
  const om::Kernel* kernel = nullptr;
  std::vector<Extent> halo;    // per static: the ghost cells that this kernel reads
  std::vector<Extent> filled;  // of these, those filled before it runs; loops compute the others
  // Per static, if any: the ghost cells that repeat the right cells after it if they did before,
  // since its loops store them with these cells, or store none of them.
  std::vector<Extent> ghosts_kept = {};
  Extent margin;  // the cells around the core that its loops touch
  std::vector<Group> groups;
  std::vector<Fill> fills;
  std::vector<PlanStep> steps;
  std::map<om::ValueId, ArrayRef> arrays;  // of stored values
  std::vector<Swap> swaps;                 // at exit
  std::map<std::size_t, int> spares;       // how many spare arrays of each element size
  std::size_t touched_bytes = 0;           // of one cell in all arrays that its loops read or write
  // Of shared memory that a block of a device is to have, where not every device gives as much.
  std::size_t shared_bytes = 0;

  /// Whether the loops that read a static's ghost cells compute some of them themselves.
  [[nodiscard]] bool computes_ghosts(om::StaticId id) const;
  [[nodiscard]] bool keeps_ghosts(om::StaticId id) const {
    return !ghosts_kept.empty() && !ghosts_kept[id.index].is_core();
  }
  /// The array that a term reads, if it reads one.
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
  bool for_device = false;    // its groups have the parts that a device needs, not a processor's
  Extent margin;              // the cells around the core that every array has
  std::int64_t row_unit = 8;  // its rows are whole multiples of this many cells
  std::map<std::size_t, int> spares;  // how many spare arrays of each element size
  Skews skews = {};
  std::vector<Extent> halo;           // per static: the widest of all kernels
  std::vector<KernelPlan> kernels;    // as machine.kernels
  std::vector<Expansion> boundaries;  // as machine.boundary_kernels
  // The kernels that are versions of another one, if any are.
  std::optional<Dispatch> dispatch = {};
  Thresholds tuning = {};  // of its loops, as the user set them (dispatch/loop_thresholds.hpp)

  /// nullptr if there is no kernel with this name.
  [[nodiscard]] const KernelPlan* find_kernel(std::string_view name) const;
};

/// An array whose storage lies shifted.
struct SkewedArray {
  std::size_t element_bytes;
  om::Offset skew;
};
[[nodiscard]] std::vector<SkewedArray> skewed_arrays(const Plan& plan);

}  // namespace paraiso::plan
