// Stepper: takes the steps of a machine, one by one or several in one call of a fused kernel.
// Gives: Stepper. Needs: StepClock, fuse_steps.
//
// The choice never shows in the state: Globals that a Fusion holds are updated only after steps
// whose number is a multiple of `stride`, counted from the problem's beginning, in single steps
// too.
#pragma once

#include <optional>
#include <vector>

#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/runtime/fields/step_clock.hpp"

namespace paraiso::runtime {

class Stepper {
 public:
  /// Throws Error if the machine has no step kernel, or no kernel of that fusion.
  Stepper(Instance& instance, passes::Fusion fusion);

  /// How many steps one call of the fused kernel takes; 1 without one.
  [[nodiscard]] int stride() const { return fusion_.steps; }
  /// Whether `stride` steps at once may follow after `step` steps.
  [[nodiscard]] bool may_stride(std::int64_t step) const {
    return strides_ && (fusion_.held.empty() || step % stride() == 0);
  }
  /// The machine's time after each of the next `stride` steps, computed from its scalars alone,
  /// with the bits that they will have. None if that is impossible or there is no time.
  [[nodiscard]] std::optional<std::vector<double>> times_ahead();

  /// The step after `step` steps.
  void take_one(std::int64_t step);
  /// The kernel that takes `stride` steps.
  [[nodiscard]] const std::string& kernel_at_once() const {
    return stride() > 1 ? fusion_.kernel : kernel_;
  }
  /// The next `stride` steps.
  void take_stride() { instance_.run(fusion_.kernel); }
  /// The next `count` steps, after `step` steps, in as few calls as possible; waits for them.
  void take(std::int64_t step, std::int64_t count);

 private:
  Instance& instance_;
  passes::Fusion fusion_;
  std::string kernel_;
  bool strides_ = false;  // whether the instance runs the fused kernel
  std::optional<StepClock> clock_;
};

}  // namespace paraiso::runtime
