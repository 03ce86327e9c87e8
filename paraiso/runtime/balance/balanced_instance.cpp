#include "paraiso/runtime/balance/balanced_instance.hpp"

#include <algorithm>
#include <utility>

#include "paraiso/base/clock.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::runtime {
namespace {

/// All cells to their new owners, and all scalars.
void copy_state(Instance& from, Instance& to, const std::vector<om::Move>& moves) {
  const om::Machine& machine = from.machine();
  std::vector<char> cells;
  for (std::size_t s = 0; s < machine.statics.size(); ++s) {
    const om::StaticId id(s);
    const om::Type type = machine.at(id).type;
    if (!type.is_local()) {
      to.set_scalar(id, from.scalar(id));
      continue;
    }
    for (const om::Move& move : moves) {
      cells.resize(move.cells.cell_count() * om::size_of(type.element));
      from.read(id, move.cells, cells.data());
      to.write(id, move.cells, cells.data());
    }
  }
}

/// While cells move, there is all memory twice; margins and temporaries take as much as fields at
/// most, or else the system says so.
bool has_room(const om::Machine& machine, const om::Cell& size) {
  double bytes = 0;
  for (const om::Static& one : machine.statics)
    if (one.type.is_local()) bytes += static_cast<double>(om::size_of(one.type.element));
  for (const std::int64_t cells : size) bytes *= static_cast<double>(cells);
  return available_memory().bytes > 2 * bytes;
}

}  // namespace

BalancedInstance::BalancedInstance(const Library& library, const om::Cell& size,
                                   const om::Orthotree& tree, int threads, BalanceRules rules,
                                   std::function<void(const BalanceMove&)> told,
                                   std::function<void(int rank)> burden)
    : library_(library),
      size_(size),
      tree_(tree),
      threads_(threads),
      rules_(std::move(rules)),
      told_(std::move(told)),
      burden_(std::move(burden)),
      now_(ranks_on(tree)) {
  begin_window();
}

std::unique_ptr<RankedInstance> BalancedInstance::ranks_on(const om::Orthotree& tree) const {
  return ranked_instance(library_, size_, tree, threads_, Library::Sharing::worthwhile, burden_);
}

void BalancedInstance::begin_window() {
  busy_before_ = now_->busy();
  window_runs_ = 0;
}

MessageCount BalancedInstance::traffic() const {
  MessageCount all = earlier_;
  all.add(now_->traffic());
  return all;
}

void BalancedInstance::run(std::string_view kernel) {
  now_->run(kernel);
  ++runs_;
  if (++window_runs_ >= rules_.window) look();
}

void BalancedInstance::look() {
  std::vector<double> busy = now_->busy();
  for (std::size_t rank = 0; rank < busy.size(); ++rank) busy[rank] -= busy_before_[rank];
  const double found = imbalance(busy);
  const bool unbalanced = found > rules_.band;
  const bool twice = unbalanced && std::exchange(was_unbalanced_, unbalanced);
  was_unbalanced_ = unbalanced;
  begin_window();
  if (!twice) return;
  const om::Orthotree better = balanced(tree_, size_, {busy, rules_.most_cells});
  const double saved = *std::ranges::max_element(busy) - slowest(tree_, better, size_, busy);
  if (better == tree_ || !has_room(machine(), size_)) return;
  if (rules_.saved_windows * saved <= move_seconds_) return;
  const double start = steady_seconds();
  try {
    move_to(better);
  } catch (const Error&) {
    return;  // no memory for it: the cuts stay
  }
  move_seconds_ = steady_seconds() - start;
  moves_.push_back({runs_, found, move_seconds_});
  if (told_) told_(moves_.back());
}

void BalancedInstance::move_to(const om::Orthotree& tree) {
  auto next = ranks_on(tree);
  copy_state(*now_, *next, om::redivide(tree_, tree, size_));
  earlier_.add(now_->traffic());
  if (keeps_ && !kept_) {
    kept_ = std::move(now_);
    kept_tree_ = tree_;
  }
  now_ = std::move(next);
  tree_ = tree;
  was_unbalanced_ = false;
  begin_window();
}

void BalancedInstance::keep() {
  kept_.reset();
  keeps_ = false;
  now_->keep();
  keeps_ = true;
}

void BalancedInstance::go_back() {
  if (kept_) {
    earlier_.add(now_->traffic());
    now_ = std::move(kept_);
    tree_ = kept_tree_;
    begin_window();
  }
  now_->go_back();
}

}  // namespace paraiso::runtime
