#include "paraiso/plan/cost/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <variant>

#include "paraiso/plan/cpu/jam.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// The rows of one array or buffer that a pass over the tile touches.
struct Stream {
  using Reach = std::vector<std::pair<double, double>>;  // below and above, along each axis

  double row_bytes = 0;
  double beyond_row = 0;  // fetched by the hardware, which expects the row to go on
  std::set<double, std::greater<>>
      places;       // of rows, in rows ahead of the loop's row; newest first
  double rows = 0;  // traversed by the loops of a pass
  Reach beyond;     // the tile: what is read there
  double lines = std::numeric_limits<double>::infinity();  // of a buffer: rows that it has
  bool buffer = false, read = false, written = false;
  bool streamable = true;  // bools are packed from masks, which streaming stores can't write
};

/// The fraction that has been evicted from a cache after a reuse distance in bytes. The edge is
/// soft: caches are neither fully associative nor used by one thread alone.
struct Edge {
  double cache, begin, softness;  // bytes; of these parts (ModelConstants)
  [[nodiscard]] double lost(double bytes) const {
    return std::clamp((bytes / cache - begin) / softness, 0.0, 1.0);
  }
};

using BufferIndex = std::unordered_map<ValueId, std::size_t>;  // places in Group::buffers

/// The loops that run together over a tile: all stages of a sweep, or one stage of a tiled group.
class TilePass {
 public:
  TilePass(const KernelPlan& kernel, const Group& group, const TileShape& shape,
           const BufferIndex& buffer_of, double bytes_ahead)
      : kernel_(kernel),
        group_(group),
        shape_(shape),
        buffer_of_(buffer_of),
        bytes_beyond_(shape.cuts_rows ? bytes_ahead : 0) {
    order_ = group.sweep;
    for (int axis = static_cast<int>(shape.cells.size()) - 1; axis > 0; --axis)
      if (std::ranges::find(order_, axis) == order_.end()) order_.push_back(axis);
  }

  void add(const Stage& stage) {
    for (const Term& term : stage.expansion.terms) {
      if (term.kind == Term::Kind::read_buffer)
        touch(buffer(term.value), stage, term.offset).read = true;
      else if (const auto ref = kernel_.array_read(group_, term))
        touch(array(*ref), stage, term.offset).read = true;
    }
    for (const Output& output : stage.outputs)
      touch(array(output.array), stage, stage.behind(output.root)).written = true;
    for (const BufferWrite& keep : stage.buffer_writes)
      touch(buffer(group_.buffers[keep.buffer].value), stage, stage.behind(keep.root)).written =
          true;
  }

  /// Bytes touched while the pass advances by `rows` rows. Rounded to a quarter of an octave, so
  /// that there are few distinct numbers: the edge of a cache is softer than that.
  [[nodiscard]] double touched(double rows) const {
    if (rows > 1 && std::isfinite(rows)) rows = std::exp2(std::round(4 * std::log2(rows)) / 4);
    auto [known, added] = touched_.try_emplace(rows, 0);
    if (added) known->second = count_touched(rows);
    return known->second;
  }
  [[nodiscard]] double touched() const { return touched(std::numeric_limits<double>::infinity()); }

  /// The fraction of a row that is touched again `gap` rows later, in another unrolled iteration,
  /// and the bytes touched meanwhile. Rows computed in the same iteration are touched once.
  struct Reuse {
    double part, bytes;
  };
  [[nodiscard]] Reuse again(double gap) const {
    if (group_.cpu.jam == 1) return {1, touched(gap)};
    const double beside = rows_inside_turn(), turns = gap / beside / rows_of_turn();
    if (gap < beside / 2) return {1, touched(gap * group_.cpu.jam)};
    return {std::min(1.0, turns), touched(gap * std::max(1.0, 1 / turns))};
  }

  /// Rows of an array beyond those that the loops traverse: neighbouring tiles touch them too.
  [[nodiscard]] double edge_rows(const Stream& stream) const {
    double rows = 1;
    for (const int axis : order_) {
      if (group_.form == Form::split && axis == group_.cut) return 0;  // no tile reads beyond it
      rows *= shape_.cells[axis] + stream.beyond[axis].first + stream.beyond[axis].second;
    }
    return std::max(0.0, rows - stream.rows);
  }

  [[nodiscard]] const auto& streams() const { return streams_; }

 private:
  using Key = std::variant<ArrayRef, ValueId>;

  [[nodiscard]] double count_touched(double rows) const {
    double bytes = 0;
    for (const auto& [key, stream] : streams_) {
      double distinct = rows;
      for (auto place = stream.places.begin(); std::next(place) != stream.places.end(); ++place)
        distinct += std::min(*place - *std::next(place), rows);
      bytes += stream.row_bytes * std::min({distinct, stream.lines, stream.rows});
    }
    return bytes;
  }

  Stream& array(const ArrayRef& ref) {
    Stream& stream = streams_[ref];
    stream.row_bytes = row_bytes(size_of(ref.element), 0, 0);
    stream.beyond.resize(shape_.cells.size());
    stream.beyond_row = bytes_beyond_;
    stream.streamable = ref.element != Element::boolean;
    return stream;
  }

  Stream& buffer(ValueId value) {
    auto [entry, added] = streams_.try_emplace(value);
    Stream& stream = entry->second;
    if (!added) return stream;
    const Buffer& buffer = group_.buffers[buffer_of_.at(value)];
    stream.buffer = true;
    stream.row_bytes =
        row_bytes(size_of(buffer.lane), buffer.reach.lower[0], buffer.reach.upper[0]);
    stream.lines = 1;
    for (std::size_t a = 1; a < shape_.cells.size(); ++a)
      stream.lines *= buffer.lines[a] > 0
                          ? buffer.lines[a]
                          : shape_.cells[a] + buffer.reach.lower[a] + buffer.reach.upper[a];
    return stream;
  }

  [[nodiscard]] double row_bytes(std::size_t cell_bytes, int lower, int upper) const {
    return static_cast<double>(cell_bytes) * (shape_.cells[0] + lower + upper);
  }

  /// Loops of a split group that lie closer together than half an unrolled iteration no longer find
  /// in L2 what the loop before has just read.
  [[nodiscard]] double rows_of_turn() const {
    if (group_.form != Form::split) return group_.cpu.jam;
    const double apart = static_cast<double>(group_.steepest()) /
                         std::max(1.0, static_cast<double>(group_.stages.size()) - 1);
    return std::clamp(2 * apart, 1.0, static_cast<double>(group_.cpu.jam));
  }

  /// Rows traversed before a loop advances along the unrolled axis.
  [[nodiscard]] double rows_inside_turn() const {
    double rows = 1;
    for (auto axis = order_.rbegin(); *axis != jam_axis(group_); ++axis)
      rows *= group_.form == Form::split && *axis == group_.cut ? rows_along_cut()
                                                                : shape_.cells[*axis];
    return rows;
  }

  /// Split groups: rows that a loop traverses between two steps of the sweep, on average. A loop
  /// finishes all of them before the next loop starts.
  [[nodiscard]] double rows_along_cut() const {
    const double gap = shape_.shared / 2;
    return std::max(shape_.cells[group_.cut] - gap, gap);
  }

  Stream& touch(Stream& stream, const Stage& stage, const Offset& offset) {
    double place = 0, rows_inside = 1, rows = 1;
    for (auto axis = order_.rbegin(); axis != order_.rend(); ++axis) {
      const double length = loop_cells(group_, stage, shape_, *axis);
      if (group_.form == Form::split && *axis == group_.cut) {
        rows *= length + shape_.shared;
        rows_inside *= rows_along_cut();
        continue;
      }
      if (!stream.buffer) {
        auto& [below, above] = stream.beyond[*axis];
        below = std::max(below, 1.0 * stage.reach.lower[*axis] - offset[*axis]);
        above = std::max(above, 1.0 * stage.reach.upper[*axis] + offset[*axis]);
      }
      place += offset[*axis] * rows_inside;
      rows_inside *= shape_.cells[*axis];
      rows *= length;
    }
    stream.places.insert(place);
    stream.rows = std::max(stream.rows, rows);
    return stream;
  }

  const KernelPlan& kernel_;
  const Group& group_;
  const TileShape& shape_;
  const BufferIndex& buffer_of_;
  double bytes_beyond_;     // the end of a piece of a row
  std::vector<int> order_;  // of the loops over rows, outermost first
  std::map<Key, Stream> streams_;
  mutable std::map<double, double> touched_;  // memoized, once all is added
};

/// Adds up what passes cost at one cache.
class LevelTraffic {
 public:
  LevelTraffic(const Edge& edge, double kernel_bytes, double tile_bytes, bool streaming)
      : edge_(edge),
        cold_(edge.lost(kernel_bytes)),
        between_passes_(edge.lost(tile_bytes)),
        streaming_(streaming) {}

  void add(const TilePass& pass, bool only_pass) {
    for (const auto& [key, stream] : pass.streams())
      if (stream.buffer)
        add_buffer(pass, stream, only_pass);
      else
        add_array(pass, stream);
  }
  [[nodiscard]] double fetched() const { return fetched_; }
  [[nodiscard]] double written() const { return written_; }
  [[nodiscard]] double overwritten() const { return overwritten_; }

 private:
  void add_array(const TilePass& pass, const Stream& stream) {
    const double all = stream.row_bytes * stream.rows;
    if (!stream.read && stream.streamable && streaming_) {
      written_ += all;
      return;
    }
    fetched_ += (all + stream.beyond_row * stream.rows) * (cold_ + touched_again(pass, stream));
    fetched_ += stream.row_bytes * pass.edge_rows(stream) * std::min(cold_, between_passes_);
    if (stream.written) written_ += all * cold_;
    if (!stream.read) overwritten_ += all * cold_;
  }

  /// The loop that writes a line of a buffer reuses the line that was read last.
  void add_buffer(const TilePass& pass, const Stream& stream, bool only_pass) {
    const double all = stream.row_bytes * stream.rows;
    if (!only_pass) {
      fetched_ += all * between_passes_;
      if (stream.written) written_ += all * between_passes_;
      return;
    }
    const double span = *stream.places.begin() - *stream.places.rbegin();
    const double turn = edge_.lost(pass.touched(std::max(1.0, stream.lines - span)));
    const double again = touched_again(pass, stream);
    fetched_ += all * (again + turn);
    written_ += all * std::min(1.0, again + turn);
  }

  /// Rows fetched again, for each row of a stream.
  [[nodiscard]] double touched_again(const TilePass& pass, const Stream& stream) const {
    double rows = 0;
    for (auto place = stream.places.begin(); std::next(place) != stream.places.end(); ++place) {
      const auto [part, bytes] = pass.again(*place - *std::next(place));
      rows += part * edge_.lost(bytes);
    }
    return rows;
  }

  Edge edge_;
  double cold_, between_passes_;
  bool streaming_;
  double fetched_ = 0, written_ = 0, overwritten_ = 0;
};

}  // namespace

Traffic group_traffic(const KernelPlan& kernel, const Group& group, const TileShape& shape,
                      double kernel_bytes, bool streaming, const MachineModel& machine) {
  BufferIndex buffer_of;
  for (std::size_t b = 0; b < group.buffers.size(); ++b) buffer_of[group.buffers[b].value] = b;
  std::vector<TilePass> passes;
  double tile_bytes = 0;
  for (const Stage& stage : group.stages) {
    if (passes.empty() || group.form == Form::tiled)
      passes.emplace_back(kernel, group, shape, buffer_of, machine.constants.bytes_ahead);
    passes.back().add(stage);
  }
  for (const TilePass& pass : passes) tile_bytes += pass.touched();
  Traffic traffic;
  for (const CacheModel& cache : machine.caches) {
    const Edge edge{cache.bytes, machine.constants.cache_edge, machine.constants.cache_softness};
    LevelTraffic sum(edge, kernel_bytes, tile_bytes, streaming);
    for (const TilePass& pass : passes) sum.add(pass, group.form == Form::swept);
    traffic.fetched.push_back(sum.fetched() / shape.core_cells);
    traffic.written = sum.written() / shape.core_cells;  // of the last cache: to memory
    traffic.overwritten = sum.overwritten() / shape.core_cells;
  }
  return traffic;
}

}  // namespace paraiso::plan
