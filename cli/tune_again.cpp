#include "cli/tune_again.hpp"

#include <fmt/format.h>

#include <set>

#include "paraiso/tune/contest/rating.hpp"
#include "paraiso/tune/contest/remeasure.hpp"

namespace paraiso::cli {

namespace {

/// One that can't be built any more is as good as it was. But an answer that is wrong stays wrong.
bool says_nothing(const tune::Measurement& built) {
  return !built.ok() && tune::reason_class(built.reason) != "wrong answer";
}

class Again {
 public:
  Again(const TuneCall& call, const Tuning& tuning, tune::Database& database, std::int64_t problem,
        const runtime::StopSignals& signals, tune::ProcessEvaluator& evaluator)
      : call_(call),
        tuning_(tuning),
        database_(database),
        problem_(problem),
        signals_(signals),
        evaluator_(evaluator) {
    const auto references = database.references(problem);
    if (!references.empty()) default_score_ = tune::median_score(references);
  }

  std::size_t run() {
    try {
      // Who falls behind lets others in.
      for (auto best = next(); !best.empty(); best = next()) measure(built(best));
    } catch (const runtime::Stopped&) {
    }
    return measured_;
  }

 private:
  [[nodiscard]] std::vector<tune::Individual> next() const {
    auto best = tune::best_to_remeasure(database_, problem_, static_cast<std::size_t>(call_.again));
    std::erase_if(best, [&](const auto& individual) { return left_out_.contains(individual.id); });
    return best;
  }

  /// Those that can be built again. One whose answer is wrong by now is done with.
  std::vector<tune::Individual> built(const std::vector<tune::Individual>& individuals) {
    std::vector<tune::Individual> sound;
    for (const tune::Individual& individual : individuals) {
      const auto built = evaluator_.build(genome_of(individual));
      signals_.throw_if_received();
      if (built.ok())
        sound.push_back(individual);
      else if (says_nothing(built))
        leave_out(individual, built);
      else
        keep(individual, built);
    }
    return sound;
  }

  void leave_out(const tune::Individual& individual, const tune::Measurement& built) {
    left_out_.insert(individual.id);
    say_aside(fmt::format("individual {}: {}, and can't be built again: {}\n", individual.id,
                          outcome_text(individual.measurement), built.reason));
  }

  void measure(const std::vector<tune::Individual>& individuals) {
    if (individuals.empty()) return;
    std::vector<plan::Genome> genomes;
    for (const auto& individual : individuals) genomes.push_back(genome_of(individual));
    const auto time = [&](const plan::Genome& genome) {
      auto measurement = evaluator_.time(genome);
      signals_.throw_if_received();
      return measurement;
    };
    const auto again = tune::measure_beside(time, tuning_.default_genome, genomes, default_score_);
    for (std::size_t i = 0; i < again.size(); ++i) keep(individuals[i], again[i]);
  }

  void keep(const tune::Individual& individual, const tune::Measurement& again) {
    database_.remeasure(individual.id, again);
    say_aside(fmt::format("individual {}: {}, and again: {}\n", individual.id,
                          outcome_text(individual.measurement), outcome_text(again)));
    ++measured_;
  }

  [[nodiscard]] plan::Genome genome_of(const tune::Individual& individual) const {
    return plan::genome_from(tuning_.problem.genes, individual.genome);
  }

  const TuneCall& call_;
  const Tuning& tuning_;
  tune::Database& database_;
  const std::int64_t problem_;
  const runtime::StopSignals& signals_;
  tune::ProcessEvaluator& evaluator_;
  std::optional<double> default_score_;
  std::set<std::int64_t> left_out_;
  std::size_t measured_ = 0;
};

}  // namespace

std::size_t measure_again(const TuneCall& call, const Tuning& tuning, tune::Database& database,
                          std::int64_t problem, const runtime::StopSignals& signals,
                          tune::ProcessEvaluator& evaluator) {
  return Again(call, tuning, database, problem, signals, evaluator).run();
}

}  // namespace paraiso::cli
