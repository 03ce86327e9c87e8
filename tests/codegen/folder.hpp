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
#include "paraiso/runtime/system/temporary_folder.hpp"

namespace paraiso::test {

class Folder : public runtime::TemporaryFolder {
 public:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path() / name) << text;
  }
  void write(const std::vector<codegen::SourceFile>& files,
             const std::string& subfolder = {}) const {
    std::filesystem::create_directories(path() / subfolder);
    for (const auto& file : files) std::ofstream(path() / subfolder / file.name) << file.text;
  }
  /// What the shell command prints, and its status where that is not 0.
  [[nodiscard]] std::string output_of(const std::string& command) const {
    const std::string place = path().string();
    const int status =
        std::system(("cd " + place + " && (" + command + ") > " + place + "/log 2>&1").c_str());
    std::ifstream file(path() / "log");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (status != 0) text += "status " + std::to_string(WEXITSTATUS(status));
    return text;
  }
};

inline bool installed(const std::string& compiler) {
  return std::system(("command -v " + compiler + " > /dev/null").c_str()) == 0;
}

}  // namespace paraiso::test
