// Database: all individuals ever measured, in one SQLite file that several tuners may use at once.
// Gives: TuningProblem, key_of, TunerRun, TunerRunCount, Individual, Outcome, Contest, TakenGenes,
// ReferenceTiming, Place, Description, ListedRecipe, Claim, Database. Needs: measurement, plan's
// genes, SQLiteCpp.
//
// Individuals, sessions and references are never changed or removed. Claims come and go; of
// contests, parts and later measurements the last one counts. An individual is written in one
// transaction when its measurement is finished: a tuner killed at any moment loses only what is
// being measured. Schedules are not stored one by one: a problem holds its gene table, by which a
// genome is a schedule (plan::schedule_of).
//
// Genes, genomes and samples are checked when they are read: Error says which file is damaged.
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
#include "paraiso/tune/database/sqlite/access.hpp"

namespace paraiso::tune {

/// What individuals must share for their scores to be comparable.
struct TuningProblem {
  std::string machine, program_hash;
  std::string numbers, element, backend, compiler;
  int threads = 1;   // within each rank
  std::string size;  // "512x512", "512x512 on 4 ranks (1x4)": see divided_size
  // The machine's name, which does not count: that of the first one used. And its hardware.
  std::string host, host_fingerprint;
  std::vector<plan::Gene> genes;
  std::string generator = {};     // changes when equal schedules may become other code
  std::string initial = {};       // the initial kernel
  std::string parameters = {};    // those that differ from the program's: "a=1, b=2"
  std::string target = "native";  // what code is compiled for

  friend bool operator==(const TuningProblem&, const TuningProblem&) = default;
};

/// Equal for problems whose individuals are comparable.
[[nodiscard]] std::string key_of(const TuningProblem& problem);

/// One run of a tuner.
struct TunerRun {
  std::string strategy;
  std::uint64_t seed = 0;
  std::string command, version;
  double started = 0;   // seconds since 1970, as all times here
  std::string process;  // its runtime::process_identity; empty: unknown

  friend bool operator==(const TunerRun&, const TunerRun&) = default;
};

struct Individual {
  std::int64_t id = 0;  // given by the database, ascending in the order of finishing
  std::int64_t session = 0;
  std::string genome;  // canonical, in letters over the problem's genes
  std::string method;  // how it was born
  std::vector<std::int64_t> parents;
  double temperature = 0;  // at which its parents were drawn
  Measurement measurement;
  double born = 0, finished = 0;

  friend bool operator==(const Individual&, const Individual&) = default;
};

/// The part of an individual that strategies look at.
struct Outcome {
  std::int64_t id = 0;
  std::string genome;
  Measurement measurement;  // without samples and hashes
};

/// The best individual of a problem and its default schedule, measured again, in alternation.
struct Contest {
  struct Side {
    std::string genome;
    double score = 0, deviation = 0;
    std::string plan;  // the schedule in words
    friend bool operator==(const Side&, const Side&) = default;
  };
  Side best, start;
  bool won = false;  // the best is the champion: faster by more than the uncertainty
  double operations = 0, bytes = 0;  // of the program, one cell and step
  std::string command;
  double held = 0;

  friend bool operator==(const Contest&, const Contest&) = default;
};

/// A schedule with some of a champion's genes and the start's for the rest, and its measurement.
struct TakenGenes {
  std::string name;
  Measurement measurement;  // without samples and hashes
  int rounds = 1;           // whose median it is

  friend bool operator==(const TakenGenes&, const TakenGenes&) = default;
};

/// The default schedule, timed again while others were: shows how fast the machine was then.
struct ReferenceTiming {
  double score = 0, deviation = 0;
  double taken = 0;

  friend bool operator==(const ReferenceTiming&, const ReferenceTiming&) = default;
};

/// Where a problem lies among others (tune/predict/near/place.hpp): what its numbers are of, which
/// many places share, and the version of features.
struct Place {
  int version = 0;
  std::string axes;
  std::vector<float> numbers;

  friend bool operator==(const Place&, const Place&) = default;
};

/// What a problem is like (tune/predict), as JSON: its features, and its genes' roles in recipes.
struct Description {
  std::string features, roles;
  std::optional<Place> place = {};  // written, and read as places alone

  friend bool operator==(const Description&, const Description&) = default;
};

/// A recipe of the common list (tune/rivals/common_recipes.hpp) as a genome of one problem.
struct ListedRecipe {
  int number = 0;
  std::string genome;      // canonical, in letters; the individual may be unknown
  double nanoseconds = 0;  // of a cell and step, by the cost model

  friend bool operator==(const ListedRecipe&, const ListedRecipe&) = default;
};

/// A session, and how many individuals of one problem it has measured.
struct TunerRunCount {
  std::int64_t id = 0;  // that individuals name
  TunerRun session;
  std::int64_t individuals = 0;
};

enum class Claim {
  granted,   // the caller measures it and records the result
  measured,  // it is in the database
  taken,     // another tuner is measuring it
};

class Database {
 public:
  /// Opens the file, or creates it. Throws Error, and leaves the file as it is, if it is damaged,
  /// another program's, or of a newer version, or if it can't be written. Every call waits for
  /// other writers, and throws Error after `patience`; every call that writes, also if the file is
  /// not at its path any more. With Access::read it neither creates nor changes the file, whose
  /// folder may be read-only and whose version older, nor checks that all of it is intact.
  explicit Database(std::filesystem::path path,
                    std::chrono::milliseconds patience = std::chrono::minutes(1),
                    Access access = Access::write);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// Returns the problem's number; equal problems have one number.
  std::int64_t add(const TuningProblem& problem);
  [[nodiscard]] std::vector<std::pair<std::int64_t, TuningProblem>> problems();
  /// Those of this program's name: no gene table of another one is read.
  [[nodiscard]] std::vector<std::pair<std::int64_t, TuningProblem>> problems_of(
      const std::string& machine);
  [[nodiscard]] std::optional<TuningProblem> problem(std::int64_t id);
  /// Calls `use` with the number, the machine and the size of each that is described and has a
  /// contest.
  void each_judged(const std::function<void(std::int64_t problem, const std::string& machine,
                                            const std::string& size)>& use);
  std::int64_t add(const TunerRun& session);

  /// Reserves a genome for a session: until `expires`, or until the session's process has ended, if
  /// that can be seen from here.
  Claim claim(std::int64_t problem, std::int64_t session, const std::string& genome, double now,
              double expires);
  /// Whether a session that may be alive has reserved it.
  [[nodiscard]] bool is_claimed(std::int64_t problem, const std::string& genome, double now);
  /// The session is alive: all its claims last until `expires`.
  void renew(std::int64_t session, double expires);

  /// Stores the individual (its own `id` is ignored) and ends its claim. Returns its number, or if
  /// there is one with this genome already, keeps that and returns its number.
  std::int64_t record(std::int64_t problem, const Individual& individual);

  /// Stores them all in one transaction, as `record` would: for large files, in tests and in
  /// `bench`.
  void import(std::int64_t problem, std::span<const Individual> individuals);

  [[nodiscard]] std::optional<Individual> find(std::int64_t problem, const std::string& genome);
  /// Calls `use` for each individual of a problem above number `after`, in ascending order.
  void each(std::int64_t problem, std::int64_t after,
            const std::function<void(const Individual&)>& use);
  /// The same with only the data that strategies need, without those of one session, which knows
  /// them.
  void each_result(std::int64_t problem, std::int64_t after, std::int64_t without_session,
                   const std::function<void(const Outcome&)>& use);
  /// Those that are at least as fast as `least` and did not fail, the fastest first; `count` at
  /// most.
  [[nodiscard]] std::vector<Outcome> best_results(std::int64_t problem, double least,
                                                  std::size_t count);
  [[nodiscard]] std::int64_t count(std::int64_t problem);
  /// Of every problem.
  [[nodiscard]] std::map<std::int64_t, std::int64_t> counts();
  /// Every schedule of the problem is an individual.
  void mark_exhausted(std::int64_t problem);
  [[nodiscard]] bool is_exhausted(std::int64_t problem);
  /// The measurement of the first individual with this generated code, if there is one.
  [[nodiscard]] std::optional<Measurement> timing_of(std::int64_t problem,
                                                     const std::string& code_hash);

  /// Replaces the problem's last contest.
  void record(std::int64_t problem, const Contest& contest);
  [[nodiscard]] std::optional<Contest> contest(std::int64_t problem);

  /// For the best of `contest`; replaces a part of the same name.
  void record(std::int64_t problem, const Contest& contest, const TakenGenes& part);
  [[nodiscard]] std::vector<TakenGenes> parts(std::int64_t problem, const Contest& contest);
  void record(std::int64_t problem, const ReferenceTiming& reference);
  /// In the order of time.
  [[nodiscard]] std::vector<ReferenceTiming> references(std::int64_t problem);

  /// Replaces the problem's description.
  void describe(std::int64_t problem, const Description& description);
  /// The same for many, in one transaction.
  void describe(const std::map<std::int64_t, Description>& descriptions);
  [[nodiscard]] std::optional<Description> description(std::int64_t problem);
  /// Calls `use` with the problem, the number of its axes, and its numbers, for each place of this
  /// version, in the order of the problems.
  void each_place(int version, const std::function<void(std::int64_t problem, std::int64_t axes,
                                                        std::span<const float> numbers)>& use);
  /// Of the places of this version, by the number.
  [[nodiscard]] std::map<std::int64_t, std::string> axes(int version);
  /// How many problems are described, and those of them that have no place of this version.
  [[nodiscard]] std::size_t described_count();
  [[nodiscard]] std::vector<std::int64_t> described_without_place(int version);

  /// Keeps the text of a program, unless it is there.
  void keep_program(const std::string& hash, const std::string& text);
  [[nodiscard]] std::optional<std::string> program(const std::string& hash);

  /// Replaces what recipes of the common list are in the problem, unless it has these and more;
  /// with none, forgets them.
  void list(std::int64_t problem, std::span<const ListedRecipe> recipes);
  /// In the order of their numbers.
  [[nodiscard]] std::vector<ListedRecipe> listed(std::int64_t problem);
  /// Those that have some, in their order.
  [[nodiscard]] std::vector<std::int64_t> problems_with_lists();

  /// Stores a later measurement of an individual in addition to the first; replaces any in between.
  void remeasure(std::int64_t individual, const Measurement& measurement);
  /// By the hash of the generated code, which several individuals may share; without samples and
  /// hashes.
  [[nodiscard]] std::map<std::string, Measurement> remeasured(std::int64_t problem);
  /// Those with individuals, in the order of their starts.
  [[nodiscard]] std::vector<TunerRunCount> sessions(std::int64_t problem);
  /// The starts of sessions that may have measured this problem: of all without individuals of
  /// another one.
  [[nodiscard]] std::vector<double> session_starts(std::int64_t problem);
  /// When generated code, by its hash, was measured first: individuals with the same code share
  /// that time.
  [[nodiscard]] std::map<std::string, double> first_finished(std::int64_t problem);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace paraiso::tune
