// AtomicFile: a file written under another name and renamed into place, so that a full disk or a
// kill leaves the old one intact.
// Gives: SizeSignalIgnored, AtomicFile, CannotWrite, fail_to_write, why_no_file, read_file,
// write_file, append_to_file, make_folder, write_at. Needs: Error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "paraiso/base/error.hpp"

namespace paraiso::runtime {

/// While one lives, a write past the file size limit fails (EFBIG) instead of killing the process.
class SizeSignalIgnored {
 public:
  SizeSignalIgnored();
  SizeSignalIgnored(const SizeSignalIgnored&) = delete;
  SizeSignalIgnored& operator=(const SizeSignalIgnored&) = delete;
  ~SizeSignalIgnored();
};

/// Invariant: until `commit`, nothing changes at `path`; without it the destructor removes what was
/// written. What it replaces is a file, maybe at the end of a link, whose permissions it keeps.
/// Every failure is an Error that names path and reason (a file size limit included).
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Flushes to the disk and renames.
  void commit();

  /// Its path until then; for libraries that need a name.
  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }

 private:
  [[noreturn]] void fail(int error) const;

  SizeSignalIgnored size_signal_ignored_;
  std::filesystem::path path_, target_, temporary_;
  std::optional<unsigned> mode_;  // of the file that it replaces
  int descriptor_ = -1;
  bool committed_ = false;
};

/// The disk's fault, a limit's, or of what stands in the way; not that of the content.
class CannotWrite : public Error {
 public:
  explicit CannotWrite(const std::string& message, int of_rank = 0)
      : Error(message), rank(of_rank) {}
  int rank;  // whose write it was; rank 0 also writes what others send
};

/// Throws CannotWrite with the path and the system's reason for `error`, an errno.
[[noreturn]] void fail_to_write(const std::filesystem::path& path, int error, int rank = 0);
/// All bytes to a place in an open file. Gives 0, or the errno.
[[nodiscard]] int write_at(int descriptor, const void* data, std::size_t bytes, std::int64_t at);
/// "there is no such file", "it is no file" for a folder or a pipe; empty if it is one.
[[nodiscard]] std::string why_no_file(const std::filesystem::path& path);
/// The whole file. Throws Error with the system's reason; of a pipe or a device, beyond 1 GiB too.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);
/// Atomically.
void write_file(const std::filesystem::path& path, std::string_view text);
/// Appends to an existing file; a row that does not fit completely is removed again.
void append_to_file(const std::filesystem::path& path, std::string_view text);
/// Creates the folder and its parents. Throws Error with the system's reason.
void make_folder(const std::filesystem::path& path);

}  // namespace paraiso::runtime
