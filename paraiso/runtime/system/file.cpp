#include "paraiso/runtime/system/file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <vector>

#include "paraiso/base/error.hpp"

namespace paraiso::runtime {
namespace {

// A write past the file size limit raises SIGXFSZ, which kills the process by default; if ignored,
// the write fails with EFBIG, which we can report. Signals belong to the process, hence one count
// for all.
std::mutex size_signal_mutex;
int size_signal_users = 0;
struct sigaction size_signal_before;

}  // namespace

SizeSignalIgnored::SizeSignalIgnored() {
  std::lock_guard lock(size_signal_mutex);
  if (size_signal_users++ > 0) return;
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, &size_signal_before);
}

SizeSignalIgnored::~SizeSignalIgnored() {
  std::lock_guard lock(size_signal_mutex);
  if (--size_signal_users == 0) sigaction(SIGXFSZ, &size_signal_before, nullptr);
}

namespace {

std::string reason(int error) {
  if (error == EFBIG) return "it would exceed the file size limit (`ulimit -f`)";
  if (error == ENOSPC || error == EDQUOT) return "the disk is full";
  return std::strerror(error);
}

/// 0, or the error number.
int write_all(int descriptor, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    ssize_t written = ::write(descriptor, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return 0;
}

std::filesystem::path beside(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};
  auto name = "." + path.filename().string() + "." + std::to_string(getpid()) + "." +
              std::to_string(count++) + ".part";
  return path.parent_path() / name;
}

/// Where a link leads; any other path itself, also that of a link to nothing.
std::filesystem::path target_of(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  auto target = std::filesystem::canonical(path, error);
  return error ? path : target;
}

// After a rename the folder's own entry is flushed too, if the file system allows it.
void flush_folder(const std::filesystem::path& path) {
  auto folder = path.parent_path().empty() ? std::filesystem::path(".") : path.parent_path();
  int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

int write_at(int descriptor, const void* data, std::size_t bytes, std::int64_t at) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = pwrite(descriptor, next, bytes, at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    next += written;
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return 0;
}

void fail_to_write(const std::filesystem::path& path, int error, int rank) {
  throw CannotWrite("can't write `" + path.string() + "`: " + reason(error), rank);
}

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), target_(target_of(path_)), temporary_(beside(target_)) {
  const auto in_the_way = [&](const char* what) {
    return CannotWrite("can't write `" + path_.string() + "`: it is " + what);
  };
  mode_t mode = 0666;
  if (struct stat old{}; stat(target_.c_str(), &old) == 0) {
    if (S_ISDIR(old.st_mode)) throw in_the_way("a folder");
    if (!S_ISREG(old.st_mode)) throw in_the_way("a device or a pipe, not a file");
    mode_ = old.st_mode & 0777;
    mode = (*mode_ & 0666) | 0600;
  }
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor_ < 0) fail(errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!committed_) unlink(temporary_.c_str());
}

void AtomicFile::fail(int error) const { fail_to_write(path_, error); }

void AtomicFile::write(const void* data, std::size_t bytes) {
  if (int error = write_all(descriptor_, data, bytes)) fail(error);
}

void AtomicFile::commit() {
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
  int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail(errno);
  if (mode_) chmod(temporary_.c_str(), *mode_);
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  committed_ = true;
  flush_folder(target_);
}

// Of a pipe or a device, which may have no end (`/dev/zero`).
constexpr std::size_t kMostOfAStream = 1 << 30;

std::string why_no_file(const std::filesystem::path& path) {
  std::error_code unreachable;
  const auto status = std::filesystem::status(path, unreachable);
  if (!std::filesystem::exists(status)) return "there is no such file";
  return std::filesystem::is_regular_file(status) ? "" : "it is no file";
}

std::string read_file(const std::filesystem::path& path) {
  auto fail = [&](const char* why) {
    return Error("can't read `" + path.string() + "`: " + std::string(why));
  };
  std::error_code unreachable;  // told when it is opened
  if (std::filesystem::is_directory(path, unreachable)) throw fail("it is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fail(std::strerror(errno));
  // By pieces: an insertion of the whole buffer would end silently where memory ends.
  std::string text;
  std::vector<char> piece(1 << 16);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMostOfAStream && !why_no_file(path).empty())
      throw fail("it is no file, and does not end within 1 GiB");
  }
  if (file.bad()) throw fail(std::strerror(errno));
  return text;
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void append_to_file(const std::filesystem::path& path, std::string_view text) {
  SizeSignalIgnored ignored;
  int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) fail_to_write(path, errno);
  const off_t before = lseek(descriptor, 0, SEEK_END);
  int error = write_all(descriptor, text.data(), text.size());
  if (error != 0 && ftruncate(descriptor, before) != 0) error = errno;
  close(descriptor);
  if (error != 0) fail_to_write(path, error);
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error, ignored;
  std::filesystem::create_directories(path, error);
  if (std::filesystem::is_directory(path, ignored)) return;
  const bool in_the_way = std::filesystem::exists(path, ignored);
  const auto why = in_the_way ? "a file of that name is in the way" : error.message();
  throw Error("can't make the folder `" + path.string() + "`: " + why);
}

}  // namespace paraiso::runtime
