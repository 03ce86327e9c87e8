#include "paraiso/plan/dispatch/loop_thresholds.hpp"

#include <algorithm>

namespace paraiso::plan {

std::string least_shared_threshold(const om::Machine& machine) {
  return machine.name + ".least_shared";
}

std::string streaming_threshold(const om::Machine& machine) { return machine.name + ".streaming"; }

std::vector<std::string> loop_thresholds(const om::Machine& machine) {
  return {least_shared_threshold(machine), streaming_threshold(machine)};
}

LoopsAndVersions of_loops_and_versions(const Thresholds& tuning, const om::Machine& machine) {
  const auto names = loop_thresholds(machine);
  LoopsAndVersions parts;
  for (const auto& [name, value] : tuning) {
    const bool of_loops = std::ranges::find(names, name) != names.end();
    (of_loops ? parts.loops : parts.versions)[name] = value;
  }
  return parts;
}

}  // namespace paraiso::plan
