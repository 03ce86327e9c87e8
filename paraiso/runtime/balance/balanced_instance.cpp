#include "paraiso/runtime/balance/balanced_instance.hpp"

#include <algorithm>
#include <utility>

#include "paraiso/base/clock.hpp"

namespace paraiso::runtime {

BalancedInstance::BalancedInstance(std::unique_ptr<RankedInstance> ranks, BalanceRules rules,
                                   std::function<void(const BalanceMove&)> told)
    : now_(std::move(ranks)), rules_(std::move(rules)), told_(std::move(told)) {
  begin_window();
}

std::vector<double> BalancedInstance::kernel_seconds() const {
  std::vector<double> seconds;
  for (const BusySeconds& one : now_->busy()) seconds.push_back(one.kernels);
  return seconds;
}

void BalancedInstance::begin_window() {
  busy_before_ = kernel_seconds();
  window_runs_ = 0;
}

void BalancedInstance::run(std::string_view kernel) {
  now_->run(kernel);
  passed(1);
}

std::optional<StepsTaken> BalancedInstance::take_steps(std::string_view kernel, std::int64_t count,
                                                       double until) {
  const std::int64_t left = rules_.window - window_runs_;
  const auto taken = now_->take_steps(kernel, std::min(count, left), until);
  if (taken) passed(taken->count);
  return taken;
}

void BalancedInstance::passed(std::int64_t runs) {
  runs_ += runs;
  window_runs_ += runs;
  if (window_runs_ >= rules_.window) look();
}

void BalancedInstance::look() {
  std::vector<double> busy = kernel_seconds();
  for (std::size_t rank = 0; rank < busy.size(); ++rank) busy[rank] -= busy_before_[rank];
  const double found = imbalance(busy);
  const bool unbalanced = found > rules_.band;
  const bool twice = unbalanced && std::exchange(was_unbalanced_, unbalanced);
  was_unbalanced_ = unbalanced;
  begin_window();
  if (!twice) return;
  const om::Orthotree better = balanced(tree(), size(), {busy, rules_.most_cells});
  const double saved = *std::ranges::max_element(busy) - slowest(tree(), better, size(), busy);
  if (better == tree() || rules_.saved_windows * saved <= move_seconds_) return;
  const double start = steady_seconds();
  if (!now_->move_to(better)) return;
  move_seconds_ = steady_seconds() - start;
  was_unbalanced_ = false;
  begin_window();
  moves_.push_back({runs_, found, move_seconds_});
  if (told_) told_(moves_.back());
}

void BalancedInstance::go_back() {
  now_->go_back();
  begin_window();
}

}  // namespace paraiso::runtime
