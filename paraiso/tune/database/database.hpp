// Database: all individuals of all time, in one SQLite file that several tuners may use at once.
// Gives: Problem, key_of, Session, SessionCount, Individual, Result, Contest, Part, Reference,
// Claim, Access, Database. Needs: measurement, plan's genes, SQLiteCpp.
//
// Individuals, sessions and references are never changed or removed. Claims come and go; of
// contests, parts and later measurements the last one counts. An individual is written in one
// transaction when its measurement is finished: a tuner killed at any moment loses what is in
// flight and nothing else. Schedules are not stored one by one: a problem holds its gene table, and
// with it a genome is a schedule (plan::schedule_of).
//
// Genes, genomes and samples are checked where they are read: Error says which file is damaged.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "paraiso/plan/schedule/schedule.hpp"
#include "paraiso/tune/database/measurement.hpp"

namespace paraiso::tune {

/// What individuals must share for their scores to be comparable.
struct Problem {
  std::string machine, program_hash;
  std::string numbers, element, backend, compiler;
  int threads = 1;
  std::string size;  // "512x512"
  // The machine's name, which does not count: of the first that was used. And what it is made of.
  std::string host, host_fingerprint;
  std::vector<plan::Gene> genes;
  std::string generator = {};     // changes where equal schedules may become other code
  std::string initial = {};       // the initial kernel
  std::string parameters = {};    // those that are not as the program has them: "a=1, b=2"
  std::string target = "native";  // what code is made for

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// Equal for problems whose individuals are comparable.
[[nodiscard]] std::string key_of(const Problem& problem);

/// One run of a tuner.
struct Session {
  std::string strategy;
  std::uint64_t seed = 0;
  std::string command, version;
  double started = 0;   // seconds since 1970, as all times here
  std::string process;  // its runtime::process_identity; empty: unknown

  friend bool operator==(const Session&, const Session&) = default;
};

struct Individual {
  std::int64_t id = 0;  // given by the database, ascending in the order of finishing
  std::int64_t session = 0;
  std::string genome;  // canonical, in letters over the problem's genes
  std::string method;  // how it was born
  std::vector<std::int64_t> parents;
  double temperature = 0;  // of the draw of its parents
  Measurement measurement;
  double born = 0, finished = 0;

  friend bool operator==(const Individual&, const Individual&) = default;
};

/// The part of an individual that strategies look at.
struct Result {
  std::int64_t id = 0;
  std::string genome;
  Measurement measurement;  // without samples and hashes
};

/// The best individual of a problem and its default schedule, measured once more, in alternation.
struct Contest {
  struct Side {
    std::string genome;
    double score = 0, deviation = 0;
    std::string plan;  // the schedule in words
    friend bool operator==(const Side&, const Side&) = default;
  };
  Side best, start;
  bool won = false;                  // the best is the champion: faster by more than the doubt
  double operations = 0, bytes = 0;  // of the program, one cell and step
  std::string command;
  double held = 0;

  friend bool operator==(const Contest&, const Contest&) = default;
};

/// A schedule that has some of a champion's genes and else those of the start, and what it is
/// worth.
struct Part {
  std::string name;
  Measurement measurement;  // without samples and hashes

  friend bool operator==(const Part&, const Part&) = default;
};

/// The default schedule, timed once more while others were: what the machine did meanwhile.
struct Reference {
  double score = 0, deviation = 0;
  double taken = 0;

  friend bool operator==(const Reference&, const Reference&) = default;
};

/// A session, and how many individuals of one problem it has measured.
struct SessionCount {
  Session session;
  std::int64_t individuals = 0;
};

enum class Claim {
  granted,   // measure it, and record
  measured,  // it is in the database
  taken,     // another tuner is measuring it
};

enum class Access { write, read };

class Database {
 public:
  /// Opens the file, or creates it. Throws Error, and leaves the file as it is, where it is
  /// damaged, another program's, or of a newer version, and where it can't be written. Every call
  /// waits for other writers, and throws Error after `patience`. With Access::read it neither
  /// creates nor changes the file, whose folder may be read-only and whose version older, nor looks
  /// whether all of it is sound.
  explicit Database(std::filesystem::path path,
                    std::chrono::milliseconds patience = std::chrono::minutes(1),
                    Access access = Access::write);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// The problem's number; an equal one is one problem.
  std::int64_t add(const Problem& problem);
  [[nodiscard]] std::vector<std::pair<std::int64_t, Problem>> problems();
  std::int64_t add(const Session& session);

  /// Reserves a genome for the one who asks: until `expires`, or until the process of its session
  /// has ended, where that can be seen from here.
  Claim claim(std::int64_t problem, std::int64_t session, const std::string& genome, double now,
              double expires);
  /// Whether somebody who may live has reserved it.
  [[nodiscard]] bool is_claimed(std::int64_t problem, const std::string& genome, double now);
  /// The session is alive: all its claims last until `expires`.
  void renew(std::int64_t session, double expires);

  /// Stores the individual (its own `id` does not count) and ends its claim. Returns its number, or
  /// the number of the one with this genome that is there already, which is kept.
  std::int64_t record(std::int64_t problem, const Individual& individual);

  /// Stores them all in one transaction, as `record` would: for large files, in tests and in
  /// `bench`.
  void import(std::int64_t problem, std::span<const Individual> individuals);

  [[nodiscard]] std::optional<Individual> find(std::int64_t problem, const std::string& genome);
  /// Calls `use` for each individual of a problem above number `after`, in ascending order.
  void each(std::int64_t problem, std::int64_t after,
            const std::function<void(const Individual&)>& use);
  /// The same of what a strategy wants to know, without those of one session, which knows them.
  void each_result(std::int64_t problem, std::int64_t after, std::int64_t without_session,
                   const std::function<void(const Result&)>& use);
  [[nodiscard]] std::int64_t count(std::int64_t problem);
  /// What the first individual with this generated code has shown, if there is one.
  [[nodiscard]] std::optional<Measurement> timing_of(std::int64_t problem,
                                                     const std::string& code_hash);

  /// Takes the place of the problem's last contest.
  void record(std::int64_t problem, const Contest& contest);
  [[nodiscard]] std::optional<Contest> contest(std::int64_t problem);

  /// Of the best of `contest`; one of the same name is replaced.
  void record(std::int64_t problem, const Contest& contest, const Part& part);
  [[nodiscard]] std::vector<Part> parts(std::int64_t problem, const Contest& contest);
  void record(std::int64_t problem, const Reference& reference);
  /// In the order of time.
  [[nodiscard]] std::vector<Reference> references(std::int64_t problem);

  /// Keeps a later measurement of an individual beside the first one, in place of one before it.
  void remeasure(std::int64_t individual, const Measurement& measurement);
  /// By the hash of the generated code, of which individuals may share one; without samples and
  /// hashes.
  [[nodiscard]] std::map<std::string, Measurement> remeasured(std::int64_t problem);
  /// Those with individuals, in the order of their starts.
  [[nodiscard]] std::vector<SessionCount> sessions(std::int64_t problem);
  /// When those began that may have been about this problem: none with individuals of another one.
  [[nodiscard]] std::vector<double> session_starts(std::int64_t problem);
  /// When generated code, by its hash, was measured: individuals that share it share that.
  [[nodiscard]] std::map<std::string, double> first_finished(std::int64_t problem);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace paraiso::tune
