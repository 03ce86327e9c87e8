// open_to_read: what a tuning database holds, where nothing may be written.
// Gives: open_to_read. Needs: schema, SQLiteCpp.
//
// SQLite reads a file with a write-ahead log only where it can write beside it, and a file of an
// older version has not all the tables. Such ones are read from a copy in memory.
#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace paraiso::tune {

/// A connection to the content as this version knows it. Throws SQLite::Exception, and Error as
/// `migrate` and where it can't be copied.
[[nodiscard]] SQLite::Database open_to_read(const std::filesystem::path& path,
                                            int busy_milliseconds);

}  // namespace paraiso::tune
