#include "paraiso/support/state_file.hpp"

#include <cstdlib>
#include <stdexcept>

#if defined(__unix__)
#include <sys/stat.h>
#endif

namespace paraiso_support {
namespace {

#if defined(__unix__)
std::string file_of(const char* path) {
  char* const real = realpath(path, nullptr);
  const std::string file = real != nullptr ? real : path;
  std::free(real);
  return file;
}
bool is_special(const std::string& file) {
  struct stat found;
  return stat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode);
}
#else
std::string file_of(const char* path) { return path; }
bool is_special(const std::string&) { return false; }
#endif

}  // namespace

[[gnu::weak]] StateWriter::StateWriter(const char* path)
    : path_(path),
      end_(file_of(path)),
      beside_(end_ + (is_special(end_) ? "" : ".part")),
      file_(std::fopen(beside_.c_str(), "wb")) {}

[[gnu::weak]] StateWriter::~StateWriter() {
  if (file_ != nullptr) std::fclose(file_);
  if (!finished_ && beside_ != end_) std::remove(beside_.c_str());
}

[[gnu::weak]] void StateWriter::write_bytes(const void* data, std::size_t bytes) {
  if (file_ != nullptr && std::fwrite(data, 1, bytes, file_) != bytes) failed_ = true;
}

[[gnu::weak]] void StateWriter::finish() {
  const bool written = file_ != nullptr && std::fclose(file_) == 0 && !failed_;
  file_ = nullptr;
  finished_ = written && (beside_ == end_ || std::rename(beside_.c_str(), end_.c_str()) == 0);
  if (!finished_) throw std::runtime_error("cannot write `" + path_ + "`");
}

[[gnu::weak]] StateReader::StateReader(const char* path)
    : path_(path), file_(std::fopen(path, "rb")) {
  check(file_ != nullptr);
}

[[gnu::weak]] StateReader::~StateReader() { std::fclose(file_); }

[[gnu::weak]] void StateReader::expect(const std::int64_t* size, int axes, std::int64_t bytes) {
  check(std::fseek(file_, 0, SEEK_END) == 0);
  const std::int64_t length = std::ftell(file_);
  check(length >= 0 && std::fseek(file_, 0, SEEK_SET) == 0);
  bool same = length == axes * static_cast<std::int64_t>(sizeof *size) + bytes;
  for (int a = 0; same && a < axes; ++a) {
    std::int64_t cells = 0;
    read(&cells, 1);
    same = cells == size[a];
  }
  if (!same)
    throw std::runtime_error("`" + path_ + "` holds a grid of another size, or another program's");
}

[[gnu::weak]] void StateReader::read_bytes(void* data, std::size_t bytes) {
  check(std::fread(data, 1, bytes, file_) == bytes);
}

[[gnu::weak]] void StateReader::check(bool sound) const {
  if (!sound) throw std::runtime_error("cannot read `" + path_ + "`");
}

}  // namespace paraiso_support
