#include "paraiso/runtime/system/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/system/control_group.hpp"

namespace paraiso::runtime {
namespace {

/// The number after `key` in a file of `key: number kB` lines, in bytes.
std::optional<double> proc_value(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    double kilobytes;
    if (words >> name >> kilobytes && name == key) return kilobytes * 1024;
  }
  return std::nullopt;
}

std::optional<double> resource_room(int resource, const std::string& used) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  double use = proc_value("/proc/self/status", used).value_or(0);
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - use);
}

std::vector<std::int64_t> scaled(const std::vector<std::int64_t>& size, double factor) {
  auto smaller = size;
  for (auto& cells : smaller)
    cells = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::floor(static_cast<double>(cells) * factor)));
  return smaller;
}

/// The largest grid of about the same shape that fits, by bisection; empty if none does.
std::vector<std::int64_t> fitting(
    const std::vector<std::int64_t>& size,
    const std::function<double(const std::vector<std::int64_t>&)>& bytes, double limit) {
  // No factor above the root of limit / needed fits, and 60 halvings of 1 do not reach every factor
  // below it.
  double low = 0;
  double high =
      std::min(1.0, 2 * std::pow(limit / bytes(size), 1.0 / static_cast<double>(size.size())));
  for (int i = 0; i < 60; ++i) {
    double middle = (low + high) / 2;
    (bytes(scaled(size, middle)) <= limit ? low : high) = middle;
  }
  auto best = scaled(size, low);
  return bytes(best) <= limit ? best : std::vector<std::int64_t>{};
}

}  // namespace

MemoryLimit available_memory() {
  const std::pair<std::optional<double>, const char*> limits[] = {
      {proc_value("/proc/meminfo", "MemAvailable:"), "free memory of this machine"},
      {control_group_room(), "limit of this control group"},
      {resource_room(RLIMIT_AS, "VmSize:"), "address space limit, `ulimit -v`"},
      {resource_room(RLIMIT_DATA, "VmData:"), "data size limit, `ulimit -d`"},
  };
  MemoryLimit least{INFINITY, "no limit known"};
  for (const auto& [bytes, source] : limits)
    if (bytes && *bytes < least.bytes) least = {*bytes, source};
  return least;
}

std::string bytes_text(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} bytes", bytes);
  const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = -1;
  while (bytes >= 1023.95 && unit < 5) {
    bytes /= 1024;
    ++unit;
  }
  return bytes < 1e6 ? fmt::format("{:.1f} {}", bytes, units[unit])
                     : fmt::format("{:.1e} {}", bytes, units[unit]);
}

std::string size_text(const std::vector<std::int64_t>& size) {
  return fmt::format("{}", fmt::join(size, "x"));
}

void check_size(int dimension, const std::vector<std::int64_t>& size) {
  if (size.size() != static_cast<std::size_t>(dimension))
    throw Error(fmt::format("the size `{}` has {} {}, the machine has {}", size_text(size),
                            size.size(), size.size() == 1 ? "axis" : "axes", dimension));
  for (auto cells : size)
    if (cells < 1)
      throw Error(fmt::format("the size `{}` is impossible: every axis needs at least one cell",
                              size_text(size)));
}

void require_memory(const std::vector<std::int64_t>& size,
                    const std::function<double(const std::vector<std::int64_t>&)>& bytes,
                    const MemoryLimit& limit) {
  double needed = bytes(size);
  if (needed <= limit.bytes) return;
  Error error(fmt::format("a grid of {} cells needs {} of memory, and {} are left ({})",
                          size_text(size), bytes_text(needed), bytes_text(limit.bytes),
                          limit.source));
  auto smaller = fitting(size, bytes, limit.bytes);
  throw smaller.empty() ? error : error.with_hint("a grid of " + size_text(smaller) + " would fit");
}

}  // namespace paraiso::runtime
