// Rating: an individual's score corrected by later knowledge: it was measured again, or the machine
// was slow at the time.
// Gives: median_score, Rating, drift_text, best_rated, best_to_remeasure. Needs: database.
//
// A shared machine is slow for a while. So the default schedule is timed repeatedly between the
// individuals (`ReferenceTiming`). If a reference took more than a fifth longer than the median,
// scores measured between the reference before and the one after are too low: they are multiplied
// by the median over the mean of these two. That is an estimate, applied when scores are compared;
// the database keeps what was measured. It is better to measure the best again.
//
// Individuals with the same generated code are timed once: that time counts for all of them. And
// since the next tuner may start days after one that was killed, references apply only to
// individuals of their own session.
#pragma once

#include <string>

#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

/// A reference that takes this much longer than the median means a slow machine.
inline constexpr double kSlow = 1.2;

/// Of at least one reference; for an even number the better of the middle two.
[[nodiscard]] double median_score(const std::vector<ReferenceTiming>& references);

class Rating {
 public:
  /// `references`, and `starts` of sessions, in the order of time; the others by generated code.
  Rating(std::vector<ReferenceTiming> references, std::map<std::string, Measurement> remeasured,
         std::map<std::string, double> first_finished = {}, std::vector<double> starts = {});
  Rating(Database& database, std::int64_t problem)
      : Rating(database.references(problem), database.remeasured(problem),
               database.first_finished(problem), database.session_starts(problem)) {}

  /// The corrected measurement, without samples and hashes.
  [[nodiscard]] Measurement operator()(const Individual& individual) const;
  /// The factor for scores measured at that time.
  [[nodiscard]] double factor(double time) const;
  /// Whether its generated code has been measured again.
  [[nodiscard]] bool remeasured(const Individual& individual) const {
    return remeasured_.contains(individual.measurement.code_hash);
  }

 private:
  [[nodiscard]] double time_of(const Individual& individual) const;
  [[nodiscard]] bool in_one_session(double one, double other) const;

  std::vector<ReferenceTiming> references_;
  std::map<std::string, Measurement> remeasured_;
  std::map<std::string, double> first_finished_;
  std::vector<double> starts_;
  double median_ = 0;
};

/// "the default schedule was timed 5 times meanwhile: 58.1 M cells/s to 60.3 M cells/s, 3.8 %
/// apart"; empty for fewer than two references.
[[nodiscard]] std::string drift_text(const std::vector<ReferenceTiming>& references);

/// The individual with the highest rating, which replaces its measurement here; the first of
/// equals, none if all failed.
[[nodiscard]] std::optional<Individual> best_rated(Database& database, std::int64_t problem);

/// Of the `count` best by rating, one for each generated code, those whose code has not been
/// measured again yet. Without individuals whose code is unknown.
[[nodiscard]] std::vector<Individual> best_to_remeasure(Database& database, std::int64_t problem,
                                                        std::size_t count);

}  // namespace paraiso::tune
