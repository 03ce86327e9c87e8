// TryingList: which schedules to try first for a program, and what to expect of them, out of what
// the tuning of others has left: FAST (Luo et al., 2015) up to the first measurement.
// Gives: TryingList, trying_list, kEnough. Needs: solutions, expected_overlap.
//
// Features lead to the five instances whose best solutions are expected to overlap most with those
// of the program; the union of what was best there is put in an order by votes, weighted by that
// overlap, and cut at kSolutions. Whoever measures them one by one may stop at the first that is
// good enough.
#pragma once

#include "paraiso/tune/fast/solutions.hpp"
#include "paraiso/tune/predict/near/predict_schedule.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::tune {

/// What part of the expected gain is good enough.
inline constexpr double kEnough = 0.95;

struct TryingList {
  // kNeighbours at most, the one with the highest overlap first, which is its `likeness` here.
  std::vector<CloseInstance> near;
  std::vector<plan::Genome> trials;  // without the default; in the order of trying
  double gain = 1;         // of the best over the default, expected: the weighted mean of theirs
  std::size_t learnt = 0;  // problems that the regression learnt from; 0: by likeness
  std::string why_empty;   // if it is, for the user
};

/// For a problem that is in the database with its description; what is known of itself does not
/// count. Throws Error for a description that is damaged.
[[nodiscard]] TryingList trying_list(Database& database, std::int64_t problem,
                                     const TunedProgram& tuned);

}  // namespace paraiso::tune
