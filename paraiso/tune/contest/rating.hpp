// Rating: what an individual is worth by all that is known later: measured once more, or measured
// while the machine was slow. Gives: median_score, Rating, drift_text, best_rated,
// best_to_remeasure. Needs: database.
//
// A machine that others use is slow for a while. So the default schedule is timed again and again
// between the individuals (`Reference`). Where it took more than a fifth longer than its median,
// the individuals from the reference before to the one behind are not what they seem: their scores
// are multiplied by the median over the mean of these two. That is an estimate, made where scores
// are compared later on; the database keeps what was measured. The best are better measured again.
//
// Individuals with the same generated code are timed once: that time counts for all of them. And
// after a tuner that was killed the next one may begin days later: the references of a session tell
// of its own individuals alone.
#pragma once

#include <string>

#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

/// A reference whose time is longer than the median's by this factor tells of a slow machine.
inline constexpr double kSlow = 1.2;

/// Of at least one reference; of an even number the better of the middle two.
[[nodiscard]] double median_score(const std::vector<Reference>& references);

class Rating {
 public:
  /// `references`, and `starts` of sessions, in the order of time; the others by generated code.
  Rating(std::vector<Reference> references, std::map<std::string, Measurement> remeasured,
         std::map<std::string, double> first_finished = {}, std::vector<double> starts = {});
  Rating(Database& database, std::int64_t problem)
      : Rating(database.references(problem), database.remeasured(problem),
               database.first_finished(problem), database.session_starts(problem)) {}

  /// Without samples and hashes.
  [[nodiscard]] Measurement operator()(const Individual& individual) const;
  /// What scores measured at that time are multiplied by.
  [[nodiscard]] double factor(double time) const;
  /// Whether its generated code has been measured again.
  [[nodiscard]] bool remeasured(const Individual& individual) const {
    return remeasured_.contains(individual.measurement.code_hash);
  }

 private:
  [[nodiscard]] double time_of(const Individual& individual) const;
  [[nodiscard]] bool in_one_session(double one, double other) const;

  std::vector<Reference> references_;
  std::map<std::string, Measurement> remeasured_;
  std::map<std::string, double> first_finished_;
  std::vector<double> starts_;
  double median_ = 0;
};

/// "the default schedule was timed 5 times meanwhile: 58.1 M cells/s to 60.3 M cells/s, 3.8 %
/// apart"; empty for less than two references.
[[nodiscard]] std::string drift_text(const std::vector<Reference>& references);

/// The individual with the highest rating, which is its measurement here; the first of equals, none
/// where all failed.
[[nodiscard]] std::optional<Individual> best_rated(Database& database, std::int64_t problem);

/// Of the `count` best by their rating, of each generated code one, those whose code has not been
/// measured again yet. Without individuals of which the code is not known.
[[nodiscard]] std::vector<Individual> best_to_remeasure(Database& database, std::int64_t problem,
                                                        std::size_t count);

}  // namespace paraiso::tune
