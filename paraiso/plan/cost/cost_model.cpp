#include "paraiso/plan/cost/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paraiso/plan/cost/loop_cost.hpp"
#include "paraiso/plan/cost/traffic.hpp"
#include "paraiso/plan/cpu/jam.hpp"
#include "paraiso/plan/cpu/prefetch_rows.hpp"
#include "paraiso/support/limits.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

constexpr double kLine = 64;
// Hardware prefetchers stop at the end of a page; the first lines of the next page come one by one.
constexpr double kPage = 4096;
constexpr double kSurelyShared = 1 << 18;  // cells that are worth all threads in any program
constexpr int kCellsAlone = 12;            // log2 of the cells of a small grid

// In the order of Limit.
constexpr const char* kNames[] = {
    "arithmetic", "divider", "waiting for results", "L1",    "L2",
    "L3",         "memory",  "starting rows",       "halos", "starting threads",
};
static_assert(std::size(kNames) <= kMostLimits);

using TimeParts = std::array<double, kMostLimits>;

double& part(TimeParts& parts, Limit limit) { return parts[static_cast<std::size_t>(limit)]; }
double part(const TimeParts& parts, Limit limit) { return parts[static_cast<std::size_t>(limit)]; }

/// The time under several limits: the longest, and the fraction `exposed` of all others.
double together(std::initializer_list<double> seconds, double exposed) {
  const double longest = std::max(seconds);
  return longest + exposed * (std::accumulate(seconds.begin(), seconds.end(), 0.0) - longest);
}

double elements(const Extent& margin, const std::vector<std::int64_t>& size) {
  double count = 1;
  for (std::size_t a = 0; a < size.size(); ++a)
    count *= static_cast<double>(size[a]) + margin.lower[a] + margin.upper[a];
  return count;
}

class KernelPredictor {
 public:
  KernelPredictor(const Machine& program, const KernelPlan& kernel, const Setting& setting)
      : program_(program),
        kernel_(kernel),
        graph_(kernel.kernel->graph),
        size_(setting.size),
        machine_(setting.machine),
        constants_(setting.machine.constants),
        array_bytes_(static_cast<double>(kernel.touched_bytes) *
                     elements(kernel.margin, setting.size) * setting.sharing) {
    for (const std::int64_t n : size_) cells_ *= static_cast<double>(n);
  }

  Prediction run() {
    Prediction prediction;
    prediction.limits = kNames;
    prediction.machine = machine_.text();
    const std::vector<int> threads = threads_of_groups();
    for (std::size_t g = 0; g < kernel_.groups.size(); ++g) {
      prediction.groups.push_back(predict_group(kernel_.groups[g], threads[g]));
      prediction.nanoseconds += prediction.groups.back().nanoseconds;
      for (std::size_t limit = 0; limit < std::size(kNames); ++limit)
        prediction.parts[limit] += prediction.groups.back().parts[limit];
    }
    const double halo = 1e9 * halo_seconds(array_bytes_ / machine_.threads) / cells_;
    const auto shared = std::ranges::count_if(threads, [](int count) { return count > 1; });
    const double starts = 1e9 * machine_.parallel_region * static_cast<double>(shared) / cells_;
    part(prediction.parts, Limit::halo) = halo;
    part(prediction.parts, Limit::threads) += starts;
    prediction.nanoseconds += halo + starts;
    return prediction;
  }

 private:
  /// Same rule as the generated code. Above kSurelyShared cells all threads always pay off, so the
  /// estimate is skipped.
  [[nodiscard]] std::vector<int> threads_of_groups() const {
    std::vector<int> threads(kernel_.groups.size(), machine_.threads);
    if (machine_.threads == 1 || cells_ >= kSurelyShared) return threads;
    const std::vector<double> alone = nanoseconds_alone();
    for (std::size_t g = 0; g < threads.size(); ++g)
      if (cells_ * alone[g] < paraiso_support::least_shared) threads[g] = 1;
    return threads;
  }

  /// As the plan forecasts; a plan that is only tried has no forecast yet.
  [[nodiscard]] std::vector<double> nanoseconds_alone() const {
    std::vector<double> alone;
    for (const Group& group : kernel_.groups) alone.push_back(group.nanoseconds_alone);
    if (std::ranges::find(alone, kNotForecast) == alone.end()) return alone;
    alone.clear();
    for (const PredictedTime& group : predict_alone(program_, kernel_).groups)
      alone.push_back(group.nanoseconds);
    return alone;
  }

  /// Same rule as too_large_to_keep in the generated code.
  [[nodiscard]] bool streams(const Group& group) const {
    return group.cpu.streaming &&
           array_bytes_ > paraiso_support::kept_bytes(machine_.last_level_bytes);
  }

  [[nodiscard]] PredictedTime predict_group(const Group& group, int threads) {
    const TileShape shape = tile_shape(group, size_, threads);
    PredictedTime result{kNames};
    double core = 0;
    for (const Stage& stage : group.stages)
      core += add_stage(group, stage, row_cost(group, stage), shape, result);
    const double rows = part(result.parts, Limit::rows);
    const Traffic traffic =
        group_traffic(kernel_, group, shape, array_bytes_ / threads, streams(group), machine_);
    const double l2 = traffic.fetched[0] / cache_rate(1);
    // What misses L2 waits for L3 or for memory, one after the other.
    const double hits = traffic.fetched[1] - traffic.fetched.back();
    const double l3 = traffic.fetched.size() > 2 ? std::max(0.0, hits) / cache_rate(2) : 0;
    const double memory = memory_seconds(group, shape, traffic);
    const double chained = l2 * chained_part(result.parts, core);
    part(result.parts, Limit::l2) = l2;
    part(result.parts, Limit::l3) = l3;
    part(result.parts, Limit::memory) = memory;
    const double factor = 1e9 * shape.imbalance / threads;
    for (double& seconds : result.parts) seconds *= factor;
    const double moved =
        together({core + chained, l2 - chained, l3 + memory}, constants_.transfers_exposed);
    result.nanoseconds = factor * (moved + rows);
    return result;
  }

  /// The cost per row of an unrolled-and-jammed body.
  [[nodiscard]] LoopCost row_cost(const Group& group, const Stage& stage) {
    if (group.cpu.jam == 1) return loop_cost(graph_, stage, group.cpu.vectors, machine_);
    if (ranges_.empty()) ranges_ = passes::value_ranges(graph_);
    LoopCost cost =
        loop_cost(graph_, jammed(graph_, ranges_, group, stage), group.cpu.vectors, machine_);
    for (double* share : {&cost.arithmetic, &cost.divider, &cost.waiting, &cost.loads, &cost.rows})
      *share /= group.cpu.jam;
    return cost;
  }

  /// A dependency chain gets longer by the delay of its loads, unless other work takes longer.
  [[nodiscard]] static double chained_part(const TimeParts& parts, double core) {
    const double waiting = part(parts, Limit::waiting);
    const double other = std::max(
        {part(parts, Limit::arithmetic), part(parts, Limit::divider), part(parts, Limit::l1)});
    return waiting > other ? waiting / core : 0;
  }

  /// Per cell of each thread.
  [[nodiscard]] double memory_seconds(const Group& group, const TileShape& shape,
                                      const Traffic& traffic) const {
    // Successive rows of a sweep are neighbours in memory only along axis 1.
    const bool in_order =
        group.sweep.empty() || group.sweep.back() == 1 || group.form == Form::split;
    // A tile's first rows are not prefetched; as many rows past its end are prefetched in vain.
    const double asked = group.cpu.prefetch && in_order && shape.cells.size() > 1
                             ? traffic.fetched.back() - traffic.overwritten
                             : 0;
    const double missed = asked > 0 ? asked * part_ahead(group, shape) : 0;
    const double unasked = traffic.fetched.back() - asked + missed;
    const double page = in_order ? kPage : std::min(kPage, 8 * shape.cells[0]);
    const double waits = unasked / page * constants_.misses_a_page * machine_.miss_seconds;
    const double seconds =
        memory_seconds(traffic.fetched.back() + missed, traffic.written, shape.active);
    const bool turns =
        group.cpu.jam > 1 && group.form == Form::tiled;  // from as many pages at a time
    return (turns ? constants_.turns_from_memory : 1) * seconds + waits;
  }

  /// The prefetch distance of its loops, as a fraction of a tile.
  [[nodiscard]] static double part_ahead(const Group& group, const TileShape& shape) {
    const PrefetchDistance ahead = prefetch_distance(group);
    const double cells = shape.cells[ahead.axis];
    const auto rows = paraiso_support::rows_ahead(static_cast<std::int64_t>(shape.cells[0]),
                                                  static_cast<std::int64_t>(cells));
    return std::min(1.0, static_cast<double>(ahead.steps > 0 ? ahead.steps : rows) / cells);
  }

  /// Seconds of the core per cell.
  double add_stage(const Group& group, const Stage& stage, const LoopCost& cost,
                   const TileShape& shape, PredictedTime& result) const {
    double rows = 1;
    for (std::size_t a = 1; a < size_.size(); ++a)
      rows *= loop_cells(group, stage, shape, static_cast<int>(a));
    const double step = cost.step;
    const double row =
        std::ceil((shape.cells[0] + stage.reach.lower[0] + stage.reach.upper[0]) / step) * step;
    const double cells = rows * row / shape.core_cells;
    const auto add = [&](Limit limit, double seconds) {
      part(result.parts, limit) += cells * seconds;
    };
    add(Limit::arithmetic, cost.arithmetic);
    add(Limit::divider, cost.divider);
    add(Limit::waiting, cost.waiting);
    add(Limit::l1, cost.loads);
    const double pointers =
        cost.rows + static_cast<double>(stage.outputs.size() + stage.buffer_writes.size() +
                                        stage.reductions.size());
    const double ends = stage.cpu.row_ends.is_core() ? 0 : constants_.own_end_cycles;
    part(result.parts, Limit::rows) +=
        rows / shape.core_cells *
        (constants_.row_cycles / group.cpu.jam + constants_.row_pointer_cycles * pointers + ends) /
        machine_.hertz;
    return cells *
           together({cost.arithmetic, cost.divider, cost.waiting, cost.loads}, constants_.exposed);
  }

  [[nodiscard]] double cache_rate(std::size_t level) const {
    return machine_.caches[std::min(level, machine_.caches.size() - 1)].bytes_per_second;
  }
  /// Seconds that each of `threads` threads waits for its bytes.
  [[nodiscard]] double memory_seconds(double fetched, double written, double threads) const {
    return std::max(fetched / machine_.memory_fetch,
                    (fetched + written) * threads / machine_.memory_all);
  }

  /// Seconds to fill all halos: x ghost cells one by one, other ghost rows by copying.
  [[nodiscard]] double halo_seconds(double kernel_bytes) const {
    double seconds = 0;
    const auto add = [&](StaticId id, const Extent& halo) {
      const auto bytes = static_cast<double>(size_of(program_.at(id).type.element));
      if (!halo.is_core()) seconds += halo_seconds(halo, bytes, kernel_bytes);
    };
    for (std::size_t s = 0; s < kernel_.halo.size(); ++s) add(StaticId(s), kernel_.filled[s]);
    for (const Fill& fill : kernel_.fills) add(fill.rules, fill.width);
    return seconds;
  }

  [[nodiscard]] double halo_seconds(const Extent& halo, double element, double kernel_bytes) const {
    double seconds = 0;
    const double wide = static_cast<double>(size_[0]) + halo.lower[0] + halo.upper[0];
    for (std::size_t a = 0; a < size_.size(); ++a) {
      if (halo.lower[a] + halo.upper[a] == 0) continue;
      double rows = a == 0 ? 1 : halo.lower[a] + halo.upper[a];
      for (std::size_t b = 1; b < size_.size(); ++b)
        if (b != a)
          rows += rows *
                  (static_cast<double>(size_[b]) - 1 + (b < a ? halo.lower[b] + halo.upper[b] : 0));
      // Of a row's ends, two lines have the ghost cells and two the cells that these repeat.
      const double fetched = a == 0 ? 4 * kLine : 2 * wide * element;
      const double cycles = a == 0 ? constants_.row_end_cycles : constants_.row_cycles;
      const double cells = a == 0 ? static_cast<double>(size_[0]) : wide;
      const bool shared = size_.size() > 1 && rows * cells * paraiso_support::copy_nanoseconds >=
                                                  paraiso_support::least_shared;
      const double threads = shared ? machine_.threads : 1;
      seconds += rows / threads *
                 std::max(cycles / machine_.hertz, fetch_seconds(fetched, kernel_bytes, threads));
      if (threads > 1) seconds += machine_.parallel_region;
    }
    return seconds;
  }

  /// Seconds that a thread needs to fetch and change `fetched` bytes, at the cache level where
  /// arrays of `kernel_bytes` lie.
  [[nodiscard]] double fetch_seconds(double fetched, double kernel_bytes, double threads) const {
    for (const CacheModel& cache : machine_.caches)
      if (kernel_bytes < cache.bytes) return fetched / cache.bytes_per_second;
    return memory_seconds(fetched, fetched / 2, threads);
  }

  const Machine& program_;
  const KernelPlan& kernel_;
  const Graph& graph_;
  const std::vector<std::int64_t>& size_;
  const MachineModel& machine_;
  const ModelConstants& constants_;
  double array_bytes_, cells_ = 1;
  Ranges ranges_;  // of the graph's values, where unroll-and-jam needs them
};

Setting even_grid(int dimension, int binary_digits) {
  const std::int64_t length =
      std::llround(std::exp2(static_cast<double>(binary_digits) / dimension));
  return {.size = std::vector<std::int64_t>(static_cast<std::size_t>(dimension), length)};
}

}  // namespace

Setting large_grid(int dimension) { return even_grid(dimension, 24); }
std::vector<Setting> usual_grids(int dimension) {
  return {even_grid(dimension, 27), large_grid(dimension), even_grid(dimension, 18)};
}

std::string_view PredictedTime::bound() const {
  const auto longest = std::ranges::max_element(parts.begin(), parts.begin() + limits.size());
  return limits[static_cast<std::size_t>(longest - parts.begin())];
}

Prediction predict(const Machine& machine, const KernelPlan& kernel, const Setting& setting) {
  return KernelPredictor(machine, kernel, setting).run();
}

Prediction predict_alone(const Machine& machine, const KernelPlan& kernel) {
  Setting alone = even_grid(machine.dimension, kCellsAlone);
  alone.machine.threads = 1;
  return predict(machine, kernel, alone);
}

}  // namespace paraiso::plan
