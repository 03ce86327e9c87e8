#include "paraiso/tune/replay/replay.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "tests/runtime/support.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/tune/landscape.hpp"

namespace paraiso::tune {
namespace {

using test::error_text;
using test::Landscape;

/// What a tuning of `count` individuals would have left: half of them drawn blindly, half bred.
Recording recorded(const Landscape& landscape, std::size_t count) {
  Recording recording;
  recording.problem.machine = "landscape";
  recording.problem.genes = landscape.space().genes;
  Search bred(landscape.space(), "anneal", 1), blind(landscape.space(), "random", 1);
  blind.tell(landscape.space().starts[0], landscape.measure(landscape.space().starts[0]));
  while (recording.entries.size() < count) {
    for (Search* search : {&bred, &blind}) {
      const auto birth = search->ask();
      const Measurement measurement = landscape.measure(birth->genome);
      bred.tell(birth->genome, measurement), blind.tell(birth->genome, measurement);
      Recording::Entry entry{birth->genome, measurement, birth->method, birth->parents};
      entry.measurement.samples.clear();
      recording.entries.push_back(std::move(entry));
    }
  }
  return recording;
}

Recording small() {
  Recording recording;
  recording.problem = {"heat",
                       "c0ffee",
                       "fma",
                       "f64",
                       "openmp",
                       "g++ 12",
                       2,
                       "64x64",
                       "desk",
                       "cpu",
                       {{"k/vectors", {"1", "2"}}, {"k/tile", {"a", "b, \"c\""}}},
                       "made",
                       "hot",
                       "a=1"};
  Measurement good;
  good.score = 1.0 / 3, good.deviation = 1e-7;
  recording.entries = {{{0, 0}, good, "start", {}},
                       {{1, 0}, failed("line one\nline two"), "mutation", {0}},
                       {{1, 1}, good, "crossover", {1, 0}}};
  return recording;
}

TEST(Recording, IsReadAsItWasPrinted) {
  const Recording first = small();
  const std::string text = print(first);
  const Recording second = parse_recording(text, "heat.recording");
  EXPECT_EQ(print(second), text);
  EXPECT_EQ(second.problem, first.problem);
  ASSERT_EQ(second.entries.size(), 3u);
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(second.entries[e].genome, first.entries[e].genome);
    EXPECT_EQ(second.entries[e].measurement, first.entries[e].measurement);
    EXPECT_EQ(second.entries[e].method, first.entries[e].method);
    EXPECT_EQ(second.entries[e].parents, first.entries[e].parents);
  }
}

TEST(Recording, HasALineAnIndividual) {
  EXPECT_EQ(print(small()),
            R"({"paraiso_recording":2,"machine":"heat","program_hash":"c0ffee","numbers":"fma",)"
            R"("element":"f64","backend":"openmp","compiler":"g++ 12","threads":2,"size":"64x64",)"
            R"("host":"desk","host_fingerprint":"cpu","generator":"made","initial":"hot",)"
            R"("parameters":"a=1","target":"native",)"
            R"("genes":[["k/vectors",["1","2"]],["k/tile",["a","b, \"c\""]]]})"
            "\n"
            R"(["AA",0.3333333333333333,1e-07,"start",[],""])"
            "\n"
            R"(["BA",0.0,0.0,"mutation",[1],"line one\nline two"])"
            "\n"
            R"(["BB",0.3333333333333333,1e-07,"crossover",[2,1],""])"
            "\n");
}

TEST(Recording, SaysWhereItIsWrong) {
  const std::string good = print(small());
  const auto complaint = [](const std::string& text) {
    return error_text([&] { (void)parse_recording(text, "heat.recording"); });
  };
  EXPECT_EQ(complaint(""), "heat.recording:1: error: this is no line of a recording");
  EXPECT_EQ(complaint("[]"),
            "heat.recording:1: error: this is no recording: its first line names no problem");
  EXPECT_EQ(complaint("{\"paraiso_recording\": 1}"),
            "heat.recording:1: error: this is a recording of version 1: version 2 is known");
  EXPECT_EQ(complaint("{\"paraiso_recording\": 2}"),
            "heat.recording:1: error: this is no line of a recording");
  EXPECT_EQ(complaint(test::replaced(good, R"(["1","2"])", "[]")),
            "heat.recording:1: error: gene `k/vectors` has no alleles");
  EXPECT_EQ(complaint(good + "[\"AB\", 1.5"),
            "heat.recording:5: error: this is no line of a recording");
  EXPECT_EQ(complaint(good + "[\"A-\", 1.5, 0.1, \"start\", [], \"\"]"),
            "heat.recording:5: error: a genome is made of letters: character 2 of 2 is `-`");
  EXPECT_EQ(complaint(good + "[\"AB\", 1.5, 0.1, \"mutation\", [4], \"\"]"),
            "heat.recording:5: error: individual 4 can't have the parent 4");
}

TEST(Recording, ComesFromADatabase) {
  test::Folder folder;
  Database database(folder / "tuning.sqlite");
  const Recording original = small();
  const auto other = database.add(Problem{}), problem = database.add(original.problem);
  const auto session = database.add(Session{});
  std::vector<std::int64_t> ids;
  for (const auto& entry : original.entries) {
    Individual individual;
    individual.session = session;
    individual.genome = plan::letters_of(original.problem.genes, entry.genome);
    individual.method = entry.method;
    individual.measurement = entry.measurement;
    for (const std::size_t parent : entry.parents) individual.parents.push_back(ids[parent]);
    ids.push_back(database.record(problem, individual));
    database.record(other, individual);
  }
  EXPECT_EQ(print(record(database, problem)), print(original));
}

TEST(Recording, IsALineage) {
  const Lineage lineage = lineage_of(small());
  ASSERT_EQ(lineage.size(), 3u);
  EXPECT_EQ(lineage[2].parents, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(lineage[1].score, 0);
  EXPECT_EQ(lineage[1].method, "mutation");
}

TEST(Replay, SeesEveryRecordedIndividualOnce) {
  const Recording recording = recorded(Landscape(1, {.genes = 15}), 200);
  double best = 0;
  for (const auto& entry : recording.entries) best = std::max(best, entry.measurement.score);
  for (const std::string name : {"anneal", "random"}) {
    const auto curve = replay(recording, name, 1, 1000);
    EXPECT_EQ(curve.size(), 200u) << name;
    EXPECT_EQ(curve.back(), best) << name;
  }
}

TEST(Replay, BeginsWithTheFirstIndividual) {
  const Recording recording = recorded(Landscape(1, {}), 100);
  for (const std::string name : {"anneal", "random", "greedy", "nelder-mead", "torczon"}) {
    const auto curve = replay(recording, name, 1, 50);
    ASSERT_FALSE(curve.empty()) << name;
    EXPECT_EQ(curve[0], recording.entries[0].measurement.score) << name;
    EXPECT_TRUE(std::ranges::is_sorted(curve)) << name;
  }
}

TEST(Replay, TheSameSeedIsTheSameCurve) {
  const Recording recording = recorded(Landscape(1, {}), 300);
  EXPECT_EQ(replay(recording, "anneal", 4, 100), replay(recording, "anneal", 4, 100));
  EXPECT_NE(replay(recording, "anneal", 4, 100), replay(recording, "anneal", 5, 100));
}

TEST(Replay, RefusesARecordingOfNothing) {
  Recording recording = small();
  for (auto& entry : recording.entries) entry.measurement = failed("it hung");
  EXPECT_EQ(error_text([&] { (void)compare(recording, {.strategies = {"random"}}); }),
            "error: no individual of the recording succeeded");
  recording.entries.clear();
  EXPECT_EQ(error_text([&] { (void)replay(recording, "random", 1, 1); }),
            "error: the recording has no individuals");
}

TEST(Replay, AnnealNeedsHalfTheEvaluationsOfRandom) {
  constexpr int kLandscapes = 8;
  double better[3] = {};  // at 30, 100 and 300 evaluations: how much more it has found, on average
  for (std::uint64_t seed = 1; seed <= kLandscapes; ++seed) {
    const Landscape landscape(seed, {.genes = 60, .failing = 0.1, .pairs = 30});
    const auto results = compare(recorded(landscape, 2000),
                                 {.strategies = {"anneal", "random"}, .evaluations = 1000});
    ASSERT_TRUE(results[0].evaluations_to_goal);
    EXPECT_LE(*results[0].evaluations_to_goal, results[1].evaluations_to_goal.value_or(1000) / 2)
        << seed;
    for (int mark = 0; mark < 3; ++mark)
      better[mark] += results[0].best_at_marks[mark] / results[1].best_at_marks[mark] / kLandscapes;
  }
  EXPECT_GE(better[0], 1);
  EXPECT_GE(better[1], 1.2);
  EXPECT_GE(better[2], 1.4);
}

constexpr double kMostSeconds = test::kSanitized ? 5 : 0.45;  // five times what it takes

TEST(Replay, TakesMilliseconds) {
  const Recording recording = recorded(Landscape(1, {.genes = 480}), 3000);
  const std::clock_t start = std::clock();
  EXPECT_EQ(replay(recording, "anneal", 1, 300).size(), 300u);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, kMostSeconds) << "it took " << seconds << " seconds of the processor";
}

}  // namespace
}  // namespace paraiso::tune
