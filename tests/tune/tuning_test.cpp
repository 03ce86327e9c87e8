// What `tune` measures beside a search, with workers in the shell's language.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/tune/tuning/measure_again.hpp"
#include "paraiso/tune/tuning/measure_parts.hpp"
#include "paraiso/tune/tuning/reference_timer.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/database_support.hpp"

namespace paraiso::tune {
namespace {

using test::error_text;
using test::Folder;

/// A worker whose individuals have a code each, and a speed of 100, 200 or 300 by their allele;
/// `before` is run first.
WorkerCommand worker(const std::string& before) {
  return [before](const WorkerOrder& order) -> std::vector<std::string> {
    const bool building = order.phase == WorkerOrder::Phase::build;
    const std::string answer =
        building ? fmt::format(R"({{"schedule_hash": "s", "code_hash": "code {}", )"
                               R"("compile_seconds": 1}})",
                               order.genome[0])
                 : fmt::format(R"({{"samples": [{}]}})", 100 * (order.genome[0] + 1));
    return {"/bin/sh", "-c",
            fmt::format("PHASE={}; ALLELE={}; {} echo '{}' > '{}'", building ? "build" : "time",
                        order.genome[0], before, answer, order.answer.string())};
  };
}

/// A program with one gene of three alleles, `A` being the default, and a database with it.
struct Tuning {
  explicit Tuning(const std::string& before = "")
      : evaluator({.command = worker(before), .folder = folder.path()}) {
    tuned.problem = example_problem();
    tuned.canonical = [](const plan::Genome& genome) { return genome; };
    tuned.default_genome = tuned.first = {0};
    database.add(tuned.problem);
    database.add(session());
  }

  /// An individual of that genome and speed.
  void add(const std::string& genome, double speed) {
    Individual made = individual(1, genome);
    made.measurement = measured({speed});
    made.measurement.code_hash = "code of " + genome;
    database.record(1, made);
  }

  Folder folder;
  TunedProgram tuned;
  Database database{folder / "tuning.sqlite"};
  ProcessEvaluator evaluator;
  runtime::StopSignals signals{false};
  std::string said;
  TuningRun run{tuned,     database, 1,
                evaluator, signals,  [this](const std::string& line) { said += line + "\n"; }};
};

Contest contest_of(const std::string& best) {
  Contest contest;
  contest.best.genome = best, contest.start.genome = "A", contest.won = true;
  return contest;
}

TEST(CanonicalOnRanks, LeavesHowMessagesAreAwaited) {
  const auto smallest = [](const plan::Genome& genome) { return plan::Genome(genome.size(), 0); };
  EXPECT_EQ(plan::canonical_on_ranks(smallest)({2, 1, 1}), (plan::Genome{0, 0, 1}));
}

TEST(MeasureParts, NeedsAChampionThatDiffersFromTheDefault) {
  Tuning tuning;
  EXPECT_EQ(error_text([&] { measure_parts(tuning.run, 0); }),
            "error: `hydro` has no champion to take apart\n"
            "hint: `paraiso tune ... --budget N` finds one");
  tuning.database.record(1, contest_of("A"));
  EXPECT_EQ(error_text([&] { measure_parts(tuning.run, 0); }),
            "error: the best schedule of `hydro` is the default one: nothing to take apart");
  Contest lost = contest_of("C");
  lost.won = false;
  tuning.database.record(1, lost);
  EXPECT_EQ(error_text([&] { measure_parts(tuning.run, 0); }),
            "error: no schedule of `hydro` has beaten the default one: nothing to take apart\n"
            "hint: `paraiso tune ... --budget N` goes on searching");
}

TEST(MeasureParts, MeasuresEachCodeInRounds) {
  Tuning tuning;
  const Contest contest = contest_of("C");
  tuning.database.record(1, contest);
  EXPECT_EQ(measure_parts(tuning.run, 3), 3u);
  EXPECT_EQ(tuning.database.parts(1, contest).size(), 3u);
  EXPECT_EQ(measure_parts(tuning.run, 0), 10u) << "eight of the kinds of gene, two of the gene";
  const auto parts = tuning.database.parts(1, contest);
  ASSERT_EQ(parts.size(), 10u);
  for (const TakenGenes& part : parts) {
    const bool changed = part.name == "everything" || part.name.find("launch") != part.name.npos ||
                         part.name.starts_with("only");
    EXPECT_EQ(part.measurement.score, changed ? 300 : 100) << part.name;
  }
  EXPECT_NE(tuning.said.find("1 of 3: nothing: 100 cells/s\n"), std::string::npos) << tuning.said;
  EXPECT_NE(tuning.said.find("round 3 of 3: "), std::string::npos) << tuning.said;
}

TEST(MeasureParts, BeginsAnewWithThoseWhoseRoundsWereNotFinished) {
  Tuning tuning;
  const Contest contest = contest_of("C");
  tuning.database.record(1, contest);
  EXPECT_EQ(measure_parts(tuning.run, 1), 1u);
  const TakenGenes whole = tuning.database.parts(1, contest).at(0);
  EXPECT_EQ(whole.rounds, 3);
  tuning.database.record(1, contest, {whole.name, measured({7}), 1});
  EXPECT_EQ(measure_parts(tuning.run, 1), 1u);
  EXPECT_EQ(tuning.database.parts(1, contest), (std::vector{whole}));
}

TEST(MeasureAgain, ComparesTheBestWithTheDefault) {
  Tuning tuning;
  tuning.database.record(1, ReferenceTiming{50, 1, 1000});
  tuning.add("A", 50), tuning.add("B", 400), tuning.add("C", 120);
  EXPECT_EQ(measure_again(tuning.run, 1, 48), 2u) << "`B` falls behind `C`";
  const auto again = tuning.database.remeasured(1);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again.at("code of B").score, 100) << "twice the default's 50";
  EXPECT_EQ(again.at("code of C").score, 150);
  EXPECT_EQ(tuning.said,
            "individual 2: 400 cells/s, and again: 100 cells/s\n"
            "individual 3: 120 cells/s, and again: 150 cells/s\n");
  EXPECT_EQ(measure_again(tuning.run, 1, 48), 0u);
}

TEST(MeasureAgain, TakesNoMoreRoundsThanAreAllowed) {
  for (const auto& [most, taken] : {std::pair{6, 6u}, {48, 15u}}) {
    const Folder folder;
    const std::string timed = (folder / "timed").string();
    Tuning tuning("[ $PHASE = build ] || printf . >> '" + timed + "';");
    tuning.add("B", 400);
    EXPECT_EQ(measure_again(tuning.run, 1, most), 1u);
    EXPECT_EQ(std::filesystem::file_size(timed), 2 * taken) << "`B`, and the default beside it";
  }
}

TEST(MeasureAgain, KeepsWhatCannotBeBuilt) {
  Tuning tuning("if [ $PHASE = build ]; then [ $ALLELE = 0 ] || exit 9; fi;");
  tuning.add("B", 400);
  EXPECT_EQ(measure_again(tuning.run, 1, 48), 0u);
  EXPECT_EQ(tuning.said,
            "individual 1: 400 cells/s, and can't be built again: its worker ended with status 9 "
            "and said nothing\n");
}

/// In its third round; the other one is timed to the end.
TEST(MeasureAgain, KeepsWhatCannotBeTimed) {
  const Folder folder;
  const std::string timed = (folder / "timed").string();
  Tuning tuning("if [ $PHASE$ALLELE = time1 ]; then printf . >> '" + timed + "'; [ $(wc -c < '" +
                timed + "') != 3 ] || exit 9; fi;");
  tuning.add("B", 400), tuning.add("C", 120);
  EXPECT_EQ(measure_again(tuning.run, 2, 48), 1u);
  EXPECT_TRUE(
      tuning.said.starts_with("individual 1: 400 cells/s, and can't be timed again: its "
                              "worker ended with status 9 and said nothing\n"))
      << tuning.said;
  EXPECT_EQ(tuning.database.remeasured(1).size(), 1u);
  EXPECT_TRUE(tuning.database.remeasured(1).contains("code of C"));
}

TEST(ReferenceTimer, TakesAFiftiethAndSaysHowFarTheyLieApart) {
  Tuning tuning;
  ReferenceTimer timer(tuning.run);
  timer.take();
  for (int individual = 0; individual < 99; ++individual) timer.count();
  EXPECT_EQ(tuning.database.references(1).size(), 2u);
  timer.tell();
  EXPECT_EQ(tuning.said,
            "the default schedule was timed 2 times meanwhile: 100 cells/s to 100 cells/s, 0.0 % "
            "apart\n");
}

TEST(ReferenceTimer, ReportsAFailureAndGoesOn) {
  Tuning tuning("exit 9;");
  ReferenceTimer timer(tuning.run);
  timer.take();
  timer.tell();
  EXPECT_EQ(tuning.said,
            "note: the default schedule failed meanwhile: its worker ended with status 9 and said "
            "nothing\n");
  EXPECT_TRUE(tuning.database.references(1).empty());
}

}  // namespace
}  // namespace paraiso::tune
