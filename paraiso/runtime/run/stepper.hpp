// Stepper: takes the steps of a machine, one by one or several in one call of a fused kernel.
// Gives: Stepper. Needs: Instance, fuse_steps, extract_clock.
//
// Which of the two it is never shows in the state: what a Fusion holds is renewed after steps whose
// number is a multiple of `stride`, counted from the problem's beginning, in single steps as well.
#pragma once

#include <optional>
#include <vector>

#include "paraiso/passes/fuse_steps.hpp"
#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

class Stepper {
 public:
  /// Throws Error where the machine has no step kernel, or no kernel of that fusion.
  Stepper(Instance& instance, passes::Fusion fusion);

  /// How many steps one call of the fused kernel takes; 1 where there is none.
  [[nodiscard]] int stride() const { return fusion_.steps; }
  /// Whether `stride` steps at once may follow after `step` steps.
  [[nodiscard]] bool may_stride(std::int64_t step) const {
    return stride() > 1 && (fusion_.held.empty() || step % stride() == 0);
  }
  /// The machine's time after each of the next `stride` steps, told from its scalars alone, in the
  /// bits that they will have. Nothing where that can't be told or there is no time.
  [[nodiscard]] std::optional<std::vector<double>> times_ahead() const;

  /// The step after `step` steps.
  void take_one(std::int64_t step);
  /// The next `stride` steps.
  void take_stride() { instance_.run(fusion_.kernel); }
  /// The next `count` steps, after `step` steps, in as few calls as may be.
  void take(std::int64_t step, std::int64_t count);

 private:
  Instance& instance_;
  passes::Fusion fusion_;
  std::string kernel_;
  std::optional<om::Machine> clock_;
  std::vector<om::StaticId> globals_;  // of the instance's machine, as the clock's statics
};

}  // namespace paraiso::runtime
