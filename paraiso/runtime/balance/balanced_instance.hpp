// balanced_instance: a program on ranks whose parts grow and shrink while it runs.
// Gives: BalanceRules, BalanceMove, BalancedInstance. Needs: divided_instance, balance.
//
// After every few steps the ranks' busy times are compared, which waiting is no part of. If one is
// well above the mean twice in a row, all cuts move in proportion to speeds: unless that would cost
// more than it saves until the next look. Then every cell goes to its new owner, at once and not by
// rank 0. Clocks decide when cuts move; no bit of any field depends on where they are.
#pragma once

#include <functional>
#include <optional>

#include "paraiso/runtime/balance/balance.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"

namespace paraiso::runtime {

struct BalanceRules {
  std::int64_t window = 50;             // kernel runs between two looks
  double band = 0.05;                   // an imbalance that is left as it is
  double saved_windows = 4;             // a move must pay within so many windows
  std::vector<double> most_cells = {};  // of each rank, as in SeenLoad
};

/// What was done, for people.
struct BalanceMove {
  std::int64_t run = 0;  // after so many kernel runs
  double imbalance = 0;  // before
  double seconds = 0;    // that moving took
};

class BalancedInstance : public Instance {
 public:
  /// `told` hears of each move.
  BalancedInstance(std::unique_ptr<RankedInstance> ranks, BalanceRules rules,
                   std::function<void(const BalanceMove&)> told = {});

  [[nodiscard]] const om::Orthotree& tree() const { return now_->tree(); }
  [[nodiscard]] const std::vector<BalanceMove>& moves() const { return moves_; }

  [[nodiscard]] const om::Machine& machine() const override { return now_->machine(); }
  [[nodiscard]] const std::vector<std::int64_t>& size() const override { return now_->size(); }
  [[nodiscard]] bool is_divided() const override { return true; }
  [[nodiscard]] std::string comparisons() override { return now_->comparisons(); }
  [[nodiscard]] MessageCount traffic() const override { return now_->traffic(); }
  void run(std::string_view kernel) override;
  std::optional<StepsTaken> take_steps(std::string_view kernel, std::int64_t count,
                                       double until) override;
  void finish() override { now_->finish(); }
  [[nodiscard]] FieldView field(om::StaticId id) override { return now_->field(id); }
  [[nodiscard]] om::Constant scalar(om::StaticId id) const override { return now_->scalar(id); }
  void set_scalar(om::StaticId id, om::Constant value) override { now_->set_scalar(id, value); }
  void clear(om::StaticId id) override { now_->clear(id); }
  [[nodiscard]] std::optional<FoundCell> first_nan(om::StaticId id) override {
    return now_->first_nan(id);
  }
  void keep() override { now_->keep(); }
  void go_back() override;
  void read(om::StaticId id, const om::Box& box, void* cells) override {
    now_->read(id, box, cells);
  }
  void write(om::StaticId id, const om::Box& box, const void* cells) override {
    now_->write(id, box, cells);
  }
  std::optional<SharedWrite> write_to_file(om::StaticId id, const std::filesystem::path& file,
                                           std::int64_t at) override {
    return now_->write_to_file(id, file, at);
  }
  [[nodiscard]] std::string process_of(int rank) const override { return now_->process_of(rank); }

 private:
  [[nodiscard]] std::vector<double> kernel_seconds() const;  // of each rank, since cuts moved
  void passed(std::int64_t runs);
  void look();
  void begin_window();

  std::unique_ptr<RankedInstance> now_;
  BalanceRules rules_;
  std::function<void(const BalanceMove&)> told_;
  std::int64_t runs_ = 0, window_runs_ = 0;
  std::vector<double> busy_before_;  // at the window's beginning
  bool was_unbalanced_ = false;
  double move_seconds_ = 0;  // of the last move
  std::vector<BalanceMove> moves_;
};

}  // namespace paraiso::runtime
