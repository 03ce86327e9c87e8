// Champions: the tuned schedule that fits a problem best.
// Gives: Champion, size_distance, nearest_champion, is_unbeaten, champions_alike. Needs: database.
#pragma once

#include <optional>

#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

struct Champion {
  TuningProblem problem;  // that it was tuned for
  Contest contest;
  double distance = 0;  // of the problem's size

  [[nodiscard]] plan::Schedule schedule() const;
  /// Whether it was tuned at just this size, with these parameters and this initial kernel.
  [[nodiscard]] bool is_own(const TuningProblem& asked) const;
};

/// From one size ("512x512") to another: the mean over the axes of |log2| of the ratio of their
/// extents, so that both working set and shape count. Infinite if the numbers of axes differ, or
/// the divisions among ranks ("512x512 on 4 ranks (1x4)").
[[nodiscard]] double size_distance(const std::string& one, const std::string& other);

/// A champion is near if the extents differ by a factor of two, in the mean.
inline constexpr double kNear = 1;

/// The nearest champion of the same program with the same gene table, generator, numbers, element,
/// backend, compiler, target, number of threads and kind of machine (whatever its name); none if
/// none is near. Of equally near ones, one with the same parameters and initial kernel; of these,
/// the one whose contest was held last.
[[nodiscard]] std::optional<Champion> nearest_champion(Database& database,
                                                       const TuningProblem& problem);

/// Whether the default schedule did not lose the contest at this very size: that of this problem,
/// or, if none was held, those of all that are like it in the same way.
[[nodiscard]] bool is_unbeaten(Database& database, const TuningProblem& problem);

/// The same as nearest_champion for grids of any size, whole ones: the best for each, in the order
/// of the problems.
[[nodiscard]] std::vector<Champion> champions_alike(Database& database,
                                                    const TuningProblem& problem);

}  // namespace paraiso::tune
