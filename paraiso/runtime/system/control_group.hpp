// control_group: the memory that control groups (of containers and batch systems) leave.
// Gives: control_group_room. Needs: cgroups of version 1 or 2.
#pragma once

#include <filesystem>
#include <optional>

namespace paraiso::runtime {

/// The bytes that this process's control group and its ancestors leave: the least of limit - use.
/// Cached files count as free, since the kernel drops them when the group needs memory. None
/// without a limit. `root` holds the hierarchies, `groups` says where this process is in them.
[[nodiscard]] std::optional<double> control_group_room(
    const std::filesystem::path& root = "/sys/fs/cgroup",
    const std::filesystem::path& groups = "/proc/self/cgroup");

}  // namespace paraiso::runtime
