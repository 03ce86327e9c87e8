// What is said of files that are no databases, that are damaged, and that can't be written.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "paraiso/tune/database/sqlite/schema.hpp"
#include "tests/tune/database_support.hpp"

namespace paraiso::tune {
namespace {

using test::error_text;
using test::Folder;

TEST(Database, RefusesWhatIsNoDatabase) {
  Folder folder;
  const auto file = folder / "notes.txt";
  runtime::write_file(file, std::string(5000, 'x'));
  EXPECT_EQ(folder.shown(error_text([&] { Database database(file); })),
            "error: `FOLDER/notes.txt` is not a tuning database");
  EXPECT_EQ(bytes_of(file), std::string(5000, 'x'));
}

TEST(Database, RefusesTheDatabaseOfAnotherProgram) {
  Folder folder;
  const auto file = folder / "photos.sqlite";
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("create table photo (id integer primary key)");
  const std::string before = bytes_of(file);
  EXPECT_EQ(folder.shown(error_text([&] { Database database(file); })),
            "error: `FOLDER/photos.sqlite` is the database of another program\n"
            "hint: give a file of its own to the tuning");
  EXPECT_EQ(bytes_of(file), before);
  EXPECT_EQ(folder.file_count(), 1);
}

TEST(Database, RefusesANewerVersion) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  small(file);
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("pragma user_version = 99");
  const std::string before = bytes_of(file);
  EXPECT_EQ(folder.shown(error_text([&] { Database database(file); })),
            fmt::format("error: `FOLDER/tuning.sqlite` was written by a newer Paraiso: its version "
                        "is 99, and this one knows those up to {}",
                        kMigrations.size()));
  EXPECT_EQ(bytes_of(file), before);
}

TEST(Database, RefusesADamagedOne) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  {
    Database database = small(file);
    for (std::uint64_t i = 0; i < 500; ++i) database.record(1, individual(1, numbered(i)));
  }
  std::string bytes = bytes_of(file);
  bytes.resize(bytes.size() / 2);
  runtime::write_file(file, bytes);
  const std::string text = folder.shown(error_text([&] { Database database(file); }));
  EXPECT_EQ(text,
            "error: the tuning database `FOLDER/tuning.sqlite` is damaged: database disk "
            "image is malformed\nhint: `sqlite3 FILE .recover` recovers what can still be read");
  EXPECT_EQ(bytes_of(file), bytes);
}

TEST(Database, SurvivesALimitOnFiles) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Database database = small(file);
  int stored = 0;
  {
    test::FileSizeLimit limit(200000);
    EXPECT_EQ(folder.shown(error_text([&] {
      for (;; ++stored)
        database.record(1, individual(1, numbered(static_cast<std::uint64_t>(stored))));
    })),
              "error: can't read or write `FOLDER/tuning.sqlite`: disk I/O error");
  }
  EXPECT_GT(stored, 10);
  EXPECT_EQ(database.count(1), stored);
  database.record(1, individual(1, "afterwards"));
  EXPECT_EQ(Database(file).count(1), stored + 1);
}

TEST(Database, NoticesThatItsFileIsGone) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Database database = small(file);
  database.record(1, individual(1, "A"));
  std::filesystem::rename(file, folder / "elsewhere.sqlite");
  const auto text = [&] {
    return folder.shown(error_text([&] { database.record(1, individual(1, "B")); }));
  };
  EXPECT_EQ(text(),
            "error: the tuning database `FOLDER/tuning.sqlite` was removed or moved away: nothing "
            "more is kept");
  small(file);
  EXPECT_EQ(text(),
            "error: the tuning database `FOLDER/tuning.sqlite` is another file than at the start: "
            "nothing more is kept");
  EXPECT_EQ(Database(file).count(1), 0);
}

TEST(Database, NoticesThatItsFolderIsGone) {
  Folder folder;
  runtime::make_folder(folder / "tuning");
  Database database = small(folder / "tuning" / "tuning.sqlite");
  std::filesystem::remove_all(folder / "tuning");
  EXPECT_EQ(folder.shown(error_text([&] { database.claim(1, 1, "A", 0, 1); })),
            "error: the tuning database `FOLDER/tuning/tuning.sqlite` was removed or moved away: "
            "nothing more is kept");
}

/// A small disk at `folder` that only this process sees.
bool mount_small_disk(const std::filesystem::path& folder) {
  const std::string user = fmt::format("0 {} 1", geteuid()),
                    group = fmt::format("0 {} 1", getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/uid_map") << user;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/gid_map") << group;
  return mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=1m") == 0;
}

/// The error of a full disk, and what is there after it.
std::string fill_a_disk(const std::filesystem::path& folder) {
  if (!mount_small_disk(folder)) return "";
  const auto file = folder / "tuning.sqlite";
  Database database = small(file);
  int stored = 0;
  const std::string text = error_text([&] {
    for (;; ++stored)
      database.record(1, individual(1, numbered(static_cast<std::uint64_t>(stored))));
  });
  const bool whole = stored > 10 && database.count(1) == stored;
  return text + (whole ? ", all others are there" : ", some are missing");
}

TEST(Database, SurvivesAFullDisk) {
  Folder folder;
  const std::string text = in_child([&] { return fill_a_disk(folder.path()); });
  if (text.empty()) GTEST_SKIP() << "no file system of one's own";
  EXPECT_EQ(folder.shown(text),
            "error: can't write `FOLDER/tuning.sqlite`: the disk is full, all others are "
            "there");
}

TEST(Database, SaysWhereItCannotWrite) {
  Folder folder;
  const auto file = folder / "missing" / "tuning.sqlite";
  EXPECT_EQ(folder.shown(error_text([&] { Database database(file); })),
            "error: can't write `FOLDER/missing/tuning.sqlite`: "
            "No such file or directory");
}

/// What opening `file` says to one who may not write there.
std::string error_of_stranger(const std::filesystem::path& file) {
  return in_child([&] {
    const bool stranger = geteuid() != 0 || setuid(65534) == 0;
    return stranger ? error_text([&] { Database database(file); }) : "still root";
  });
}

TEST(Database, SaysThatAFolderIsReadOnly) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_EQ(folder.shown(error_of_stranger(file)),
            "error: can't write `FOLDER/tuning.sqlite`: Permission denied");
  EXPECT_EQ(folder.file_count(), 0);
}

TEST(Database, SaysThatAFileIsReadOnly) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  small(file);
  const std::string before = bytes_of(file);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  std::filesystem::permissions(file, std::filesystem::perms(0444));
  EXPECT_EQ(folder.shown(error_of_stranger(file)),
            "error: can't write `FOLDER/tuning.sqlite`: Permission denied");
  EXPECT_EQ(bytes_of(file), before);
  EXPECT_EQ(folder.file_count(), 1);
}

TEST(Database, SaysThatItCannotBeCopied) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  {
    Database database = small(file);
    for (std::uint64_t i = 0; i < 500; ++i) database.record(1, individual(1, numbered(i)));
  }
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  const std::string text = in_child([&] {
    if (geteuid() == 0 && setuid(65534) != 0) return std::string("still root");
    const test::FileSizeLimit limit(20000);
    return error_text([&] { Database(file, std::chrono::milliseconds(20), Access::read); });
  });
  EXPECT_TRUE(folder.shown(text).starts_with("error: can't copy `FOLDER/tuning.sqlite` to `"))
      << text;
}

/// What reading the problems says after the first one's gene table has become `genes`.
std::string error_of_genes(const std::string& genes) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  small(file);
  SQLite::Database raw(file.string(), SQLite::OPEN_READWRITE);
  SQLite::Statement update(raw, "update problem set genes = ?");
  update.bind(1, genes);
  update.exec();
  Database database(file, std::chrono::minutes(1), Access::read);
  return folder.shown(error_text([&] { (void)database.problems(); }));
}

TEST(Database, AGeneTableThatCannotBeReadIsTold) {
  for (const char* genes : {"", "[[", "3", "null", "[3]", "[[\"a\"]]", "[[\"a\", [1]]]", "\xff"})
    EXPECT_EQ(error_of_genes(genes),
              "error: the tuning database `FOLDER/tuning.sqlite` is damaged: the gene table of "
              "problem 1 can't be read")
        << genes;
  EXPECT_EQ(error_of_genes("[[\"a\", [\"1\"]], [\"b\", []]]"),
            "error: the tuning database `FOLDER/tuning.sqlite` is damaged: gene `b` has no alleles "
            "in problem 1");
}

/// What `read` says of a file with an individual and a contest after `change`.
std::string error_after(const std::string& change, const std::function<void(Database&)>& read) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  {
    Database database = small(file);
    database.record(1, individual(1, "AB"));
    database.record(1, Contest{{"AB", 2, 0, ""}, {"AA", 1, 0, ""}, true, 0, 0, "", 0});
  }
  SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec(change);
  Database database(file);
  return folder.shown(error_text([&] { read(database); }));
}

TEST(Database, AGenomeThatIsNoneIsTold) {
  const std::string said =
      "error: the tuning database `FOLDER/tuning.sqlite` is damaged: `A7\\xc3` of problem 1 is not "
      "a "
      "genome";
  const std::string spoil = "update individual set genome = cast(x'4137c3' as text)";
  EXPECT_EQ(error_after(spoil, [](Database& d) { (void)d.find(1, "AB"); }), said);
  EXPECT_EQ(error_after(spoil, [](Database& d) { (void)d.timing_of(1, "feed"); }), said);
  EXPECT_EQ(error_after(spoil, [](Database& d) { d.each(1, 0, [](const Individual&) {}); }), said);
  EXPECT_EQ(error_after(spoil, [](Database& d) { d.each_result(1, 0, 0, [](const Outcome&) {}); }),
            said);
  for (const std::string side : {"genome", "start"})
    EXPECT_EQ(error_after("update contest set " + side + " = cast(x'4137c3' as text)",
                          [](Database& d) { (void)d.contest(1); }),
              said);
}

TEST(Database, AScoreThatIsNoneIsTold) {
  const std::string damaged = "error: the tuning database `FOLDER/tuning.sqlite` is damaged: ";
  const auto each = [](Database& d) { d.each_result(1, 0, 0, [](const Outcome&) {}); };
  const auto find = [](Database& d) { (void)d.find(1, "AB"); };
  const auto contest = [](Database& d) { (void)d.contest(1); };
  for (const auto& [spoilt, told] :
       {std::pair("-1e9", "-1000000000.0"), std::pair("9e999", "Inf"), std::pair("'abc'", "abc")}) {
    const std::string score = fmt::format("score = {}", spoilt),
                      said = fmt::format("{}`{}` is no score of ", damaged, told);
    EXPECT_EQ(error_after("update individual set " + score, each), said + "individual 1");
    EXPECT_EQ(error_after("update individual set " + score, find), said + "individual 1");
    EXPECT_EQ(error_after("update individual set deviation = " + std::string(spoilt), find),
              said + "individual 1");
    EXPECT_EQ(error_after("update contest set " + score, contest),
              said + "the contest of problem 1");
    EXPECT_EQ(error_after("update contest set start_" + score, contest),
              said + "the contest of problem 1");
  }
  EXPECT_EQ(
      error_after("insert into reference (problem, score, deviation, taken) values (1, -1, 0, 0)",
                  [](Database& d) { (void)d.references(1); }),
      damaged + "`-1.0` is no score of a reference of problem 1");
}

TEST(Database, SamplesThatAreNoneAreTold) {
  for (const std::string samples : {"1 two", "1  2", "1e9999", "3x", " "})
    EXPECT_EQ(error_after("update individual set samples = '" + samples + "'",
                          [](Database& d) { (void)d.find(1, "AB"); }),
              "error: the tuning database `FOLDER/tuning.sqlite` is damaged: the samples of "
              "individual 1 can't be read")
        << samples;
}

}  // namespace
}  // namespace paraiso::tune
