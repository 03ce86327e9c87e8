#include "paraiso/runtime/fields/shared_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>

#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

constexpr std::size_t kAtOnce = 1 << 20;  // bytes of rows that follow each other in the file

/// Rows that are put one after the other, written together where the file has them so.
class Rows {
 public:
  explicit Rows(int descriptor) : descriptor_(descriptor) {}

  void put(std::int64_t at, const char* row, std::size_t bytes) {
    const bool is_long = bytes >= kAtOnce;  // in one dimension all cells of a part are one row
    const bool follows = at == begin_ + static_cast<std::int64_t>(cells_.size());
    if (is_long || !follows || cells_.size() >= kAtOnce) {
      flush();
      begin_ = at;
    }
    if (is_long)
      write(row, bytes);
    else
      cells_.insert(cells_.end(), row, row + bytes);
  }
  /// Gives the first error of all that was put.
  int flush() {
    write(cells_.data(), cells_.size());
    cells_.clear();
    return error_;
  }

 private:
  void write(const char* cells, std::size_t bytes) {
    if (error_ == 0) error_ = write_at(descriptor_, cells, bytes, begin_);
  }

  int descriptor_;
  int error_ = 0;
  std::int64_t begin_ = 0;
  std::vector<char> cells_;
};

}  // namespace

std::optional<SharedFile> SharedFile::of(const std::filesystem::path& path) {
  struct stat found {};
  if (std::endian::native != std::endian::little || stat(path.c_str(), &found) != 0)
    return std::nullopt;
  SharedFile file;
  file.path_ = std::filesystem::absolute(path);
  file.number_ = found.st_ino;
  return file;
}

std::string SharedFile::text() const { return std::to_string(number_) + " " + path_; }

SharedFile SharedFile::parse(const std::string& text) {
  SharedFile file;
  file.number_ = std::stoull(text);
  file.path_ = text.substr(text.find(' ') + 1);
  return file;
}

std::int64_t SharedFile::write_cells(const FieldView& field, const om::Box& box,
                                     const om::Cell& size, std::int64_t at) const {
  const int descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  struct stat found {};
  if (descriptor < 0 || fstat(descriptor, &found) != 0 || found.st_ino != number_) {
    if (descriptor >= 0) close(descriptor);
    return kUnseen;
  }
  const SizeSignalIgnored signal_ignored;
  const om::Box whole = {om::Cell(size.size(), 0), size};
  const auto element = static_cast<std::int64_t>(om::size_of(field.element));
  Rows rows(descriptor);
  box.for_each_row([&](const om::Cell& cell) {
    std::int64_t offset = 0;
    for (std::size_t a = 0; a < cell.size(); ++a)
      offset += (cell[a] - box.lower[a]) * field.strides[a];
    rows.put(at + static_cast<std::int64_t>(whole.position(cell)) * element,
             static_cast<const char*>(field.data) + offset * element,
             box.row_length() * static_cast<std::size_t>(element));
  });
  const int error = rows.flush();
  return close(descriptor) != 0 && error == 0 ? errno : error;
}

}  // namespace paraiso::runtime
