#include "paraiso/runtime/process/process_identity.hpp"

#include <signal.h>
#include <sys/wait.h>

#include "paraiso/base/text.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

/// The words of this process's identity, the one at `place` replaced.
std::string changed(std::size_t place, const std::string& word) {
  auto words = split(process_identity(), ' ');
  words.at(place) = word;
  std::string text;
  for (const std::string& one : words) text += (text.empty() ? "" : " ") + one;
  return text;
}

TEST(ProcessIdentity, OfOneThatLives) {
  EXPECT_FALSE(has_ended(process_identity()));
  EXPECT_EQ(process_identity(), process_identity());
  EXPECT_FALSE(has_ended(process_identity(1)));
}

TEST(ProcessIdentity, OfOneThatWasKilled) {
  const pid_t child = fork();
  if (child == 0)
    for (;;) pause();
  const std::string identity = process_identity(child);
  EXPECT_FALSE(has_ended(identity));
  kill(child, SIGKILL);
  siginfo_t information;
  waitid(P_PID, static_cast<id_t>(child), &information, WEXITED | WNOWAIT);
  EXPECT_TRUE(has_ended(identity)) << "though its parent has not asked yet";
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(has_ended(identity));
  EXPECT_EQ(process_identity(child), "");
}

TEST(ProcessIdentity, ANumberThatIsUsedAgainIsAnotherProcess) {
  EXPECT_TRUE(has_ended(changed(4, "1")));
}

TEST(ProcessIdentity, NobodySurvivesARestartOfTheHost) {
  EXPECT_TRUE(has_ended(changed(1, "another-boot")));
}

TEST(ProcessIdentity, WhatCannotBeSeenFromHereMayLive) {
  const std::string nobody = changed(3, "2000000000");
  ASSERT_TRUE(has_ended(nobody));
  EXPECT_FALSE(has_ended("another-" + nobody)) << "on another host";
  EXPECT_FALSE(has_ended(changed(2, "pid:[1]"))) << "in another namespace";
  EXPECT_FALSE(has_ended(""));
  EXPECT_FALSE(has_ended("dear diary"));
}

}  // namespace
}  // namespace paraiso::runtime
