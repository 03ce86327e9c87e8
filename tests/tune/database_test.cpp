#include "paraiso/tune/database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "paraiso/base/rng.hpp"
#include "paraiso/runtime/file.hpp"
#include "paraiso/runtime/process_identity.hpp"
#include "paraiso/tune/schema.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/example_problem.hpp"

namespace paraiso::tune {
namespace {

using test::error_text;
using test::Folder;

Problem problem(const std::string& size = "512x512") {
  Problem made = example_problem(size);
  made.genes.push_back({"proceed/flags", {"-O2", "-O3, -g \"x\""}});
  return made;
}

Session session() {
  return {"anneal", 0xfedcba9876543210u, "paraiso tune hydro", "0.1.0", 12.5, ""};
}

Individual individual(std::int64_t session, std::string genome,
                      std::vector<std::int64_t> parents = {}) {
  Individual made;
  made.session = session, made.genome = std::move(genome), made.parents = std::move(parents);
  made.method = "mutation", made.temperature = 3.25;
  made.measurement = measured({1.0 / 3, 2e9, 0.1});
  made.measurement.schedule_hash = "0123456789abcdef";
  made.measurement.code_hash = "feed";
  made.measurement.compile_seconds = 1.5;
  made.born = 1000.25, made.finished = 1001.125;
  return made;
}

/// A genome of its own for each number.
std::string numbered(std::uint64_t number) {
  std::string letters;
  for (; number > 0; number /= 26) letters += static_cast<char>('A' + number % 26);
  return letters;
}

/// A database with one problem and one session, both numbered 1.
Database small(const std::filesystem::path& file) {
  Database database(file);
  database.add(problem());
  database.add(session());
  return database;
}

std::string bytes_of(const std::filesystem::path& file) { return runtime::read_file(file); }

TEST(Database, GivesBackWhatWasRecorded) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Individual first = individual(1, "AB"), failure = individual(1, "BA", {1});
  failure.measurement = failed("the state did not move");
  {
    Database database = small(file);
    first.id = database.record(1, first);
    failure.id = database.record(1, failure);
    Individual child = individual(1, "BB", {2, 1});
    child.id = database.record(1, child);
    EXPECT_EQ(database.find(1, "BB"), child);
  }
  Database again(file);
  EXPECT_EQ(again.problems(), (std::vector{std::pair(std::int64_t{1}, problem())}));
  EXPECT_EQ(again.find(1, "AB"), first);
  EXPECT_EQ(again.find(1, "BA"), failure);
  EXPECT_EQ(again.find(1, "AA"), std::nullopt);
  std::vector<std::string> genomes;
  again.each(1, first.id, [&](const Individual& i) { genomes.push_back(i.genome); });
  EXPECT_EQ(genomes, (std::vector<std::string>{"BA", "BB"}));
  EXPECT_EQ(again.count(1), 3);
}

TEST(Database, EqualProblemsAreOne) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const auto first = database.add(problem());
  EXPECT_EQ(database.add(problem()), first);
  const auto second = database.add(problem("64x64"));
  EXPECT_NE(second, first);
  database.add(session());
  database.record(first, individual(1, "AB"));
  EXPECT_EQ(database.find(second, "AB"), std::nullopt) << "a genome belongs to its problem";
}

TEST(Database, KnowsWhatCodeHasShown) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  EXPECT_EQ(database.timing_of(1, "feed"), std::nullopt);
  Individual first = individual(1, "AB"), other = individual(1, "BA"),
             failure = individual(1, "BB");
  other.measurement = measured({1});
  other.measurement.code_hash = "feed";
  failure.measurement = failed("it hung");
  failure.measurement.code_hash = "beef";
  for (const auto& one : {first, other, failure}) database.record(1, one);
  EXPECT_EQ(database.timing_of(1, "feed"), first.measurement);
  EXPECT_EQ(database.timing_of(1, "beef"), failure.measurement);
  EXPECT_EQ(database.timing_of(2, "feed"), std::nullopt) << "a timing belongs to its problem";
}

TEST(Database, SourcesOfAFailureMayMoveWithIt) {
  Folder folder;
  const auto here = folder / "here", there = folder / "there";
  std::filesystem::create_directory(here);
  Individual failure = individual(1, "AB");
  failure.measurement = failed("it hung");
  failure.measurement.sources = (here / "t.sqlite-failures" / "1").string();
  small(here / "t.sqlite").record(1, failure);
  EXPECT_EQ(Database(here / "t.sqlite").find(1, "AB")->measurement, failure.measurement);
  std::filesystem::rename(here, there);
  EXPECT_EQ(Database(there / "t.sqlite").find(1, "AB")->measurement.sources,
            there / "t.sqlite-failures" / "1");
}

TEST(Database, ProblemsAreApartByWhatScoresDependOn) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  std::vector<Problem> all = {problem()};
  for (const auto change : std::initializer_list<void (*)(Problem&)>{
           [](Problem& p) { p.machine = "other"; }, [](Problem& p) { p.program_hash = "other"; },
           [](Problem& p) { p.numbers = "other"; }, [](Problem& p) { p.element = "other"; },
           [](Problem& p) { p.backend = "other"; }, [](Problem& p) { p.compiler = "other"; },
           [](Problem& p) { p.threads = 77; }, [](Problem& p) { p.size = "7x7"; },
           [](Problem& p) { p.host_fingerprint = "other"; }, [](Problem& p) { p.genes.pop_back(); },
           [](Problem& p) { p.generator = "other"; }, [](Problem& p) { p.initial = "other"; },
           [](Problem& p) { p.parameters = "a=1, b=2"; }})
    change(all.emplace_back(problem()));
  for (const Problem& one : all) database.add(one);
  const auto known = database.problems();
  ASSERT_EQ(known.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(known[i].second, all[i]);
}

TEST(Database, AnotherNameOfTheHostIsTheSameProblem) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  Problem elsewhere = problem();
  elsewhere.host = "container-77";
  const auto id = database.add(problem());
  EXPECT_EQ(database.add(elsewhere), id);
  EXPECT_EQ(database.problems()[0].second.host, problem().host);
}

TEST(Database, KeepsReferencesInTheOrderOfTime) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  const auto other = database.add(problem("64x64"));
  const Reference first{10, 1, 100.5}, second{12, 2, 200.5};
  database.record(1, second);
  database.record(1, first);
  database.record(other, first);
  EXPECT_EQ(database.references(1), (std::vector{first, second}));
  EXPECT_EQ(database.references(other), std::vector{first});
}

TEST(Database, KnowsWhenCodeWasMeasuredFirst) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  Individual first = individual(1, "AB"), later = individual(1, "BA"),
             nothing = individual(1, "BB");
  later.finished = 2000;
  nothing.measurement = failed("the compiler failed");
  for (const auto& one : {later, first, nothing}) database.record(1, one);
  EXPECT_EQ(database.first_finished(1), (std::map<std::string, double>{{"feed", 1001.125}}));
  EXPECT_TRUE(database.first_finished(2).empty());
}

TEST(Database, KnowsWhenSessionsOfAProblemBegan) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  const auto other = database.add(problem("64x64"));
  const auto began = [&](double started) {
    Session made = session();
    made.started = started;
    return database.add(made);
  };
  database.record(1, individual(began(30), "AB"));
  database.record(other, individual(began(20), "AB"));
  began(10);
  EXPECT_EQ(database.session_starts(1), (std::vector<double>{10, 12.5, 30}))
      << "two have measured nothing yet";
}

TEST(Database, KeepsTheLastOfLaterMeasurementsBesideTheFirst) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  const auto id = database.record(1, individual(1, "AB"));
  database.remeasure(id, measured({1, 2}));
  database.remeasure(id, measured({4, 6}));
  EXPECT_EQ(database.find(1, "AB")->measurement, individual(1, "AB").measurement);
  const auto again = database.remeasured(1);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again.at("feed").score, 5);
  EXPECT_DOUBLE_EQ(again.at("feed").deviation, std::sqrt(2));
  EXPECT_TRUE(again.at("feed").ok());
  EXPECT_TRUE(database.remeasured(2).empty());
}

TEST(Database, CountsNobodyTwice) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  const auto id = database.record(1, individual(1, "AB"));
  Individual late = individual(1, "AB");
  late.measurement = failed("another opinion");
  EXPECT_EQ(database.record(1, late), id);
  EXPECT_EQ(database.count(1), 1);
  EXPECT_TRUE(database.find(1, "AB")->measurement.ok()) << "the first one stays";
}

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
    Session own = session();
    own.process = runtime::process_identity();
    _exit(database.claim(1, database.add(own), "AB", 0, 1e9) != Claim::granted);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  Database database(file);
  EXPECT_FALSE(database.is_claimed(1, "AB", 1));
  Session living = session();
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

TEST(Database, ImportsAtOnce) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  database.record(1, individual(1, "AB"));
  database.import(1,
                  std::vector{individual(1, "BA", {1}), individual(1, "AB"), individual(1, "BB")});
  EXPECT_EQ(database.count(1), 3);
  std::vector<std::string> seen;
  database.each_result(1, 1, 7, [&](const Result& r) { seen.push_back(r.genome); });
  EXPECT_EQ(seen, (std::vector<std::string>{"BA", "BB"}));
  database.each_result(1, 0, 1, [&](const Result& r) { ADD_FAILURE() << r.genome; });
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
    usleep(static_cast<useconds_t>(rng.below(20000)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    std::int32_t done = 0, last = 0;
    while (read(ends[0], &done, sizeof done) == sizeof done) last = done;
    close(ends[0]);
    finished += last;
    possible += last + 1;  // one may have been recorded and not reported
  }
  Database database(file);
  database.add(problem());
  EXPECT_GT(finished, 0);
  EXPECT_GE(database.count(1), finished);
  EXPECT_LE(database.count(1), possible);
  SQLite::Database plain(file.string());
  EXPECT_EQ(plain.execAndGet("pragma integrity_check").getString(), "ok");
}

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
            "image is malformed\nhint: `sqlite3 FILE .recover` gets out what can still be read");
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

/// What `work` returns, called in a process of its own.
template <class Work>
std::string in_child(Work work) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    std::string text;
    try {
      text = work();
    } catch (const std::exception& error) {
      text = fmt::format("not expected: {}", error.what());
    }
    _exit(write(ends[1], text.data(), text.size()) < 0);
  }
  close(ends[1]);
  std::string text(1000, ' ');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(ends[0], text.data(), 1000))));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
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

TEST(Database, TellsThatItIsLocked) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Database database = small(file), waiting(file, std::chrono::milliseconds(20));
  SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
  SQLite::Transaction long_one(other, SQLite::TransactionBehavior::IMMEDIATE);
  EXPECT_EQ(folder.shown(error_text([&] { waiting.record(1, individual(1, "AB")); })),
            "error: the tuning database `FOLDER/tuning.sqlite` is locked by another program");
}

TEST(Database, KeepsTheLastContestOfAProblem) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Contest first{{"AB", 1.0 / 3, 0.1, "in words"},
                {"AA", 0.25, 0.2, "others"},
                true,
                300,
                64.5,
                "paraiso tune hydro",
                12.5};
  {
    Database database = small(file);
    EXPECT_EQ(database.contest(1), std::nullopt);
    database.record(1, first);
    EXPECT_EQ(database.contest(1), first);
    first.won = false, first.held = 13;
    database.record(1, first);
  }
  EXPECT_EQ(Database(file).contest(1), first);
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

Contest old_contest() {
  return {{"AB", 120, 1, "in words"}, {"AA", 100, 2, "others"}, true, 300, 64, "paraiso tune", 9};
}

/// Rows as a version had them in its tables: none has an empty column, or one of zeros alone.
void fill(SQLite::Database& old, std::size_t version) {
  old.exec(
      "insert into problem (id, key, machine, program_hash, numbers, element, backend, compiler, "
      "threads, size, host, host_fingerprint, gene_table_hash, genes) "
      "values (1, 'key', 'hydro', 'c0ffee', 'fma', 'f64', 'openmp', 'g++', 2, "
      "'8x8', 'desk', 'cpu', 'table', '[[\"vectors\", [\"1\", \"2\"]]]')");
  old.exec(
      "insert into session (id, strategy, seed, command, version, started) "
      "values (1, 'random', 3, 'paraiso tune', '0.1.0', 5)");
  const std::string individual =
      "insert into individual (id, problem, session, genome, genome_hash, method, temperature, "
      "score, deviation, samples, reason, schedule_hash, code_hash, compile_seconds, born, "
      "finished) values ";
  old.exec(individual +
           "(1, 1, 1, 'AB', 77, 'start', 0, 2.5, 0.5, '2 3', '', 's1', 'c1', 1, 10, 11)");
  old.exec(individual +
           "(2, 1, 1, 'BB', 78, 'mutation', 9, 0, 0, '', 'hung', 's2', 'c2', 2, 10, 12)");
  old.exec(individual +
           "(3, 1, 1, 'BA', 80, 'crossover', 8, 4, 0, '4', '', 's3', 'c3', 3, 12, 13)");
  old.exec("insert into parent values (2, 0, 1), (3, 0, 2), (3, 1, 1)");
  if (version >= 2) old.exec("insert into claim values (1, 79, 1, 1e12)");
  if (version >= 3)
    old.exec(
        "insert into contest values (1, 'AB', 'AA', 120, 1, 100, 2, 1, 'in words', 'others', 300, "
        "64, 'paraiso tune', 9)");
  if (version >= 4)
    old.exec(
        "insert into part values (1, 'AB', 'AA', 'launch', 0, 0, 'hung'), "
        "(1, 'AB', 'AA', 'storage', 110, 3, '')");
  if (version >= 5) old.exec("update session set process = 'desk 1 2 3'");
  if (version >= 7) old.exec("update individual set sources = 'failures/2' where id = 2");
  if (version >= 8)
    old.exec("update problem set generator = 'made', initial = 'hot', parameters = 'a=1'");
  if (version >= 9) {
    old.exec("insert into reference values (1, 1, 100, 2, 7)");
    old.exec("insert into remeasurement values (1, 3, 0.5, '2.5 3.5', ''), (2, 0, 0, '', 'hung')");
  }
}

/// What `fill` has written, as this version gives it back.
Problem old_problem(std::size_t version) {
  const bool known = version >= 8;
  return {"hydro",
          "c0ffee",
          "fma",
          "f64",
          "openmp",
          "g++",
          2,
          "8x8",
          "desk",
          "cpu",
          {{"vectors", {"1", "2"}}},
          known ? "made" : "",
          known ? "hot" : "",
          known ? "a=1" : ""};
}

Measurement old_measurement(Measurement measurement, const std::string& number) {
  measurement.schedule_hash = "s" + number, measurement.code_hash = "c" + number;
  measurement.compile_seconds = std::stod(number);
  return measurement;
}

std::vector<Individual> old_individuals(std::size_t version, const std::filesystem::path& folder) {
  Measurement first = measured({2, 3}), hung = failed("hung");
  first.deviation = 0.5;  // as it was written
  if (version >= 7) hung.sources = (folder / "failures" / "2").string();
  return {{1, 1, "AB", "start", {}, 0, old_measurement(first, "1"), 10, 11},
          {2, 1, "BB", "mutation", {1}, 9, old_measurement(hung, "2"), 10, 12},
          {3, 1, "BA", "crossover", {2, 1}, 8, old_measurement(measured({4}), "3"), 12, 13}};
}

Measurement outcome(double score, double deviation, const std::string& reason) {
  Measurement outcome;
  outcome.score = score, outcome.deviation = deviation, outcome.reason = reason;
  return outcome;
}

/// One problem with a contest, as version 3 had it.
void write_version_3(const std::filesystem::path& file) {
  SQLite::Database old(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  migrate(old, file, kMigrations.first(3));
  fill(old, 3);
}

TEST(Database, AnOlderOneIsReadAndNotChanged) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  write_version_3(file);
  const std::string before = bytes_of(file);
  Database database(file, std::chrono::milliseconds(20), Access::read);
  EXPECT_EQ(database.count(1), 3);
  EXPECT_EQ(database.contest(1), old_contest());
  EXPECT_EQ(database.parts(1, old_contest()).size(), 0u) << "which version 3 did not know";
  EXPECT_EQ(bytes_of(file), before);
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
      "error: the tuning database `FOLDER/tuning.sqlite` is damaged: `A7\\xc3` of problem 1 is no "
      "genome";
  const std::string spoil = "update individual set genome = cast(x'4137c3' as text)";
  EXPECT_EQ(error_after(spoil, [](Database& d) { (void)d.find(1, "AB"); }), said);
  EXPECT_EQ(error_after(spoil, [](Database& d) { (void)d.timing_of(1, "feed"); }), said);
  EXPECT_EQ(error_after(spoil, [](Database& d) { d.each(1, 0, [](const Individual&) {}); }), said);
  EXPECT_EQ(error_after(spoil, [](Database& d) { d.each_result(1, 0, 0, [](const Result&) {}); }),
            said);
  for (const std::string side : {"genome", "start"})
    EXPECT_EQ(error_after("update contest set " + side + " = cast(x'4137c3' as text)",
                          [](Database& d) { (void)d.contest(1); }),
              said);
}

TEST(Database, SamplesThatAreNoneAreTold) {
  for (const std::string samples : {"1 two", "1  2", "1e9999", "3x", " "})
    EXPECT_EQ(error_after("update individual set samples = '" + samples + "'",
                          [](Database& d) { (void)d.find(1, "AB"); }),
              "error: the tuning database `FOLDER/tuning.sqlite` is damaged: the samples of "
              "individual 1 can't be read")
        << samples;
}

TEST(Schema, EveryOlderVersionBecomesThisOne) {
  for (std::size_t version = 1; version <= kMigrations.size(); ++version) {
    SCOPED_TRACE(version);
    Folder folder;
    const auto file = folder / "tuning.sqlite";
    {
      SQLite::Database old(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      migrate(old, file, kMigrations.first(version));
      fill(old, version);
    }
    Database database(file);
    std::vector<Individual> seen;
    database.each(1, 0, [&](const Individual& i) { seen.push_back(i); });
    EXPECT_EQ(seen, old_individuals(version, folder.path()));
    EXPECT_EQ(database.problems(), (std::vector{std::pair(std::int64_t{1}, old_problem(version))}));
    EXPECT_EQ(database.sessions(1)[0].session,
              (Session{"random", 3, "paraiso tune", "0.1.0", 5, version >= 5 ? "desk 1 2 3" : ""}));
    EXPECT_EQ(database.contest(1), version >= 3 ? std::optional(old_contest()) : std::nullopt);
    if (version >= 4) {
      EXPECT_EQ(
          database.parts(1, old_contest()),
          (std::vector<Part>{{"launch", outcome(0, 0, "hung")}, {"storage", outcome(110, 3, "")}}));
    }
    if (version >= 9) {
      EXPECT_EQ(database.references(1), (std::vector{Reference{100, 2, 7}}));
      EXPECT_EQ(database.remeasured(1),
                (std::map<std::string, Measurement>{{"c1", outcome(3, 0.5, "")},
                                                    {"c2", outcome(0, 0, "hung")}}));
    }
    EXPECT_EQ(database.claim(1, 1, "AA", 0, 1), Claim::granted);
  }
}

/// What a query gives, a text a row.
std::vector<std::string> texts(SQLite::Database& database, const std::string& query) {
  std::vector<std::string> found;
  for (SQLite::Statement row(database, query); row.executeStep();)
    found.push_back(row.getColumn(0).getString());
  return found;
}

using Columns = std::map<std::string, std::vector<std::string>>;  // of each table

Columns columns_of(SQLite::Database& database) {
  Columns columns;
  for (const std::string& table :
       texts(database, "select name from sqlite_master where type = 'table'"))
    columns[table] =
        texts(database, fmt::format("select name from pragma_table_info('{}')", table));
  return columns;
}

std::vector<std::string> contents(SQLite::Database& database, const Columns& columns) {
  std::vector<std::string> all;
  for (const auto& [table, names] : columns)
    for (const std::string& column : names)
      for (const std::string& value :
           texts(database, fmt::format("select {} from {} order by 1", column, table)))
        all.push_back(table + "." + column + " " + value);
  return all;
}

/// Also those that nobody reads any more; and who adds a column is reminded to fill it above.
TEST(Schema, NoColumnIsLost) {
  for (std::size_t version = 1; version <= kMigrations.size(); ++version) {
    SCOPED_TRACE(version);
    Folder folder;
    const auto file = folder / "tuning.sqlite";
    SQLite::Database raw(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(raw, file, kMigrations.first(version));
    fill(raw, version);
    const Columns columns = columns_of(raw);
    for (const auto& [table, names] : columns)
      for (const std::string& column : names)
        EXPECT_NE(texts(raw, fmt::format("select count(*) from {} where {} not in (0, '')", table,
                                         column)),
                  std::vector<std::string>{"0"})
            << table << "." << column << " is not filled";
    const auto before = contents(raw, columns);
    migrate(raw, file, kMigrations);
    EXPECT_EQ(contents(raw, columns), before);
    EXPECT_EQ(texts(raw, "pragma user_version")[0], std::to_string(kMigrations.size()));
  }
}

TEST(Schema, AStepThatFailsChangesNothing) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  SQLite::Database connection(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  const Migration good = "create table a (x)", bad = "create table b (x); create table a (x)";
  migrate(connection, file, std::array{good});
  EXPECT_THROW(migrate(connection, file, std::array{good, bad}), SQLite::Exception);
  EXPECT_EQ(connection.execAndGet("pragma user_version").getInt(), 1);
  EXPECT_FALSE(connection.tableExists("b"));
}

}  // namespace
}  // namespace paraiso::tune
