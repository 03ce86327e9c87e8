// output: snapshots in HDF5, and an XDMF file through which ParaView opens them as one series.
// Gives: write_snapshot, load_fields, SnapshotInfo, read_snapshot_info, write_xdmf. Needs: HDF5,
// Instance.
//
// A snapshot has one dataset per static: Locals in `/fields`, slowest axis first (so that in Python
// `file["fields/density"][y, x]`), Globals in `/scalars`; cell edges and centres in `/coordinates`;
// and as attributes of the root: version, command, parameters, program and schedule hash, time,
// step.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/fields/record.hpp"

namespace paraiso::runtime {

/// Written under another name, then renamed. Throws Error if the disk is full or the path not
/// writable.
void write_snapshot(const std::filesystem::path& path, Instance& instance, std::int64_t step,
                    const Record& record);

/// Sets every Local static that the file has a dataset for, in `/fields` or at its root. Throws
/// Error if there is none, or if one has another size or kind of element; the instance is then
/// unchanged. Returns the names of the fields that were set.
std::vector<std::string> load_fields(const std::filesystem::path& path, Instance& instance);

struct SnapshotInfo {
  std::filesystem::path path;
  std::int64_t step = 0;
  double time = 0;
  std::string program_hash;
};
/// Throws Error if the file is not a snapshot.
[[nodiscard]] SnapshotInfo read_snapshot_info(const std::filesystem::path& path);

/// A temporal collection of `snapshots`, which are in the same folder. For grids of 1, 2 and 3
/// dimensions.
void write_xdmf(const std::filesystem::path& path, const Instance& instance,
                const std::vector<SnapshotInfo>& snapshots);

}  // namespace paraiso::runtime
