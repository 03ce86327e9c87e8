// Database::Connection: the file and the frequently used statements, prepared once.
// Gives: Database::Connection, genome_hash, kIndividualColumns. Needs: sqlite_file, database.
#pragma once

#include "paraiso/tune/database/database.hpp"
#include "paraiso/tune/database/sqlite/sqlite_file.hpp"

namespace paraiso::tune {

/// Signed, like SQLite's integers.
[[nodiscard]] std::int64_t genome_hash(const std::string& genome);

/// For Connection::individual_at; a condition follows.
inline constexpr const char* kIndividualColumns =
    "select id, session, genome, method, temperature, score, deviation, samples, reason, "
    "schedule_hash, code_hash, compile_seconds, check_seconds, time_seconds, born, finished, "
    "sources "
    "from individual where ";

struct Database::Connection : SqliteFile {
  Connection(std::filesystem::path where, std::chrono::milliseconds patience, Access access);

  std::optional<std::int64_t> id_of(std::int64_t problem, std::int64_t hash);
  bool is_claimed(std::int64_t problem, std::int64_t hash, double now);
  void claim(std::int64_t problem, std::int64_t hash, std::int64_t session, double expires);
  /// To be called in a transaction.
  std::int64_t record(std::int64_t problem, const Individual& individual);
  Individual individual_at(SQLite::Statement& row, std::int64_t problem);

 private:
  void prepare();
  [[nodiscard]] std::vector<std::int64_t> parents_of(std::int64_t child);
  [[nodiscard]] std::string seen_from_here(const std::string& sources) const;
  std::int64_t insert(std::int64_t problem, const Individual& individual);

  std::optional<SQLite::Statement> is_measured_, claimant_, claim_, unclaim_, insert_,
      insert_parent_;
};

}  // namespace paraiso::tune
