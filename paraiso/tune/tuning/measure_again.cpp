#include "paraiso/tune/tuning/measure_again.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "paraiso/tune/contest/rating.hpp"
#include "paraiso/tune/contest/remeasure.hpp"

namespace paraiso::tune {

namespace {

constexpr int kRoundsAgain = 15;  // an odd number, as the median counts

/// One that can't be built or timed any more is as good as it was: it may be the machine's fault.
/// But an answer that is wrong stays wrong.
bool says_nothing(const Measurement& again) {
  return !again.ok() && reason_class(again.reason) != "wrong answer";
}

class Remeasurement {
 public:
  Remeasurement(const TuningRun& run, std::size_t count, int rounds)
      : run_(run), count_(count), rounds_(rounds) {
    const auto references = run.database.references(run.problem);
    if (!references.empty()) default_score_ = median_score(references);
  }

  std::size_t all() {
    try {
      // Who falls behind lets others in.
      for (auto best = next(); !best.empty(); best = next()) measure(built(best));
    } catch (const runtime::Stopped&) {
    }
    return measured_;
  }

 private:
  [[nodiscard]] std::vector<Individual> next() const {
    auto best = best_to_remeasure(run_.database, run_.problem, count_);
    std::erase_if(best, [&](const auto& individual) { return left_out_.contains(individual.id); });
    return best;
  }

  /// Those that can be built again. One whose answer is wrong by now is done with.
  std::vector<Individual> built(const std::vector<Individual>& individuals) {
    std::vector<Individual> sound;
    for (const Individual& individual : individuals) {
      const auto built = run_.evaluator.build(run_.tuned.genome_from(individual.genome));
      run_.signals.throw_if_received();
      if (built.ok())
        sound.push_back(individual);
      else
        keep(individual, built, "built");
    }
    return sound;
  }

  void measure(const std::vector<Individual>& individuals) {
    if (individuals.empty()) return;
    std::vector<plan::Genome> genomes;
    for (const auto& individual : individuals)
      genomes.push_back(run_.tuned.genome_from(individual.genome));
    const auto time = [&](const plan::Genome& genome) {
      auto measurement = run_.evaluator.time(genome);
      run_.signals.throw_if_received();
      return measurement;
    };
    const auto again =
        measure_beside(time, run_.tuned.default_genome, genomes, default_score_, rounds_);
    for (std::size_t i = 0; i < again.size(); ++i) keep(individuals[i], again[i], "timed");
  }

  void keep(const Individual& individual, const Measurement& again, const char* tried) {
    if (says_nothing(again)) {
      left_out_.insert(individual.id);
      run_.say(fmt::format("individual {}: {}, and can't be {} again: {}", individual.id,
                           outcome_text(individual.measurement), tried, again.reason));
      return;
    }
    run_.database.remeasure(individual.id, again);
    run_.say(fmt::format("individual {}: {}, and again: {}", individual.id,
                         outcome_text(individual.measurement), outcome_text(again)));
    ++measured_;
  }

  const TuningRun& run_;
  const std::size_t count_;
  const int rounds_;
  std::optional<double> default_score_;
  std::set<std::int64_t> left_out_;
  std::size_t measured_ = 0;
};

}  // namespace

std::size_t measure_again(const TuningRun& run, std::size_t count, int most_rounds) {
  return Remeasurement(run, count, std::min(kRoundsAgain, most_rounds)).all();
}

}  // namespace paraiso::tune
