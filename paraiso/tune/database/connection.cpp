#include "paraiso/tune/database/connection.hpp"

#include "paraiso/base/text.hpp"
#include "paraiso/runtime/process/process_identity.hpp"
#include "paraiso/tune/database/stored.hpp"

namespace paraiso::tune {

namespace {

/// Binds and runs a prepared statement; returns whether there is a row.
template <class... Values>
bool step(SQLite::Statement& statement, const Values&... values) {
  statement.reset();
  int place = 0;
  (statement.bind(++place, values), ...);
  return statement.executeStep();
}

}  // namespace

std::int64_t genome_hash(const std::string& genome) {
  return static_cast<std::int64_t>(fnv1a(genome));
}

Database::Connection::Connection(std::filesystem::path where, std::chrono::milliseconds patience,
                                 Access access)
    : SqliteFile(std::move(where), patience, access) {
  if (access == Access::write) guarded([&] { prepare(); });
}

void Database::Connection::prepare() {
  is_measured_.emplace(file, "select id from individual where problem = ? and genome_hash = ?");
  claimant_.emplace(file,
                    "select s.process from claim c join session s on s.id = c.session "
                    "where c.problem = ? and c.genome_hash = ? and c.expires > ?");
  claim_.emplace(file,
                 "insert or replace into claim (problem, genome_hash, session, expires) "
                 "values (?, ?, ?, ?)");
  unclaim_.emplace(file, "delete from claim where problem = ? and genome_hash = ?");
  insert_.emplace(file,
                  "insert into individual (problem, session, genome, genome_hash, method, "
                  "temperature, score, deviation, samples, reason, schedule_hash, code_hash, "
                  "compile_seconds, check_seconds, time_seconds, born, finished, sources) "
                  "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert_parent_.emplace(file, "insert into parent (child, place, parent) values (?, ?, ?)");
}

std::optional<std::int64_t> Database::Connection::id_of(std::int64_t problem, std::int64_t hash) {
  const bool found = step(*is_measured_, problem, hash);
  const std::optional<std::int64_t> id =
      found ? std::optional(is_measured_->getColumn(0).getInt64()) : std::nullopt;
  is_measured_->reset();
  return id;
}

bool Database::Connection::is_claimed(std::int64_t problem, std::int64_t hash, double now) {
  const bool claimed = step(*claimant_, problem, hash, now) &&
                       !runtime::has_ended(claimant_->getColumn(0).getString());
  claimant_->reset();
  return claimed;
}

void Database::Connection::claim(std::int64_t problem, std::int64_t hash, std::int64_t session,
                                 double expires) {
  step(*claim_, problem, hash, session, expires);
  claim_->reset();
}

std::vector<std::int64_t> Database::Connection::parents_of(std::int64_t child) {
  std::vector<std::int64_t> parents;
  each_row(
      "select parent from parent where child = ? order by place",
      [&](SQLite::Statement& row) { parents.push_back(row.getColumn(0).getInt64()); }, child);
  return parents;
}

/// A path relative to the file's folder: both may be moved together.
std::string Database::Connection::seen_from_here(const std::string& sources) const {
  if (sources.empty()) return "";
  return std::filesystem::path(sources).lexically_proximate(path.parent_path()).string();
}

std::int64_t Database::Connection::insert(std::int64_t problem, const Individual& i) {
  const Measurement& m = i.measurement;
  step(*insert_, problem, i.session, i.genome, genome_hash(i.genome), i.method, i.temperature,
       m.score, m.deviation, samples_text(m.samples), m.reason, m.schedule_hash, m.code_hash,
       m.compile_seconds, m.check_seconds, m.time_seconds, i.born, i.finished,
       seen_from_here(m.sources));
  insert_->reset();
  const std::int64_t id = file.getLastInsertRowid();
  for (std::size_t place = 0; place < i.parents.size(); ++place) {
    step(*insert_parent_, id, static_cast<std::int64_t>(place), i.parents[place]);
    insert_parent_->reset();
  }
  return id;
}

std::int64_t Database::Connection::record(std::int64_t problem, const Individual& individual) {
  const std::int64_t hash = genome_hash(individual.genome);
  std::optional<std::int64_t> id = id_of(problem, hash);
  if (!id) id = insert(problem, individual);
  step(*unclaim_, problem, hash);
  unclaim_->reset();
  return *id;
}

Individual Database::Connection::individual_at(SQLite::Statement& row, std::int64_t problem) {
  int at = 0;
  const auto text = [&] { return row.getColumn(at++).getString(); };
  const auto real = [&] { return row.getColumn(at++).getDouble(); };
  Individual i;
  Measurement& m = i.measurement;
  i.id = row.getColumn(at++).getInt64();
  i.session = row.getColumn(at++).getInt64();
  i.genome = sound_genome(path, problem, text()), i.method = text(), i.temperature = real();
  const auto score = [&] { return sound_score(path, "individual", i.id, row.getColumn(at++)); };
  m.score = score(), m.deviation = score();
  m.samples = sound_samples(path, i.id, text()), m.reason = text();
  m.schedule_hash = text(), m.code_hash = text(), m.compile_seconds = real();
  m.check_seconds = real(), m.time_seconds = real();
  i.born = real(), i.finished = real();
  if (const std::string sources = text(); !sources.empty())
    m.sources = (path.parent_path() / sources).string();
  i.parents = parents_of(i.id);
  return i;
}

}  // namespace paraiso::tune
