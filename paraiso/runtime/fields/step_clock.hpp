// step_clock: the times of an instance's coming steps, computed from its scalars alone.
// Gives: StepClock. Needs: Instance, extract_clock.
#pragma once

#include <optional>
#include <vector>

#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/passes/steps/extract_clock.hpp"
#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

class StepClock {
 public:
  /// None if times depend on cells, or there is no time.
  [[nodiscard]] static std::optional<StepClock> of(const om::Machine& machine,
                                                   const passes::Fusion& fusion = {});

  /// To the instance's present.
  void set(const Instance& instance);
  /// The time after one step more, with the bits that it will have.
  [[nodiscard]] double step();

 private:
  explicit StepClock(om::Machine machine) : machine_(std::move(machine)) {}

  om::Machine machine_;                // of Globals
  std::vector<om::StaticId> globals_;  // the same of the instance's machine
  om::State state_;
};

}  // namespace paraiso::runtime
