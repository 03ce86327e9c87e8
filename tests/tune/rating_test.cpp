#include "paraiso/tune/contest/rating.hpp"

#include <gtest/gtest.h>

#include "paraiso/tune/contest/contest.hpp"
#include "paraiso/tune/replay/recording.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/example_problem.hpp"

namespace paraiso::tune {
namespace {

using test::Folder;

Individual individual(const std::string& code, double score, double finished) {
  Individual made;
  made.finished = finished;
  made.measurement = measured({score - 1, score + 1});
  made.measurement.code_hash = code;
  return made;
}

// The machine was slow from about 200 to 400.
const std::vector<ReferenceTiming> kReferences = {
    {100, 1, 100}, {102, 1, 200}, {50, 1, 300}, {98, 1, 400}, {100, 1, 500}};

TEST(Rating, TakesTheFirstMeasurementWhereNothingElseIsKnown) {
  const Rating rating({}, {});
  const Measurement rated = rating(individual("code 1", 10, 5));
  EXPECT_EQ(rated.score, 10);
  EXPECT_DOUBLE_EQ(rated.deviation, std::sqrt(2));
  EXPECT_TRUE(rated.ok());
  EXPECT_FALSE(rating.remeasured(individual("code 1", 10, 5)));
}

TEST(Rating, ScalesWhatASlowMachineHasMeasured) {
  const Rating rating(kReferences, {});
  EXPECT_EQ(rating.factor(150), 1);
  EXPECT_DOUBLE_EQ(rating.factor(250), 100 / 76.0);
  EXPECT_DOUBLE_EQ(rating.factor(350), 100 / 74.0);
  EXPECT_EQ(rating.factor(450), 1);
  EXPECT_EQ(rating.factor(50), 1) << "before the first";
  EXPECT_EQ(rating.factor(900), 1) << "behind the last";
  EXPECT_DOUBLE_EQ(rating(individual("code 1", 38, 250)).score, 50);
  EXPECT_DOUBLE_EQ(rating(individual("code 1", 38, 250)).deviation, std::sqrt(2) * 100 / 76);
}

TEST(Rating, GoesByTheTimeOfTheFirstWithTheSameCode) {
  const std::map<std::string, double> first = {{"code 1", 150}, {"code 2", 250}};
  const Rating rating(kReferences, {}, first);
  EXPECT_EQ(rating(individual("code 1", 38, 150)).score, 38);
  EXPECT_EQ(rating(individual("code 1", 38, 250)).score, 38) << "timed when the machine was fast";
  EXPECT_DOUBLE_EQ(rating(individual("code 2", 38, 450)).score, 50);
}

TEST(Rating, GoesByTheReferencesOfOneSession) {
  const Rating rating({{100, 1, 100}, {50, 1, 200}, {100, 1, 5000}, {100, 1, 5100}}, {}, {},
                      {90, 4990});
  EXPECT_DOUBLE_EQ(rating.factor(150), 100 / 75.0);
  EXPECT_DOUBLE_EQ(rating.factor(250), 2) << "killed, and the machine was as slow to the end";
  EXPECT_EQ(rating.factor(4995), 1) << "the next one";
  EXPECT_EQ(Rating({{50, 1, 100}, {100, 1, 200}, {100, 1, 300}}, {}, {}, {90, 150}).factor(160), 1);
}

TEST(Rating, LeavesAloneWhatIsWithinAFifth) {
  const Rating rating({{100, 1, 1}, {100, 1, 2}, {85, 1, 3}}, {});
  EXPECT_EQ(rating.factor(2.5), 1);
}

TEST(Rating, NeverMakesAFastMachineSlower) {
  const Rating rating({{100, 1, 1}, {70, 1, 2}, {300, 1, 3}}, {});
  EXPECT_EQ(rating.factor(2.5), 1);
}

TEST(Rating, GoesByTheLaterMeasurement) {
  const Rating rating(kReferences, {{"code 7", measured({20, 22})}, {"code 8", failed("it hung")}});
  EXPECT_EQ(rating(individual("code 7", 38, 250)).score, 21) << "and is not scaled";
  EXPECT_EQ(rating(individual("code 8", 38, 250)).reason, "it hung");
  EXPECT_TRUE(rating.remeasured(individual("code 7", 1, 1)));
}

TEST(Rating, TellsHowFarReferencesLieApart) {
  EXPECT_EQ(drift_text({}), "");
  EXPECT_EQ(drift_text({{100, 1, 1}}), "");
  EXPECT_EQ(drift_text(kReferences),
            "the default schedule was timed 5 times meanwhile: 50 cells/s to 102 cells/s, 104.0 % "
            "apart");
}

class Best : public testing::Test {
 protected:
  Best() {
    TuningProblem problem = example_problem();
    problem.genes = {{"k/tile", {"a", "b", "c", "d", "e"}}};
    id = database.add(problem);
    database.add(TunerRun{});
  }
  void add(const std::string& genome, double score, const std::string& code = "") {
    Individual made = individual("code 0", score, 150);
    made.session = 1, made.genome = genome;
    made.measurement.code_hash = code.empty() ? genome : code;
    database.record(id, made);
  }
  std::vector<std::string> to_remeasure(std::size_t count) {
    std::vector<std::string> genomes;
    for (const Individual& i : best_to_remeasure(database, id, count)) genomes.push_back(i.genome);
    return genomes;
  }

  Folder folder;
  Database database{folder / "tuning.sqlite"};
  std::int64_t id = 0;
};

TEST_F(Best, AreMeasuredAgainUntilTheBestOfAllThatIsKnownHaveBeen) {
  add("A", 10), add("B", 30), add("C", 20), add("D", 30, "B");
  EXPECT_EQ(to_remeasure(2), (std::vector<std::string>{"B", "C"})) << "D is the code of B";
  database.remeasure(2, measured({5}));
  EXPECT_EQ(to_remeasure(2), (std::vector<std::string>{"C", "A"})) << "B and D were lucky";
  database.remeasure(3, measured({20}));
  EXPECT_EQ(to_remeasure(2), std::vector<std::string>{"A"});
  database.remeasure(1, measured({10}));
  EXPECT_TRUE(to_remeasure(2).empty());
}

TEST_F(Best, IsTheBestByAllThatIsKnown) {
  EXPECT_EQ(best_rated(database, id), std::nullopt);
  Individual failure = individual("code", 0, 150);
  failure.session = 1, failure.genome = "E", failure.measurement = failed("it crashed");
  database.record(id, failure);
  EXPECT_EQ(best_rated(database, id), std::nullopt);
  add("A", 10), add("B", 30), add("C", 30);
  EXPECT_EQ(best_rated(database, id)->genome, "B") << "the first of equals";
  database.remeasure(3, measured({5}));
  database.remeasure(4, measured({20}));
  EXPECT_EQ(best_rated(database, id)->genome, "C");
  EXPECT_EQ(best_rated(database, id)->measurement.score, 20);
  EXPECT_EQ(finalists(database, id, {{"k/tile", {"a", "b", "c", "d", "e"}}}, {4}, 3),
            (std::vector<plan::Genome>{{2}, {0}, {1}}));
}

TEST_F(Best, AreOfKnownCode) {
  Individual foreign = individual("", 50, 150);
  foreign.session = 1, foreign.genome = "E";
  database.record(id, foreign);
  EXPECT_TRUE(to_remeasure(2).empty());
}

TEST_F(Best, AreWhatARecordingHas) {
  add("A", 10), add("B", 30);
  database.remeasure(2, measured({5}));
  const Recording recording = record(database, id);
  EXPECT_EQ(recording.entries[0].measurement.score, 10);
  EXPECT_EQ(recording.entries[1].measurement.score, 5);
}

}  // namespace
}  // namespace paraiso::tune
