// open_read_only: opens a tuning database where nothing may be written.
// Gives: open_read_only. Needs: schema, SQLiteCpp.
//
// SQLite reads a file with a write-ahead log only if it can write next to it, and a file of an
// older version lacks some tables. Such files are read from a copy in memory.
#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace paraiso::tune {

/// A connection to the content in this version's tables. Throws SQLite::Exception, and Error as
/// `migrate` does or if it can't be copied.
[[nodiscard]] SQLite::Database open_read_only(const std::filesystem::path& path,
                                              int busy_milliseconds);

}  // namespace paraiso::tune
