// Tuner: the master: a strategy proposes, an evaluator measures, a database remembers.
// Gives: Evaluator, Finished, TunerSettings, TunerEvent, Tuner. Needs: search, database.
//
// It starts from everything that the database knows of the problem, includes what other tuners
// finish while it runs, and writes each individual as soon as it is measured: killed at any moment,
// it loses only what is in flight.
#pragma once

#include "paraiso/tune/database/database.hpp"
#include "paraiso/tune/search.hpp"

namespace paraiso::tune {

struct Finished {
  std::size_t ticket = 0;
  Measurement measurement;
  // As long as it lives no one else on this host times. Recording the measurement before it ends
  // lets all others find it there.
  std::shared_ptr<const void> host = {};
};

/// Measures genomes, several at a time, in whatever order they finish.
class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  [[nodiscard]] virtual std::size_t capacity() const = 0;
  virtual void start(std::size_t ticket, const plan::Genome& genome) = 0;
  /// Waits until the next of the started ones is finished.
  [[nodiscard]] virtual Finished wait() = 0;
};

/// One more individual has been measured.
struct TunerEvent {
  const Birth& birth;
  const Measurement& measurement;
  const History& history;
};

struct TunerSettings {
  std::string strategy = "anneal";
  std::uint64_t seed = 1;  // mixed with what is known: a continued run draws something new
  BirthShares shares = {};
  std::size_t budget = 0;  // individuals that this run measures
  // It ends when so many are known, whoever measured them; those that others are still measuring
  // come on top.
  std::size_t total = SIZE_MAX;
  bool starts_only = false;  // it ends when all starts are known
  // Individuals that another tuner has begun are left to it this long, unless it is known to have
  // ended.
  double claim_seconds = 3600;
  std::string command, version;                  // for the record
  std::function<bool()> stop;                    // asked before each birth, if given
  std::function<void(const TunerEvent&)> watch;  // called for each individual, if given
};

class Tuner {
 public:
  /// Reads everything that the database knows. Throws Error as `make_strategy` and Database do.
  Tuner(Database& database, std::int64_t problem, Space space, TunerSettings settings);

  /// Runs until the budget is spent, the total is known, the strategy is finished, or `stop` says
  /// so, then waits for what is in flight. Returns how many individuals were measured.
  std::size_t run(Evaluator& evaluator);
  /// Why `run` ended, in words that can follow a colon.
  [[nodiscard]] std::string ending() const;
  /// Whether each genome of the space is known, as an exhaustive strategy can tell.
  [[nodiscard]] bool knows_all();

  [[nodiscard]] const History& history() const { return search_.history(); }

 private:
  struct InFlight {
    Birth birth;
    double born = 0;
  };

  /// Starts births while there are a free worker, budget and something to try.
  void fill(Evaluator& evaluator);
  [[nodiscard]] bool may_give_birth() const;
  /// One that another tuner has left unfinished, else the strategy's next, if it may be tried.
  [[nodiscard]] std::optional<Birth> next_birth();
  /// Starts it, unless another tuner knows it or is measuring it.
  void try_birth(Evaluator& evaluator, Birth birth);
  void finish(Finished finished);
  /// Tells the strategy what other tuners have finished.
  void take_news();
  void adopt(const Outcome& result);
  /// Retries what others were measuring and will never finish.
  void take_over();

  Database& database_;
  std::int64_t problem_, session_ = 0;
  TunerSettings settings_;
  Search search_;
  std::vector<std::int64_t> ids_;  // in the database, by number in the history
  std::unordered_map<std::size_t, InFlight> in_flight_;
  std::vector<Birth> elsewhere_;   // being measured by other tuners
  std::vector<Birth> unfinished_;  // the same, after those tuners have ended
  std::size_t born_ = 0, measured_ = 0;
  std::int64_t newest_ = 0;  // the last individual of others that was read
  double news_at_ = 0;
};

}  // namespace paraiso::tune
