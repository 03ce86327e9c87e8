// fuse_steps: n time steps in one kernel; see fuse_steps.cpp for the program before and after.
// Gives: Fusion, Fused, CannotFuse, fuse_steps, unfused, interpret_steps. Needs: om.
#pragma once

#include <string>
#include <vector>

#include "paraiso/base/error.hpp"
#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::passes {

/// What one call of a fused kernel stands for.
struct Fusion {
  std::string kernel;  // the fused kernel; empty if steps are not fused
  int steps = 1;       // of the step kernel, in one call
  // Globals whose value at entry all steps use; the Store of the last step takes effect at exit.
  std::vector<om::StaticId> held;
};

struct Fused {
  om::Machine machine;  // the fused kernel comes last; the step kernel stays
  Fusion fusion;
};

/// The program's steps can't be fused, whatever their number; the text says why.
class CannotFuse : public Error {
 public:
  explicit CannotFuse(const std::string& message) : Error(message) {}
  explicit CannotFuse(const Error& why) : Error(why) {}
};

/// Chains the step kernel of `machine`, which has been through `prepare`, `steps` times with
/// itself. If nothing is held, one call of the fused kernel gives the same bits as `steps` calls of
/// the step kernel.
///
/// Throws CannotFuse if a step can't begin before a reduction of the step before it is known. With
/// `hold_time_step`, Globals that carry such a reduction (the time step) keep their values for the
/// inner steps; a reduction that cells of its own step need is refused even then.
[[nodiscard]] Fused fuse_steps(const om::Machine& machine, int steps, bool hold_time_step = false);

/// The machine that was fused.
[[nodiscard]] om::Machine unfused(const Fused& fused);

/// Does what one call of the fused kernel does, by calls of the step kernel alone.
void interpret_steps(const om::Machine& machine, const Fusion& fusion, om::State& state);

}  // namespace paraiso::passes
