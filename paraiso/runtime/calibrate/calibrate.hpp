// calibrate: a machine measures itself, with a compiler and its flags.
// Gives: measured_machine, calibrate, kept_machine_path. Needs: probes, machine_file, toolchain,
// cache.
#pragma once

#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/calibrate/machine_file.hpp"
#include "paraiso/runtime/calibrate/probes.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::runtime {

/// What the probe says of a host, each value within what is believed; `bytes` is what a thread may
/// touch.
[[nodiscard]] plan::MachineModel measured_machine(const Probe& probe, const Host& host,
                                                  const plan::Target& target, double bytes);

/// Compiles the probe as generated code is, and measures with all threads of the host: about two
/// seconds. Throws Error where the compiler fails.
[[nodiscard]] MachineFile calibrate(const Toolchain& toolchain, const plan::Target& target);

/// Where what was measured here with such a compiler for that target is kept, beside the compile
/// cache's entries. Throws Error where the cache can't be used.
[[nodiscard]] std::filesystem::path kept_machine_path(const Toolchain& toolchain,
                                                      const plan::Target& target);

}  // namespace paraiso::runtime
