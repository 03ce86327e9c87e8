#include "paraiso/tune/database/sqlite/empty_log.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

namespace paraiso::tune {

EmptyLog::~EmptyLog() {
  if (access_ != Access::read) return;
  std::error_code none;
  if (std::filesystem::file_size(database_.string() + "-wal", none) != 0 || none) return;
  try {
    SQLite::Database last(database_.string(), SQLite::OPEN_READWRITE);
    (void)last.execAndGet("select count(*) from sqlite_master");  // it knows its log only then
  } catch (const SQLite::Exception&) {  // who may not write, may not remove either
  }
}

}  // namespace paraiso::tune
