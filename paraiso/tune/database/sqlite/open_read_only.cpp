#include "paraiso/tune/database/sqlite/open_read_only.hpp"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"
#include "paraiso/tune/database/sqlite/schema.hpp"

namespace paraiso::tune {

namespace {

bool can_be_read_in_place(SQLite::Database& file) {
  try {
    (void)file.execAndGet("select count(*) from sqlite_master");
    return true;
  } catch (const SQLite::Exception& error) {
    const int why = error.getErrorCode();
    if (why == SQLITE_CANTOPEN || why == SQLITE_READONLY) return false;
    throw;
  }
}

SQLite::Database in_memory(SQLite::Database& source) {
  SQLite::Database copy(":memory:", SQLite::OPEN_READWRITE);
  if (SQLite::Backup(copy, source).executeStep() != SQLITE_DONE)
    throw SQLite::Exception("database is locked", SQLITE_BUSY);
  return copy;
}

/// Reads a copy, including the log that a killed tuner has left.
SQLite::Database from_elsewhere(const std::filesystem::path& path) {
  const runtime::TemporaryFolder folder;
  const std::string copy = (folder.path() / "copy.sqlite").string();
  for (const char* part : {"", "-wal"}) {
    std::error_code error;
    std::filesystem::copy_file(path.string() + part, copy + part, error);
    const bool no_log = *part != 0 && error == std::errc::no_such_file_or_directory;
    if (error && !no_log)
      throw Error(fmt::format("can't copy `{}` to `{}`: {}", path.string() + part, copy + part,
                              error.message()));
  }
  SQLite::Database file(copy, SQLite::OPEN_READWRITE);
  return in_memory(file);
}

}  // namespace

SQLite::Database open_read_only(const std::filesystem::path& path, int busy_milliseconds) {
  SQLite::Database file(path.string(), SQLite::OPEN_READONLY, busy_milliseconds);
  if (!can_be_read_in_place(file)) file = from_elsewhere(path);
  if (is_older(file, path)) {
    file = in_memory(file);
    migrate(file, path);
  }
  return file;
}

}  // namespace paraiso::tune
