// OpenCL as generated solvers use it: devices, their memory, programs and kernels as values that
// clean up behind themselves. Gives: survey, Device, Memory, Program, Kernel in paraiso_opencl.
// Needs: report; libOpenCL.so.1 where it runs.
//
// All errors are std::runtime_error, one sentence each. A device does what it is told in the order
// in which it is told; only `finish` and downloads wait for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "paraiso/support/device/report.hpp"

namespace paraiso_opencl {

using paraiso_support::DeviceReport;
using paraiso_support::Extent;

/// All devices of this machine; one is chosen by its number in this list. Throws where there is no
/// loader, no driver or no device.
std::vector<DeviceReport> survey();

/// A device that is open for work. Copies are the same device.
class Device {
 public:
  /// `wanted` is a device's number or a part of its name. Empty: that of $PARAISO_DEVICE, else the
  /// first GPU, else the first of all.
  explicit Device(const std::string& wanted = "");

  const DeviceReport& report() const;
  /// Throws where that much does not fit into its memory, of which one array takes `largest`.
  void require(double bytes, double largest) const;
  /// Waits for all that it was told.
  void finish() const;

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
  std::shared_ptr<void> handle_;
  std::size_t bytes_ = 0;
};

/// Whether compilers optimize what includes this.
#ifdef __OPTIMIZE__
static constexpr bool is_optimized = true;
#else
static constexpr bool is_optimized = false;
#endif

/// The source of kernels, built for one device.
class Program {
 public:
  /// `name` tells it from others. Where it can't be built, the message names a file that has its
  /// source. Kernels are optimized where the code is that builds them.
  Program(const Device& device, const std::string& name, const std::string& source,
          bool optimized = is_optimized);

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
    unsigned place = 0;
    (set(place++, arguments), ...);
    run(threads, block);
  }

 private:
  void set(unsigned place, const Memory& memory);
  template <class T>
  void set(unsigned place, const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    set(place, sizeof value, &value);
  }
  void set(unsigned place, std::size_t bytes, const void* value);
  void run(const Extent& threads, const Extent& block);

  std::shared_ptr<Device::State> device_;
  std::shared_ptr<void> handle_;  // none: the device has too little for it
  std::string name_;
  std::size_t shared_bytes_ = 0;
};

}  // namespace paraiso_opencl
