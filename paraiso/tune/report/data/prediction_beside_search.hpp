// PredictionBesideSearch: what the other solvers of a database let expect for one of its problems,
// beside what was measured there. Gives: ExpectedSchedule, BestSoFar, PredictionBesideSearch,
// prediction_beside_search. Needs: recording, predict, rivals.
//
// Nothing is run, and no program is needed: recipes of others become genomes by the genes and roles
// that the database holds, and a genome that was measured is found by its letters. (Letters of a
// schedule that had to be repaired are others, so that it may be missed.)
#pragma once

#include "paraiso/tune/replay/recording.hpp"

namespace paraiso::tune {

/// A schedule for which the problems most alike vote, as in predict_schedule.
struct ExpectedSchedule {
  std::vector<std::string> from;  // whose best it was, the one most alike first: "wave 1024x1024"
  double likeness = 0;            // of the first of them
  double gain = 1;                // expected over the default
  bool is_default = false;
  std::optional<double> score;  // measured here, in cells per second; none: no individual has it
};

/// The best after each try of an order, over the best of all individuals; 0: none was measured yet.
struct BestSoFar {
  std::string name;  // "votes", a rival's, or "search"
  std::vector<double> fractions;
};

struct PredictionBesideSearch {
  double best = 0;                              // cells per second: of all individuals
  double untuned = 0;                           // of the default schedule; 0: unknown
  std::vector<ExpectedSchedule> expected = {};  // the one with the highest gain first
  std::vector<BestSoFar> orders = {};           // the search's is the last one
  std::size_t recipes = 0;        // in the list that rivals put in order; 0: not measured
  bool search_knew_list = false;  // its recipes were measured before the search
  std::string why_not = {};       // why there is nothing to show

  /// Whether no schedule is expected to be worth leaving the default.
  [[nodiscard]] bool predicts_default() const;
};

/// Never throws Error for what was told of other problems: a damaged description is a reason.
[[nodiscard]] PredictionBesideSearch prediction_beside_search(Database& database,
                                                              std::int64_t problem,
                                                              const Recording& recording);

}  // namespace paraiso::tune
