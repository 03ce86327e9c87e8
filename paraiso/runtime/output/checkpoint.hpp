// checkpoint: an instance's whole state on disk, for an exact restart.
// Gives: write_checkpoint, read_checkpoint, Checkpoint. Needs: file, digest, state.
//
// The file: the line `paraiso checkpoint 1`, a line with the length of the header, the header
// (JSON: program, sizes, statics, step), the statics' bytes in order, and the SHA-256 of all before
// it. It is no HDF5 file because HDF5 can't be trusted to close after a failed write, and because
// one seal over all bytes finds every damage.
#pragma once

#include <filesystem>
#include <string>

#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/fields/record.hpp"

namespace paraiso::runtime {

/// Written beside, flushed, renamed: a failure throws Error and leaves the old file whole.
void write_checkpoint(const std::filesystem::path& path, Instance& instance, std::int64_t step,
                      const Record& record);

struct Checkpoint {
  std::int64_t step = 0;
};
/// Checks the whole file before it changes `instance`. Throws Error where it is damaged, cut, or of
/// another program, size, precision or numbers mode.
Checkpoint read_checkpoint(const std::filesystem::path& path, Instance& instance,
                           const Record& record);

/// The grid size that a checkpoint was written with, for `--restart` without `--size`.
[[nodiscard]] std::vector<std::int64_t> checkpoint_size(const std::filesystem::path& path);

}  // namespace paraiso::runtime
