#include "paraiso/tune/database/database.hpp"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "paraiso/base/text.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/database/connection.hpp"
#include "paraiso/tune/database/genes_json.hpp"
#include "paraiso/tune/database/stored.hpp"

namespace paraiso::tune {

namespace {

/// Of a row with number, genome, score, deviation and reason.
Outcome result_at(const std::filesystem::path& path, std::int64_t problem,
                  const SQLite::Statement& row) {
  const std::int64_t id = row.getColumn(0).getInt64();
  return {id, sound_genome(path, problem, row.getColumn(1).getString()),
          outcome_at(path, "individual", id, row, 2)};
}

}  // namespace

std::string key_of(const TuningProblem& p) {
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
  // Problems from before there were other targets keep their key.
  if (p.target != "native") parts.push_back(p.target);
  return hex(fnv1a(fmt::format("{}", fmt::join(parts, "\n"))));
}

Database::Database(std::filesystem::path path, std::chrono::milliseconds patience, Access access)
    : connection_(std::make_unique<Connection>(std::move(path), patience, access)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

std::int64_t Database::add(const TuningProblem& problem) {
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

namespace {

constexpr const char* kProblemColumns =
    "select id, machine, program_hash, numbers, element, backend, compiler, threads, size, host, "
    "host_fingerprint, genes, generator, initial, parameters, target from problem ";

std::pair<std::int64_t, TuningProblem> problem_at(SQLite::Statement& row,
                                                  const std::filesystem::path& path) {
  const auto text = [&](int at) { return row.getColumn(at).getString(); };
  const std::int64_t id = row.getColumn(0).getInt64();
  return {id,
          TuningProblem{text(1), text(2), text(3), text(4), text(5), text(6),
                        row.getColumn(7).getInt(), text(8), text(9), text(10),
                        sound_genes(path, id, text(11)), text(12), text(13), text(14), text(15)}};
}

using Problems = std::vector<std::pair<std::int64_t, TuningProblem>>;

template <class... Values>
Problems problems_where(auto& connection, const std::string& condition, const Values&... values) {
  Problems found;
  connection.each_row(
      kProblemColumns + condition,
      [&](SQLite::Statement& row) { found.push_back(problem_at(row, connection.path)); },
      values...);
  return found;
}

}  // namespace

Problems Database::problems() { return problems_where(*connection_, "order by id"); }

Problems Database::problems_of(const std::string& machine) {
  return problems_where(*connection_, "where machine = ? order by id", machine);
}

std::optional<TuningProblem> Database::problem(std::int64_t id) {
  std::optional<TuningProblem> found;
  connection_->each_row(
      std::string(kProblemColumns) + "where id = ?",
      [&](SQLite::Statement& row) { found = problem_at(row, connection_->path).second; }, id);
  return found;
}

std::int64_t Database::add(const TunerRun& session) {
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
    const std::int64_t hash = genome_hash(genome);
    if (c.id_of(problem, hash)) return Claim::measured;
    if (c.is_claimed(problem, hash, now)) return Claim::taken;
    c.claim(problem, hash, session, expires);
    return Claim::granted;
  });
}

bool Database::is_claimed(std::int64_t problem, const std::string& genome, double now) {
  Connection& c = *connection_;
  return c.guarded([&] { return c.is_claimed(problem, genome_hash(genome), now); });
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
    SQLite::Statement row(c.file,
                          std::string(kIndividualColumns) + "problem = ? and genome_hash = ?");
    SQLite::bind(row, problem, genome_hash(genome));
    if (!row.executeStep()) return std::nullopt;
    return c.individual_at(row, problem);
  });
}

void Database::each(std::int64_t problem, std::int64_t after,
                    const std::function<void(const Individual&)>& use) {
  connection_->each_row(
      std::string(kIndividualColumns) + "problem = ? and id > ? order by id",
      [&](SQLite::Statement& row) { use(connection_->individual_at(row, problem)); }, problem,
      after);
}

void Database::each_result(std::int64_t problem, std::int64_t after, std::int64_t without_session,
                           const std::function<void(const Outcome&)>& use) {
  connection_->each_row(
      "select id, genome, score, deviation, reason from individual "
      "where problem = ? and id > ? and session <> ? order by id",
      [&](SQLite::Statement& row) { use(result_at(connection_->path, problem, row)); }, problem,
      after, without_session);
}

std::vector<Outcome> Database::best_results(std::int64_t problem, double least, std::size_t count) {
  std::vector<Outcome> found;
  connection_->each_row(
      "select id, genome, score, deviation, reason from individual "
      "where problem = ? and score > 0 and score >= ? order by score desc, id limit ?",
      [&](SQLite::Statement& row) { found.push_back(result_at(connection_->path, problem, row)); },
      problem, least, static_cast<std::int64_t>(count));
  return found;
}

std::map<std::int64_t, std::int64_t> Database::counts() {
  std::map<std::int64_t, std::int64_t> found;
  connection_->each_row(
      "select id, (select count(*) from individual where problem = problem.id) from problem",
      [&](SQLite::Statement& row) {
        found[row.getColumn(0).getInt64()] = row.getColumn(1).getInt64();
      });
  return found;
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

void Database::mark_exhausted(std::int64_t problem) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(c.file, "insert or ignore into exhausted (problem) values (?)");
    insert.bind(1, problem);
    return insert.exec();
  });
}

bool Database::is_exhausted(std::int64_t problem) {
  bool found = false;
  connection_->each_row(
      "select problem from exhausted where problem = ?", [&](SQLite::Statement&) { found = true; },
      problem);
  return found;
}

std::optional<Measurement> Database::timing_of(std::int64_t problem, const std::string& code_hash) {
  Connection& c = *connection_;
  return c.guarded([&]() -> std::optional<Measurement> {
    SQLite::Statement row(c.file, std::string(kIndividualColumns) +
                                      "problem = ? and code_hash = ? order by id limit 1");
    SQLite::bind(row, problem, code_hash);
    if (!row.executeStep()) return std::nullopt;
    return c.individual_at(row, problem).measurement;
  });
}

}  // namespace paraiso::tune
