// A folder of a test's own, and the compilers that it may call there.
// Gives: Folder, installed. Needs: generate.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "paraiso/codegen/generate.hpp"

namespace paraiso::test {

class Folder {
 public:
  Folder() {
    auto pattern = (std::filesystem::temp_directory_path() / "paraiso_codegen_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
  }
  void write(const std::vector<codegen::SourceFile>& files,
             const std::string& subfolder = {}) const {
    std::filesystem::create_directories(path_ / subfolder);
    for (const auto& file : files) std::ofstream(path_ / subfolder / file.name) << file.text;
  }
  /// What the shell command prints, and its status where that is not 0.
  [[nodiscard]] std::string output_of(const std::string& command) const {
    const std::string place = path_.string();
    const int status =
        std::system(("cd " + place + " && (" + command + ") > " + place + "/log 2>&1").c_str());
    std::ifstream file(path_ / "log");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (status != 0) text += "status " + std::to_string(WEXITSTATUS(status));
    return text;
  }

 private:
  std::filesystem::path path_;
};

inline bool installed(const std::string& compiler) {
  return std::system(("command -v " + compiler + " > /dev/null").c_str()) == 0;
}

}  // namespace paraiso::test
