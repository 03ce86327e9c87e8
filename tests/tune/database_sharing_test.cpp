// Several processes with one database: claims, kills, readers beside writers.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "paraiso/base/rng.hpp"
#include "paraiso/runtime/process/process_identity.hpp"
#include "tests/tune/database_support.hpp"

namespace paraiso::tune {
namespace {

using test::error_text;
using test::Folder;

TEST(Database, GrantsAClaimToOne) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Database one = small(file), other(file);
  const auto stranger = other.add(session());
  EXPECT_EQ(one.claim(1, 1, "AB", 0, 10), Claim::granted);
  EXPECT_EQ(other.claim(1, stranger, "AB", 5, 15), Claim::taken);
  EXPECT_EQ(other.claim(1, stranger, "AB", 10, 20), Claim::granted) << "the first has expired";
  EXPECT_EQ(one.claim(1, 1, "AB", 11, 21), Claim::taken);
  one.record(1, individual(1, "AB"));
  EXPECT_EQ(other.claim(1, stranger, "AB", 30, 40), Claim::measured);
}

TEST(Database, AClaimEndsWithItsProcess) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  const pid_t child = fork();
  if (child == 0) {
    Database database = small(file);
    TunerRun own = session();
    own.process = runtime::process_identity();
    _exit(database.claim(1, database.add(own), "AB", 0, 1e9) != Claim::granted);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  Database database(file);
  EXPECT_FALSE(database.is_claimed(1, "AB", 1));
  TunerRun living = session();
  living.process = runtime::process_identity();
  EXPECT_EQ(database.claim(1, database.add(living), "AB", 1, 1e9), Claim::granted);
  EXPECT_TRUE(database.is_claimed(1, "AB", 1));
  EXPECT_EQ(database.claim(1, 1, "AB", 2, 1e9), Claim::taken);
}

TEST(Database, ALivingSessionKeepsItsClaims) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  const auto stranger = database.add(session());
  EXPECT_EQ(database.claim(1, 1, "AB", 0, 10), Claim::granted);
  EXPECT_EQ(database.claim(1, stranger, "BA", 0, 10), Claim::granted);
  database.renew(1, 30);
  EXPECT_EQ(database.claim(1, stranger, "AB", 20, 40), Claim::taken);
  EXPECT_EQ(database.claim(1, 1, "BA", 20, 40), Claim::granted);
}

TEST(Database, SeveralTunersFillOneFile) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  std::vector<std::thread> tuners;
  std::atomic<int> granted = 0;
  for (int t = 0; t < 4; ++t)
    tuners.emplace_back([&, t] {
      Database database(file);  // all create it at once
      const auto p = database.add(problem());
      const auto s = database.add(session());
      Rng rng(static_cast<std::uint64_t>(t));
      for (int i = 0; i < 100; ++i) {
        const std::string genome = numbered(rng.below(60));
        if (database.claim(p, s, genome, 0, 10) != Claim::granted) continue;
        ++granted;
        database.record(p, individual(s, genome));
      }
    });
  for (auto& tuner : tuners) tuner.join();
  Database database(file);
  EXPECT_EQ(database.problems().size(), 1u);
  EXPECT_EQ(database.count(1), granted);
  std::set<std::string> genomes;
  database.each(1, 0, [&](const Individual& i) { EXPECT_TRUE(genomes.insert(i.genome).second); });
}

/// Whenever each looks at the file, another may have written half of what it looks at.
TEST(Database, SeveralTunersMakeOneFile) {
  for (int round = 0; round < 100; ++round) {
    Folder folder;
    std::vector<std::thread> tuners;
    for (int t = 0; t < 4; ++t)
      tuners.emplace_back([&] { EXPECT_NO_THROW(Database{folder / "tuning.sqlite"}); });
    for (auto& tuner : tuners) tuner.join();
  }
}

/// A tuner in a process of its own, which says after each individual that it is in the database.
[[noreturn]] void fill_and_report(const std::filesystem::path& file, int seed, int pipe) {
  Database database(file);
  const auto p = database.add(problem());
  const auto s = database.add(session());
  for (std::uint32_t i = 0;; ++i) {
    const std::string genome = numbered(1000000 * static_cast<std::uint64_t>(seed) + i);
    database.claim(p, s, genome, seed, seed + 0.5);
    database.record(p, individual(s, genome));
    const auto done = static_cast<std::int32_t>(i + 1);
    if (write(pipe, &done, sizeof done) != sizeof done) _exit(1);
  }
}

TEST(Database, LosesNothingThatWasFinishedWhenKilled) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Rng rng(7);
  std::int64_t finished = 0, possible = 0;
  for (int seed = 0; seed < 50; ++seed) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) fill_and_report(file, seed, ends[1]);
    close(ends[1]);
    std::int32_t done = 0;
    if (seed % 2 == 1) {  // the others may die before they have finished one
      ASSERT_EQ(read(ends[0], &done, sizeof done), ssize_t{sizeof done});
    }
    usleep(static_cast<useconds_t>(rng.below(20000)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(ends[0], &done, sizeof done) == sizeof done) continue;
    close(ends[0]);
    finished += done;
    possible += done + 1;  // one may have been recorded and not reported
  }
  Database database(file);
  database.add(problem());
  EXPECT_GE(database.count(1), finished);
  EXPECT_LE(database.count(1), possible);
  SQLite::Database plain(file.string());
  EXPECT_EQ(plain.execAndGet("pragma integrity_check").getString(), "ok");
}

TEST(Database, TellsThatItIsLocked) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Database database = small(file), waiting(file, std::chrono::milliseconds(20));
  SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
  SQLite::Transaction long_one(other, SQLite::TransactionBehavior::IMMEDIATE);
  EXPECT_EQ(folder.shown(error_text([&] { waiting.record(1, individual(1, "AB")); })),
            "error: the tuning database `FOLDER/tuning.sqlite` is locked by another program");
}

/// Opens to read, and tells what went wrong.
std::string reading_error(const Folder& folder, const std::filesystem::path& file) {
  return folder.shown(
      error_text([&] { Database(file, std::chrono::milliseconds(20), Access::read); }));
}

TEST(Database, CanBeReadByThoseWhoMustNotChangeIt) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  EXPECT_EQ(reading_error(folder, file),
            "error: can't read `FOLDER/tuning.sqlite`: No such file or directory");
  EXPECT_EQ(folder.file_count(), 0);
  small(file);
  const std::string before = bytes_of(file);
  Database database(file, std::chrono::milliseconds(20), Access::read);
  EXPECT_EQ(database.problems().size(), 1u);
  EXPECT_EQ(database.count(1), 0);
  EXPECT_EQ(bytes_of(file), before);
}

TEST(Database, IsReadWhileOthersWrite) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Database database = small(file);
  SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
  SQLite::Transaction long_one(other, SQLite::TransactionBehavior::IMMEDIATE);
  Database reader(file, std::chrono::milliseconds(20), Access::read);
  EXPECT_EQ(reader.problems().size(), 1u);
}

/// Whether one reads or several do at once; what a tuner writes meanwhile, its log keeps.
TEST(Database, IsAloneInItsFolderWhenItWasRead) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  const auto read = [&] { return Database(file, std::chrono::milliseconds(20), Access::read); };
  small(file).record(1, individual(1, "AB"));
  const std::string before = bytes_of(file);
  {
    Database one = read(), other = read();
    EXPECT_EQ(one.count(1) + other.count(1), 2);
    EXPECT_EQ(folder.file_count(), 3) << "else this test tells nothing";
  }
  EXPECT_EQ(folder.file_count(), 1);
  EXPECT_EQ(bytes_of(file), before);
  Database tuner(file);
  {
    Database reader = read();
    tuner.record(1, individual(1, "BB"));
    EXPECT_EQ(reader.count(1), 2);
  }
  EXPECT_EQ(read().count(1), 2);
  EXPECT_EQ(folder.file_count(), 3) << "the tuner still writes";
}

/// How many individuals one finds who may not write there.
std::string count_of_stranger(const std::filesystem::path& file) {
  return in_child([&] {
    if (geteuid() == 0 && setuid(65534) != 0) return std::string("still root");
    Database database(file, std::chrono::milliseconds(20), Access::read);
    return std::to_string(database.count(1));
  });
}

TEST(Database, IsReadInAFolderThatIsReadOnly) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  small(file).record(1, individual(1, "AB"));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_EQ(count_of_stranger(file), "1");
  EXPECT_EQ(folder.file_count(), 1);
}

TEST(Database, WhatAKilledTunerLeftIsReadInAFolderThatIsReadOnly) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  const pid_t child = fork();
  if (child == 0) {
    Database database = small(file);
    database.record(1, individual(1, "AB"));
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  ASSERT_GT(std::filesystem::file_size(folder / "tuning.sqlite-wal"), 0u);
  std::filesystem::remove(folder / "tuning.sqlite-shm");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_EQ(count_of_stranger(file), "1");
  EXPECT_EQ(folder.file_count(), 2);
}

}  // namespace
}  // namespace paraiso::tune
