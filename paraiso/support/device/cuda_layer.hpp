// CUDA as generated solvers use it, and HIP, whose runtime has the same functions under other
// names: devices, their memory, programs and kernels as values that clean up behind themselves.
// Gives: Interface, cuda_interface, Image, survey, chosen, Device, Memory, Program, Kernel in
// paraiso_cuda. Needs: report, launch_queue, emulated_kernels; libcuda.so.1, the driver, where it
// runs.
//
// Besides the graphics cards there is always the device `emulated`: the same kernels, compiled for
// the processor (emulation.hpp). All errors are std::runtime_error, one sentence each. A device
// does what it is told in the order in which it is told; only `finish` and downloads wait for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "paraiso/support/device/emulated_kernels.hpp"
#include "paraiso/support/device/launch_queue.hpp"
#include "paraiso/support/device/report.hpp"

namespace paraiso_cuda {

using paraiso_support::DeviceReport;
using paraiso_support::Extent;

/// Kernels as nvcc leaves them, or as a C++ compiler does for the device `emulated`: one is enough.
struct Image {
  const void* compiled;
  const EmulatedKernels* emulated;
};

/// Whose cards: CUDA's, or those of hip_layer.hpp.
struct Interface;
extern const Interface cuda_interface;

/// All devices of this machine; one is chosen by its number in this list, of which `emulated` is
/// the last. `why` then says why there is no graphics card, if there is none.
std::vector<DeviceReport> survey(std::string& why, const Interface& cards = cuda_interface);

/// The one that `wanted` means: its number or a part of its name. Empty: that of $PARAISO_DEVICE,
/// else the first GPU. Throws where there is none.
DeviceReport chosen(const std::string& wanted = "", const Interface& cards = cuda_interface);

/// A device that is open for work. Copies are the same device.
class Device {
 public:
  explicit Device(const std::string& wanted = "", const Interface& cards = cuda_interface);

  const DeviceReport& report() const;
  /// Throws where that much does not fit into its memory, of which one array takes `largest`.
  void require(double bytes, double largest) const;
  /// Waits for all that it was told.
  void finish() const;

  /// Around a call of a solver's kernel that comes again and again; `collects`: whether many of
  /// these calls are to be told to the device at once, as a graph (launch_queue.hpp).
  void begin_call(bool collects) const;
  void end_call() const;
  /// Graphs that were launched.
  std::int64_t graphs() const;

 private:
  friend class Memory;
  friend class Program;
  friend class Kernel;
  struct State;
  std::shared_ptr<State> state_;
};

/// Memory of a device, all zeros at first. Copies are the same memory.
class Memory {
 public:
  Memory() = default;  // none
  Memory(const Device& device, std::size_t bytes);
  std::size_t bytes() const { return bytes_; }

  void upload(const void* from, std::size_t bytes, std::size_t first = 0);
  void download(void* to, std::size_t bytes, std::size_t first = 0) const;
  /// All of another one of the same device and size, which neither waits for.
  void copy(const Memory& from);

 private:
  friend class Kernel;
  std::shared_ptr<Device::State> device_;
  std::shared_ptr<std::uint64_t> address_;  // there
  std::size_t bytes_ = 0;
};

/// Kernels, loaded on one device.
class Program {
 public:
  /// `name` tells it from others.
  Program(const Device& device, const std::string& name, const Image& image);

 private:
  friend class Kernel;
  std::shared_ptr<Device::State> device_;
  std::shared_ptr<void> handle_;
};

class Kernel {
 public:
  /// Throws where the device has less than `shared_bytes` for the arrays of a block; 0: as many as
  /// any device has. `is_needed`: else that throws which first launches it.
  Kernel(const Program& program, const std::string& name, std::size_t shared_bytes = 0,
         bool is_needed = true);

  /// In blocks of `block` threads, so many that there are at least `threads` along each axis.
  /// Arguments are Memory, numbers and plain structures, as the kernel declares them.
  template <class... Arguments>
  void launch(const Extent& threads, const Extent& block, const Arguments&... arguments) {
    launch_.words.clear();
    launch_.arguments.clear();
    (add(arguments), ...);
    run(threads, block);
  }

 private:
  void add(const Memory& memory);
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    launch_.add(sizeof value, &value);
  }
  void run(const Extent& threads, const Extent& block);

  std::shared_ptr<Device::State> device_;
  std::shared_ptr<void> program_;
  Launch launch_;  // but for blocks
};

}  // namespace paraiso_cuda
