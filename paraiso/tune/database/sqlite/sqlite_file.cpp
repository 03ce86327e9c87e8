#include "paraiso/tune/database/sqlite/sqlite_file.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include <thread>

#include "paraiso/tune/database/sqlite/open_read_only.hpp"
#include "paraiso/tune/database/sqlite/schema.hpp"

namespace paraiso::tune {

namespace {

/// SQLite retries read-only and keeps that attempt's reason: the folder's own is better.
int why_not_opened(const std::filesystem::path& path, int system_error) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  return access(folder.c_str(), R_OK | W_OK | X_OK) == 0 ? system_error : errno;
}

/// Translates an error of SQLite into the words of a tuner.
[[noreturn]] void fail_as(const std::filesystem::path& path, const SQLite::Exception& error,
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

SQLite::Database open(const std::filesystem::path& path, int busy_milliseconds, Access access) {
  try {
    if (access == Access::read) return open_read_only(path, busy_milliseconds);
    return {path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_milliseconds};
  } catch (const SQLite::Exception& error) {
    const int system_error = errno;
    if (access == Access::read && error.getErrorCode() == SQLITE_CANTOPEN)
      throw Error(fmt::format("can't read `{}`: {}", path.string(), strerror(system_error)));
    fail_as(path, error, system_error);
  }
}

}  // namespace

Error damaged(const std::filesystem::path& path, const std::string& how) {
  return Error(fmt::format("the tuning database `{}` is damaged: {}", path.string(), how));
}

SqliteFile::SqliteFile(std::filesystem::path where, std::chrono::milliseconds patience,
                       Access access)
    : path(std::move(where)),
      empty_log_(path, access),
      file(open(path, static_cast<int>(patience.count()), access)),
      same_file_(path) {
  if (access == Access::read) return;
  guarded([&] {
    require_whole();
    migrate(file, path);
    write_ahead(patience);
    file.exec("pragma synchronous = normal");  // what a killed process had committed stays
  });
}

void SqliteFile::fail(const SQLite::Exception& error) const {
  fail_as(path, error, sqlite3_system_errno(file.getHandle()));
}

/// Lets readers and a writer work without waiting for each other. Switching a new file needs it
/// alone, and SQLite does not wait for that by itself.
void SqliteFile::write_ahead(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (file.tryExec("pragma journal_mode = wal") == SQLITE_BUSY &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (file.execAndGet("pragma journal_mode").getString() != "wal")
    throw SQLite::Exception("database is locked", SQLITE_BUSY);
}

void SqliteFile::require_whole() {
  const std::string found = file.execAndGet("pragma quick_check(1)").getString();
  if (found != "ok") throw SQLite::Exception(found, SQLITE_CORRUPT);
}

}  // namespace paraiso::tune
