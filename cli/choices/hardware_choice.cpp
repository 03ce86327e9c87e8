#include "cli/choices/hardware_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/call/session.hpp"
#include "paraiso/hardware/simulate/forecast.hpp"
#include "paraiso/runtime/calibrate/machine_file.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::cli {
namespace {

plan::MachineModel model_of(const hardware::Hardware& hardware, std::size_t component,
                            const std::filesystem::path& folder) {
  const hardware::Component& processor = hardware.components[component];
  if (processor.kind != hardware::Kind::processor) return {};
  if (processor.machine.empty()) return hardware::assumed_machine(hardware, component);
  plan::MachineModel machine = runtime::read_machine(folder / processor.machine).machine;
  if (processor.threads == machine.threads) return machine;
  machine.threads = processor.threads;  // that use the memory of the graph, then
  machine.memory_all = hardware::memory_bandwidth(hardware, component);
  return machine;
}

}  // namespace

const plan::MachineModel& HardwareChoice::first() const {
  const auto found =
      std::ranges::find(hardware.components, hardware::Kind::processor, &hardware::Component::kind);
  return machines[static_cast<std::size_t>(found - hardware.components.begin())];
}

HardwareChoice choose_hardware(const std::string& file) {
  return as_wrong_call([&] {
    HardwareChoice choice{hardware::parse_hardware(runtime::read_file(file), file), {}};
    for (std::size_t c = 0; c < choice.hardware.components.size(); ++c)
      choice.machines.push_back(
          model_of(choice.hardware, c, std::filesystem::path(file).parent_path()));
    return choice;
  });
}

}  // namespace paraiso::cli
