// What all layers have in common: what a device says of itself, how one is chosen, sizes of
// launches, how messages are put. Gives: DeviceParts, DeviceReport, Extent, RunningKernels,
// quoted, amount_text, no_memory_text, find_device, choose_device, require_on_device,
// require_free, gives_shared, require_shared, keep_source, first_lines, waits_for_each_kernel in
// paraiso_support. Needs: the C++17 standard library.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace paraiso_support {

/// What a device says of its parts; 0: it says nothing.
struct DeviceParts {
  double units = 0;    // multiprocessors, or cores
  double threads = 0;  // that one of them holds at a time
  double blocks = 0;
  double warp = 0;
  double registers = 0;  // of one of them
  double shared_bytes = 0;
  double block_shared_bytes = 0;  // that a block may have
  double hertz = 0;
  double f32_lanes = 0;   // of one of them
  double f32_to_f64 = 0;  // how many times as many f32 operations a second it has
  double l2_bytes = 0;
  double memory_second_bytes = 0;  // at best
};

/// What a device says of itself.
struct DeviceReport {
  std::string name, platform, version;
  std::string architecture;  // that kernels are compiled for: "sm_90"; empty: for any
  std::string place;         // on the bus, which tells it from others of its name: "0:101:0"
  bool gpu = false;
  double memory_bytes = 0;
  double largest_bytes = 0;           // of one piece of memory
  bool fp64 = false;                  // without it no solver runs
  bool usable = false;                // whether solvers run there
  std::vector<std::string> problems;  // what is missing: for a solver to run, or for its bits
  DeviceParts parts;
};

/// Threads along each axis.
using Extent = std::array<std::size_t, 3>;

/// The kernels that a device was told to run since somebody last waited for it: where one of them
/// fails, whoever waits next is told.
class RunningKernels {
 public:
  void add(const std::string& name);
  void clear() { names_.clear(); }
  /// ", after kernel `a`"; of several it says how to find the one that failed; "" if there is none.
  std::string text() const;

 private:
  std::vector<std::string> names_;  // each once
};

/// Whether $PARAISO_SYNC asks for it, so that an error is told of the kernel that made it.
bool waits_for_each_kernel();

std::string quoted(const std::string& text);
/// "3.2 GB".
std::string amount_text(double bytes);
/// "has no 3.2 GB left on device `X`, ...": where a device refuses memory that it has by what it
/// says.
std::string no_memory_text(const DeviceReport& device, std::size_t bytes);

/// The place in `all` of the device that `wanted` means: its number or a part of its name, in
/// capitals or not. None if there is no such device.
std::optional<std::size_t> find_device(const std::vector<DeviceReport>& all,
                                       const std::string& wanted);
/// The same. Empty: that of $PARAISO_DEVICE, else the first GPU on which solvers run, else the
/// first GPU, else the first of all. Throws std::runtime_error with a list where there is none.
std::size_t choose_device(const std::vector<DeviceReport>& all, const std::string& wanted);

/// Throws where `bytes` do not fit into the device's memory, of which one array takes `largest`.
void require_on_device(const DeviceReport& device, double bytes, double largest);
/// Throws where `bytes` do not fit into what is left of it beside other processes.
void require_free(const DeviceReport& device, double bytes, double free);
/// Whether a block may have that much shared memory, by what the device says.
bool gives_shared(const DeviceReport& device, std::size_t bytes);
/// Throws where a block of a kernel has more than that.
void require_shared(const DeviceReport& device, const std::string& kernel, std::size_t bytes);

/// Keeps the source of a program that can't be built, and gives the file's name, quoted; where even
/// this fails, it says so.
std::string keep_source(const std::string& name, const char* suffix, const std::string& source);

/// At most twelve.
std::string first_lines(const std::string& text);

}  // namespace paraiso_support
