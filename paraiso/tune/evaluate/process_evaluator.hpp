// ProcessEvaluator: measures each individual in processes of its own.
// Gives: WorkerOrder, WorkerLimits, WorkerCommand, EvaluatorSettings, ProcessEvaluator.
// Needs: tuner, worker_answer, run_program, HostLock.
//
// An individual takes two processes: one builds it and checks it on a small grid, several of these
// at a time; one checks it on the real grid and times it, while nothing else runs, not even another
// tuner on the same host. Whatever happens to them becomes a measurement: a crash, a hang, a wrong
// answer, garbage. They answer in a file, because generated code may write to standard output too.
// A building process may set itself an alarm for its check, which must not take as long as a
// compiler may:
//
//     {"schedule_hash": "...", "code_hash": "...", "compile_seconds": 1.5}      from building
//     {"samples": [1.25e8, 1.26e8]}                                             from timing
//
// or why there is no measurement (worker_answer.hpp); a full disk ends the tuning.
#pragma once

#include <deque>
#include <filesystem>
#include <set>

#include "paraiso/runtime/build/host_lock.hpp"
#include "paraiso/tune/tuner.hpp"

namespace paraiso::tune {

struct WorkerOrder {
  enum class Phase { build, time };
  Phase phase = Phase::build;
  plan::Genome genome;
  std::filesystem::path answer;     // the file to write
  double best = 0;                  // the highest score so far
  std::filesystem::path task = {};  // a file that the command may refer to; removed in the end
};

struct WorkerLimits {
  std::size_t builds = 1;  // at a time
  double build_seconds = 900, time_seconds = 300;
  double bytes = 0;     // of all workers and their children; those that build share them; 0: any
  int processes = 128;  // of a worker and its children
};

/// The command line for an order: a program and its arguments.
using WorkerCommand = std::function<std::vector<std::string>(const WorkerOrder&)>;

struct EvaluatorSettings {
  WorkerCommand command;
  std::filesystem::path folder;  // takes the answers; must exist
  WorkerLimits limits = {};
  runtime::Locks locks = {};  // of the host, and of the device that is timed
  /// What is known of generated code, from earlier or from another tuner, if given: individuals
  /// with the same code are not timed again.
  std::function<std::optional<Measurement>(const std::string& code_hash)> recall = {};
  double best = 0;      // the highest score so far
  bool give_up = true;  // stop timing individuals that can't reach it
  /// Keeps the sources of a failed one, if given, and returns where; empty if it can't.
  std::function<std::filesystem::path(const plan::Genome&)> keep = {};
};

/// Throws CannotWrite if the disk is full or a limit on files is reached.
class ProcessEvaluator final : public Evaluator {
 public:
  explicit ProcessEvaluator(EvaluatorSettings settings);

  [[nodiscard]] std::size_t capacity() const override { return settings_.limits.builds; }
  void start(std::size_t ticket, const plan::Genome& genome) override;
  [[nodiscard]] Finished wait() override;

  /// Builds and checks a genome whose library may have left the cache: once, because whatever is
  /// timed repeatedly stays there.
  [[nodiscard]] Measurement build(const plan::Genome& genome);
  /// Builds a genome and times it, for measurements side by side: to the end, or until it is
  /// clearly slower than `best`, if that is not 0.
  [[nodiscard]] Measurement time(const plan::Genome& genome, double best = 0);

 private:
  struct Job {
    std::size_t ticket = 0;
    plan::Genome genome;
    Measurement built;  // the result of building
  };

  [[nodiscard]] std::shared_ptr<const void> hold(runtime::HostLock::Mode use) const;
  /// One of so many workers that run at a time.
  [[nodiscard]] Measurement run(WorkerOrder order, const std::string& name,
                                std::size_t at_a_time = 1) const;
  void build_all();
  [[nodiscard]] std::optional<Measurement> known(const std::string& code_hash) const;
  [[nodiscard]] Measurement time_once(const Job& job);
  [[nodiscard]] Measurement time_alone(const plan::Genome& genome, double best) const;

  EvaluatorSettings settings_;
  std::vector<Job> waiting_;
  std::deque<Job> built_;
  std::unordered_map<std::string, Measurement> by_code_;  // as timed by this evaluator
  std::set<plan::Genome> built_again_;
};

}  // namespace paraiso::tune
