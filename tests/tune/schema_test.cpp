#include "paraiso/tune/database/sqlite/schema.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/tune/database_support.hpp"

namespace paraiso::tune {
namespace {

using test::Folder;

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
        "insert into part (problem, champion, start, name, score, deviation, reason) values (1, "
        "'AB', 'AA', 'launch', 0, 0, 'hung'), "
        "(1, 'AB', 'AA', 'storage', 110, 3, '')");
  if (version >= 5) old.exec("update session set process = 'desk 1 2 3'");
  if (version >= 7) old.exec("update individual set sources = 'failures/2' where id = 2");
  if (version >= 8)
    old.exec("update problem set generator = 'made', initial = 'hot', parameters = 'a=1'");
  if (version >= 10) old.exec("update problem set target = 'x86-64-v3'");
  if (version >= 11) old.exec("insert into description values (1, '{\"version\": 1}', '[]')");
  if (version >= 12) old.exec("insert into listed values (1, 0, 'AB', 0.5), (1, 1, 'BA', 0.7)");
  if (version >= 13) old.exec("update individual set check_seconds = 0.5, time_seconds = 2");
  if (version >= 14) old.exec("insert into program values ('c0ffee', 'paraiso 1')");
  if (version >= 15)
    old.exec("insert into axes values (3, 1, '{}'); insert into place values (1, 3, x'0000803f')");
  if (version >= 16) old.exec("insert into exhausted values (1)");
  if (version >= 9) {
    old.exec("insert into reference values (1, 1, 100, 2, 7)");
    old.exec("insert into remeasurement values (1, 3, 0.5, '2.5 3.5', ''), (2, 0, 0, '', 'hung')");
  }
}

/// What `fill` has written, as this version gives it back.
TuningProblem old_problem(std::size_t version) {
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
          known ? "a=1" : "",
          version >= 10 ? "x86-64-v3" : "native"};
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
  std::vector<Individual> old = {
      {1, 1, "AB", "start", {}, 0, old_measurement(first, "1"), 10, 11},
      {2, 1, "BB", "mutation", {1}, 9, old_measurement(hung, "2"), 10, 12},
      {3, 1, "BA", "crossover", {2, 1}, 8, old_measurement(measured({4}), "3"), 12, 13}};
  if (version >= 13)
    for (Individual& i : old) i.measurement.check_seconds = 0.5, i.measurement.time_seconds = 2;
  return old;
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
    EXPECT_EQ(database.sessions(1)[0].session, (TunerRun{"random", 3, "paraiso tune", "0.1.0", 5,
                                                         version >= 5 ? "desk 1 2 3" : ""}));
    EXPECT_EQ(database.contest(1), version >= 3 ? std::optional(old_contest()) : std::nullopt);
    if (version >= 4) {
      EXPECT_EQ(database.parts(1, old_contest()),
                (std::vector<TakenGenes>{{"launch", outcome(0, 0, "hung"), 3},
                                         {"storage", outcome(110, 3, ""), 3}}));
    }
    if (version >= 9) {
      EXPECT_EQ(database.references(1), (std::vector{ReferenceTiming{100, 2, 7}}));
      EXPECT_EQ(database.remeasured(1),
                (std::map<std::string, Measurement>{{"c1", outcome(3, 0.5, "")},
                                                    {"c2", outcome(0, 0, "hung")}}));
    }
    EXPECT_EQ(database.program("c0ffee"),
              version >= 14 ? std::optional<std::string>("paraiso 1") : std::nullopt);
    std::vector<float> numbers;
    database.each_place(1, [&](std::int64_t problem, std::int64_t axes, auto found) {
      EXPECT_EQ(std::pair(problem, axes), std::pair(std::int64_t{1}, std::int64_t{3}));
      numbers.assign(found.begin(), found.end());
    });
    EXPECT_EQ(numbers, version >= 15 ? std::vector<float>{1} : std::vector<float>{});
    EXPECT_EQ(database.is_exhausted(1), version >= 16);
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
