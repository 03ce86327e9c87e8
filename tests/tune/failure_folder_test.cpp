#include "paraiso/tune/evaluate/failure_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "paraiso/runtime/system/file.hpp"
#include "tests/runtime/support.hpp"

namespace paraiso::tune {
namespace {

using test::Folder;
namespace fs = std::filesystem;

/// Writes `text`, and says that it could.
auto writing(const std::string& text) {
  return [text](const fs::path& folder) {
    runtime::write_file(folder / "wave.cpp", text);
    return true;
  };
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

TEST(FailureFolder, KeepsSourcesBesideTheDatabase) {
  Folder folder;
  FailureFolder failures(folder / "t.sqlite");
  EXPECT_FALSE(fs::exists(failures.path())) << "nothing has failed";
  const auto kept = failures.keep("1-AB", writing("first"));
  EXPECT_EQ(kept, folder / "t.sqlite-failures" / "1-AB");
  EXPECT_EQ(runtime::read_file(kept / "wave.cpp"), "first");
  EXPECT_EQ(failures.keep("1-AB", writing("again")), kept);
  EXPECT_EQ(runtime::read_file(kept / "wave.cpp"), "again");
}

TEST(FailureFolder, KeepsTheNewestOnly) {
  Folder folder;
  FailureFolder failures(folder / "t.sqlite", 3);
  for (const char* name : {"c", "a", "d", "b", "e"}) {
    (void)failures.keep(name, writing(name));
    usleep(20000);  // a file's time is not exact
  }
  EXPECT_EQ(names_in(failures.path()), (std::set<std::string>{"d", "b", "e"}));
}

TEST(FailureFolder, WhatCannotBeWrittenIsNotKept) {
  Folder folder;
  FailureFolder failures(folder / "t.sqlite");
  const auto kept = failures.keep("a", [](const fs::path& half) {
    runtime::write_file(half / "wave.cpp", "half");
    return false;
  });
  EXPECT_EQ(kept, "");
  EXPECT_EQ(folder.file_count(), 0);
}

TEST(FailureFolder, EndsNoTuningWhereWritingThrows) {
  Folder folder;
  FailureFolder failures(folder / "t.sqlite");
  const auto kept = failures.keep("a", [](const fs::path& half) -> bool {
    runtime::write_file(half / "wave.cpp", "half");
    throw Error("can't start `paraiso`: out of memory");
  });
  EXPECT_EQ(kept, "");
  EXPECT_TRUE(names_in(failures.path()).empty());
}

TEST(FailureFolder, EndsNoTuningWhereThereIsNoPlace) {
  Folder folder;
  runtime::write_file(folder / "t.sqlite-failures", "a file in the way");
  FailureFolder failures(folder / "t.sqlite");
  EXPECT_EQ(failures.keep("a", writing("x")), "");
}

}  // namespace
}  // namespace paraiso::tune
