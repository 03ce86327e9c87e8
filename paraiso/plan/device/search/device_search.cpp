#include "paraiso/plan/device/search/device_search.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "paraiso/om/graph/reduces.hpp"
#include "paraiso/passes/analysis/step_chain.hpp"
#include "paraiso/plan/device/cost/device_cost.hpp"
#include "paraiso/plan/device/device_plan.hpp"
#include "paraiso/plan/device/device_repair.hpp"
#include "paraiso/plan/device/stored_ghosts.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/search/keep_values.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

constexpr double kNoticeableGain = 0.97;  // smaller gains don't count: the plainer choice stays
constexpr double kAnyGain = 0.995;        // where the plainer choice is the new one
constexpr double kSureGain = 0.8;         // of what no card has been timed with
constexpr std::size_t kMostDepths = 12;
// Blocks of 512 threads pay where values are kept: tiles are then large beside what surrounds them.
// Others took a tenth longer on a card.
constexpr std::pair<int, int> kShapes[] = {{64, 4}, {32, 8},  {128, 2}, {256, 1},
                                           {64, 8}, {128, 4}, {32, 16}};
constexpr std::size_t kOf256 = 4;
struct SweptBlock {
  int x, y, chunk;
};
constexpr SweptBlock kSwept[] = {{32, 8, 16}, {32, 16, 64}, {32, 16, 16}};
// Registers of a thread, by the estimate, which is too low by up to a quarter where values are
// kept: with more than 128, one block of 256 threads has a multiprocessor for itself.
constexpr double kMostEstimated = 132, kMostEstimatedKept = 112;
constexpr int kMostOfBody = 116;  // of those for values, where nothing is kept

/// The search for one kernel's schedule.
class DeviceSearch {
 public:
  using Trial = std::map<std::string, std::string>;

  DeviceSearch(const Machine& machine, const Kernel& kernel, const std::vector<Setting>& settings)
      : machine_(machine),
        kernel_(kernel),
        settings_(settings),
        table_(gene_table(kernel, device_options)),
        demands_(demands(kernel, table_.values)) {}

  Trial run() {
    try_storage(with_depths({}, kArray));
    if (on_card()) try_storages();
    const Trial stored = best_;
    try_options();
    if (on_card() && reduces(kernel_.graph)) try_fused_sums(stored);
    return best_;
  }
  /// For kernels that run once.
  Trial keep_only() const { return with_depths({}, kArray); }

 private:
  [[nodiscard]] bool on_card() const { return !device_of(settings_.front().machine).serial; }

  /// Kept values as `best` has them, those of some depths as `allele`; no depths: all.
  [[nodiscard]] Trial with_depths(const std::set<int>& depths, const char* allele) const {
    Trial found = best_;
    for (std::size_t g = 0; g < demands_.size(); ++g)
      if (demands_[g].kept && (depths.empty() || depths.contains(demands_[g].depth)))
        found[table_.values.storage[g].name] = allele;
    return found;
  }

  /// As `best`, with all states between fused steps kept on the chip.
  [[nodiscard]] Trial with_states() const {
    Trial found = best_;
    for (const StorageGene& gene : table_.values.storage)
      if (kernel_.graph.producer_as<Load>(gene.values.front())) found[gene.name] = kRolling;
    return found;
  }

  void try_storages() {
    if (passes::last_step(kernel_.graph) > 0) try_storage(with_states());
    std::set<int> depths;
    for (const ValueDemand& demand : demands_)
      if (demand.kept) depths.insert(demand.depth);
    if (depths.empty() || kernel_.graph.dimension() > kMostAxesOnChip) return;
    try_storage(in_common(with_depths({}, kArray)));
    try_storage(with_depths({}, kRolling));
    try_blocks(with_depths({}, kRolling));
    if (depths.size() > kMostDepths) return;
    for (const int depth : depths)
      for (const char* allele : {kArray, kRolling, kInline})
        try_storage(with_depths({depth}, allele), allele == kInline ? kAnyGain : kNoticeableGain);
    try_storage(in_common(best_));
  }

  /// Arrays of one level in one group, so that what they read is loaded once.
  [[nodiscard]] Trial in_common(Trial found) const {
    const auto [gene, allele] = choice<&KernelOptions::common>(kernel_, true);
    found[gene] = allele;
    return found;
  }

  /// What is kept asks for blocks of its own, whose tile is large beside what surrounds it.
  void try_storage(const Trial& found, double gain = kNoticeableGain) {
    try_in_block(found, gain);
    if (passes::last_step(kernel_.graph) > 0) try_blocks(found);
  }

  void try_blocks(Trial found) {
    const int dimension = kernel_.graph.dimension();
    if (dimension == 1 || dimension > kMostAxesOnChip || !on_card()) return;
    for (const auto& [x, y, chunk] : kSwept) {
      for (const auto& [gene, allele] : {choice<&DeviceOptions::block_x>(kernel_, x),
                                         choice<&DeviceOptions::block_y>(kernel_, y),
                                         choice<&DeviceOptions::chunk>(kernel_, chunk)})
        found[gene] = allele;
      try_in_block(found);
    }
  }

  /// Takes it where its time is less than `gain` of the best.
  void try_in_block(const Trial& found, double gain = kNoticeableGain) {
    if (seen_.contains(found)) return;  // as it is when repaired
    const Schedule repaired = device_repaired(machine_, kernel_, table_, {found}, kMostOfBody);
    if (!seen_.insert(repaired.choices).second) return;
    const auto choices = device_choices(machine_, kernel_, table_.values, repaired);
    KernelPlan plan = device_kernel_plan(machine_, kernel_, choices, repaired);
    const double time = time_of(plan);
    if (!best_.empty() && !(time < gain * best_time_)) return;
    best_ = repaired.choices;
    best_time_ = time;
    sweep_ = choices.sweep;
    plan_ = std::move(plan);
  }

  /// As `found`, with sums that blocks make of what they compute, which then needs no array.
  void try_fused_sums(Trial found) {
    const Trial plainer = std::exchange(best_, {});
    const double time = best_time_;
    const auto [gene, allele] = choice<&DeviceOptions::fused_sums>(kernel_, true);
    found[gene] = allele;
    try_in_block(found);
    if (!best_.empty()) try_options();
    if (!best_.empty() && best_time_ < kSureGain * time) return;
    best_ = plainer;
    best_time_ = time;
  }

  /// Blocks, chunks and marching change nothing of the plan but its blocks.
  void try_options() {
    const int dimension = kernel_.graph.dimension();
    groups_ = plan_.groups;
    options_ = read_options<DeviceOptions>(kernel_, {best_});
    if (dimension == 1) {
      for (const int x : {128, 512}) try_options({x, options_.block_y});
      try_vectors();
      try_residents();
      try_ghosts();
      choose<&DeviceOptions::vector>(options_.vector);
      return;
    }
    for (const bool march : {false, true}) {
      if (march && (!on_card() || dimension > kMostAxesOnChip)) break;
      for (const int chunk : {0, 32})
        for (const auto& [x, y] : shapes()) try_options({x, y, chunk, march});
    }
    for (const int chunk : {16, 64, 128})
      try_options({options_.block_x, options_.block_y, chunk, options_.march});
    try_cells();
    try_vectors();
    try_staging();
    try_residents();
    try_ghosts();
    choose<&DeviceOptions::block_y>(options_.block_y);
    choose<&DeviceOptions::chunk>(options_.chunk);
    choose<&DeviceOptions::cells>(options_.cells);
    choose<&DeviceOptions::vector>(options_.vector);
    if (dimension > kMostAxesOnChip) return;
    choose<&DeviceOptions::march>(options_.march);
    choose<&DeviceOptions::stage>(static_cast<int>(options_.stage));
  }

  [[nodiscard]] std::span<const std::pair<int, int>> shapes() const {
    const bool keeps =
        std::ranges::any_of(groups_, [](const Group& group) { return !group.buffers.empty(); });
    return std::span(kShapes).first(keeps ? std::size(kShapes) : kOf256);
  }

  void try_cells() {
    if (!on_card()) return;
    for (const int cells : {2, 4})
      for (const auto& [x, y] : shapes()) {
        DeviceOptions several;
        several.block_x = x;
        several.block_y = y;
        several.cells = cells;
        try_options(several);
      }
  }

  void try_vectors() {
    if (!on_card()) return;
    const bool in_rows = kernel_.graph.dimension() == 1;
    for (const int vector : {2, 4})
      for (const int cells : {1, 2, 4})
        for (const auto& [x, y] : shapes()) {
          if (in_rows && cells > 1) continue;
          DeviceOptions wide;
          wide.block_x = in_rows ? options_.block_x : x;
          wide.block_y = y;
          wide.cells = cells;
          wide.vector = vector;
          try_options(wide);
        }
  }

  /// Ghost cells that are stored with the cells that they repeat.
  void try_ghosts() {
    if (!on_card()) return;
    DeviceOptions stored = options_;
    stored.ghosts = GhostCells::stored;
    try_options(stored);
    choose<&DeviceOptions::ghosts>(static_cast<int>(options_.ghosts));
  }

  void try_residents() {
    if (!on_card()) return;
    for (const int resident : {2, 3, 4}) {
      DeviceOptions held = options_;
      held.resident = resident;
      try_options(held);
    }
    choose<&DeviceOptions::resident>(options_.resident);
  }

  /// Staging narrows tiles, so that other shapes of blocks may be best with it.
  void try_staging() {
    if (!on_card() || kernel_.graph.dimension() > kMostAxesOnChip) return;
    DeviceOptions staged = options_;
    staged.march = true;
    staged.cells = staged.vector = 1;
    for (const Staging staging : {Staging::planes, Staging::columns})
      for (const auto& [x, y] : kShapes) {
        staged.stage = staging;
        staged.block_x = x;
        staged.block_y = y;
        try_options(staged);
      }
  }

  template <auto Field>
  void choose(std::int64_t value) {
    const auto [gene, allele] = choice<Field>(kernel_, value);
    best_[gene] = allele;
  }

  void try_options(const DeviceOptions& options) {
    plan_.groups = groups_;
    set_device_groups(kernel_.graph, plan_.groups, options, sweep_);
    for (const Group& group : plan_.groups)
      if (!fits_block(kernel_.graph, group)) return;
    plan_.ghosts_kept.clear();
    if (options.ghosts == GhostCells::stored) store_ghosts(machine_, plan_, plan_.filled);
    const double time = time_of(plan_);
    if (!(time < kNoticeableGain * best_time_)) return;
    best_time_ = time;
    options_ = options;
    choose<&DeviceOptions::block_x>(options.block_x);
  }

  /// The geometric mean over the grids; infinite for a plan that asks for too many registers or
  /// has too few.
  [[nodiscard]] double time_of(const KernelPlan& plan) const {
    double sum = 0;
    for (const Setting& setting : settings_) {
      const Prediction time = predict_on_device(machine_, plan, setting);
      for (std::size_t g = 0; g < plan.groups.size(); ++g) {
        const double most = plan.groups[g].buffers.empty() ? kMostEstimated : kMostEstimatedKept;
        if (!time.groups[g].block) continue;
        if (time.groups[g].block->registers > most || time.groups[g].block->spilled > 0)
          return INFINITY;
      }
      sum += std::log(time.nanoseconds);
    }
    return std::exp(sum / static_cast<double>(settings_.size()));
  }

  const Machine& machine_;
  const Kernel& kernel_;
  const std::vector<Setting>& settings_;
  const GeneTable table_;
  const std::vector<ValueDemand> demands_;
  std::set<Trial> seen_;
  Trial best_;
  double best_time_ = 0;
  KernelPlan plan_;            // the best, whose blocks are chosen
  std::vector<int> sweep_;     // of its choices
  std::vector<Group> groups_;  // its own, where nothing marches or is staged
  DeviceOptions options_;
};

}  // namespace

Schedule device_schedule(const Machine& machine, const Setting& setting) {
  std::vector<Setting> settings{setting};
  if (setting.size.empty()) {
    settings = usual_grids(machine.dimension);
    for (Setting& usual : settings) usual.machine = setting.machine;
  }
  Schedule schedule;
  for (const Kernel& kernel : machine.kernels) {
    DeviceSearch search(machine, kernel, settings);
    schedule.choices.merge(kernel.role == KernelRole::initial ? search.keep_only() : search.run());
  }
  return device_repaired(machine, schedule);
}

}  // namespace paraiso::plan
