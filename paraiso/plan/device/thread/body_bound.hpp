// body_bound: bodies of a device's kernels are as small as its registers ask for.
// Gives: kMostRegisters, live_registers, bound_bodies. Needs: choices; inside repair.
//
// A thread that needs more registers than it may have keeps values in memory, far slower than an
// array would be, and with many registers few threads run at a time.
#pragma once

#include "paraiso/plan/choices/choices.hpp"

namespace paraiso::plan {

/// Of 4 bytes, for values: a thread has 255, and takes some for addresses.
inline constexpr int kMostRegisters = 200;
inline constexpr std::size_t kMostDeviceTerms = 2000;  // of a value; compilers of devices are slow

/// The most registers that values take at a time, computed in the order of the terms.
[[nodiscard]] int live_registers(const om::Graph& graph, const Expansion& expansion);

/// Stores values, those that save most first, until all bodies of a kernel keep to the bounds, of
/// which `registers` is one, or none may be stored any more. Returns the genes (positions in
/// genes.storage) that became `array`.
std::vector<std::size_t> bound_bodies(const om::Machine& machine, const om::Kernel& kernel,
                                      const KernelGenes& genes, KernelChoices& choices,
                                      int registers);

}  // namespace paraiso::plan
