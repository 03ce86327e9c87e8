#include "paraiso/plan/device/cost/block_work.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "paraiso/om/graph/reduces.hpp"
#include "paraiso/plan/device/cost/body_work.hpp"
#include "paraiso/plan/device/fused_sums.hpp"
#include "paraiso/plan/device/stored_ghosts.hpp"
#include "paraiso/plan/device/thread/body_bound.hpp"
#include "paraiso/plan/device/thread/several_cells.hpp"
#include "paraiso/plan/device/thread/vector_rows.hpp"
#include "paraiso/plan/loops/found_ghosts.hpp"
#include "paraiso/support/device/launch_limits.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

constexpr double kSector = 32;            // bytes: the least that L2 gives
constexpr double kTurnInstructions = 10;  // of a loop at a plane, besides its body
constexpr double kFillInstructions = 30;  // of ghost cells that a block keeps, at a plane
constexpr double kRegisterUnit = 8;       // a thread's registers are given out by so many
constexpr double kSpillBytes = 8;         // a register that lies in memory is written and read
constexpr double kLoadsAtOnce = 16;       // that compilers place ahead of what needs them
constexpr double kCellsAtOnce = 4;        // of a thread, whose operations fill each other's gaps
// Of L2, what holds planes until they are read again; the rest holds what passes by.
constexpr double kReusePart = 0.8;
constexpr double kFindInstructions = 12;   // of a ghost cell's source, along an axis
constexpr double kFoundAtOnce = 4;         // sources, which don't wait for each other
constexpr double kSideInstructions = 3;    // whether a cell is at a side, along an axis
constexpr double kReduceInstructions = 4;  // of what a thread adds to what it has

/// The cells that a block reads of an array, beyond its tile: all, and those of each plane; where
/// there is a fourth axis, of the planes beside its own along that.
struct Region {
  Extent beyond;
  std::map<int, Extent> planes;
  std::map<int, std::set<int>> beside;  // of each plane, how far along the fourth axis

  /// From the first to the last.
  [[nodiscard]] double span() const { return planes.rbegin()->first - planes.begin()->first + 1; }
  [[nodiscard]] double neighbours() const {
    std::set<int> all{0};
    for (const auto& [plane, offsets] : beside) all.insert(offsets.begin(), offsets.end());
    return static_cast<double>(all.size());
  }
};

/// Whether a loop reads arrays for registers only that later turns read.
bool fetches_ahead(const Group& group, const Stage& stage) {
  if (!stage.outputs.empty() || stage.expansion.terms.size() > 1) return false;
  return std::ranges::all_of(stage.buffer_writes, [&](const BufferWrite& write) {
    const Buffer& buffer = group.buffers[write.buffer];
    if (group.device.kept[write.buffer].shared) return false;
    return std::ranges::none_of(group.stages, [&](const Stage& reader) {
      return std::ranges::any_of(reader.expansion.terms, [&](const Term& term) {
        return term.kind == Term::Kind::read_buffer && term.value == buffer.value &&
               term.offset == stage.behind(write.root);
      });
    });
  });
}

class BlockCounter {
 public:
  BlockCounter(const KernelPlan& kernel, const Group& group, const std::vector<std::int64_t>& size,
               const DeviceModel& device)
      : kernel_(kernel),
        graph_(kernel.kernel->graph),
        group_(group),
        device_(device),
        dimension_(graph_.dimension()),
        shape_(launch_shape(group, size)),
        in_l2_(static_cast<double>(kernel.touched_bytes) * shape_.all_cells <
               kReusePart * device.l2_bytes) {
    work_.blocks = shape_.blocks;
    work_.threads = 1;
    for (const int along : shape_.block.threads) work_.threads *= along;
  }

  BlockWork run() {
    find_residents();
    for (const Stage& stage : group_.stages) add_stage(stage);
    close_turns();
    find_regions();
    add_l2_bytes();
    if (!in_l2_) add_memory_bytes();
    return work_;
  }

 private:
  void find_residents() {
    const double needed = registers_of(*kernel_.kernel, group_);
    const double at_once = std::max(1, group_.device.resident) * work_.threads;
    const double most = std::floor(device_.registers / at_once / kRegisterUnit) * kRegisterUnit;
    work_.registers = std::min({needed, most, device_.thread_registers});
    work_.spilled = needed - work_.registers;
    work_.shared_bytes = static_cast<double>(plan::shared_bytes(group_, dimension_));
    const double registers = std::ceil(work_.registers / kRegisterUnit) * kRegisterUnit;
    if (work_.shared_bytes > device_.block_shared_bytes || !shape_.fits) return;
    work_.residents = std::floor(
        std::min({device_.blocks, device_.threads / work_.threads,
                  device_.registers / (registers * work_.threads),
                  device_.shared_bytes / (work_.shared_bytes + device_.block_shared_extra)}));
  }

  /// The warps of which a thread has a column that the loop makes.
  [[nodiscard]] double warps_of(const Stage& stage) const {
    double warps = shape_.filled;
    for (std::size_t t = 0; t < shape_.block.axes.size(); ++t) {
      const double columns = shape_.columns_of(stage, t);
      warps *= t == 0 ? std::ceil(columns / device_.warp) : columns;
    }
    return warps;
  }

  void add_stage(const Stage& stage) {
    const BodyWork body = body_work(graph_, group_, stage, device_);
    const double warps = warps_of(stage), planes = shape_.planes_of(stage) * shape_.own;
    f64_ += planes * warps * body.f64;
    f32_ += planes * warps * body.f32;
    other_ += planes * warps * (body.other + kTurnInstructions);
    work_.l1_bytes += planes * warps * device_.warp * (body.l1_bytes + kSpillBytes * work_.spilled);
    for (const BufferFill& fill : stage.fills) {
      const auto bytes = static_cast<double>(size_of(group_.buffers[fill.buffer].element));
      other_ += planes * warps * kFillInstructions;
      work_.l1_bytes += planes * warps * device_.warp * bytes;  // few threads store
      turn_cycles_ += device_.barrier_latency + device_.shared_latency;
    }
    add_found(stage, planes, warps);
    for (const Output& output : stage.outputs)  // of a vector, which asks once for all its cells
      if (ghosts_with(kernel_, output)) other_ += kSideInstructions * dimension_ * planes * warps;
    add_reductions(stage, planes * warps);
    turn_cycles_ += body.cycles;
    if (!body.waits_for_arrays) return;
    const double fetches = 1 + body.loads / kLoadsAtOnce;
    const double latency = in_l2_ || waited_ ? device_.l2_latency : device_.memory_latency;
    waited_ = true;
    if (fetches_ahead(group_, stage))
      ahead_seconds_ = std::max(ahead_seconds_, latency);
    else
      turn_seconds_ += fetches * latency;
  }

  /// Sources of ghost cells that a thread finds: along its own axes once, if it sweeps.
  void add_found(const Stage& stage, double planes, double warps) {
    std::set<std::pair<int, int>> sources;  // axis and offset
    for (const Term& term : stage.expansion.terms)
      if (term.kind == Term::Kind::read_static &&
          finds_ghosts(kernel_, graph_.producer_as<Load>(term.value)->source))
        for (const int axis : axes_beyond(group_, stage, term.offset))
          sources.emplace(axis, term.offset[axis]);
    for (const auto& [axis, offset] : sources) {
      const bool each_turn = shape_.sweep < 0 || axis == shape_.sweep;
      other_ += kFindInstructions * warps * (each_turn ? planes : 1);
      if (each_turn) turn_cycles_ += kFindInstructions * device_.other_latency / kFoundAtOnce;
    }
  }

  /// What blocks reduce of what they make: chunks turn by turn, the rest at the end, all together.
  void add_reductions(const Stage& stage, double turns) {
    for (const Reduction& reduction : stage.reductions) {
      if (reduction.array || !is_fused(graph_, group_, reduction)) continue;
      other_ += turns * kReduceInstructions;
      if (has_order(reduction.op, graph_.type(reduction.operand).element))
        turn_cycles_ += 2 * device_.barrier_latency +
                        2 * kLanesOfChunk * (device_.f64_latency + device_.shared_latency / 4);
      else
        pair_cycles_ += device_.shared_latency + device_.f64_latency;
    }
  }

  void close_turns() {
    for (const bool waits : group_.device.waits) turn_cycles_ += waits * device_.barrier_latency;
    for (const Stage& stage : group_.stages)
      turn_cycles_ += waits_to_fill(group_, stage) * device_.barrier_latency;
    turn_cycles_ += waits_between_turns(group_) * device_.barrier_latency;
    if (pair_cycles_ > 0)
      end_cycles_ += std::log2(work_.threads) * (device_.barrier_latency + pair_cycles_);
    double turns = shape_.planes;
    if (shape_.sweep >= 0) {
      int before = 0, after = 0;
      for (const Stage& stage : group_.stages) {
        before = std::max(before, stage.reach.lower[shape_.sweep]);
        after = std::max(after, stage.reach.upper[shape_.sweep]);
      }
      turns += before + after;
    }
    // Vectors of a thread follow each other; cells, and those of a vector, are made side by side.
    const int vector = vector_of(group_);
    if (vector > 1) turns *= shape_.own;
    const double cycles =
        turn_cycles_ * (1 + ((vector > 1 ? vector : shape_.own) - 1) / kCellsAtOnce);
    const double warps = work_.threads / device_.warp;
    work_.seconds_alone = turns * std::max(ahead_seconds_, cycles / device_.hertz + turn_seconds_) +
                          end_cycles_ / device_.hertz + device_.block_start +
                          warps * device_.warp_start;
    work_.issue_cycles =
        device_.warp *
        std::max({f64_ / device_.f64_lanes, f32_ / device_.f32_lanes, other_ / device_.other_lanes,
                  (f64_ + f32_ + other_) / device_.all_lanes});
  }

  /// The axis along which a block meets an array's planes one after the other, or other blocks do.
  [[nodiscard]] int plane_axis() const { return shape_.sweep >= 0 ? shape_.sweep : dimension_ - 1; }

  /// One that is none of the block's threads' and not plane_axis(); -1: there is none.
  [[nodiscard]] int fourth_axis() const {
    for (int a = 0; a < dimension_; ++a)
      if (a != plane_axis() && std::ranges::find(shape_.block.axes, a) == shape_.block.axes.end())
        return a;
    return -1;
  }

  void find_regions() {
    const int fourth = fourth_axis();
    for (const Stage& stage : group_.stages)
      for (const Term& term : stage.expansion.terms) {
        const auto array = kernel_.array_read(group_, term);
        if (!array) continue;
        Region& region = read_.try_emplace(*array, Region{Extent(dimension_), {}}).first->second;
        region.beyond.include(stage.reach, term.offset);
        region.planes.try_emplace(term.offset[plane_axis()], dimension_)
            .first->second.include(stage.reach, term.offset);
        region.beside[term.offset[plane_axis()]].insert(fourth < 0 ? 0 : term.offset[fourth]);
      }
    for (const Stage& stage : group_.stages)
      for (const Output& output : stage.outputs) written_.insert(output.array);
  }

  /// Of a plane of the block's.
  [[nodiscard]] double plane_bytes(const ArrayRef& array, const Extent& beyond) const {
    const auto element = static_cast<double>(size_of(array.element));
    const auto sectors = [&](double cells) {
      return std::ceil(cells * element / kSector) * kSector;
    };
    double bytes = shape_.filled;
    for (std::size_t t = 0; t < shape_.block.axes.size(); ++t) {
      const int axis = shape_.block.axes[t];
      const int lower = std::max(0, beyond.lower[axis]), upper = std::max(0, beyond.upper[axis]);
      bytes *= t == 0 ? sectors(shape_.block.tile[t]) + sectors(lower) + sectors(upper)
                      : shape_.block.tile[t] + lower + upper;
    }
    return bytes;
  }

  /// A plane that stays in L1 until it was read for the last time is fetched once.
  void add_l2_bytes() {
    double once = 0, held = 0, often = 0;
    for (const auto& [array, region] : read_) {
      const double bytes = plane_bytes(array, region.beyond);
      once += bytes * planes_read(region) * region.neighbours();
      held += bytes * region.span() * region.neighbours();
      for (const auto& [plane, beyond] : region.planes)
        often += shape_.planes * plane_bytes(array, beyond) *
                 static_cast<double>(region.beside.at(plane).size());
    }
    if (shape_.own > 1 && dimension_ > static_cast<int>(shape_.block.axes.size())) {
      once = often = held = 0;
      for (const auto& [array, region] : read_)
        once += shape_.planes * plane_bytes(array, region.beyond) * planes_of_cells(region);
      often = once;
    }
    const double room = device_.l1_bytes / std::max(1.0, work_.residents) - work_.shared_bytes;
    // Without a sweep a block has all rows in its own tile only where these are all that there is.
    const bool meets =
        shape_.sweep >= 0 || dimension_ <= static_cast<int>(shape_.block.axes.size());
    work_.l2_bytes = meets && held <= room ? once : often;
    for (const ArrayRef& array : written_)
      work_.l2_bytes += shape_.planes * planes_at_once() * plane_bytes(array, Extent(dimension_));
  }

  /// Of a block that sweeps nothing, whose threads have several cells along the third axis.
  [[nodiscard]] double planes_of_cells(const Region& region) const {
    if (fourth_axis() < 0) return shape_.own + region.span() - 1;
    double planes = 0;
    for (const auto& [plane, offsets] : region.beside)
      planes += shape_.own + *offsets.rbegin() - *offsets.begin();
    return planes;
  }

  /// Of a block that sweeps nothing: cells of a thread that lie in planes of their own.
  [[nodiscard]] double planes_at_once() const {
    return dimension_ > static_cast<int>(shape_.block.axes.size()) ? shape_.own : 1;
  }

  /// How many planes of an array a block reads, of those that follow each other in its sweep.
  [[nodiscard]] double planes_read(const Region& region) const {
    if (shape_.sweep < 0) return shape_.planes;
    return shape_.planes +
           std::max(0, region.beyond.lower[shape_.sweep] + region.beyond.upper[shape_.sweep]);
  }

  void add_memory_bytes() {
    double plane = 1, touched = 0;
    for (int a = 0; a + 1 < dimension_; ++a) plane *= shape_.cells[a];
    for (const auto& [array, region] : read_)
      touched += static_cast<double>(size_of(array.element));
    for (const ArrayRef& array : written_) touched += static_cast<double>(size_of(array.element));
    for (const auto& [array, region] : read_) {
      double times = planes_read(region) / shape_.planes;
      if (shape_.sweep < 0 && region.span() * plane * touched > kReusePart * device_.l2_bytes)
        times = static_cast<double>(region.planes.size());
      work_.memory_bytes += times * shape_.all_cells * static_cast<double>(size_of(array.element));
    }
    for (const ArrayRef& array : written_)
      work_.memory_bytes += shape_.all_cells * static_cast<double>(size_of(array.element));
  }

  const KernelPlan& kernel_;
  const Graph& graph_;
  const Group& group_;
  const DeviceModel& device_;
  const int dimension_;
  const LaunchShape shape_;
  const bool in_l2_;  // all arrays of the kernel
  double f64_ = 0, f32_ = 0, other_ = 0;
  double turn_cycles_ = 0, turn_seconds_ = 0;
  double pair_cycles_ = 0;    // of a level of the tree of what blocks reduce
  double end_cycles_ = 0;     // of a block, after its last turn
  double ahead_seconds_ = 0;  // what a turn fetches for a later one arrives in
  bool waited_ = false;
  std::map<ArrayRef, Region> read_;
  std::set<ArrayRef> written_;
  BlockWork work_;
};

}  // namespace

double LaunchShape::planes_of(const Stage& stage) const {
  return sweep < 0 ? planes : planes + stage.reach.lower[sweep] + stage.reach.upper[sweep];
}

double LaunchShape::columns_of(const Stage& stage, std::size_t along) const {
  const int axis = block.axes[along];
  return std::min(block.threads[along],
                  block.tile[along] + stage.reach.lower[axis] + stage.reach.upper[axis]);
}

LaunchShape launch_shape(const Group& group, const std::vector<std::int64_t>& size) {
  const int dimension = static_cast<int>(size.size());
  LaunchShape shape;
  shape.block = block_of(group, dimension);
  if (!group.sweep.empty()) shape.sweep = group.sweep.front();
  for (int a = 0; a < dimension; ++a) {
    shape.cells.push_back(static_cast<double>(size[a]) + group.box.lower[a] + group.box.upper[a]);
    shape.all_cells *= shape.cells[a];
    const auto along = std::ranges::find(shape.block.axes, a);
    const bool several = !group.device.on_chip && a == axis_of_cells(dimension);
    if (several) shape.own = group.device.cells;
    if (along != shape.block.axes.end()) {
      int& tile = shape.block.tile[along - shape.block.axes.begin()];
      if (several) tile *= group.device.cells;
      if (a == 0) tile *= vector_of(group);
      const double blocks = std::ceil(shape.cells[a] / tile);
      shape.blocks *= blocks;
      if (along != shape.block.axes.begin() && blocks > paraiso_support::most_blocks_beside)
        shape.fits = false;
      shape.filled *= shape.cells[a] / (blocks * tile);
    } else if (a == shape.sweep) {
      const int chunk = group.device.chunk;
      const double chunks = chunk == 0 ? 1 : std::ceil(shape.cells[a] / chunk);
      shape.blocks *= chunks;
      shape.planes = shape.cells[a] / chunks;
    } else {
      // A sweep's block has one cell along it; without a sweep each thread loops over a fourth
      // axis.
      const double along_axis = std::ceil(shape.cells[a] / (several ? shape.own : 1));
      const bool launched = shape.sweep >= 0 || a < kLaunchAxes;
      (launched ? shape.blocks : shape.planes) *= along_axis;
      if (launched && along_axis > paraiso_support::most_blocks_beside) shape.fits = false;
    }
  }
  return shape;
}

namespace {

/// Registers of a loop's body beside those of values that are handed on from plane to plane.
int live_beside_kept(const Graph& graph, const Group& group, const Stage& stage) {
  Expansion body = stage.expansion;
  for (Term& term : body.terms)
    if (term.kind == Term::Kind::read_buffer &&
        in_register(group, buffer_of(group, term.value), term.offset))
      term.kind = Term::Kind::scalar;  // it has none of its own
  return live_registers(graph, body);
}

/// Whether a group stores cells of statics, as the kernel leaves them.
bool stores_statics(const Group& group) {
  return std::ranges::any_of(group.stages, [](const Stage& stage) {
    return std::ranges::any_of(stage.outputs,
                               [](const Output& output) { return output.target.has_value(); });
  });
}

}  // namespace

// Fitted to what nvcc 13 takes for sm_90 (tests/cli/nvcc_test.py compares).
double registers_of(const Kernel& kernel, const Group& group) {
  const Graph& graph = kernel.graph;
  constexpr double kLeast = 24;  // below, all threads fit anyway
  constexpr double kBase = 8;
  constexpr double kAxis = 2;       // of a sweep, for each axis but one
  constexpr double kKeeps = 4;      // where a sweep keeps values
  constexpr double kArray = 1;      // of a sweep in space: a pointer for each array
  constexpr double kSweeps = 0.8;   // of a sweep, whose loops run one after the other
  constexpr double kUnswept = 0.6;  // without a sweep each loop loads anew what it needs
  constexpr double kRegisterBytes = 4;
  constexpr double kSide = 2;  // of an axis, where ghost cells are stored beside a side's cells
  constexpr double kElementary = 28;  // where elementary functions are called
  constexpr double kFurther = 3;  // times as many, in a loop along a fourth axis: it is unrolled
  const int dimension = graph.dimension();
  double live = 0;
  for (const Stage& stage : group.stages)
    live = std::max<double>(live, live_beside_kept(graph, group, stage));
  const TermCounts counts = count_terms(graph, group);
  if (counts.elementary > 0) live += kElementary * (dimension > kLaunchAxes ? kFurther : 1);
  const int vector = vector_of(group);
  if (vector > 1) live = std::max(live, live_in_vectors(graph, group));
  double registers = kBase + live + kept_registers(group);
  if (group.device.ghosts == GhostCells::stored && stores_statics(group))
    registers += kSide * dimension;
  // Scalars of a step that reduces lie in memory, are loaded once, and kept.
  if (kernel.role == KernelRole::step && reduces(kernel.graph))
    for (const ValueId scalar : counts.scalars)
      registers += static_cast<double>(size_of(graph.type(scalar).element)) / kRegisterBytes;
  if (vector > 1) return std::max(kLeast, registers + registers_of_vector(live, vector));
  if (!group.device.on_chip)
    return std::max(kLeast, registers + registers_of_cells(counts, dimension, group.device.cells));
  registers += kAxis * (dimension - 1);
  if (dimension > 2) registers += kArray * static_cast<double>(counts.arrays.size());
  if (!group.sweep.empty() && !group.buffers.empty()) registers += kKeeps;
  return std::max(kLeast, (group.sweep.empty() ? kUnswept : kSweeps) * registers);
}

BlockWork block_work(const KernelPlan& kernel, const Group& group,
                     const std::vector<std::int64_t>& size, const DeviceModel& device) {
  return BlockCounter(kernel, group, size, device).run();
}

}  // namespace paraiso::plan
