#include "paraiso/tune/replay/replay.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "paraiso/tune/replay/drawing_law.hpp"
#include "tests/runtime/support.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/tune/drawing_law_check.hpp"
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
  Recording recording = small();
  recording.entries[0].seconds = {1.5, std::nullopt, 0.25};
  recording.entries[0].measurement.samples = {0.25, 0.5};
  recording.source = "elsewhere", recording.licence = "MIT";
  EXPECT_EQ(print(recording),
            R"({"paraiso_recording":3,"recorded":"trajectory","distribution":"",)"
            R"("source":"elsewhere","licence":"MIT","machine":"heat","program_hash":"c0ffee",)"
            R"("numbers":"fma","element":"f64","backend":"openmp","compiler":"g++ 12",)"
            R"("threads":2,"size":"64x64","host":"desk","host_fingerprint":"cpu",)"
            R"("generator":"made","initial":"hot","parameters":"a=1","target":"native",)"
            R"("genes":[["k/vectors",["1","2"]],["k/tile",["a","b, \"c\""]]],)"
            R"("kinds":["numbers","names"]})"
            "\n"
            R"(["AA",0.3333333333333333,1e-07,"start",[],"",[1.5,null,0.25],[0.25,0.5]])"
            "\n"
            R"(["BA",0.0,0.0,"mutation",[1],"line one\nline two",[null,null,null],[]])"
            "\n"
            R"(["BB",0.3333333333333333,1e-07,"crossover",[2,1],"",[null,null,null],[]])"
            "\n");
  EXPECT_EQ(print(parse_recording(print(recording), "heat.recording")), print(recording));
}

TEST(Recording, OfVersion2IsATrajectory) {
  const Recording old = parse_recording(
      R"({"paraiso_recording":2,"machine":"heat","program_hash":"c0ffee","numbers":"fma",)"
      R"("element":"f64","backend":"openmp","compiler":"g++ 12","threads":2,"size":"64x64",)"
      R"("host":"desk","host_fingerprint":"cpu","generator":"made","initial":"hot",)"
      R"("parameters":"a=1","genes":[["k/vectors",["1","2"]]]})"
      "\n[\"A\",0.5,0.1,\"start\",[],\"\"]\n[\"B\",0.7,0.1,\"mutation\",[1],\"\"]\n",
      "old.recording");
  EXPECT_EQ(old.recorded, Recorded::trajectory);
  ASSERT_EQ(old.entries.size(), 2u);
  EXPECT_EQ(old.entries[1].measurement.score, 0.7);
  EXPECT_EQ(old.entries[1].seconds[0], std::nullopt);
}

TEST(Recording, HasNoGenomeOfAnotherTable) {
  const std::string text = print(small());
  const auto at = text.find("[\"AA\"");
  ASSERT_NE(at, text.npos);
  for (const std::string letters : {"A", "AAA", "AC", ""}) {
    std::string wrong = text;
    wrong.replace(at + 2, 2, letters);
    EXPECT_EQ(error_text([&] { (void)parse_recording(wrong, "heat.recording"); }),
              fmt::format("heat.recording:2: error: {} is no genome of 2 genes",
                          letters.empty() ? "``" : "`" + letters + "`"));
  }
  Recording empty = small();
  empty.problem.genes.clear(), empty.entries.resize(1), empty.entries[0].genome.clear();
  EXPECT_EQ(error_text([&] { (void)compare(empty, {.strategies = {"genetic"}}); }),
            "error: the recording has no genes to choose");
}

TEST(Recording, OfADatabaseIsCompleteByItsSessionsAndItsEnd) {
  test::Folder folder;
  const auto recorded_by = [&](const std::string& strategy, const std::string& method, bool ended) {
    Database database(folder / (strategy + method + (ended ? "-ended" : "")));
    const auto problem = database.add(small().problem);
    TunerRun run;
    run.strategy = strategy;
    for (const char* genome : {"AA", "BA"}) {
      Individual one;
      one.session = database.add(run);
      one.genome = genome, one.method = genome[0] == 'A' ? "start" : method;
      one.measurement = measured({1});
      database.record(problem, one);
    }
    if (ended) database.mark_exhausted(problem);
    try {
      return print(record_complete(database, problem)).substr(0, 22);
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const std::string recording = "{\"paraiso_recording\":3";
  EXPECT_EQ(recorded_by("random", "random", false), recording);
  EXPECT_EQ(recorded_by("exhaustive", "exhaustive", true), recording);
  EXPECT_NE(recorded_by("anneal", "random", false).find("a search chose"), std::string::npos);
  EXPECT_EQ(recorded_by("exhaustive", "exhaustive", false),
            "error: the exhaustive search did not try all that there are\n"
            "hint: the same `paraiso tune` goes on with it, and says when every schedule is known");
}

TEST(Recording, IsCompleteIfNoSearchChose) {
  Recording drawn = small();
  drawn.entries[1].method = drawn.entries[2].method = "scattered";
  const Recording made = complete(drawn);
  EXPECT_EQ(made.recorded, Recorded::drawn);
  EXPECT_EQ(made.distribution, "scattered");
  EXPECT_EQ(parse_recording(print(made), "").distribution, "scattered");
  drawn.entries[1].method = drawn.entries[2].method = "exhaustive";
  EXPECT_EQ(complete(drawn).recorded, Recorded::exhaustive);
  EXPECT_EQ(error_text([] { (void)complete(small()); }),
            "error: a search chose these individuals, which compares no searches: a complete "
            "recording is made by one of the strategies exhaustive, random, scattered");
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
            "heat.recording:1: error: this is a recording of version 1: versions 2 to 3 are known");
  EXPECT_EQ(complaint("{\"paraiso_recording\": 3}"),
            "heat.recording:1: error: this is no line of a recording");
  EXPECT_EQ(complaint(test::replaced(good, "trajectory", "all of it")),
            "heat.recording:1: error: `all of it` is none of trajectory, exhaustive, drawn");
  EXPECT_EQ(complaint(test::replaced(good, R"("kinds":["numbers","names"])", R"("kinds":[])")),
            "heat.recording:1: error: there are 0 kinds of 2 genes");
  EXPECT_EQ(complaint(test::replaced(good, "trajectory", "exhaustive") +
                      R"(["BA",1.0,0.0,"start",[],"",[null,null,null],[]])"),
            "heat.recording:5: error: individual 4 of a complete recording is there already");
  EXPECT_EQ(complaint(good + R"(["AB",-1.0,0.0,"start",[],"",[null,null,null],[]])"),
            "heat.recording:5: error: a score or time can't be negative");
  EXPECT_EQ(complaint(good + R"(["AB",1.0,0.0,"start",[],"it hung",[null,null,null],[]])"),
            "heat.recording:5: error: an individual with a score has not failed: its reason is to "
            "be empty");
  EXPECT_EQ(complaint(good + R"(["AB",1.0,0.0,"start",[],"",[null,null],[]])"),
            "heat.recording:5: error: this is no line of a recording");
  EXPECT_EQ(complaint(test::replaced(good, R"(["1","2"])", "[]")),
            "heat.recording:1: error: gene `k/vectors` has no alleles");
  EXPECT_EQ(complaint(good + "[\"AB\", 1.5"),
            "heat.recording:5: error: this is no line of a recording");
  EXPECT_EQ(complaint(good + "[\"A-\", 1.5, 0.1, \"start\", [], \"\"]"),
            "heat.recording:5: error: a genome is made of letters: character 2 of 2 is `-`");
  EXPECT_EQ(complaint(good + "[\"AB\", 1.5, 0.1, \"mutation\", [4], \"\"]"),
            "heat.recording:5: error: individual 4 can't have the parent 4");
}

/// Any change of a byte, any cut: a recording that is read as it was printed, or one sentence.
TEST(Recording, SurvivesDamage) {
  const std::string good = print(small());
  Rng rng(1);
  int read = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = good;
    for (auto changes = 1 + rng.below(2); changes > 0; --changes)
      text[rng.below(text.size())] = static_cast<char>(rng.below(rng.chance(0.5) ? 256 : 128));
    if (rng.chance(0.2)) text.resize(rng.below(text.size()));
    try {
      const std::string printed = print(parse_recording(text, "x.recording"));
      EXPECT_EQ(print(parse_recording(printed, "x.recording")), printed);
      ++read;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("x.recording:", 0), 0u) << error.what();
    }
  }
  EXPECT_GT(read, 100);
}

TEST(Recording, ComesFromADatabase) {
  test::Folder folder;
  Database database(folder / "tuning.sqlite");
  Recording original = small();
  original.entries[0].measurement.compile_seconds = 1.5;  // not checked, as if that were unknown
  original.entries[0].measurement.time_seconds = 0.25;
  original.entries[0].seconds = {1.5, std::nullopt, 0.25};
  original.entries[2].measurement.check_seconds = 0.5;
  original.entries[2].seconds = {std::nullopt, 0.5, std::nullopt};
  const auto other = database.add(TuningProblem{}), problem = database.add(original.problem);
  const auto session = database.add(TunerRun{});
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
  Pool pool(recording);
  for (const std::string name : {"anneal", "random"}) {
    const auto curve = replay(pool, name, 1, 1000);
    EXPECT_EQ(curve.size(), 200u) << name;
    EXPECT_EQ(curve.back(), best) << name;
  }
}

TEST(Replay, BeginsWithTheFirstIndividual) {
  const Recording recording = recorded(Landscape(1, {}), 100);
  Pool pool(recording);
  for (const std::string name : {"anneal", "random", "greedy", "nelder-mead", "torczon"}) {
    const auto curve = replay(pool, name, 1, 50);
    ASSERT_FALSE(curve.empty()) << name;
    EXPECT_EQ(curve[0], recording.entries[0].measurement.score) << name;
    EXPECT_TRUE(std::ranges::is_sorted(curve)) << name;
  }
}

TEST(Replay, TheSameSeedIsTheSameCurve) {
  const Recording recording = recorded(Landscape(1, {}), 300);
  Pool pool(recording), other(recording);
  const auto curve = replay(pool, "anneal", 4, 100);
  EXPECT_EQ(replay(pool, "anneal", 4, 100), curve);
  EXPECT_EQ(replay(other, "anneal", 4, 100), curve);
  EXPECT_NE(replay(pool, "anneal", 5, 100), curve);
}

TEST(Replay, RefusesARecordingOfNothing) {
  Recording recording = small();
  for (auto& entry : recording.entries) entry.measurement = failed("it hung");
  EXPECT_EQ(error_text([&] { (void)compare(recording, {.strategies = {"random"}}); }),
            "error: no individual of the recording succeeded");
  recording = small();
  recording.recorded = Recorded::drawn;
  recording.entries.resize(1);
  EXPECT_EQ(error_text([&] { (void)compare(recording, {.strategies = {"random"}}); }),
            "error: the recording has only its start, which was not drawn: nothing is to be found");
  recording.entries.clear();
  Pool pool(recording);
  EXPECT_EQ(error_text([&] { (void)replay(pool, "random", 1, 1); }),
            "error: the recording has no individuals");
}

/// All legal genomes of a landscape: those without `forbidden` pairs of alleles.
Recording exhaustive(const Landscape& landscape, bool forbidden) {
  Recording recording;
  recording.problem.genes = landscape.space().genes;
  recording.recorded = Recorded::exhaustive;
  Search search(landscape.space(), "exhaustive", 1);
  while (const auto birth = search.ask()) {
    const Measurement measurement = landscape.measure(birth->genome);
    search.tell(birth->genome, measurement);
    if (forbidden && birth->genome[0] == 0 && birth->genome[1] != 0) continue;
    recording.entries.push_back({birth->genome, measurement, "exhaustive", {}});
  }
  return recording;
}

/// Drawn independently, after a start that nobody drew.
Recording drawn(const Landscape& landscape, std::size_t count) {
  Recording recording;
  recording.problem.genes = landscape.space().genes;
  Search search(landscape.space(), "random", 1);
  while (recording.entries.size() <= count) {
    const auto birth = search.ask();
    const Measurement measurement = landscape.measure(birth->genome);
    search.tell(birth->genome, measurement);
    recording.entries.push_back({birth->genome, measurement, birth->method, {}});
  }
  return complete(recording);
}

TEST(Replay, RandomFollowsTheCalculatedLaw) {
  const Landscape small(1, {.genes = 6, .largest_allele_count = 4, .failing = 0.1});
  const Landscape large(2, {.genes = 40, .failing = 0.1});
  for (const Recording& recording :
       {exhaustive(small, false), exhaustive(small, true), drawn(large, 500)}) {
    Pool pool(recording);
    test::expect_drawing_law(pool, {1, 2, 5, 30, 100});
  }
}

TEST(Replay, AnExhaustiveRecordingAnswersWhatIsAsked) {
  const Landscape landscape(1, {.genes = 6, .largest_allele_count = 4});
  const Recording recording = exhaustive(landscape, true);
  Pool pool(recording);
  PoolRun run(pool, 1);
  const Space space = run.space();
  for (const auto& entry : recording.entries)
    EXPECT_EQ(space.canonical(entry.genome), entry.genome);
  plan::Genome illegal(6);
  illegal[1] = 1;
  const plan::Genome legal = space.canonical(illegal);
  EXPECT_TRUE(legal[0] != 0 || legal[1] == 0);
  EXPECT_LE(AlleleOrder(space.genes).distance(illegal, legal), 1) << "one gene is repaired";
  EXPECT_EQ(space.canonical(illegal), legal) << "the same one always";
}

/// What is true of anneal, against a baseline that is.
TEST(Replay, AnnealIsBetterThanDrawing) {
  double lead[2] = {};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Landscape landscape(seed, {.genes = 60, .failing = 0.1, .pairs = 30});
    const Recording recording = drawn(landscape, 1000);
    Pool pool(recording);
    const DrawingLaw law(pool.scores());
    int place = 0;
    for (const std::size_t evaluations : {30, 100}) {
      double mean = 0;
      for (std::uint64_t search = 1; search <= 20; ++search)
        mean += replay(pool, "anneal", search, evaluations).back() / 20;
      lead[place++] += mean / law.best_of(evaluations).mean / 5;
    }
  }
  EXPECT_GT(lead[0], 1);
  EXPECT_GT(lead[1], 1);
}

TEST(DrawingLaw, IsTheMeanOverAllDraws) {
  const DrawingLaw law({5, 1, 3, 3});
  EXPECT_DOUBLE_EQ(law.best_of(1).mean, 3);
  EXPECT_DOUBLE_EQ(law.best_of(1).deviation, std::sqrt(2));
  EXPECT_DOUBLE_EQ(law.best_of(2).mean, (5 + 5 + 5 + 3 + 3 + 3) / 6.0);
  EXPECT_DOUBLE_EQ(law.best_of(4).mean, 5);
  EXPECT_EQ(law.median_draws_to(5), 2u);
  EXPECT_EQ(law.median_draws_to(3), 1u);
  EXPECT_EQ(law.median_draws_to(1), 1u);
}

constexpr double kMostSeconds = test::kSanitized ? 5 : 0.45;  // five times what it takes

TEST(Replay, TakesMilliseconds) {
  const Recording recording = recorded(Landscape(1, {.genes = 480}), 3000);
  const std::clock_t start = std::clock();
  Pool pool(recording);
  EXPECT_EQ(replay(pool, "anneal", 1, 300).size(), 300u);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, kMostSeconds) << "it took " << seconds << " seconds of the processor";
}

}  // namespace
}  // namespace paraiso::tune
