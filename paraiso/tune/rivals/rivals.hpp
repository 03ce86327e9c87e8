// rivals: ways to predict good recipes for a program that was never tuned, compared on recorded
// spaces of solutions. Gives: Spaces, pointers_to, solvers, require_solvers, require_judges,
// TryingOrder, kGoal, tries_to_goal, Rival, rivals, order_for, orders_held_out, RivalStanding,
// kMarks, HeldOutBy, Judging, judges_of, list_hash, compare_rivals. Needs: solution_space,
// median_interval.
//
// Each rival puts the recipes of the list in the order in which it would try them; it sees the
// spaces of all other solvers (or sizes, or machines), and of the one that is predicted for the
// features and the cost model's times. What a rival has to choose (its K, its ridge, ...), it
// chooses by leaving out one of those solvers after the other in turn.
#pragma once

#include <functional>
#include <set>

#include "paraiso/tune/rivals/median_interval.hpp"
#include "paraiso/tune/rivals/solution_space.hpp"

namespace paraiso::tune {

using Spaces = std::vector<const SolutionSpace*>;
/// Which `spaces` outlive.
[[nodiscard]] Spaces pointers_to(const std::vector<SolutionSpace>& spaces);
/// The solvers that they are of.
[[nodiscard]] std::set<std::string> solvers(const Spaces& spaces);

/// Throws Error for fewer than three solvers, of which nothing could be learnt with one left out.
void require_solvers(const Spaces& spaces);
/// Throws Error if one of them is not there, or like require_solvers without them.
void require_judges(const Spaces& spaces, const std::set<std::string>& judges);

/// Recipes in the order of trying; those that are missing come last, in the order of the list.
using TryingOrder = std::vector<std::size_t>;

/// How many are tried until one has 95 % of the speed of the best.
inline constexpr double kGoal = 0.95;
[[nodiscard]] std::size_t tries_to_goal(const SolutionSpace& space, const TryingOrder& order);

struct Rival {
  std::string name;
  std::string summary;
  /// Orders for each of `asked`, whose speeds it does not look at; `seed` counts for those that
  /// draw.
  std::function<std::vector<TryingOrder>(const Spaces& known, const Spaces& asked,
                                         std::uint64_t seed)>
      order;
  bool draws = false;
};
[[nodiscard]] const std::vector<Rival>& rivals();

/// All recipes of the list, as a rival would try them for one space of which nothing is known.
[[nodiscard]] TryingOrder order_for(const Rival& rival, const Spaces& known,
                                    const SolutionSpace& asked);

/// The same for each of the spaces, with all of its solver's held out; in their order.
[[nodiscard]] std::vector<TryingOrder> orders_held_out(const Rival& rival, const Spaces& spaces);

/// Of one rival: medians over the spaces, of which those that draw have the mean over seeds.
struct RivalStanding {
  std::string name;
  // The speed of the best of the first 1, 5, 10 and 30 tries, over that of the best of the list.
  // The first one is taken without any run.
  std::vector<double> median, worst;
  std::vector<Interval> interval;   // of the medians, over programs
  double against_default = 0;       // the worst first try over the default's speed
  double tries = 0;                 // to 95 % of the best: the median
  double most_tries = 0;            // and the worst
  std::vector<double> first_tries;  // of each space: the fraction of the best without any run
};

inline constexpr std::size_t kMarks[] = {1, 5, 10, 30};

/// What nothing is learnt from when it is predicted for: all of its solver, all of its number of
/// cells (the same programs on other grids are known), or all of its machine.
enum class HeldOutBy { solver, size, machine };

/// Who judges. Each solver (size, machine) is held out in turn; or, if there are `judges`, these
/// all at once: then nothing is learnt from any of them, and they alone are predicted for. What is
/// learnt from `silent` solvers counts as ever, but nobody asks how good predictions for them are.
struct Judging {
  std::set<std::string> judges = {}, silent = {};
  HeldOutBy by = HeldOutBy::solver;
};

/// The spaces that are predicted for. Throws Error if there is none.
[[nodiscard]] Spaces judges_of(const Spaces& spaces, const Judging& judging);
/// Of their names and programs, so that a table says which list it is of.
[[nodiscard]] std::string list_hash(const Spaces& spaces);

/// Throws Error like require_solvers, and for a judge that is not there.
[[nodiscard]] std::vector<RivalStanding> compare_rivals(const std::vector<SolutionSpace>& spaces,
                                                        const std::vector<Rival>& table, int seeds,
                                                        const Judging& judging = {});

}  // namespace paraiso::tune
