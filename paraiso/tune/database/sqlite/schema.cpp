#include "paraiso/tune/database/sqlite/schema.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/std.h>

#include "paraiso/base/error.hpp"

namespace paraiso::tune {

namespace {

constexpr Migration kSteps[] = {
    // 1: individuals, what they are individuals of, and who made them.
    R"(
create table problem (
  id integer primary key,
  key text not null unique,          -- the hash of all the other columns
  machine text not null,
  program_hash text not null,
  numbers text not null,             -- strict, fma or fast
  element text not null,             -- f32 or f64
  backend text not null,
  compiler text not null,
  threads integer not null,
  size text not null,                -- 512x512
  host text not null,
  host_fingerprint text not null,
  gene_table_hash text not null,
  genes text not null                -- JSON: [[name, [allele, ...]], ...]
);
create table session (
  id integer primary key,
  strategy text not null,
  seed integer not null,
  command text not null,
  version text not null,
  started real not null              -- seconds since 1970, as all times here
);
create table individual (
  id integer primary key,
  problem integer not null references problem,
  session integer not null references session,
  genome text not null,              -- canonical, in letters over the problem's genes
  genome_hash integer not null,
  method text not null,              -- how it was born: start, mutation, crossover, ...
  temperature real not null,         -- of the draw of its parents
  score real not null,               -- mean cell updates per second; 0: it failed
  deviation real not null,
  samples text not null,             -- separated by blanks
  reason text not null,              -- why it failed; empty if it did not
  schedule_hash text not null,
  code_hash text not null,
  compile_seconds real not null,
  born real not null,
  finished real not null,
  unique (problem, genome_hash)
);
create table parent (
  child integer not null references individual,
  place integer not null,            -- in the order of drawing
  parent integer not null references individual,
  primary key (child, place)
) without rowid;
)",
    // 2: what is being measured just now, so that no two tuners measure the same.
    R"(
create table claim (
  problem integer not null references problem,
  genome_hash integer not null,
  session integer not null references session,
  expires real not null,             -- from then on the tuner counts as dead
  primary key (problem, genome_hash)
) without rowid;
)",
    // 3: the last comparison of a problem's best individuals with its default schedule.
    R"(
create table contest (
  problem integer primary key references problem,
  genome text not null,              -- of the best
  start text not null,               -- of the default schedule
  score real not null,               -- as an individual's, but measured in alternation
  deviation real not null,
  start_score real not null,
  start_deviation real not null,
  won integer not null,              -- 1: the best is faster by more than the doubt: a champion
  plan text not null,                -- both in words
  start_plan text not null,
  operations real not null,          -- of the program, one cell and step
  bytes real not null,               -- the least that a cell and step move
  command text not null,
  held real not null
);
)",
    // 4: what pieces of a champion are worth.
    R"(
create table part (
  problem integer not null references problem,
  champion text not null,            -- genome
  start text not null,               -- genome
  name text not null,                -- "storage", "only proceed/tile_x", ...
  score real not null,
  deviation real not null,
  reason text not null,              -- why it failed; empty if it did not
  primary key (problem, champion, start, name)
) without rowid;
)",
    // 5: so that the claims of a killed tuner are free at once.
    R"(
alter table session add column
  process text not null default '';  -- host, its boot, namespace, number, start; empty: unknown
)",
    // 6: what is known of generated code is asked before it is timed.
    R"(
create index individual_code on individual (problem, code_hash);
)",
    // 7: the sources of failures.
    R"(
alter table individual add column
  sources text not null default '';  -- their folder, seen from this file's; empty: not kept
)",
    // 8: more of what scores depend on. A host's name is no part of the key any more; the problems
    // of before, whose generator nobody knows, are starts for those of today.
    R"(
alter table problem add column generator text not null default '';   -- a hash of what it makes
alter table problem add column initial text not null default '';     -- kernel
alter table problem add column parameters text not null default '';  -- name=value, ...
)",
    // 9: what the machine did while individuals were measured, and what was measured again.
    R"(
create table reference (
  id integer primary key,
  problem integer not null references problem,
  score real not null,               -- of the default schedule
  deviation real not null,
  taken real not null
);
create table remeasurement (
  individual integer primary key references individual,
  score real not null,
  deviation real not null,
  samples text not null,
  reason text not null
);
)",
    // 10: what code was made for; before there was a choice, for the host alone.
    R"(
alter table problem add column target text not null default 'native';  -- x86-64-v3, ...
)",
    // 11: what problems are like, so that their solutions can be used for others.
    R"(
create table description (
  problem integer primary key references problem,
  features text not null,            -- JSON: {"version": N, "numbers": {...}, "words": {...}}
  roles text not null                -- JSON, of each gene: [[name, is an option], ...]
);
)",
    // 12: what recipes of the list that all problems share are in a problem.
    R"(
create table listed (
  problem integer not null references problem,
  number integer not null,           -- in the list
  genome text not null,              -- as an individual has it; several numbers may share one
  model real not null,               -- nanoseconds a cell and step that the cost model expects
  primary key (problem, number)
);
)",
    // 13: what else an individual took.
    R"(
alter table individual add column check_seconds real not null default 0;  -- 0: unknown, as below
alter table individual add column time_seconds real not null default 0;
)",
    // 14: so that what problems are like can be found out again when features change.
    R"(
create table program (
  hash text primary key,             -- a problem's program_hash
  text text not null                 -- .om, after all passes
) without rowid;
)",
    // 15: so that the closest of many problems are found without reading all descriptions.
    R"(
create table axes (
  id integer primary key,
  version integer not null,          -- of features
  text text not null,                -- JSON: what the numbers of a place are of
  unique (version, text)
);
create table place (
  problem integer primary key references problem,
  axes integer not null references axes,
  numbers blob not null              -- of 32 bits
);
create index described on description (problem);  -- counted without reading descriptions
)",
    // 16: what was measured to its end; before this was kept, parts are taken to be.
    R"(
create table exhausted (
  problem integer primary key references problem  -- every schedule of it is an individual
);
alter table part add column rounds integer not null default 3;  -- whose median the score is
)",
};

/// The file's version; throws if we may not touch it.
int require_ours(SQLite::Database& connection, const std::filesystem::path& path, int known) {
  // In one query, because another tuner may create the file meanwhile.
  SQLite::Statement question(connection,
                             "select application_id, user_version, "
                             "(select count(*) from sqlite_master) = 0 "
                             "from pragma_application_id, pragma_user_version");
  question.executeStep();
  const int application = question.getColumn(0), version = question.getColumn(1);
  const bool empty = question.getColumn(2).getInt() != 0;
  if (application != kApplicationId && !(application == 0 && empty))
    throw Error(fmt::format("`{}` is the database of another program", path.string()))
        .with_hint("give a file of its own to the tuning");
  if (version > known)
    throw Error(
        fmt::format("`{}` was written by a newer Paraiso: its version is {}, and this one "
                    "knows those up to {}",
                    path.string(), version, known));
  return version;
}

}  // namespace

const std::span<const Migration> kMigrations = kSteps;

void migrate(SQLite::Database& connection, const std::filesystem::path& path,
             std::span<const Migration> migrations) {
  const int known = static_cast<int>(migrations.size());
  if (require_ours(connection, path, known) == known) return;
  SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
  // Read again: another tuner may have been faster.
  for (int version = require_ours(connection, path, known); version < known; ++version)
    connection.exec(migrations[static_cast<std::size_t>(version)]);
  connection.exec(fmt::format("pragma application_id = {}", kApplicationId));
  connection.exec(fmt::format("pragma user_version = {}", known));
  transaction.commit();
}

bool is_older(SQLite::Database& connection, const std::filesystem::path& path) {
  const int known = static_cast<int>(kMigrations.size());
  return require_ours(connection, path, known) < known;
}

}  // namespace paraiso::tune
