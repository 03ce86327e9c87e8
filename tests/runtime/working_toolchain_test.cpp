#include "paraiso/runtime/backend/working_toolchain.hpp"

#include <algorithm>

#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::Environment;
using test::Folder;

/// The only compiler on PATH: says its version, notes each other call, and ends with a status.
class WorkingToolchain : public testing::Test {
 protected:
  void install(const std::string& version, int status) {
    write_file(folder_ / "g++", "#!/bin/sh\n[ \"$1\" = --version ] && echo '" + version +
                                    "' && exit 0\necho called >> " + (folder_ / "calls").string() +
                                    "\nexit " + std::to_string(status) + "\n");
    std::filesystem::permissions(folder_ / "g++", std::filesystem::perms::owner_all);
  }
  [[nodiscard]] int calls() const {
    const auto file = folder_ / "calls";
    if (!std::filesystem::exists(file)) return 0;
    const std::string text = read_file(file);
    return static_cast<int>(std::ranges::count(text, '\n'));
  }
  Folder folder_;
  Environment path_{"PATH", folder_.path().string() + ":/usr/bin/nowhere"};
  Environment cache_{"PARAISO_CACHE", (folder_ / "cache").string()};
};

TEST_F(WorkingToolchain, IsTriedOnceForEachVersion) {
  install("g++ 12.2.0", 0);
  EXPECT_TRUE(toolchain_works("g++"));
  EXPECT_EQ(calls(), 1);
  EXPECT_TRUE(toolchain_works("g++"));
  EXPECT_EQ(calls(), 1);
  install("g++ 12.3.0", 0);
  EXPECT_TRUE(toolchain_works("g++"));
  EXPECT_EQ(calls(), 2);
}

TEST_F(WorkingToolchain, IsTriedAgainUntilItWorks) {
  install("g++ 12.2.0", 1);
  EXPECT_FALSE(toolchain_works("g++"));
  EXPECT_FALSE(toolchain_works("g++"));
  EXPECT_EQ(calls(), 2);
  install("g++ 12.2.0", 0);
  EXPECT_TRUE(toolchain_works("g++"));
  EXPECT_FALSE(toolchain_works("clang++")) << "it is not on PATH";
}

TEST_F(WorkingToolchain, IsTriedEachTimeWhereNothingCanBeRemembered) {
  install("g++ 12.2.0", 0);
  write_file(folder_ / "cache", "no folder");
  EXPECT_TRUE(toolchain_works("g++"));
  EXPECT_TRUE(toolchain_works("g++"));
  EXPECT_EQ(calls(), 2);
}

}  // namespace
}  // namespace paraiso::runtime
