#include "paraiso/plan/search/default_schedule.hpp"

#include <algorithm>
#include <cmath>

#include "paraiso/passes/analysis/cost.hpp"
#include "paraiso/passes/analysis/step_chain.hpp"
#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/cpu/cpu_plan.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/search/keep_values.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

// Smaller gains don't count: the model is not that exact, and the plainer choice stays.
// Unroll-and-jam must gain more, since it opens more pages and takes registers, which the model
// knows little about; so must rows that are cut, which may cost a quarter of the speed where they
// come from memory, other tiles of split groups, and sweeps whose planes aren't cut at all: these
// need the last cache, of which other threads and other programs take a part. Streaming
// stores certainly move fewer bytes, so that nearly any gain counts.
constexpr double kNoticeable = 0.97, kNoticeableTurns = 0.93, kNoticeableRows = 0.93,
                 kNoticeablePlanes = 0.93, kNoticeableStreaming = 0.998;
// On one grid, another choice than that for the usual ones must gain more than the model is often
// wrong by.
constexpr double kNoticeableHere = 0.9;
// A plan that is slower by more than this under the plainest options is not pursued.
constexpr double kWorthATry = 1.1;

// The plainest length of split tiles.
constexpr std::int64_t kSplitRows = 32;

constexpr double kRegistersOfAChain = 4;
// A loop of its own for divisions must not take more loads and stores than this saves.
constexpr double kFewerLoads = 0.93;

/// A choice for a kernel as a whole and the alleles to try, the plainest first.
struct OptionToTry {
  std::vector<OptionGene> genes;  // which take the same value
  std::vector<std::int64_t> values;
  double noticeable = kNoticeable;
  bool cuts_planes = false;

  /// The share of the time so far that an allele other than the plainest may take.
  [[nodiscard]] double share(std::size_t allele, bool keeps_planes) const {
    const bool whole_planes = cuts_planes && values[allele] == kWholeAxis;
    return whole_planes && keeps_planes ? kNoticeablePlanes : noticeable;
  }
};

template <auto Field>
OptionToTry option(int dimension, std::vector<std::int64_t> values,
                   double noticeable = kNoticeable) {
  return {{find_option<Field>(dimension).value()}, std::move(values), noticeable};
}

/// The lengths of a tile along some axes.
OptionToTry tiles(int dimension, const std::vector<int>& axes, std::vector<std::int64_t> lengths,
                  double noticeable = kNoticeable) {
  OptionToTry option{{}, std::move(lengths), noticeable};
  for (int axis : axes)
    option.genes.push_back(find_option<&CpuOptions::tile>(dimension, axis).value());
  return option;
}

/// How a row is divided into tiles: as little as possible.
OptionToTry row_tiles(int dimension) {
  if (dimension == 1) return tiles(1, {0}, {1024, 256});  // its tiles are the threads'
  return tiles(dimension, {0}, {kWholeAxis, 1024, 256}, kNoticeableRows);
}

/// Unroll-and-jam: how many rows a loop computes at a time.
OptionToTry turns(int dimension) {
  return option<&CpuOptions::jam>(dimension, {1, 2, 4}, kNoticeableTurns);
}

/// Four seldom fit into the registers, and the model can't predict when they do.
OptionToTry vectors(int dimension) { return option<&CpuOptions::vectors>(dimension, {1, 2}); }

std::vector<OptionToTry> options(int dimension) {
  std::vector<OptionToTry> list = {
      option<&CpuOptions::streaming>(dimension, {false, true}, kNoticeableStreaming),
      option<&CpuOptions::prefetch>(dimension, {false, true}),
      row_tiles(dimension),
      vectors(dimension),
  };
  std::vector<int> inner;  // axes inside the outermost
  for (int axis = 1; axis < dimension - 1; ++axis) inner.push_back(axis);
  if (!inner.empty()) {
    list.push_back(tiles(dimension, inner, {32, 64, 16, 8, kWholeAxis}));
    list.back().cuts_planes = true;
  }
  if (dimension > 1) list.push_back(turns(dimension));
  return list;
}

/// The sweep's axis: the outermost first.
OptionToTry sweeps(int dimension) {
  const auto gene = find_option<&KernelOptions::sweep>(dimension);
  if (!gene) return {};
  OptionToTry option{{*gene}, {}};
  for (const Allele& allele : gene->alleles) option.values.push_back(allele.value);
  return option;
}

/// The same for split groups, whose tiles are cut along axis 1.
std::vector<OptionToTry> split_options(int dimension) {
  if (dimension == 1) return {};
  return {turns(dimension), tiles(dimension, {1}, {kSplitRows, 16, 64, 8}, kNoticeableRows),
          option<&CpuOptions::prefetch>(dimension, {true, false}), vectors(dimension)};
}

using Trial = std::map<std::string, std::string>;  // the choices of one kernel

/// The search for one kernel's schedule.
class KernelSearch {
 public:
  KernelSearch(const Machine& machine, const Kernel& kernel, const std::vector<Setting>& settings)
      : machine_(machine),
        kernel_(kernel),
        settings_(settings),
        genes_(kernel_genes(kernel)),
        options_(options(machine.dimension)),
        split_options_(split_options(machine.dimension)) {}

  Trial run() {
    const auto list = storages();
    for (const Trial& storage : list) try_plan(storage);
    const int dimension = machine_.dimension;
    if (divides()) try_plan(with<&KernelOptions::gather_divisions>(best_, false), kWorthATry);
    try_plan(with<&KernelOptions::apart>(best_, true), kWorthATry);
    for (const Trial& other : others(sweeps(dimension))) try_plan(other);
    if (dimension > 2) join_planes();  // one row more or less does not matter
    part_divides();
    // What passes from step to step, or is a result, lies in arrays of split tiles. Storing more
    // would need more arrays than it saves time.
    if (may_split()) try_plan(with<&KernelOptions::split>(list.front(), true));
    return best_;
  }

  /// Whether what another search has found is to be had here, too.
  [[nodiscard]] bool allows(const Trial& found) const {
    return !choices_of(machine_, kernel_, genes_, {found}).split || may_split();
  }

  /// The predicted time of what `run` has found, and of what another search has.
  [[nodiscard]] double best_time() const { return best_time_; }
  [[nodiscard]] double time_of(const Trial& found) const {
    const auto choices = choices_of(machine_, kernel_, genes_, {found});
    KernelPlan plan = cpu_kernel_plan(machine_, kernel_, choices, cpu_options_of(found));
    return time_of(plan, found);
  }

  /// For kernels that run once: only the choice of stored values; all other genes are defaults.
  Trial keep_only() {
    auto found = storages().front();
    choose(found, row_tiles(machine_.dimension), 0);
    return found;
  }

 private:
  /// Candidates for the storage of values: the first is the best guess.
  [[nodiscard]] std::vector<Trial> storages() const {
    const auto kept = values_to_keep(kernel_, genes_);
    const char* line = machine_.dimension > 1 ? kRolling : kScratch;
    std::vector<Trial> list;
    for (const char* state : {line, kArray})
      for (const char* value : {line, kInline, kScratch}) {
        Trial found = gathered_divides();
        for (const StorageGene& gene : genes_.storage)
          if (gene.alleles.front() == kArray) found[gene.name] = state;  // between fused steps
        for (int g : kept) found[genes_.storage[g].name] = value;
        if (std::ranges::find(list, found) == list.end()) list.push_back(std::move(found));
      }
    return list;
  }

  [[nodiscard]] bool may_split() const {
    if (machine_.dimension == 1) return false;
    return passes::last_step(kernel_.graph) > 0 || (all_threads_have_rows() && keeps_results());
  }

  /// Results that other results are made of at several offsets, as in leapfrog schemes.
  [[nodiscard]] bool keeps_results() const {
    return std::ranges::any_of(demands(kernel_, genes_), [](const ValueDemand& demand) {
      return demand.kept && demand.stored;
    });
  }

  /// Enough for a split tile of each. Where tiles are smaller, most of what threads write near the
  /// borders is read by others; the cost model, which knows no transfers between cores, predicted
  /// 1.1 times the speed and it was 0.67 (a Xeon, 2 threads, 32 rows).
  [[nodiscard]] bool all_threads_have_rows() const {
    return std::ranges::all_of(settings_, [](const Setting& setting) {
      return setting.size[1] >= kSplitRows * setting.machine.threads;
    });
  }

  /// The best so far with the other alleles of `option`.
  [[nodiscard]] std::vector<Trial> others(const OptionToTry& option) const {
    std::vector<Trial> list;
    for (std::size_t allele = 1; allele < option.values.size(); ++allele) {
      list.push_back(best_);
      choose(list.back(), option, allele);
    }
    return list;
  }

  template <auto Field>
  [[nodiscard]] Trial with(Trial found, std::int64_t value) const {
    const auto [gene, allele] = choice<Field>(kernel_, value);
    found[gene] = allele;
    return found;
  }

  /// Divisions take long but overlap, so that a loop should have several of them.
  [[nodiscard]] Trial gathered_divides() const {
    if (!divides()) return {};
    return with<&KernelOptions::gather_divisions>({}, true);
  }
  [[nodiscard]] bool divides() const {
    return machine_.dimension > 1 && passes::cost_of(kernel_.graph).divides > 0;
  }

  void choose(Trial& found, const OptionToTry& option, std::size_t allele) const {
    for (const OptionGene& gene : option.genes)
      found[kernel_.name + "/" + gene.name] = gene.allele(option.values[allele]);
  }

  [[nodiscard]] CpuOptions cpu_options_of(const Trial& found) const {
    return read_options<CpuOptions>(kernel_, {found});
  }

  /// Plans once, then chooses the best allele of one option after the other, which only changes how
  /// loops run; gives up if the plainest options take `patience` times as long as the best so far.
  void try_plan(Trial found, double patience = INFINITY) {
    auto choices = choices_of(machine_, kernel_, genes_, {found});
    if (best_.empty()) {
      for (std::size_t g : repair_choices(machine_, kernel_, genes_, choices))
        found[genes_.storage[g].name] = kArray;
    } else if (!is_legal(machine_, kernel_, choices)) {
      return;
    }
    KernelPlan plan = cpu_kernel_plan(machine_, kernel_, choices, cpu_options_of(found));
    const auto& options = choices.split ? split_options_ : options_;
    if (choices.split && std::ranges::none_of(plan.groups, [](const Group& group) {
          return group.form == Form::split;
        }))
      return;
    const bool keeps_planes =
        std::ranges::any_of(plan.groups, [](const Group& group) { return !group.sweep.empty(); });
    for (const OptionToTry& option : options) choose(found, option, 0);
    double least = time_of(plan, found);
    const double plain_time = least;
    if (!best_.empty() && plain_time >= patience * best_plain_time_) return;
    for (const OptionToTry& option : options) {
      Trial best = found;
      for (std::size_t allele = 1; allele < option.values.size(); ++allele) {
        choose(found, option, allele);
        if (!fits_registers(found)) continue;
        const double time = time_of(plan, found);
        if (time >= option.share(allele, keeps_planes) * least) continue;
        least = time;
        best = found;
      }
      found = std::move(best);
    }
    if (!best_.empty() && least >= kNoticeable * best_time_) return;
    best_time_ = least;
    best_plain_time_ = plain_time;
    best_ = std::move(found);
  }

  /// Jammed rows of several vectors each are as many dependency chains at once, which take some
  /// registers each whatever the body is. What a body needs besides is known to the cost model.
  [[nodiscard]] bool fits_registers(const Trial& found) const {
    const CpuOptions options = cpu_options_of(found);
    return kRegistersOfAChain * options.jam * options.vectors <=
           settings_.front().machine.registers;
  }

  /// Stores the result of two planes instead of one of them: less storage is plainer, unless that
  /// is noticeably slower.
  void join_planes() {
    std::set<int> kept;
    for (std::size_t g = 0; g < genes_.storage.size(); ++g)
      if (const auto storage = best_.find(genes_.storage[g].name);
          storage != best_.end() && storage->second == kRolling)
        kept.insert(static_cast<int>(g));
    const int axis = choices_of(machine_, kernel_, genes_, {best_}).sweep.front();
    Trial found = best_;
    for (int g : planes_to_join(kernel_, genes_, kept, axis))
      found[genes_.storage[g].name] = kRolling;
    if (found == best_) return;
    const auto choices = choices_of(machine_, kernel_, genes_, {found});
    if (!is_legal(machine_, kernel_, choices)) return;
    KernelPlan plan = cpu_kernel_plan(machine_, kernel_, choices, cpu_options_of(found));
    const double time = time_of(plan, found);
    if (kNoticeable * time >= best_time_) return;
    best_time_ = time;
    best_ = std::move(found);
  }

  /// What divisions in an earlier loop take and give passes through memory, or a body needs more
  /// registers than there are. One that is too long for a second vector has enough other work to
  /// hide the wait for a divider: there the divisions stay with their readers if that saves
  /// noticeably many loads and stores.
  void part_divides() {
    const auto choices = choices_of(machine_, kernel_, genes_, {best_});
    if (!choices.gather_divisions) return;
    const Trial late = with<&KernelOptions::gather_divisions>(best_, false);
    const auto others = choices_of(machine_, kernel_, genes_, {late});
    if (!is_legal(machine_, kernel_, others)) return;
    KernelPlan plan = cpu_kernel_plan(machine_, kernel_, choices, cpu_options_of(best_));
    KernelPlan other = cpu_kernel_plan(machine_, kernel_, others, cpu_options_of(late));
    if (!has_long_body(plan) || loads_of(other, late) > kFewerLoads * loads_of(plan, best_)) return;
    best_ = late;
  }

  static bool has_long_body(const KernelPlan& plan) {
    for (const Group& group : plan.groups)
      for (const Stage& stage : group.stages)
        if (stage.expansion.terms.size() > kLargestPairedBody) return true;
    return false;
  }

  /// The predicted time of loads and stores.
  [[nodiscard]] double loads_of(KernelPlan& plan, const Trial& found) const {
    set_loops(machine_, plan, cpu_options_of(found));
    return predict(machine_, plan, settings_.front()).parts[static_cast<std::size_t>(Limit::l1)];
  }

  /// The geometric mean of the predicted times.
  [[nodiscard]] double time_of(KernelPlan& plan, const Trial& found) const {
    set_loops(machine_, plan, cpu_options_of(found));
    double sum = 0;
    for (const Setting& setting : settings_)
      sum += std::log(predict(machine_, plan, setting).nanoseconds);
    return std::exp(sum / static_cast<double>(settings_.size()));
  }

  const Machine& machine_;
  const Kernel& kernel_;
  const std::vector<Setting>& settings_;
  KernelGenes genes_;
  std::vector<OptionToTry> options_, split_options_;
  double best_time_ = 0, best_plain_time_ = 0;
  Trial best_;
};

/// The settings are those of the usual grids; `here` is the grid at hand, if there is one.
Schedule search(const Machine& machine, const std::vector<Setting>& settings, const Setting* here) {
  Schedule schedule;
  for (const Kernel& kernel : machine.kernels) {
    KernelSearch search(machine, kernel, settings);
    const bool once = kernel.role == KernelRole::initial;
    Trial found = once ? search.keep_only() : search.run();
    if (here && !once) {
      const std::vector<Setting> only{*here};
      KernelSearch own(machine, kernel, only);
      Trial other = own.run();
      if (!own.allows(found) || own.best_time() < kNoticeableHere * own.time_of(found))
        found = std::move(other);
    }
    schedule.choices.merge(found);
  }
  return repair(machine, schedule, cpu_options);
}

}  // namespace

Schedule default_schedule(const Machine& machine, const Setting& setting) {
  const bool here = !setting.size.empty();
  std::vector<Setting> settings = usual_grids(machine.dimension);
  for (Setting& usual : settings) {
    usual.machine = here ? cautious(setting.machine) : setting.machine;
    usual.sharing = setting.sharing;
  }
  return search(machine, settings, here ? &setting : nullptr);
}

Schedule default_schedule(const Machine& machine) { return default_schedule(machine, Setting()); }

}  // namespace paraiso::plan
