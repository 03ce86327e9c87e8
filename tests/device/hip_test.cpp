// HIP's text is C++: two compilers accept it with the emulation's header, once as a processor's
// code, once as HIP's compiler reads it, with a header of its own that gives the same names.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "paraiso/codegen/support_text.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"

namespace paraiso {
namespace {

TEST(Hip, KernelsAreCpp) {
  const runtime::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "hip");
  const std::string header(codegen::emulation_header());
  runtime::write_file(folder.path() / "paraiso_emulation.hpp", header);
  runtime::write_file(folder.path() / "hip/hip_runtime.h", header);
  int kernels = 0;
  for (const auto& program :
       std::filesystem::directory_iterator(PARAISO_SOURCE_DIR "/tests/golden")) {
    const auto text = program.path() / "hip.hip";
    if (!std::filesystem::exists(text)) continue;
    ++kernels;
    const std::vector<std::string> flags = {
        "-std=c++17",    "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
        "-fsyntax-only", "-I.",   "-x",      "c++"};
    for (std::vector<std::string> command :
         {std::vector<std::string>{"/usr/bin/g++"}, {"/usr/bin/clang++", "-D__HIP__"}}) {
      command.insert(command.end(), flags.begin(), flags.end());
      command.push_back(text.string());
      const auto built = runtime::run_program(command, folder.path(), 300);
      EXPECT_EQ(built.status, 0) << text << " with " << command.front() << "\n" << built.output;
    }
  }
  EXPECT_EQ(kernels, 5);
}

}  // namespace
}  // namespace paraiso
