#include "paraiso/runtime/process/process.hpp"

#include <unistd.h>

#include <chrono>

#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::Environment;
using test::error_text;
using test::Folder;

TEST(Process, GivesOutputsAndStatus) {
  const auto result = run_program({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_FALSE(result.timed_out);
}

TEST(Process, RunsInAFolderAndWithoutAShell) {
  Folder folder;
  const auto result = run_program({"/bin/pwd"}, folder.path());
  EXPECT_EQ(folder.shown(result.output), "FOLDER\n");
  EXPECT_EQ(run_program({"/bin/echo", "$HOME; `id` *"}).output, "$HOME; `id` *\n");
}

TEST(Process, MayTakeAgesByItsLimit) {
  EXPECT_EQ(run_program({"/bin/echo", "done"}, {}, 1e10).output, "done\n");
  EXPECT_EQ(run_program({"/bin/echo", "done"}, {}, 1e300).output, "done\n");
}

TEST(Process, TellsASignal) {
  EXPECT_EQ(run_program({"/bin/sh", "-c", "kill -9 $$"}).status, 128 + 9);
}

TEST(Process, EndsAtItsTimeWithItsChildren) {
  const auto start = std::chrono::steady_clock::now();
  const auto result = run_program({"/bin/sh", "-c", "sleep 60; echo late"}, {}, 0.2);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.status, 128 + 9);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Process, ASilentOneHasTheSameTime) {
  for (const char* script : {"exec >&- 2>&-; sleep 60", "exec > /dev/null 2>&1; sleep 60"}) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = run_program({"/bin/sh", "-c", script}, {}, ProgramLimits{.seconds = 0.3});
    EXPECT_TRUE(result.timed_out) << script;
    EXPECT_EQ(result.status, 128 + 9) << script;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << script;
  }
}

TEST(Process, ASilentOneEatsNoMoreMemory) {
  const auto result = run_program({"/bin/sh", "-c", "exec >&- 2>&-; tail /dev/zero"}, {},
                                  ProgramLimits{.seconds = 30, .bytes = 64 << 20});
  EXPECT_EQ(result.exceeded, "more than 64.0 MiB of memory");
}

TEST(Process, ASilentOneEndsByItself) {
  const auto result = run_program({"/bin/sh", "-c", "echo first; exec >&- 2>&-; sleep 0.3; exit 3"},
                                  {}, ProgramLimits{.seconds = 30});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.output, "first\n");
  EXPECT_FALSE(result.timed_out);
}

TEST(Process, ALimitedProgramTakesAllItsChildrenWithIt) {
  Folder folder;
  const auto result =
      run_program({"/bin/sh", "-c", "(sleep 1; touch late) > /dev/null 2>&1 & exit 0"},
                  folder.path(), ProgramLimits{.seconds = 20});
  EXPECT_EQ(result.status, 0);
  usleep(1500000);
  EXPECT_FALSE(std::filesystem::exists(folder / "late"));
}

TEST(Process, AGroupWithinTheSessionEndsToo) {
  Folder folder;
  const auto result =
      run_program({"/bin/bash", "-c", "set -m; (sleep 1; touch late) > /dev/null & sleep 60"},
                  folder.path(), ProgramLimits{.seconds = 0.3});
  EXPECT_TRUE(result.timed_out);
  usleep(1500000);
  EXPECT_FALSE(std::filesystem::exists(folder / "late"));
}

TEST(Process, ForksNotWithoutLimit) {
  const auto result = run_program(
      {"/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 60 & done; wait"}, {},
      ProgramLimits{.seconds = 30, .processes = 10});
  EXPECT_EQ(result.exceeded, "more than 10 processes");
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.status, 128 + 9);
}

TEST(Process, EatsNotWithoutLimit) {
  const auto result =
      run_program({"/bin/sh", "-c", "tail /dev/zero"},  // keeps a line that never ends
                  {}, ProgramLimits{.seconds = 30, .bytes = 64 << 20});
  EXPECT_EQ(result.exceeded, "more than 64.0 MiB of memory");
}

TEST(Process, WithinItsLimitsNothingHappens) {
  const auto result = run_program({"/bin/sh", "-c", "sleep 0.6; echo done"}, {},
                                  ProgramLimits{.seconds = 30, .bytes = 1 << 30, .processes = 10});
  EXPECT_EQ(result.exceeded, "");
  EXPECT_EQ(result.output, "done\n");
}

TEST(Process, KeepsAtMostOneMebibyte) {
  const auto result = run_program({"/bin/sh", "-c", "yes | head -c 3000000"});
  EXPECT_EQ(result.output.size(), std::size_t{1} << 20);
}

TEST(Process, CannotStartWhatIsNotThere) {
  EXPECT_EQ(error_text([] { (void)run_program({"/no/such/program"}); }),
            "error: can't start `/no/such/program`: No such file or directory");
}

TEST(Process, FindsProgramsOnPath) {
  Folder folder;
  write_file(folder / "tool", "#!/bin/sh\n");
  write_file(folder / "text", "no program");
  std::filesystem::permissions(folder / "tool", std::filesystem::perms::owner_all);
  std::filesystem::permissions(folder / "text", std::filesystem::perms::owner_read);
  Environment path("PATH", "/no/such/folder:" + folder.path().string());
  EXPECT_EQ(find_program("tool"), folder / "tool");
  EXPECT_EQ(find_program((folder / "tool").string()), folder / "tool");
  EXPECT_EQ(find_program("text"), std::nullopt);
  EXPECT_EQ(find_program("sh"), std::nullopt);
  EXPECT_EQ(find_program(""), std::nullopt);
}

}  // namespace
}  // namespace paraiso::runtime
