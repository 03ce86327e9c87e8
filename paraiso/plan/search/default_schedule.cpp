#include "paraiso/plan/search/default_schedule.hpp"

#include <algorithm>
#include <cmath>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/passes/cost.hpp"
#include "paraiso/passes/step_chain.hpp"
#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/choices/group_options.hpp"
#include "paraiso/plan/choices/row_ends.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/search/keep_values.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

// Smaller gains don't count: the model is not that exact, and the plainer choice stays.
// Unroll-and-jam must gain more, since it opens more pages and takes registers, which the model
// knows little about; so must other tiles of split groups. Streaming stores certainly move fewer
// bytes, so that nearly any gain counts.
constexpr double kNoticeable = 0.97, kNoticeableTurns = 0.93, kNoticeableRows = 0.93,
                 kNoticeableStreaming = 0.998;
// A plan that is slower by more than this under the plainest options is not pursued.
constexpr double kWorthATry = 1.1;

constexpr double kRegistersOfAChain = 8;

/// A choice for a kernel as a whole and the alleles to try, the plainest first.
struct Option {
  std::vector<std::string> names;
  std::vector<std::string> alleles;
  double noticeable = kNoticeable;
};

/// How a row is divided into tiles: as little as possible.
Option row_tiles(int dimension) {
  Option option{{"tile_x"}, {"all", "1024", "256"}};
  if (dimension == 1) option.alleles.erase(option.alleles.begin());  // its tiles are the threads'
  return option;
}

/// Unroll-and-jam: how many rows a loop computes at a time.
Option turns() { return {{"jam"}, {"1", "2", "4"}, kNoticeableTurns}; }

std::vector<Option> options(int dimension) {
  std::vector<Option> list = {
      {{"streaming"}, {"off", "large"}, kNoticeableStreaming},
      {{"prefetch"}, {"off", "row"}},
      row_tiles(dimension),
      // Four seldom fit into the registers, and the model can't predict when they do.
      {{"vectors"}, {"1", "2"}},
  };
  Option rows{{}, {"32", "64", "16", "8", "all"}};  // of a tile, along axes inside the outermost
  for (int axis = 1; axis < dimension - 1; ++axis)
    rows.names.push_back(std::string("tile_") + axis_name(axis));
  if (!rows.names.empty()) list.push_back(std::move(rows));
  if (dimension > 1) list.push_back(turns());
  return list;
}

/// The sweep's axis: the outermost first.
Option sweeps(int dimension) {
  Option option{{"sweep"}, {}};
  for (int axis = dimension - 1; axis > 0; --axis) option.alleles.push_back(axis_name(axis));
  return option;
}

/// The same for split groups, whose tiles are cut along axis 1.
std::vector<Option> split_options() {
  return {turns(),
          {{"tile_y"}, {"32", "16", "64", "8"}, kNoticeableRows},
          {{"prefetch"}, {"row", "off"}},
          {{"vectors"}, {"1", "2"}}};
}

/// The search for one kernel's schedule.
class KernelSearch {
 public:
  KernelSearch(const Machine& machine, const Kernel& kernel, const std::vector<Setting>& settings)
      : machine_(machine),
        kernel_(kernel),
        settings_(settings),
        genes_(kernel_genes(kernel)),
        options_(options(machine.dimension)),
        split_options_(split_options()) {}

  std::map<std::string, std::string> run() {
    const auto list = storages();
    for (const Found& storage : list) try_plan(storage);
    if (divides()) try_plan(others({{"divides"}, {"together", "late"}}).front(), kWorthATry);
    for (const Found& other : others({{"grouping"}, {kJoined, kApart}}))
      try_plan(other, kWorthATry);
    for (const Found& other : others(sweeps(machine_.dimension))) try_plan(other);
    if (machine_.dimension > 2) join_planes();  // one row more or less does not matter
    // Several steps in one kernel. Storing more would need more arrays than it saves time.
    if (machine_.dimension > 1 && passes::last_step(kernel_.graph) > 0)
      try_plan(split(list.front()));
    return best_;
  }

  /// For kernels that run once: only the choice of stored values; all other genes are defaults.
  std::map<std::string, std::string> keep_only() {
    auto found = storages().front();
    choose(found, row_tiles(machine_.dimension), 0);
    return found;
  }

 private:
  using Found = std::map<std::string, std::string>;

  /// Candidates for the storage of values: the first is the best guess.
  [[nodiscard]] std::vector<Found> storages() const {
    const auto kept = values_to_keep(kernel_, genes_);
    const char* line = machine_.dimension > 1 ? kRolling : kScratch;
    std::vector<Found> list;
    for (const char* state : {line, kArray})
      for (const char* value : {line, kInline, kScratch}) {
        Found found = gathered_divides();
        for (const StorageGene& gene : genes_.storage)
          if (gene.alleles.front() == kArray) found[gene.name] = state;  // between fused steps
        for (int g : kept) found[genes_.storage[g].name] = value;
        if (std::ranges::find(list, found) == list.end()) list.push_back(std::move(found));
      }
    return list;
  }

  /// The best so far with the other alleles of `option`.
  [[nodiscard]] std::vector<Found> others(const Option& option) const {
    std::vector<Found> list;
    for (std::size_t allele = 1; allele < option.alleles.size(); ++allele) {
      list.push_back(best_);
      choose(list.back(), option, allele);
    }
    return list;
  }

  [[nodiscard]] Found split(Found found) const {
    found[kernel_.name + "/form"] = kSplit;
    return found;
  }

  /// Divisions take long but overlap, so that a loop should have several of them.
  [[nodiscard]] Found gathered_divides() const {
    if (!divides()) return {};
    return {{kernel_.name + "/divides", "together"}};
  }
  [[nodiscard]] bool divides() const {
    return machine_.dimension > 1 && passes::cost_of(kernel_.graph).divides > 0;
  }

  void choose(Found& found, const Option& option, std::size_t allele) const {
    for (const auto& name : option.names) found[kernel_.name + "/" + name] = option.alleles[allele];
  }

  /// Plans once, then chooses the best allele of one option after the other, which only changes how
  /// loops run; gives up if the plainest options take `patience` times as long as the best so far.
  void try_plan(Found found, double patience = INFINITY) {
    auto choices = choices_of(machine_, kernel_, genes_, {found});
    if (best_.empty()) {
      for (std::size_t g : repair_choices(machine_, kernel_, genes_, choices))
        found[genes_.storage[g].name] = kArray;
    } else if (!is_legal(machine_, kernel_, choices)) {
      return;
    }
    KernelPlan plan = plan_kernel(machine_, kernel_, choices);
    const auto& options = choices.split ? split_options_ : options_;
    if (choices.split && std::ranges::none_of(plan.groups, [](const Group& group) {
          return group.form == Form::split;
        }))
      return;
    for (const Option& option : options) choose(found, option, 0);
    double least = time_of(plan, found);
    const double plain_time = least;
    if (!best_.empty() && plain_time >= patience * best_plain_time_) return;
    for (const Option& option : options) {
      Found best = found;
      for (std::size_t allele = 1; allele < option.alleles.size(); ++allele) {
        choose(found, option, allele);
        if (!fits_registers(found)) continue;
        const double time = time_of(plan, found);
        if (time >= option.noticeable * least) continue;
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

  /// Jammed rows of several vectors each are as many dependency chains at once: if these take more
  /// than an eighth of the registers, hardly any are left for intermediate results.
  [[nodiscard]] bool fits_registers(const Found& found) const {
    const auto number = [&](const char* gene) {
      const auto choice = found.find(kernel_.name + "/" + gene);
      return choice == found.end() ? 1 : std::stoi(choice->second);
    };
    return kRegistersOfAChain * number("jam") * number("vectors") <=
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
    Found found = best_;
    for (int g : planes_to_join(kernel_, genes_, kept, axis))
      found[genes_.storage[g].name] = kRolling;
    if (found == best_) return;
    const auto choices = choices_of(machine_, kernel_, genes_, {found});
    if (!is_legal(machine_, kernel_, choices)) return;
    KernelPlan plan = plan_kernel(machine_, kernel_, choices);
    const double time = time_of(plan, found);
    if (kNoticeable * time >= best_time_) return;
    best_time_ = time;
    best_ = std::move(found);
  }

  /// The geometric mean of the predicted times.
  [[nodiscard]] double time_of(KernelPlan& plan, const Found& found) const {
    const auto choices = choices_of(machine_, kernel_, genes_, {found});
    for (Group& group : plan.groups) set_options(kernel_.graph, group, choices);
    find_row_ends(machine_, plan);
    double sum = 0;
    for (const Setting& setting : settings_)
      sum += std::log(predict(machine_, plan, setting).nanoseconds);
    return std::exp(sum / static_cast<double>(settings_.size()));
  }

  const Machine& machine_;
  const Kernel& kernel_;
  const std::vector<Setting>& settings_;
  KernelGenes genes_;
  std::vector<Option> options_, split_options_;
  double best_time_ = 0, best_plain_time_ = 0;
  Found best_;
};

Schedule search(const Machine& machine, const std::vector<Setting>& settings) {
  Schedule schedule;
  for (const Kernel& kernel : machine.kernels) {
    KernelSearch search(machine, kernel, settings);
    schedule.choices.merge(kernel.role == KernelRole::initial ? search.keep_only() : search.run());
  }
  return repair(machine, schedule);
}

}  // namespace

Schedule default_schedule(const Machine& machine, const Setting& setting) {
  if (!setting.size.empty()) return search(machine, {setting});
  std::vector<Setting> settings = usual_grids(machine.dimension);
  for (Setting& usual : settings) usual.machine = setting.machine;
  return search(machine, settings);
}

Schedule default_schedule(const Machine& machine) { return default_schedule(machine, Setting()); }

}  // namespace paraiso::plan
