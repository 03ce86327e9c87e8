#include "paraiso/support/device/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace paraiso_support {
namespace {

std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

void RunningKernels::add(const std::string& name) {
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
}

std::string RunningKernels::text() const {
  if (names_.empty()) return "";
  if (names_.size() == 1) return ", after kernel " + quoted(names_[0]);
  std::string list;
  for (const std::string& name : names_) list += (list.empty() ? "" : ", ") + quoted(name);
  return ", after kernels " + list + " (with PARAISO_SYNC=1 it is told which of them failed)";
}

bool waits_for_each_kernel() {
  static const bool asked = std::getenv("PARAISO_SYNC") != nullptr;
  return asked;
}

std::string quoted(const std::string& text) { return "`" + text + "`"; }

std::string amount_text(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 4; ++unit) bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.3g %s", bytes, units[unit]);
  return text;
}

std::string no_memory_text(const DeviceReport& device, std::size_t bytes) {
  return "has no " + amount_text(static_cast<double>(bytes)) + " left on device " +
         quoted(device.name) + ", whose " + amount_text(device.memory_bytes) +
         " all processes share";
}

std::optional<std::size_t> find_device(const std::vector<DeviceReport>& all,
                                       const std::string& wanted) {
  const bool number = wanted.find_first_not_of("0123456789") == std::string::npos;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (number ? wanted == std::to_string(i)
               : in_small_letters(all[i].name).find(in_small_letters(wanted)) != std::string::npos)
      return i;
  return std::nullopt;
}

std::size_t choose_device(const std::vector<DeviceReport>& all, const std::string& asked) {
  const char* const usual = std::getenv("PARAISO_DEVICE");
  const std::string wanted = asked.empty() && usual ? usual : asked;
  if (wanted.empty()) {
    const auto rank = [](const DeviceReport& d) { return !d.gpu ? 0 : d.usable ? 2 : 1; };
    const auto best = std::max_element(
        all.begin(), all.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return static_cast<std::size_t>(best - all.begin());
  }
  if (const auto found = find_device(all, wanted)) return *found;
  std::string list;
  for (std::size_t i = 0; i < all.size(); ++i)
    list += (i ? ", " : "") + std::to_string(i) + " " + quoted(all[i].name);
  throw std::runtime_error("no device " + quoted(wanted) + ": this machine has " + list);
}

void require_on_device(const DeviceReport& device, double bytes, double largest) {
  const std::string too_small = "device " + quoted(device.name) + " is too small: ";
  if (bytes > device.memory_bytes)
    throw std::runtime_error(too_small + "it has " + amount_text(device.memory_bytes) +
                             " of memory, and " + amount_text(bytes) + " are needed");
  if (largest > device.largest_bytes)
    throw std::runtime_error(too_small + "an array there has at most " +
                             amount_text(device.largest_bytes) + ", and " + amount_text(largest) +
                             " are needed");
}

void require_free(const DeviceReport& device, double bytes, double free) {
  if (bytes > free)
    throw std::runtime_error("device " + quoted(device.name) + " is full: of its " +
                             amount_text(device.memory_bytes) + " " + amount_text(free) +
                             " are free, and " + amount_text(bytes) + " are needed");
}

bool gives_shared(const DeviceReport& device, std::size_t bytes) {
  const double most = device.parts.block_shared_bytes;
  return most <= 0 || static_cast<double>(bytes) <= most;
}

void require_shared(const DeviceReport& device, const std::string& kernel, std::size_t bytes) {
  if (!gives_shared(device, bytes))
    throw std::runtime_error("a block of kernel " + quoted(kernel) + " has " +
                             amount_text(static_cast<double>(bytes)) +
                             " of shared memory, and device " + quoted(device.name) +
                             " gives a block " + amount_text(device.parts.block_shared_bytes) +
                             ": another schedule takes less (gene `shared`)");
}

std::string keep_source(const std::string& name, const char* suffix, const std::string& source) {
  const char* const folder = std::getenv("TMPDIR");
  std::string path =
      std::string(folder ? folder : "/tmp") + "/paraiso-" + name + "-XXXXXX" + suffix;
  const int made = mkstemps(&path[0], static_cast<int>(std::strlen(suffix)));  // no other's link
  if (made >= 0) close(made);
  std::ofstream file(made >= 0 ? path : "");
  file << source << std::flush;
  return file ? quoted(path) : "not kept, since " + quoted(path) + " can't be written";
}

std::string first_lines(const std::string& text) {
  std::size_t end = 0;
  for (int line = 0; line < 12 && end != std::string::npos; ++line) end = text.find('\n', end + 1);
  return text.substr(0, end);
}

}  // namespace paraiso_support
