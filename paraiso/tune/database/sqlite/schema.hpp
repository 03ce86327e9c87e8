// The tables of a tuning database, and how a file of an older version is brought to this one.
// Gives: Migration, kMigrations, migrate, is_older, kApplicationId. Needs: SQLiteCpp.
//
// A file's version is the number of migrations that it has seen (`pragma user_version`). To change
// the tables, append a migration: those before it are never edited, since files out there have seen
// them.
#pragma once

#include <filesystem>
#include <span>

namespace SQLite {
class Database;
}

namespace paraiso::tune {

/// Statements that bring a file from one version to the next.
using Migration = const char*;

extern const std::span<const Migration> kMigrations;

/// `pragma application_id`: tells our files from other programs' ("Para" in ASCII).
inline constexpr int kApplicationId = 0x50617261;

/// Takes all the steps that the file lacks, in one transaction: all of them or none. A file without
/// any table becomes ours. Throws Error, and leaves the file as it is, if it is another program's
/// or of a newer version.
void migrate(SQLite::Database& connection, const std::filesystem::path& path,
             std::span<const Migration> migrations = kMigrations);

/// Whether it lacks steps. Throws Error in the same cases as `migrate`.
[[nodiscard]] bool is_older(SQLite::Database& connection, const std::filesystem::path& path);

}  // namespace paraiso::tune
