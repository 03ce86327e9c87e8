// SharedFile: a file into which each rank writes the cells that it has.
// Gives: SharedFile. Needs: FieldView.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

/// A file by its name and its number in the file system, which all hosts of a file system share: so
/// a host that has another file of that name does not write into it.
class SharedFile {
 public:
  /// Nothing if there is no such file, or this machine keeps numbers in another order than files.
  [[nodiscard]] static std::optional<SharedFile> of(const std::filesystem::path& path);
  /// As a message, and back.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static SharedFile parse(const std::string& text);

  static constexpr std::int64_t kUnseen = -1;
  /// The cells of `box`, which are the core of `field`, into a whole grid of `size` whose first
  /// cell is at byte `at`. Gives the errno of what failed, or 0, or kUnseen.
  [[nodiscard]] std::int64_t write_cells(const FieldView& field, const om::Box& box,
                                         const om::Cell& size, std::int64_t at) const;

 private:
  std::string path_;  // absolute
  std::uint64_t number_ = 0;
};

}  // namespace paraiso::runtime
