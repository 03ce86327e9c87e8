// ProcessEvaluator: measures each individual in processes of its own.
// Gives: WorkerOrder, WorkerLimits, ProcessEvaluator. Needs: tuner, run_program.
//
// An individual takes two processes: one builds and checks it on a small grid, several of these at
// a time; one checks it on the real grid and times it, and nothing else runs meanwhile. Whatever
// happens to them becomes a measurement: a crash, a hang, a wrong answer, garbage. They answer in a
// file, since their standard output belongs to the generated code as well. One that builds may set
// itself an alarm for checking, which must not wait as long as a compiler may take:
//
//     {"schedule_hash": "...", "code_hash": "...", "compile_seconds": 1.5}      from building
//     {"samples": [1.25e8, 1.26e8]}                                             from timing
//     {"reason": "..."}                                                         from either
#pragma once

#include <deque>
#include <filesystem>

#include "paraiso/tune/tuner.hpp"

namespace paraiso::tune {

struct WorkerOrder {
  enum class Phase { build, time };
  Phase phase = Phase::build;
  plan::Genome genome;
  std::filesystem::path answer;  // the file to write
  double best = 0;               // the highest score so far
};

struct WorkerLimits {
  std::size_t builds = 1;  // at a time
  double build_seconds = 900, time_seconds = 300;
  double bytes = 0;     // of a worker and what it starts; 0: any
  int processes = 128;  // of these
};

class ProcessEvaluator final : public Evaluator {
 public:
  /// What to call for an order: a program and its arguments.
  using Command = std::function<std::vector<std::string>(const WorkerOrder&)>;

  /// `folder`, which must exist, takes the answers.
  ProcessEvaluator(Command command, std::filesystem::path folder, const WorkerLimits& limits);

  /// What is known of generated code: individuals with the same code are not timed again.
  void know(const std::string& code_hash, const Measurement& measurement);

  [[nodiscard]] std::size_t capacity() const override { return limits_.builds; }
  void start(std::size_t ticket, const plan::Genome& genome) override;
  [[nodiscard]] Finished wait() override;

  /// Times a genome that is built; for the side-by-side measurement at the end.
  [[nodiscard]] Measurement time(const plan::Genome& genome, double best = 0);

 private:
  struct Job {
    std::size_t ticket = 0;
    plan::Genome genome;
    Measurement built;  // what building told
  };

  [[nodiscard]] Measurement run(WorkerOrder order, const std::string& name) const;
  void build_all();
  [[nodiscard]] Measurement time_once(const Job& job);

  Command command_;
  std::filesystem::path folder_;
  WorkerLimits limits_;
  std::vector<Job> waiting_;
  std::deque<Job> built_;
  std::unordered_map<std::string, Measurement> by_code_;
  double best_ = 0;
};

}  // namespace paraiso::tune
