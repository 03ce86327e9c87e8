// checkpoint: an instance's whole state on disk, for an exact restart.
// Gives: write_checkpoint, read_checkpoint, Checkpoint, checkpoint_size. Needs: file, seal, state.
//
// The file: a head (the line `paraiso checkpoint 2`, a line with the length of the header, the
// header: JSON with program, sizes, statics, step), the statics' bytes in order, and the seal of
// both. The same state gives the same bytes, whoever computed and wrote it: so the header has no
// command line. Format 1, which is still read, ended with the SHA-256 of everything before. Not
// HDF5, because HDF5 can't be trusted to close after a failed write, and because a seal of all
// bytes detects any damage.
#pragma once

#include <filesystem>
#include <string>

#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/fields/record.hpp"

namespace paraiso::runtime {

/// Written under another name, flushed, renamed: a failure throws Error and leaves the old file
/// intact.
void write_checkpoint(const std::filesystem::path& path, Instance& instance, std::int64_t step,
                      const Record& record);

struct Checkpoint {
  std::int64_t step = 0;
};
/// Checks the whole file before it changes `instance`. Throws Error if it is damaged, truncated, or
/// of another program, size, precision or numbers mode.
Checkpoint read_checkpoint(const std::filesystem::path& path, Instance& instance,
                           const Record& record);

/// The grid size that a checkpoint was written with, for `--restart` without `--size`.
[[nodiscard]] std::vector<std::int64_t> checkpoint_size(const std::filesystem::path& path);

}  // namespace paraiso::runtime
