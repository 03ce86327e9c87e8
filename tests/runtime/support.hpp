// Helpers of the runtime's tests: errors as text, a folder of one's own, guards that put things
// back. Gives: error_text, Folder, Environment, FileSizeLimit. Needs: GoogleTest.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <filesystem>
#include <optional>
#include <string>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"

namespace paraiso::test {

/// The text of the Error that `f` throws; a failed expectation if it throws none.
template <class F>
std::string error_text(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

/// `text` with each `from` replaced: paths that differ from run to run.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

class Folder : public runtime::TemporaryFolder {
 public:
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path() / name;
  }
  /// `text` with this folder's path as `FOLDER`.
  [[nodiscard]] std::string shown(const std::string& text) const {
    return replaced(text, path().string(), "FOLDER");
  }
  /// The files below it, hidden ones included.
  [[nodiscard]] int file_count() const {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path()))
      count += entry.is_regular_file();
    return count;
  }
};

class Environment {
 public:
  /// Sets a variable, or unsets it.
  Environment(const char* name, std::optional<std::string> value) : name_(name) {
    if (const char* before = getenv(name)) before_ = before;
    put(value);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { put(before_); }

 private:
  void put(const std::optional<std::string>& value) {
    value ? setenv(name_, value->c_str(), 1) : unsetenv(name_);
  }
  const char* name_;
  std::optional<std::string> before_;
};

/// No file may grow beyond `bytes` while it lives: a full disk that tests can have anywhere.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

}  // namespace paraiso::test
