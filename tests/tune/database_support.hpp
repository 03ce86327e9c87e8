// What the tests of the database share: rows to record, small databases, and a process of one's
// own. Needs: tune's database, runtime.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/database/database.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/example_problem.hpp"

namespace paraiso::tune {

inline TuningProblem problem(const std::string& size = "512x512") {
  TuningProblem made = example_problem(size);
  made.genes.push_back({"proceed/flags", {"-O2", "-O3, -g \"x\""}});
  return made;
}

inline TunerRun session() {
  return {"anneal", 0xfedcba9876543210u, "paraiso tune hydro", "0.1.0", 12.5, ""};
}

inline Individual individual(std::int64_t session, std::string genome,
                             std::vector<std::int64_t> parents = {}) {
  Individual made;
  made.session = session, made.genome = std::move(genome), made.parents = std::move(parents);
  made.method = "mutation", made.temperature = 3.25;
  made.measurement = measured({1.0 / 3, 2e9, 0.1});
  made.measurement.schedule_hash = "0123456789abcdef";
  made.measurement.code_hash = "feed";
  made.measurement.compile_seconds = 1.5;
  made.measurement.check_seconds = 0.25, made.measurement.time_seconds = 2;
  made.born = 1000.25, made.finished = 1001.125;
  return made;
}

/// A genome of its own for each number.
inline std::string numbered(std::uint64_t number) {
  std::string letters;
  for (; number > 0; number /= 26) letters += static_cast<char>('A' + number % 26);
  return letters;
}

/// A database with one problem and one session, both numbered 1.
inline Database small(const std::filesystem::path& file) {
  Database database(file);
  database.add(problem());
  database.add(session());
  return database;
}

inline std::string bytes_of(const std::filesystem::path& file) { return runtime::read_file(file); }

/// What `work` returns, called in a process of its own.
template <class Work>
std::string in_child(Work work) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    std::string text;
    try {
      text = work();
    } catch (const std::exception& error) {
      text = fmt::format("not expected: {}", error.what());
    }
    ::_exit(::write(ends[1], text.data(), text.size()) < 0);
  }
  ::close(ends[1]);
  std::string text(1000, ' ');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], text.data(), 1000))));
  ::close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

}  // namespace paraiso::tune
