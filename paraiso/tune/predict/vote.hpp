// vote: what is predicted where instances like it were tuned: each votes, with the weight of its
// likeness, for what was best there with what that gained, or for the default.
// Gives: Ballot, Elected, count_votes, is_believed, kLeastGain, kMostModelRatio. Needs: nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace paraiso::tune {

struct Ballot {
  double likeness = 0;
  std::optional<std::size_t> choice;  // a number for each distinct one; none: the default
  double gain = 1;                    // over the default, where it was measured
};

struct Elected {
  std::size_t choice = 0;
  double gain = 1;          // expected: a mean, those that vote for others count as 1
  double confidence = 0;    // the likeness of the first of its voters
  std::size_t nearest = 0;  // the place of that one among the ballots
};

/// All that some vote for, the highest gain first; ballots come in the order of their likeness.
[[nodiscard]] inline std::vector<Elected> count_votes(const std::vector<Ballot>& ballots) {
  std::vector<Elected> rows;
  double weights = 0;
  for (std::size_t place = 0; place < ballots.size(); ++place) {
    const Ballot& ballot = ballots[place];
    weights += ballot.likeness;
    if (!ballot.choice) continue;
    auto found = std::ranges::find(rows, *ballot.choice, &Elected::choice);
    if (found == rows.end())
      found = rows.insert(rows.end(), {*ballot.choice, 0, ballot.likeness, place});
    found->gain += ballot.likeness * std::log(ballot.gain);  // a sum of weighted logarithms
  }
  for (Elected& row : rows) row.gain = std::exp(row.gain / weights);
  std::ranges::stable_sort(rows, std::greater(), &Elected::gain);
  return rows;
}

/// The least that is worth leaving the default: below it, what is foretold for a new solver is right
/// as often as wrong, and then costs up to 0.3 of the speed (docs/predict.md).
inline constexpr double kLeastGain = 1.2;
/// A schedule that takes so many times as long by the cost model is not believed in.
inline constexpr double kMostModelRatio = 1.25;
[[nodiscard]] inline bool is_believed(double gain, double model_ratio) {
  return gain >= kLeastGain && model_ratio <= kMostModelRatio;
}

}  // namespace paraiso::tune
