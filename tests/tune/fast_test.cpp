// FAST's road, from features to the trials that end a tuning, on planted landscapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/tune/fast/expected_overlap.hpp"
#include "paraiso/tune/fast/good_enough.hpp"
#include "paraiso/tune/fast/one_by_one.hpp"
#include "paraiso/tune/fast/trying_list.hpp"
#include "paraiso/tune/predict/likeness.hpp"
#include "paraiso/tune/rivals/common_recipes.hpp"
#include "paraiso/tune/tuning/describe_problem.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/tune/all_known.hpp"
#include "tests/tune/built_app.hpp"
#include "tests/tune/database_support.hpp"

namespace paraiso::tune {
namespace {

using Choices = std::map<std::string, std::string>;

/// A solver as `tune` has it.
TunedProgram solver(const std::string& name, int dimension, std::int64_t extent = 64) {
  TunedProgram tuned;
  tuned.program = prepared(built_app(name, dimension));
  tuned.genes = plan::genes(tuned.program);
  tuned.size.assign(static_cast<std::size_t>(dimension), extent);
  tuned.problem = example_problem(std::to_string(extent));
  tuned.problem.machine = name;
  tuned.problem.program_hash = name + std::to_string(dimension);
  tuned.problem.genes = plan::genes(tuned.kernel());
  tuned.machine = plan::documented_machine();
  tuned.canonical = tuned.backend->canonical(tuned.program, tuned.kernel().name);
  tuned.untuned = plan::default_schedule(tuned.program);
  tuned.default_genome = tuned.first = tuned.genome(tuned.untuned);
  return tuned;
}

/// Speeds of a program: each of the `good` options that a schedule has makes it `factor` times as
/// fast. One individual is measured at a time or two.
class Planted final : public Evaluator {
 public:
  Planted(const TunedProgram& tuned, Choices good, double factor = 1.2)
      : tuned_(tuned), good_(std::move(good)), factor_(factor) {}

  [[nodiscard]] double speed(const plan::Genome& genome) const {
    const auto schedule = plan::schedule_of(tuned_.problem.genes, genome);
    double speed = 1e6;
    for (const auto& [option, allele] : good_)
      if (schedule.choices.at(tuned_.kernel().name + "/" + option) == allele) speed *= factor_;
    return speed;
  }

  [[nodiscard]] std::size_t capacity() const override { return 2; }
  void start(std::size_t ticket, const plan::Genome& genome) override {
    running_.emplace_back(ticket, genome);
    most_at_a_time = std::max(most_at_a_time, running_.size());
  }
  [[nodiscard]] Finished wait() override {
    const auto [ticket, genome] = running_.front();
    running_.erase(running_.begin());
    return {ticket, measured({speed(genome)})};
  }

  std::size_t most_at_a_time = 0;

 private:
  const TunedProgram& tuned_;
  Choices good_;
  double factor_;
  std::vector<std::pair<std::size_t, plan::Genome>> running_;
};

/// Options that no default schedule of the solvers here chooses.
const Choices kGood = {{"tile_x", "16"}, {"tile_y", "16"}, {"vectors", "4"}};

class Road : public testing::Test {
 protected:
  test::Folder folder_;
  Database database_{folder_ / "t.sqlite"};

  std::int64_t add(const TunedProgram& tuned) {
    const auto id = database_.add(tuned.problem);
    database_.describe(id, describe_problem(tuned, 0));
    return id;
  }

  /// What the contest at the end of a tuning would say, without noise.
  void hold_contest(std::int64_t problem, const TunedProgram& tuned, const Planted& planted) {
    const auto& genes = tuned.problem.genes;
    const std::string best = database_.best_results(problem, 0, 1).front().genome;
    const double start = planted.speed(tuned.default_genome),
                 found = planted.speed(plan::genome_from(genes, best));
    database_.record(problem, Contest{{best, found, 0, ""},
                                      {plan::letters_of(genes, tuned.default_genome), start, 0, ""},
                                      found > start,
                                      0,
                                      0,
                                      "",
                                      0});
  }

  /// `tune --predict`, as the command does it; returns how many runs it took.
  std::size_t tune(const TunedProgram& tuned, Planted& planted, double enough, std::size_t budget) {
    const auto problem = add(tuned);
    const TryingList list = trying_list(database_, problem, tuned);
    bool met = false;
    TunerSettings settings;
    settings.budget = budget;
    settings.stop = [&] { return met; };
    settings.watch = [&](const TunerEvent& event) {
      met = met || good_enough(event.history, start_speed(event.history, tuned.default_genome, {}),
                               enough);
    };
    Tuner tuner(database_, problem,
                {tuned.problem.genes, starts_of(tuned, {}, list.trials, {}), tuned.canonical},
                settings);
    OneByOne evaluator(planted, 1 + list.trials.size());
    const std::size_t runs = tuner.run(evaluator);
    hold_contest(problem, tuned, planted);
    return runs;
  }

  std::vector<std::string> methods(std::int64_t problem) {
    std::vector<std::string> methods;
    database_.each(problem, 0, [&](const Individual& one) { methods.push_back(one.method); });
    return methods;
  }
};

TEST_F(Road, TheSecondProgramOfAFamilyNeedsFewerRuns) {
  const TunedProgram heat = solver("heat", 2), wave = solver("wave", 2);
  Planted of_heat(heat, kGood), of_wave(wave, kGood);
  ASSERT_EQ(of_heat.speed(heat.default_genome), 1e6);
  ASSERT_EQ(of_wave.speed(wave.default_genome), 1e6);
  const double all_three = std::pow(1.2, 3) - 1e-9;
  const std::size_t first = tune(heat, of_heat, all_three, 2000);
  EXPECT_GT(first, 10u) << "nothing is known: it searches";
  ASSERT_LT(first, 2000u) << "and finds it";
  EXPECT_EQ(tune(wave, of_wave, all_three, 2000), 2u) << "the default, then the best of the first";
  EXPECT_EQ(of_wave.most_at_a_time, 1u) << "one by one";
}

TEST_F(Road, GoesOnSearchingWhereWhatIsPredictedIsNotEnough) {
  const TunedProgram heat = solver("heat", 2), wave = solver("wave", 2), life = solver("life", 2);
  Planted of_heat(heat, {{"vectors", "4"}}), of_wave(wave, kGood), of_life(life, kGood);
  const double all_three = std::pow(1.2, 3) - 1e-9;
  tune(heat, of_heat, 1.19, 2000);
  const std::size_t second = tune(wave, of_wave, all_three, 2000);
  ASSERT_LT(second, 2000u);
  EXPECT_EQ(of_wave.most_at_a_time, 2u) << "a search need not wait";
  const auto born = methods(2);
  const auto predicted = std::ranges::count(born, "start");
  EXPECT_GT(predicted, 1);
  EXPECT_LT(predicted, static_cast<std::ptrdiff_t>(born.size()));
  EXPECT_TRUE(
      std::ranges::is_partitioned(born, [](const auto& method) { return method == "start"; }));
  // What the search found is among what the third program tries.
  EXPECT_LE(tune(life, of_life, all_three, 2000), 1 + kSolutions);
}

TEST_F(Road, ExpectsTheMeanGainOfTheClosest) {
  const TunedProgram heat = solver("heat", 2), larger = solver("heat", 2, 128),
                     wave = solver("wave", 2);
  Planted of_heat(heat, kGood), of_larger(larger, kGood);
  tune(heat, of_heat, 1.19, 2000);
  tune(larger, of_larger, 1.19, 2000);
  const auto known = all_known(database_).all;
  ASSERT_EQ(known.size(), 2u);
  const TryingList list = trying_list(database_, add(wave), wave);
  EXPECT_EQ(list.near.size(), 2u);
  EXPECT_EQ(list.learnt, 0u);
  EXPECT_GE(list.near[0].likeness, list.near[1].likeness);
  const double a = list.near[0].likeness, b = list.near[1].likeness;
  EXPECT_NEAR(
      std::log(list.gain),
      (a * std::log(list.near[0].instance.gain) + b * std::log(list.near[1].instance.gain)) /
          (a + b),
      1e-12);
  EXPECT_EQ(list.why_empty, "");
  EXPECT_LE(list.trials.size(), kSolutions);
  EXPECT_TRUE(std::ranges::find(list.trials, wave.default_genome) == list.trials.end());
}

TEST_F(Road, SaysWhyThereIsNothingToTry) {
  const TunedProgram heat = solver("heat", 2), wave = solver("wave", 2);
  const auto why = [&](const TunedProgram& tuned) {
    return trying_list(database_, database_.add(tuned.problem), tuned).why_empty;
  };
  const auto itself = add(heat);
  EXPECT_EQ(why(heat), "no tuned program is known");
  Planted nothing_better(heat, {});
  tune(heat, nothing_better, 1, 10);
  EXPECT_EQ(why(heat), "no tuned program is known") << "it does not count itself";
  add(wave);
  EXPECT_EQ(why(wave), "what was best for the programs closest to it is the default here");
  const Description sound = *database_.description(itself);
  std::string cuda = sound.features;
  cuda.replace(cuda.find("openmp"), 6, "cuda");
  database_.describe(itself, {cuda, sound.roles});
  EXPECT_EQ(why(wave), "all tuned programs are of other back ends");
  database_.describe(itself, {R"({"version": 99})", sound.roles});
  EXPECT_EQ(why(wave), "all tuned programs are described by another version of Paraiso");
  database_.describe(itself, {"{", sound.roles});
  EXPECT_EQ(test::error_text([&] { (void)why(wave); }),
            "error: the description of problem 1 is damaged");
}

/// Problems that are not like a solver, which can't be read.
TEST_F(Road, ReadsTheClosestAlone) {
  const TunedProgram heat = solver("heat", 2), wave = solver("wave", 2);
  Planted of_heat(heat, kGood);
  for (int extent = 2; extent < 2 + static_cast<int>(kNeighbours); ++extent)
    tune(solver("heat", 2, 32 * extent), of_heat, 1.19, 200);
  const Contest contest = *database_.contest(1);
  for (int i = 0; i < 30; ++i) {
    TuningProblem far = heat.problem;
    far.machine = "far", far.size = std::to_string(i);
    const auto id = database_.add(far);
    Description description = describe_problem(heat, 0);
    for (float& number : description.place->numbers) number += 3;
    description.features = "{";
    database_.describe(id, description);
    database_.record(id, contest);
  }
  const TryingList list = trying_list(database_, add(wave), wave);
  EXPECT_EQ(list.near.size(), kNeighbours);
  EXPECT_FALSE(list.trials.empty());
}

/// Recipes of the common list change what they change and nothing else; of any other individual
/// every choice counts.
TEST_F(Road, KnowsRecipesOfTheList) {
  const TunedProgram heat = solver("heat", 2);
  const auto problem = add(heat);
  const auto session = database_.add(TunerRun{});
  const auto listed = listed_recipes(heat, 3);
  database_.list(problem, listed);
  const auto record = [&](const std::string& genome, double speed) {
    Individual one = individual(session, genome);
    one.measurement = measured({speed});
    database_.record(problem, one);
  };
  record(listed[0].genome, 100);
  record(listed[1].genome, 99);
  record(listed[2].genome, 101);
  hold_contest(problem, heat, Planted(heat, {}));
  const KnownInstance known = all_known(database_).all.at(0);
  const auto roles = roles_of(heat.kernel(), heat.backend->options);
  const std::vector<Recipe> best = solutions_of(database_, known, kSolutions);
  ASSERT_EQ(best.size(), 2u) << "what is slower than the default is no solution";
  EXPECT_EQ(best[0], common_recipe(2, heat.problem.genes, roles));
  EXPECT_EQ(best[1], Recipe{}) << "the default";
  database_.list(problem, {});
  EXPECT_EQ(solutions_of(database_, known, 1).at(0).options.size(),
            static_cast<std::size_t>(
                std::ranges::count_if(roles, [](const Role& role) { return role.is_option; })));
}

TEST(GoodEnough, IsMeasuredByTheDefault) {
  const std::vector<plan::Gene> genes = {{"vectors", {"1", "2", "4"}}};
  const auto enough = [](const History& history, double times) {
    return good_enough(history, start_speed(history, {0}, {}), times);
  };
  History history(genes);
  EXPECT_FALSE(enough(history, 0.5)) << "nothing is known";
  history.add({1}, measured({300}));
  EXPECT_FALSE(enough(history, 0.5)) << "the default is unknown";
  history.add({0}, measured({200}));
  EXPECT_TRUE(enough(history, 1.5));
  EXPECT_FALSE(enough(history, 1.51));
  History failing(genes);
  failing.add({0}, failed("it crashed"));
  failing.add({1}, measured({300}));
  EXPECT_FALSE(enough(failing, 1.1));
}

TEST(GoodEnough, IsNotMeasuredByOneSlowTiming) {
  History history({{"vectors", {"1", "2"}}});
  history.add({0}, measured({100}));
  history.add({1}, measured({200}));
  EXPECT_EQ(start_speed(history, {0}, {}), 100);
  const std::vector<ReferenceTiming> since = {{190, 1, 5}, {195, 1, 6}};
  EXPECT_EQ(start_speed(history, {0}, since), 190);
  EXPECT_FALSE(good_enough(history, start_speed(history, {0}, since), 1.1));
  EXPECT_TRUE(good_enough(history, start_speed(history, {0}, since), 1.05));
}

/// Two kinds of programs with the best of a list of 40 in different places.
std::vector<SolutionSpace> two_kinds() {
  std::vector<SolutionSpace> spaces;
  for (int i = 0; i < 12; ++i) {
    const bool few = i % 2 == 0;
    const double flops = (few ? 2 : 200) + 0.1 * i;
    SolutionSpace made{
        "solver" + std::to_string(i), "", {{{"algorithm.flop_density", flops}}, {}}, {}, {}};
    for (int r = 0; r < 40; ++r) made.speed.push_back((r < 20) == few ? 2 : 1);
    made.model.assign(40, 1);
    spaces.push_back(made);
  }
  return spaces;
}

Features of_flops(double flops) { return {{{"algorithm.flop_density", flops}}, {}}; }

TEST(ExpectedOverlap, IsLearntFromTheCommonList) {
  const ExpectedOverlap learnt(two_kinds());
  EXPECT_EQ(learnt.learnt(), 12u);
  EXPECT_GT(learnt(of_flops(2), of_flops(2.5)), 0.8);
  EXPECT_LT(learnt(of_flops(2), of_flops(201)), 0.2);
}

TEST(ExpectedOverlap, IsLikenessWhereNothingCanBeLearnt) {
  std::vector<SolutionSpace> two = two_kinds();
  two.resize(2);
  std::vector<SolutionSpace> short_lists = two_kinds();
  for (SolutionSpace& space : short_lists) space.speed.resize(19), space.model.resize(19);
  for (const auto& spaces : {std::vector<SolutionSpace>{}, two, short_lists}) {
    const ExpectedOverlap overlap(spaces);
    EXPECT_EQ(overlap.learnt(), 0u);
    EXPECT_DOUBLE_EQ(overlap(of_flops(1), of_flops(3)), 0.5);
  }
}

/// Of places as of features, whether it is learnt or not.
TEST(ExpectedOverlap, OrdersPlacesAsFeatures) {
  std::vector<SolutionSpace> spaces = two_kinds();
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    spaces[s].features.numbers.emplace_back("input.cells", static_cast<double>(s * s));
    spaces[s].features.words = {{"instance.backend", "openmp"},
                                {"algorithm.element", s % 2 == 0 ? "f32" : "f64"}};
  }
  Features asked = spaces[3].features;
  asked.numbers[0].second *= 1.5;
  asked.numbers.emplace_back("input.steps", 100);
  Features of_cuda = spaces[0].features;
  of_cuda.words[0].second = "cuda";
  for (const ExpectedOverlap& overlap : {ExpectedOverlap(spaces), ExpectedOverlap({})}) {
    const auto away = [&](const Features& other) {
      const Place place = place_of(other, false);
      return overlap.away(asked, axes_from(place.axes))(place.numbers);
    };
    for (const SolutionSpace& space : spaces) {
      Features fewer = space.features;
      fewer.numbers.pop_back(), fewer.words.pop_back();
      for (const Features& one : {space.features, fewer}) {
        const double shared = overlap(one, asked);
        EXPECT_NEAR(away(one), overlap.learnt() > 0 ? 1 - shared : -std::log2(shared), 1e-4);
      }
    }
    EXPECT_EQ(away(of_cuda), std::numeric_limits<float>::infinity());
  }
}

TEST(Votes, CountWhatSeveralListsAgreeOn) {
  // Member 2 stands in both, though not at the front of the heavier one.
  const RecipeValues sums = votes({{0, 2}, {2, 1}}, {0.6, 0.5}, 2, 4);
  EXPECT_EQ(sums, (RecipeValues{0.6, 0.375, 0.6 * 0.75 + 0.5, 0}));
}

}  // namespace
}  // namespace paraiso::tune
