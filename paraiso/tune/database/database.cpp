#include "paraiso/tune/database/database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <thread>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/runtime/process/process_identity.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/database/genes_json.hpp"
#include "paraiso/tune/database/open_to_read.hpp"
#include "paraiso/tune/database/schema.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

Error damaged(const std::filesystem::path& path, const std::string& how) {
  return Error(fmt::format("the tuning database `{}` is damaged: {}", path.string(), how));
}

/// Signed, as SQLite's integers are.
std::int64_t hash_of(const std::string& genome) { return static_cast<std::int64_t>(fnv1a(genome)); }

std::string samples_text(const std::vector<double>& samples) {
  return fmt::format("{}", fmt::join(samples, " "));
}

/// None where one of them is no number.
std::optional<std::vector<double>> samples_from(const std::string& text) {
  std::vector<double> samples;
  if (text.empty()) return samples;
  for (const std::string& word : split(text, ' ')) {
    const char* end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, samples.emplace_back());
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  }
  return samples;
}

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Score, deviation and reason, from column `at` on.
Measurement outcome_at(const SQLite::Statement& row, int at) {
  Measurement outcome;
  outcome.score = row.getColumn(at).getDouble();
  outcome.deviation = row.getColumn(at + 1).getDouble();
  outcome.reason = row.getColumn(at + 2).getString();
  return outcome;
}

/// SQLite tries again for reading and keeps the reason of that: the folder knows better.
int why_not_opened(const std::filesystem::path& path, int system_error) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  return access(folder.c_str(), R_OK | W_OK | X_OK) == 0 ? system_error : errno;
}

/// What went wrong in SQLite, in the words of one who tunes.
[[noreturn]] void fail(const std::filesystem::path& path, const SQLite::Exception& error,
                       int system_error) {
  const std::string file = path.string();
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB: throw Error(fmt::format("`{}` is not a tuning database", file));
    case SQLITE_CORRUPT:
      throw damaged(path, error.what())
          .with_hint("`sqlite3 FILE .recover` recovers what can still be read");
    case SQLITE_BUSY:
      throw Error(fmt::format("the tuning database `{}` is locked by another program", file));
    case SQLITE_FULL: runtime::fail_to_write(path, ENOSPC);
    case SQLITE_CANTOPEN: runtime::fail_to_write(path, why_not_opened(path, system_error));
    case SQLITE_READONLY: runtime::fail_to_write(path, EACCES);
    default: break;
  }
  if (error.getErrorCode() == SQLITE_IOERR)
    throw Error(fmt::format("can't read or write `{}`: {}", file, error.what()));
  throw Error(fmt::format("the tuning database `{}`: {}", file, error.what()));
}

}  // namespace

std::string key_of(const Problem& p) {
  std::vector<std::string> parts = {p.machine,
                                    p.program_hash,
                                    p.numbers,
                                    p.element,
                                    p.backend,
                                    p.compiler,
                                    std::to_string(p.threads),
                                    p.size,
                                    p.host_fingerprint,
                                    plan::gene_table_hash(p.genes),
                                    p.generator,
                                    p.initial,
                                    p.parameters};
  // A problem of before there were others has the key that it had.
  if (p.target != "native") parts.push_back(p.target);
  return hex(fnv1a(fmt::format("{}", fmt::join(parts, "\n"))));
}

/// The file and the statements that are used often, made once.
struct Database::Connection {
  runtime::SizeSignalIgnored size_signal_ignored;
  std::filesystem::path path;
  SQLite::Database file;
  std::optional<SQLite::Statement> is_measured, claimant, claim, unclaim, insert, insert_parent;

  static SQLite::Database open(const std::filesystem::path& path, int busy_milliseconds,
                               Access access) {
    try {
      if (access == Access::read) return open_to_read(path, busy_milliseconds);
      return {path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_milliseconds};
    } catch (const SQLite::Exception& error) {
      const int system_error = errno;
      if (access == Access::read && error.getErrorCode() == SQLITE_CANTOPEN)
        throw Error(fmt::format("can't read `{}`: {}", path.string(), strerror(system_error)));
      fail(path, error, system_error);
    }
  }

  /// Runs `work`; SQLite's exceptions become Errors.
  template <class Work>
  auto guarded(Work&& work) {
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      fail(path, error, sqlite3_system_errno(file.getHandle()));
    }
  }

  /// `guarded`, and all of it or nothing.
  template <class Work>
  auto transacted(Work&& work) {
    return guarded([&] {
      SQLite::Transaction transaction(file, SQLite::TransactionBehavior::IMMEDIATE);
      // Errors are told before the rollback, which may forget the system's reason.
      auto result = guarded(work);
      guarded([&] { transaction.commit(); });
      return result;
    });
  }

  Connection(std::filesystem::path where, std::chrono::milliseconds patience, Access access)
      : path(std::move(where)), file(open(path, static_cast<int>(patience.count()), access)) {
    if (access == Access::read) return;
    guarded([&] {
      require_whole();
      migrate(file, path);
      write_ahead(patience);
      file.exec("pragma synchronous = normal");  // what a killed process had committed stays
      prepare();
    });
  }

  /// Readers and a writer don't wait for each other then. A new file's first switch needs it alone,
  /// and SQLite does not wait for that by itself.
  void write_ahead(std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (file.tryExec("pragma journal_mode = wal") == SQLITE_BUSY &&
           std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (file.execAndGet("pragma journal_mode").getString() != "wal")
      throw SQLite::Exception("database is locked", SQLITE_BUSY);
  }

  void require_whole() {
    const std::string found = file.execAndGet("pragma quick_check(1)").getString();
    if (found != "ok") throw SQLite::Exception(found, SQLITE_CORRUPT);
  }

  void prepare() {
    is_measured.emplace(file, "select id from individual where problem = ? and genome_hash = ?");
    claimant.emplace(file,
                     "select s.process from claim c join session s on s.id = c.session "
                     "where c.problem = ? and c.genome_hash = ? and c.expires > ?");
    claim.emplace(file,
                  "insert or replace into claim (problem, genome_hash, session, expires) "
                  "values (?, ?, ?, ?)");
    unclaim.emplace(file, "delete from claim where problem = ? and genome_hash = ?");
    insert.emplace(file,
                   "insert into individual (problem, session, genome, genome_hash, method, "
                   "temperature, score, deviation, samples, reason, schedule_hash, code_hash, "
                   "compile_seconds, born, finished, sources) "
                   "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert_parent.emplace(file, "insert into parent (child, place, parent) values (?, ?, ?)");
  }

  /// Binds and runs a statement that is made; returns whether there is a row.
  template <class... Values>
  static bool step(SQLite::Statement& statement, const Values&... values) {
    statement.reset();
    int place = 0;
    (statement.bind(++place, values), ...);
    return statement.executeStep();
  }

  std::optional<std::int64_t> id_of(std::int64_t problem, std::int64_t hash) {
    const bool found = step(*is_measured, problem, hash);
    const std::optional<std::int64_t> id =
        found ? std::optional(is_measured->getColumn(0).getInt64()) : std::nullopt;
    is_measured->reset();
    return id;
  }

  bool is_claimed(std::int64_t problem, std::int64_t hash, double now) {
    const bool claimed = step(*claimant, problem, hash, now) &&
                         !runtime::has_ended(claimant->getColumn(0).getString());
    claimant->reset();
    return claimed;
  }

  /// Binds `values` to `question` and gives `use` each row of the answer.
  template <class Use, class... Values>
  void each_row(const std::string& question, const Use& use, const Values&... values) {
    guarded([&] {
      SQLite::Statement row(file, question);
      int place = 0;
      (row.bind(++place, values), ...);
      while (row.executeStep()) use(row);
    });
  }

  std::vector<std::int64_t> parents_of(std::int64_t child) {
    std::vector<std::int64_t> parents;
    each_row(
        "select parent from parent where child = ? order by place",
        [&](SQLite::Statement& row) { parents.push_back(row.getColumn(0).getInt64()); }, child);
    return parents;
  }

  /// A path as one from the file's folder: both may be moved together.
  std::string seen_from_here(const std::string& sources) const {
    if (sources.empty()) return "";
    return std::filesystem::path(sources).lexically_proximate(path.parent_path()).string();
  }

  std::int64_t insert_individual(std::int64_t problem, const Individual& i) {
    const Measurement& m = i.measurement;
    step(*insert, problem, i.session, i.genome, hash_of(i.genome), i.method, i.temperature, m.score,
         m.deviation, samples_text(m.samples), m.reason, m.schedule_hash, m.code_hash,
         m.compile_seconds, i.born, i.finished, seen_from_here(m.sources));
    insert->reset();
    const std::int64_t id = file.getLastInsertRowid();
    for (std::size_t place = 0; place < i.parents.size(); ++place) {
      step(*insert_parent, id, static_cast<std::int64_t>(place), i.parents[place]);
      insert_parent->reset();
    }
    return id;
  }

  /// Within a transaction.
  std::int64_t record(std::int64_t problem, const Individual& individual) {
    const std::int64_t hash = hash_of(individual.genome);
    std::optional<std::int64_t> id = id_of(problem, hash);
    if (!id) id = insert_individual(problem, individual);
    step(*unclaim, problem, hash);
    unclaim->reset();
    return *id;
  }

  /// Genes that any letters can be read by.
  std::vector<plan::Gene> sound_genes(std::int64_t problem, const std::string& text) const {
    try {
      return genes_from(Json::parse(text));
    } catch (const Json::exception&) {
      throw damaged(path, fmt::format("the gene table of problem {} can't be read", problem));
    } catch (const Error& error) {
      throw damaged(path, fmt::format("{} in problem {}", error.diagnostics()[0].message, problem));
    }
  }

  /// One that can be read by any sound genes.
  std::string sound_genome(std::int64_t problem, std::string genome) const {
    if (!std::ranges::all_of(genome, is_letter))
      throw damaged(path, fmt::format("{} of problem {} is not a genome", shown(genome), problem));
    return genome;
  }

  std::vector<double> sound_samples(std::int64_t individual, const std::string& text) const {
    auto samples = samples_from(text);
    if (!samples)
      throw damaged(path, fmt::format("the samples of individual {} can't be read", individual));
    return std::move(*samples);
  }

  Individual individual_at(SQLite::Statement& row, std::int64_t problem) {
    int at = 0;
    const auto text = [&] { return row.getColumn(at++).getString(); };
    const auto real = [&] { return row.getColumn(at++).getDouble(); };
    Individual i;
    Measurement& m = i.measurement;
    i.id = row.getColumn(at++).getInt64();
    i.session = row.getColumn(at++).getInt64();
    i.genome = sound_genome(problem, text()), i.method = text(), i.temperature = real();
    m.score = real(), m.deviation = real();
    m.samples = sound_samples(i.id, text()), m.reason = text();
    m.schedule_hash = text(), m.code_hash = text(), m.compile_seconds = real();
    i.born = real(), i.finished = real();
    if (const std::string sources = text(); !sources.empty())
      m.sources = (path.parent_path() / sources).string();
    i.parents = parents_of(i.id);
    return i;
  }
};

namespace {

constexpr const char* kColumns =
    "select id, session, genome, method, temperature, score, deviation, samples, reason, "
    "schedule_hash, code_hash, compile_seconds, born, finished, sources from individual where ";

}  // namespace

Database::Database(std::filesystem::path path, std::chrono::milliseconds patience, Access access)
    : connection_(std::make_unique<Connection>(std::move(path), patience, access)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

std::int64_t Database::add(const Problem& problem) {
  Connection& c = *connection_;
  return c.transacted([&] {
    SQLite::Statement insert(
        c.file,
        "insert into problem (key, machine, program_hash, numbers, element, backend, compiler, "
        "threads, size, host, host_fingerprint, gene_table_hash, genes, generator, initial, "
        "parameters, target) "
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing");
    const std::string key = key_of(problem);
    SQLite::bind(insert, key, problem.machine, problem.program_hash, problem.numbers,
                 problem.element, problem.backend, problem.compiler, problem.threads, problem.size,
                 problem.host, problem.host_fingerprint, plan::gene_table_hash(problem.genes),
                 genes_json(problem.genes).dump(), problem.generator, problem.initial,
                 problem.parameters, problem.target);
    insert.exec();
    SQLite::Statement query(c.file, "select id from problem where key = ?");
    query.bind(1, key);
    query.executeStep();
    return query.getColumn(0).getInt64();
  });
}

std::vector<std::pair<std::int64_t, Problem>> Database::problems() {
  std::vector<std::pair<std::int64_t, Problem>> found;
  connection_->each_row(
      "select id, machine, program_hash, numbers, element, backend, compiler, threads, size, host, "
      "host_fingerprint, genes, generator, initial, parameters, target from problem order by id",
      [&](SQLite::Statement& row) {
        const auto text = [&](int at) { return row.getColumn(at).getString(); };
        const std::int64_t id = row.getColumn(0).getInt64();
        found.emplace_back(id, Problem{text(1), text(2), text(3), text(4), text(5), text(6),
                                       row.getColumn(7).getInt(), text(8), text(9), text(10),
                                       connection_->sound_genes(id, text(11)), text(12), text(13),
                                       text(14), text(15)});
      });
  return found;
}

std::int64_t Database::add(const Session& session) {
  Connection& c = *connection_;
  return c.transacted([&] {
    SQLite::Statement insert(c.file,
                             "insert into session (strategy, seed, command, version, started, "
                             "process) values (?, ?, ?, ?, ?, ?)");
    SQLite::bind(insert, session.strategy, static_cast<std::int64_t>(session.seed), session.command,
                 session.version, session.started, session.process);
    insert.exec();
    return static_cast<std::int64_t>(c.file.getLastInsertRowid());
  });
}

Claim Database::claim(std::int64_t problem, std::int64_t session, const std::string& genome,
                      double now, double expires) {
  Connection& c = *connection_;
  return c.transacted([&] {
    const std::int64_t hash = hash_of(genome);
    if (c.id_of(problem, hash)) return Claim::measured;
    if (c.is_claimed(problem, hash, now)) return Claim::taken;
    c.step(*c.claim, problem, hash, session, expires);
    c.claim->reset();
    return Claim::granted;
  });
}

bool Database::is_claimed(std::int64_t problem, const std::string& genome, double now) {
  Connection& c = *connection_;
  return c.guarded([&] { return c.is_claimed(problem, hash_of(genome), now); });
}

void Database::renew(std::int64_t session, double expires) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement update(c.file, "update claim set expires = ? where session = ?");
    SQLite::bind(update, expires, session);
    return update.exec();
  });
}

std::int64_t Database::record(std::int64_t problem, const Individual& individual) {
  Connection& c = *connection_;
  return c.transacted([&] { return c.record(problem, individual); });
}

void Database::import(std::int64_t problem, std::span<const Individual> individuals) {
  Connection& c = *connection_;
  c.transacted([&] {
    for (const Individual& individual : individuals) c.record(problem, individual);
    return true;
  });
}

std::optional<Individual> Database::find(std::int64_t problem, const std::string& genome) {
  Connection& c = *connection_;
  return c.guarded([&]() -> std::optional<Individual> {
    SQLite::Statement row(c.file, std::string(kColumns) + "problem = ? and genome_hash = ?");
    SQLite::bind(row, problem, hash_of(genome));
    if (!row.executeStep()) return std::nullopt;
    return c.individual_at(row, problem);
  });
}

void Database::each(std::int64_t problem, std::int64_t after,
                    const std::function<void(const Individual&)>& use) {
  connection_->each_row(
      std::string(kColumns) + "problem = ? and id > ? order by id",
      [&](SQLite::Statement& row) { use(connection_->individual_at(row, problem)); }, problem,
      after);
}

void Database::each_result(std::int64_t problem, std::int64_t after, std::int64_t without_session,
                           const std::function<void(const Result&)>& use) {
  connection_->each_row(
      "select id, genome, score, deviation, reason from individual "
      "where problem = ? and id > ? and session <> ? order by id",
      [&](SQLite::Statement& row) {
        use({row.getColumn(0).getInt64(),
             connection_->sound_genome(problem, row.getColumn(1).getString()), outcome_at(row, 2)});
      },
      problem, after, without_session);
}

std::int64_t Database::count(std::int64_t problem) {
  Connection& c = *connection_;
  return c.guarded([&] {
    SQLite::Statement query(c.file, "select count(*) from individual where problem = ?");
    query.bind(1, problem);
    query.executeStep();
    return query.getColumn(0).getInt64();
  });
}

std::optional<Measurement> Database::timing_of(std::int64_t problem, const std::string& code_hash) {
  Connection& c = *connection_;
  return c.guarded([&]() -> std::optional<Measurement> {
    SQLite::Statement row(
        c.file, std::string(kColumns) + "problem = ? and code_hash = ? order by id limit 1");
    SQLite::bind(row, problem, code_hash);
    if (!row.executeStep()) return std::nullopt;
    return c.individual_at(row, problem).measurement;
  });
}

void Database::record(std::int64_t problem, const Contest& contest) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(
        c.file,
        "insert or replace into contest (problem, genome, start, score, deviation, start_score, "
        "start_deviation, won, plan, start_plan, operations, bytes, command, held) "
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    SQLite::bind(insert, problem, contest.best.genome, contest.start.genome, contest.best.score,
                 contest.best.deviation, contest.start.score, contest.start.deviation,
                 static_cast<int>(contest.won), contest.best.plan, contest.start.plan,
                 contest.operations, contest.bytes, contest.command, contest.held);
    return insert.exec();
  });
}

std::optional<Contest> Database::contest(std::int64_t problem) {
  Connection& c = *connection_;
  return c.guarded([&]() -> std::optional<Contest> {
    SQLite::Statement row(c.file,
                          "select genome, score, deviation, plan, start, start_score, "
                          "start_deviation, start_plan, won, operations, bytes, command, held "
                          "from contest where problem = ?");
    row.bind(1, problem);
    if (!row.executeStep()) return std::nullopt;
    const auto text = [&](int at) { return row.getColumn(at).getString(); };
    const auto real = [&](int at) { return row.getColumn(at).getDouble(); };
    const auto side = [&](int at) -> Contest::Side {
      return {c.sound_genome(problem, text(at)), real(at + 1), real(at + 2), text(at + 3)};
    };
    return Contest{side(0),  side(4), row.getColumn(8).getInt() != 0, real(9), real(10),
                   text(11), real(12)};
  });
}

void Database::record(std::int64_t problem, const Contest& contest, const Part& part) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(
        c.file,
        "insert or replace into part (problem, champion, start, name, score, deviation, reason) "
        "values (?, ?, ?, ?, ?, ?, ?)");
    SQLite::bind(insert, problem, contest.best.genome, contest.start.genome, part.name,
                 part.measurement.score, part.measurement.deviation, part.measurement.reason);
    return insert.exec();
  });
}

std::vector<Part> Database::parts(std::int64_t problem, const Contest& contest) {
  std::vector<Part> found;
  connection_->each_row(
      "select name, score, deviation, reason from part "
      "where problem = ? and champion = ? and start = ? order by name",
      [&](SQLite::Statement& row) {
        found.push_back({row.getColumn(0).getString(), outcome_at(row, 1)});
      },
      problem, contest.best.genome, contest.start.genome);
  return found;
}

void Database::record(std::int64_t problem, const Reference& reference) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(
        c.file, "insert into reference (problem, score, deviation, taken) values (?, ?, ?, ?)");
    SQLite::bind(insert, problem, reference.score, reference.deviation, reference.taken);
    return insert.exec();
  });
}

std::vector<Reference> Database::references(std::int64_t problem) {
  std::vector<Reference> found;
  connection_->each_row(
      "select score, deviation, taken from reference where problem = ? order by taken, id",
      [&](SQLite::Statement& row) {
        found.push_back({row.getColumn(0).getDouble(), row.getColumn(1).getDouble(),
                         row.getColumn(2).getDouble()});
      },
      problem);
  return found;
}

void Database::remeasure(std::int64_t individual, const Measurement& measurement) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(
        c.file,
        "insert or replace into remeasurement (individual, score, deviation, samples, reason) "
        "values (?, ?, ?, ?, ?)");
    SQLite::bind(insert, individual, measurement.score, measurement.deviation,
                 samples_text(measurement.samples), measurement.reason);
    return insert.exec();
  });
}

std::map<std::string, Measurement> Database::remeasured(std::int64_t problem) {
  std::map<std::string, Measurement> found;
  connection_->each_row(
      "select i.code_hash, r.score, r.deviation, r.reason from remeasurement r "
      "join individual i on i.id = r.individual where i.problem = ?",
      [&](SQLite::Statement& row) {
        found.insert_or_assign(row.getColumn(0).getString(), outcome_at(row, 1));
      },
      problem);
  return found;
}

std::vector<SessionCount> Database::sessions(std::int64_t problem) {
  std::vector<SessionCount> found;
  connection_->each_row(
      "select s.strategy, s.seed, s.command, s.version, s.started, s.process, count(*) "
      "from individual i join session s on s.id = i.session where i.problem = ? group by s.id "
      "order by s.started, s.id",
      [&](SQLite::Statement& row) {
        const auto text = [&](int at) { return row.getColumn(at).getString(); };
        const auto seed = static_cast<std::uint64_t>(row.getColumn(1).getInt64());
        found.push_back({{text(0), seed, text(2), text(3), row.getColumn(4).getDouble(), text(5)},
                         row.getColumn(6).getInt64()});
      },
      problem);
  return found;
}

std::map<std::string, double> Database::first_finished(std::int64_t problem) {
  std::map<std::string, double> found;
  connection_->each_row(
      "select code_hash, min(finished) from individual "
      "where problem = ? and code_hash <> '' group by code_hash",
      [&](SQLite::Statement& row) {
        found.emplace(row.getColumn(0).getString(), row.getColumn(1).getDouble());
      },
      problem);
  return found;
}

std::vector<double> Database::session_starts(std::int64_t problem) {
  std::vector<double> found;
  connection_->each_row(
      "select started from session where id not in "
      "(select session from individual where problem <> ?) order by started",
      [&](SQLite::Statement& row) { found.push_back(row.getColumn(0).getDouble()); }, problem);
  return found;
}

}  // namespace paraiso::tune
