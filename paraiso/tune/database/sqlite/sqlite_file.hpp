// SqliteFile: a tuning database as a file: opened, brought to this version, asked and changed.
// Gives: SqliteFile, damaged. Needs: access, empty_log, same_file, SQLiteCpp.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/database/sqlite/access.hpp"
#include "paraiso/tune/database/sqlite/empty_log.hpp"
#include "paraiso/tune/database/sqlite/same_file.hpp"

namespace paraiso::tune {

/// "the tuning database `FILE` is damaged: `how`"
[[nodiscard]] Error damaged(const std::filesystem::path& path, const std::string& how);

class SqliteFile {
 public:
  /// Throws Error as the Database's constructor does.
  SqliteFile(std::filesystem::path path, std::chrono::milliseconds patience, Access access);

  /// Runs `work`; SQLite's exceptions become Errors.
  template <class Work>
  auto guarded(Work&& work) {
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      fail(error);
    }
  }

  /// Like `guarded`, in one transaction. Throws Error if the file is not at its path any more.
  template <class Work>
  auto transacted(Work&& work) {
    same_file_.require();
    return guarded([&] {
      SQLite::Transaction transaction(file, SQLite::TransactionBehavior::IMMEDIATE);
      // Errors are translated before the rollback, which may lose the system's reason.
      auto result = guarded(work);
      guarded([&] { transaction.commit(); });
      return result;
    });
  }

  /// Binds `values` to `question` and gives `use` each row of the answer.
  template <class Use, class... Values>
  void each_row(const std::string& question, const Use& use, const Values&... values) {
    guarded([&] {
      SQLite::Statement row(file, question);
      int place = 0;
      (row.bind(++place, values), ...);
      while (row.executeStep()) use(row);
    });
  }

 private:
  runtime::SizeSignalIgnored size_signal_ignored_;

 public:
  std::filesystem::path path;

 private:
  EmptyLog empty_log_;

 public:
  SQLite::Database file;

 private:
  SameFile same_file_;

  /// Throws what SQLite says in the words of a tuner.
  [[noreturn]] void fail(const SQLite::Exception& error) const;
  void write_ahead(std::chrono::milliseconds patience);
  void require_whole();
};

}  // namespace paraiso::tune
