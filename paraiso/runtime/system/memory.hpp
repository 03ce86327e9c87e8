// memory: how much is available, how much a grid takes, and an error with both numbers.
// Gives: MemoryLimit, available_memory, bytes_text, size_text, require_memory. Needs: /proc,
// cgroups, rlimits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace paraiso::runtime {

struct MemoryLimit {
  double bytes = 0;
  std::string source;  // "free memory", "the limit of this control group", "`ulimit -v`"
};

/// The tightest limit: memory that the kernel reports as available, control groups, address space.
[[nodiscard]] MemoryLimit available_memory();

/// "512 bytes", "1.5 MiB", "22.9 GiB".
[[nodiscard]] std::string bytes_text(double bytes);
/// "1024x512".
[[nodiscard]] std::string size_text(const std::vector<std::int64_t>& size);

/// Throws Error unless every axis has at least one cell and there are `dimension` axes.
void check_size(int dimension, const std::vector<std::int64_t>& size);

/// Throws Error with both numbers, and a grid of about that shape that fits, if `bytes(size)` is
/// more than `limit`.
void require_memory(const std::vector<std::int64_t>& size,
                    const std::function<double(const std::vector<std::int64_t>&)>& bytes,
                    const MemoryLimit& limit = available_memory());

}  // namespace paraiso::runtime
