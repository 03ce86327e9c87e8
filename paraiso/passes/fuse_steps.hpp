// fuse_steps: n time steps in one kernel; see fuse_steps.cpp for the program before and after.
// Gives: Fusion, Fused, CannotFuse, fuse_steps, unfused, interpret_steps. Needs: om.
#pragma once

#include <string>
#include <vector>

#include "paraiso/base/error.hpp"
#include "paraiso/om/interpret.hpp"

namespace paraiso::passes {

/// What one call of a fused kernel stands for.
struct Fusion {
  std::string kernel;  // the fused kernel; empty where steps are not fused
  int steps = 1;       // of the step kernel, in one call
  // Globals that keep the value at entry until the last step, whose Store takes effect.
  std::vector<om::StaticId> held;
};

struct Fused {
  om::Machine machine;  // with the fused kernel behind all others; the step kernel stays
  Fusion fusion;
};

/// The program's steps can't be fused, whatever their number; the text says why.
class CannotFuse : public Error {
 public:
  explicit CannotFuse(const std::string& message) : Error(message) {}
  explicit CannotFuse(const Error& why) : Error(why) {}
};

/// Chains the step kernel of `machine`, which has been through `prepare`, `steps` times with
/// itself. Where nothing is held, one call of the fused kernel equals `steps` calls of the step
/// kernel in all bits.
///
/// Throws CannotFuse where a reduction of a step must be known before the next one can begin. With
/// `hold_time_step`, Globals that carry it there (the time step) keep their values for the inner
/// steps; a reduction that the cells of its own step need is refused all the same.
[[nodiscard]] Fused fuse_steps(const om::Machine& machine, int steps, bool hold_time_step = false);

/// The machine that was fused.
[[nodiscard]] om::Machine unfused(const Fused& fused);

/// What one call of the fused kernel means, by calls of the step kernel alone.
void interpret_steps(const om::Machine& machine, const Fusion& fusion, om::State& state);

}  // namespace paraiso::passes
