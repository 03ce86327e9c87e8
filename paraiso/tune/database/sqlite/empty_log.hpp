// EmptyLog: who has read a database leaves its folder as it was. Gives: EmptyLog. Needs: access.
//
// SQLite makes a write-ahead log and its index (`-wal`, `-shm`) for a reader, too, and only a
// connection that may write removes them, as the last one that is closed. So one is opened and
// closed after the reader's, if the log is empty: nothing is written. Others that use the file keep
// both.
#pragma once

#include <filesystem>

#include "paraiso/tune/database/sqlite/access.hpp"

namespace paraiso::tune {

/// To be made before the connection, and so to end after it.
class EmptyLog {
 public:
  EmptyLog(std::filesystem::path database, Access access)
      : database_(std::move(database)), access_(access) {}
  ~EmptyLog();
  EmptyLog(const EmptyLog&) = delete;
  EmptyLog& operator=(const EmptyLog&) = delete;

 private:
  std::filesystem::path database_;
  Access access_;
};

}  // namespace paraiso::tune
