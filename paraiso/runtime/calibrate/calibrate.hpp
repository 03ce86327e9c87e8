// calibrate: a machine measures itself, with a compiler and its flags.
// Gives: measured_machine, calibrate, kept_machine_path. Needs: probes, watched_probe,
// machine_file, toolchain, cache.
#pragma once

#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/calibrate/machine_file.hpp"
#include "paraiso/runtime/calibrate/probes.hpp"
#include "paraiso/runtime/calibrate/watched_probe.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::runtime {

/// The model of a host from the probe's measurements, each limited to a credible range; `bytes` is
/// how much memory a thread may touch.
[[nodiscard]] plan::MachineModel measured_machine(const Sampler& probe, const Host& host,
                                                  const plan::Target& target, double bytes);

/// Compiles the probe like generated code, and measures with all threads of the host: less than
/// five seconds together, unless other programs run, which `busy` then tells. Throws Error if the
/// compiler fails.
[[nodiscard]] MachineFile calibrate(const Toolchain& toolchain, const plan::Target& target);

/// Where the measurement of a host with such a compiler for that target is kept: in the compile
/// cache's folder. Throws Error if the cache can't be used.
[[nodiscard]] std::filesystem::path kept_machine_path(const Toolchain& toolchain,
                                                      const plan::Target& target,
                                                      const Host& measured = host());

}  // namespace paraiso::runtime
