// own_hardware: this machine, or several like it, as a hardware graph.
// Gives: own_hardware. Needs: machine_file, ping_pong, hardware.
#pragma once

#include "paraiso/hardware/hardware.hpp"
#include "paraiso/runtime/calibrate/machine_file.hpp"
#include "paraiso/runtime/calibrate/ping_pong.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::runtime {

/// `file`: the name that measurements are written to, beside the graph. Of several `nodes`,
/// `messages` are what goes between two of them; of one, what goes between two of its ranks.
[[nodiscard]] hardware::Hardware own_hardware(const MachineFile& measured, const std::string& file,
                                              const Host& host, std::int64_t nodes,
                                              const MessageTime& messages);

}  // namespace paraiso::runtime
