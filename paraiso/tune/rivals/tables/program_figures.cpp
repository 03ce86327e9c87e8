// FAST's figures 10 to 13: how good what is predicted is, program by program.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "paraiso/base/mean.hpp"
#include "paraiso/tune/rivals/orders.hpp"
#include "paraiso/tune/rivals/tables/figures.hpp"

namespace paraiso::tune {

namespace {

using Holds = PaperFigure::Holds;

// Whose kernels are there to learn from, and not to be predicted for.
constexpr const char* kTraining = "training";
constexpr std::size_t kFewestPrograms = 5;  // as many as the paper predicts for
constexpr std::size_t kPaperSolutions = 25, kPaperTries = 23;
constexpr double kNearlyBest = 0.9, kAsGoodAsBest = 0.99;

/// A program to predict for, and all spaces of other solvers, that of the highest predicted overlap
/// first.
struct HeldOutProgram {
  const SolutionSpace* asked;
  Spaces closest;
};

std::vector<HeldOutProgram> held_out_programs(const Spaces& all, std::size_t best_of_list) {
  std::vector<HeldOutProgram> programs;
  for (const std::string& solver : solvers(all)) {
    if (solver == kTraining) continue;
    Spaces known;
    for (const SolutionSpace* space : all)
      if (space->family != solver) known.push_back(space);
    const Regression overlaps =
        overlap_regression(known, best_of_list, Terms::signed_plain, kNoRidge);
    for (const SolutionSpace* space : all) {
      if (space->family != solver) continue;
      HeldOutProgram program{space, {}};
      for (const std::size_t place : by_predicted_overlap(known, *space, overlaps))
        program.closest.push_back(known[place]);
      programs.push_back(std::move(program));
    }
  }
  return programs;
}

/// Of the best `count` of each of the first few of the closest programs: each recipe once.
std::set<std::size_t> joined(const HeldOutProgram& program, std::size_t programs,
                             std::size_t count) {
  std::set<std::size_t> recipes;
  for (std::size_t p = 0; p < std::min(programs, program.closest.size()); ++p)
    for (const std::size_t recipe : optimal(*program.closest[p], count)) recipes.insert(recipe);
  return recipes;
}

double best_part(const SolutionSpace& space, const std::set<std::size_t>& recipes) {
  double best = 0;
  for (const std::size_t recipe : recipes) best = std::max(best, space.speed[recipe]);
  return best / space.best();
}

/// The mean of the best of so many recipes drawn without replacement, over the best of all.
double best_part_by_chance(const SolutionSpace& space, std::size_t drawn) {
  const auto recipes = static_cast<double>(space.speed.size()), count = static_cast<double>(drawn);
  double mean = 0, none_better = 1, place = 0;
  for (const std::size_t recipe : order_by(space.speed)) {
    const double taken = std::min(1.0, count / (recipes - place));
    mean += none_better * taken * space.speed[recipe];
    none_better *= 1 - taken;
    if (++place >= recipes) break;
  }
  return mean / space.best();
}

double least_part(const std::vector<double>& values) { return *std::ranges::min_element(values); }

/// Whether a claim of so many solutions can be judged: of a list not twice as long, nearly all is
/// taken, whatever is predicted.
bool can_be_judged(const std::vector<HeldOutProgram>& programs, std::size_t solutions) {
  return programs.size() >= kFewestPrograms &&
         programs.front().asked->speed.size() >= 2 * solutions;
}

PaperFigure best_of_closest(const std::vector<HeldOutProgram>& programs, std::size_t of,
                            const std::string& name, const std::string& claim, double goal) {
  PaperFigure figure{name,
                     fmt::format("The best of the best solutions of the {} closest", of),
                     {"solutions", "speed_over_best", "least", "by_chance"},
                     {},
                     claim,
                     {},
                     {}};
  const std::size_t recipes = programs.front().asked->speed.size();
  for (std::size_t count = 1; count <= std::min(recipes, 2 * kPaperSolutions); ++count) {
    std::vector<double> parts, chances;
    for (const HeldOutProgram& program : programs) {
      const auto found = joined(program, of, count);
      parts.push_back(best_part(*program.asked, found));
      chances.push_back(best_part_by_chance(*program.asked, found.size()));
    }
    figure.rows.push_back(
        {static_cast<double>(count), mean(parts), least_part(parts), mean(chances)});
  }
  const std::size_t some = std::min<std::size_t>(kPaperSolutions, recipes / (2 * of));
  const auto& row = figure.rows[std::max<std::size_t>(some, 1) - 1];
  figure.holds = holds_if(can_be_judged(programs, of * kPaperSolutions), row[2] >= goal);
  figure.seen = fmt::format(
      "with {} of each of {} recipes {:.3f} in the mean, {:.3f} at least (by chance {:.3f})",
      row[0], recipes, row[1], row[2], row[3]);
  return figure;
}

/// How many are drawn, in the mean, until one of the good ones is among them.
double tries_by_chance(const SolutionSpace& space) {
  const auto good = std::ranges::count_if(
      space.speed, [&](double speed) { return speed >= kGoal * space.best(); });
  return static_cast<double>(space.speed.size() + 1) / static_cast<double>(good + 1);
}

/// The orders of a rival for each program.
std::vector<TryingOrder> orders_of(const char* rival, const Spaces& all,
                                   const std::vector<HeldOutProgram>& programs) {
  const auto orders = orders_held_out(*std::ranges::find(rivals(), rival, &Rival::name), all);
  std::vector<TryingOrder> picked;
  for (const HeldOutProgram& program : programs)
    picked.push_back(
        orders[static_cast<std::size_t>(std::ranges::find(all, program.asked) - all.begin())]);
  return picked;
}

PaperFigure tries_to_best(const std::vector<HeldOutProgram>& programs, const Spaces& all) {
  PaperFigure figure{"11", "Tries to 95 % of the best", {}, {}, {}, {}, {}, {}};
  figure.columns = {"program", "fast", "ours", "neighbour", "model", "default", "drawn"};
  figure.claim = "FAST needs 1 to 23 tries, a greedy tuner 225 to 2,725";
  std::vector<std::vector<TryingOrder>> orders;
  for (std::size_t c = 1; c + 1 < figure.columns.size(); ++c)
    orders.push_back(orders_of(figure.columns[c].c_str(), all, programs));
  double most = 0, mean_tries = 0, drawn = 0;
  for (std::size_t p = 0; p < programs.size(); ++p) {
    std::vector<double> row{static_cast<double>(p + 1)};
    for (const auto& rival : orders)
      row.push_back(static_cast<double>(tries_to_goal(*programs[p].asked, rival[p])));
    row.push_back(tries_by_chance(*programs[p].asked));
    most = std::max(most, row[1]);
    mean_tries += row[1] / static_cast<double>(programs.size());
    drawn += row.back() / static_cast<double>(programs.size());
    figure.rows.push_back(std::move(row));
  }
  figure.holds = holds_if(can_be_judged(programs, kPaperTries), most <= kPaperTries);
  figure.seen = fmt::format("{:.1f} in the mean, {} at most, of {} recipes; drawn at random {:.1f}",
                            mean_tries, most, programs.front().asked->speed.size(), drawn);
  return figure;
}

double good_part(const SolutionSpace& space, const TryingOrder& recipes, std::size_t count) {
  std::size_t good = 0;
  for (std::size_t r = 0; r < count; ++r)
    good += space.speed[recipes[r]] >= kNearlyBest * space.best();
  return static_cast<double>(good) / static_cast<double>(count);
}

PaperFigure quality(const std::vector<HeldOutProgram>& programs, const Spaces& all) {
  PaperFigure figure{"12", "Predicted solutions within 10 % of the best", {}, {}, {}, {}, {}, {}};
  figure.columns = {"program", "part_of_the_predicted", "part_of_the_list"};
  figure.claim = "a third of the predicted solutions at least, and all for one program or two";
  const std::size_t recipes = programs.front().asked->speed.size();
  const std::size_t count = std::min(kPaperSolutions, recipes / 4);
  const auto orders = orders_of("fast", all, programs);
  std::vector<double> parts, whole;
  for (std::size_t p = 0; p < programs.size(); ++p) {
    parts.push_back(good_part(*programs[p].asked, orders[p], count));
    whole.push_back(good_part(*programs[p].asked, orders[p], recipes));
    figure.rows.push_back({static_cast<double>(p + 1), parts.back(), whole.back()});
  }
  const bool all_of_one = *std::ranges::max_element(parts) == 1;
  figure.holds = holds_if(can_be_judged(programs, count),
                          least_part(parts) >= 1.0 / 3 && all_of_one && mean(parts) > mean(whole));
  figure.seen = fmt::format(
      "of the first {}: {:.2f} in the mean, {:.2f} to {:.2f}; of all {}: {:.2f}", count,
      mean(parts), least_part(parts), *std::ranges::max_element(parts), recipes, mean(whole));
  return figure;
}

PaperFigure speedups(const std::vector<HeldOutProgram>& programs, const Spaces& all) {
  PaperFigure figure{"13", "Speed over that of the default schedule", {}, {}, {}, {}, {}, {}};
  figure.columns = {"program", "fast", "best_of_the_list", "constant", "model"};
  figure.claim = "3.28 times a compiler's loops, 1.18 times what a greedy tuner finds";
  const std::size_t recipes = programs.front().asked->speed.size();
  const std::size_t count = std::min(kPaperSolutions, recipes / 4);
  std::map<std::string, std::vector<TryingOrder>> orders;
  for (const char* rival : {"fast", "constant", "model"})
    orders[rival] = orders_of(rival, all, programs);
  double logs = 0;
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const SolutionSpace& space = *programs[p].asked;
    const auto found = [&](const char* rival) {
      const TryingOrder& order = orders.at(rival)[p];
      return best_part(space, {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count)}) *
             space.best() / space.speed.front();
    };
    figure.rows.push_back({static_cast<double>(p + 1), found("fast"),
                           space.best() / space.speed.front(), found("constant"), found("model")});
    logs += std::log(found("fast")) / static_cast<double>(programs.size());
  }
  figure.seen = fmt::format(
      "{:.2f} times the default in the geometric mean after {} tries; the baselines are others, "
      "and "
      "the default is no compiler's loop",
      std::exp(logs), count);
  return figure;
}

}  // namespace

std::vector<PaperFigure> program_figures(const std::vector<SolutionSpace>& spaces) {
  const Spaces all = pointers_to(spaces);
  require_solvers(all);
  require_long_lists(all);
  const std::size_t recipes = spaces.front().speed.size();
  const auto programs = held_out_programs(all, best_twentieth(recipes));
  if (programs.empty()) return {};
  std::vector<PaperFigure> figures{
      best_of_closest(programs, 1, "10-one", "the best 20 of one program: 90 % for all but two",
                      kNearlyBest),
      best_of_closest(programs, 5, "10-five", "the best 15 of five programs: 99 % for all",
                      kAsGoodAsBest),
      tries_to_best(programs, all), quality(programs, all), speedups(programs, all)};
  for (PaperFigure& figure : figures)
    if (figure.columns.front() == "program")
      for (const HeldOutProgram& program : programs) figure.names.push_back(program.asked->name);
  return figures;
}

}  // namespace paraiso::tune
