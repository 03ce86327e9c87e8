#include "paraiso/tune/database/champion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "paraiso/tune/contest/similar.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/example_problem.hpp"

namespace paraiso::tune {
namespace {

using test::Folder;

Contest contest(const std::string& genome, bool won = true, double held = 1) {
  Contest made;
  made.best = {genome, 120, 1, "in words"};
  made.start = {"A", 100, 2, "default in words"};
  made.won = won, made.held = held;
  made.operations = 300, made.bytes = 64, made.command = "paraiso tune hydro";
  return made;
}

class Champions : public testing::Test {
 protected:
  void hold(const TuningProblem& of, const Contest& held) {
    database.record(database.add(of), held);
  }
  std::string genome_for(const TuningProblem& wanted) {
    const auto found = nearest_champion(database, wanted);
    return found ? found->contest.best.genome : "none";
  }

  Folder folder;
  Database database{folder / "tuning.sqlite"};
};

TEST(SizeDistance, CountsBothSizeAndShape) {
  EXPECT_DOUBLE_EQ(size_distance("512x512", "512x512"), 0);
  EXPECT_DOUBLE_EQ(size_distance("512x512", "1024x1024"), 1);
  EXPECT_DOUBLE_EQ(size_distance("512x512", "1024x256"), 1);
  EXPECT_DOUBLE_EQ(size_distance("64", "16"), 2);
  EXPECT_TRUE(std::isinf(size_distance("512x512", "512")));
}

TEST_F(Champions, AreTakenForTheirOwnProblem) {
  hold(example_problem(), contest("B"));
  EXPECT_EQ(genome_for(example_problem()), "B");
  const auto found = nearest_champion(database, example_problem());
  EXPECT_EQ(found->schedule().choices.at("proceed/vectors"), "2");
  EXPECT_EQ(found->contest, contest("B"));
}

TEST_F(Champions, AreTakenForSizesNearby) {
  hold(example_problem("512x512"), contest("B"));
  hold(example_problem("2048x2048"), contest("C"));
  EXPECT_EQ(genome_for(example_problem("600x600")), "B");
  EXPECT_EQ(genome_for(example_problem("1500x1500")), "C");
  EXPECT_EQ(genome_for(example_problem("64x64")), "none");
  EXPECT_EQ(genome_for(example_problem("8192x2048")), "C");
  EXPECT_EQ(genome_for(example_problem("16384x2048")), "none");
}

TEST_F(Champions, AreNoneWhereTheDefaultIsUnbeaten) {
  EXPECT_FALSE(is_unbeaten(database, example_problem()));
  database.add(example_problem());
  EXPECT_FALSE(is_unbeaten(database, example_problem())) << "no contest was held";
  hold(example_problem(), contest("B", false));
  EXPECT_TRUE(is_unbeaten(database, example_problem()));
  EXPECT_FALSE(is_unbeaten(database, example_problem("600x600"))) << "another size";
  TuningProblem other = example_problem();
  other.threads = 77;
  EXPECT_FALSE(is_unbeaten(database, other));
  hold(example_problem(), contest("B"));
  EXPECT_FALSE(is_unbeaten(database, example_problem()));
}

TEST_F(Champions, AreNoneWhereTheDefaultIsUnbeatenUnderTheseParametersWhateverWonUnderOthers) {
  TuningProblem other = example_problem();
  other.parameters = "kappa=2";
  hold(example_problem(), contest("B", false));
  hold(other, contest("C"));
  EXPECT_TRUE(is_unbeaten(database, example_problem()));
  EXPECT_FALSE(is_unbeaten(database, other));
  other.parameters = "kappa=3";
  EXPECT_FALSE(is_unbeaten(database, other)) << "no contest of its own, and one that was won";
}

TEST_F(Champions, AreTakenOnMachinesOfTheSameKind) {
  hold(example_problem(), contest("B"));
  TuningProblem elsewhere = example_problem();
  elsewhere.host = "another desk";
  EXPECT_EQ(genome_for(elsewhere), "B");
  elsewhere.host_fingerprint = "another cpu";
  EXPECT_EQ(genome_for(elsewhere), "none");
}

TEST_F(Champions, AreOfOneProgramCompilerAndNumberOfThreads) {
  hold(example_problem(), contest("B"));
  for (const auto change : std::initializer_list<void (*)(TuningProblem&)>{
           [](TuningProblem& p) { p.program_hash = "beef"; },
           [](TuningProblem& p) { p.numbers = "strict"; },
           [](TuningProblem& p) { p.element = "f32"; },
           [](TuningProblem& p) { p.backend = "cuda"; },
           [](TuningProblem& p) { p.compiler = "clang 14"; },
           [](TuningProblem& p) { p.threads = 1; }, [](TuningProblem& p) { p.generator = "newer"; },
           [](TuningProblem& p) { p.target = "x86-64-v2"; },
           [](TuningProblem& p) {
             p.genes.push_back({"new", {"a"}});
           }}) {
    TuningProblem other = example_problem();
    change(other);
    EXPECT_EQ(genome_for(other), "none");
  }
}

TEST_F(Champions, OfRanksAreTakenByRanksThatDivideTheGridAlike) {
  hold(example_problem("512x512"), contest("A"));
  hold(example_problem("512x512 on 4 ranks (1x4)"), contest("B"));
  EXPECT_EQ(genome_for(example_problem("600x600 on 4 ranks (1x4)")), "B");
  EXPECT_EQ(genome_for(example_problem("512x512 on 4 ranks (2x2)")), "none");
  EXPECT_EQ(genome_for(example_problem("512x512 on 3 ranks (1x3)")), "none");
  EXPECT_EQ(genome_for(example_problem("512x512")), "A");
}

TEST_F(Champions, MustHaveWon) {
  hold(example_problem(), contest("B", false));
  EXPECT_EQ(genome_for(example_problem()), "none");
}

TEST_F(Champions, TheLastContestCounts) {
  hold(example_problem(), contest("B"));
  hold(example_problem(), contest("C"));
  EXPECT_EQ(genome_for(example_problem()), "C");
  hold(example_problem(), contest("B", false));
  EXPECT_EQ(genome_for(example_problem()), "none") << "it has lost its title";
}

TEST_F(Champions, OfSeveralAsNearTheNewestIsTaken) {
  TuningProblem thin = example_problem(), dense = example_problem();
  thin.parameters = "density=1", dense.parameters = "density=9";
  hold(thin, contest("B", true, 20));
  hold(dense, contest("C", true, 10));
  EXPECT_EQ(genome_for(example_problem()), "B");
}

TEST_F(Champions, OfTheSameParametersAndInitialKernelArePreferred) {
  TuningProblem dense = example_problem(), turned = example_problem();
  dense.parameters = "density=9", turned.initial = "turned";
  hold(example_problem(), contest("A", true, 10));
  hold(dense, contest("B", true, 20));
  hold(turned, contest("C", true, 30));
  EXPECT_EQ(genome_for(example_problem()), "A");
  EXPECT_EQ(genome_for(dense), "B");
  EXPECT_EQ(genome_for(turned), "C");
}

class Similar : public Champions {
 protected:
  std::int64_t add(const TuningProblem& of, const std::string& genome, double score) {
    const auto id = database.add(of);
    Individual individual;
    individual.session = database.add(TunerRun{});
    individual.genome = genome;
    individual.measurement = measured({score});
    database.record(id, individual);
    return id;
  }
  std::vector<std::string> vectors_for(const TuningProblem& wanted, std::size_t count) {
    std::vector<std::string> found;
    for (const plan::Schedule& schedule : similar_schedules(database, wanted, count))
      found.push_back(schedule.choices.at("proceed/vectors"));
    return found;
  }
};

TEST_F(Similar, TheMostSimilarComesFirst) {
  TuningProblem other_machine = example_problem(), other_compiler = example_problem("1024x1024");
  other_machine.host_fingerprint = "another cpu";
  other_machine.compiler = "clang 14";
  other_compiler.compiler = "clang 14";
  add(other_machine, "B", 10);
  add(other_compiler, "C", 10);
  add(example_problem("600x600"), "A", 10);
  EXPECT_EQ(vectors_for(example_problem(), 3), (std::vector<std::string>{"1", "2", "4"}));
  EXPECT_EQ(vectors_for(example_problem(), 1), (std::vector<std::string>{"1"}));
}

TEST_F(Similar, AChampionGoesBeforeTheBestScore) {
  const auto id = add(example_problem("600x600"), "A", 10);
  add(example_problem("600x600"), "C", 20);
  EXPECT_EQ(vectors_for(example_problem(), 3), (std::vector<std::string>{"4"}));
  database.record(id, contest("B"));
  EXPECT_EQ(vectors_for(example_problem(), 3), (std::vector<std::string>{"2"}));
}

TEST_F(Similar, IsNotTheProblemItselfNorAnotherProgram) {
  add(example_problem(), "B", 10);
  TuningProblem other = example_problem();
  other.machine = "heat";
  add(other, "C", 10);
  database.add(example_problem("600x600"));  // of which nothing is known
  EXPECT_EQ(vectors_for(example_problem(), 3), std::vector<std::string>{});
  TuningProblem renamed = example_problem();
  renamed.host = "another desk";
  EXPECT_EQ(vectors_for(renamed, 3), std::vector<std::string>{});
}

TEST(Difference, CountsWhatDiffers) {
  TuningProblem other = example_problem("1024x1024");
  EXPECT_DOUBLE_EQ(difference(example_problem(), other), 1);
  other.threads = 1, other.element = "f32", other.program_hash = "beef";
  EXPECT_DOUBLE_EQ(difference(example_problem(), other), 4);
  other.target = "x86-64-v3";
  EXPECT_DOUBLE_EQ(difference(example_problem(), other), 5);
  other.size = "1024x1024 on 4 ranks (1x4)";
  EXPECT_DOUBLE_EQ(difference(example_problem(), other), 6);
  other.size = "512x512x512";
  EXPECT_DOUBLE_EQ(difference(example_problem(), other), 14);
}

TEST_F(Champions, OfAnySizeAreOneASize) {
  hold(example_problem("512x512"), contest("B"));
  hold(example_problem("64x64"), contest("C"));
  hold(example_problem("32x32"), contest("B", false));
  hold(example_problem("512x512 on 4 ranks (1x4)"), contest("C"));
  TuningProblem other_start = example_problem("512x512");
  other_start.initial = "other";
  hold(other_start, contest("C", true, 2));
  TuningProblem single = example_problem("128x128");
  single.element = "f32";
  hold(single, contest("B"));
  std::vector<std::string> found;
  for (const Champion& one : champions_alike(database, example_problem("4096x4096")))
    found.push_back(one.problem.size + one.contest.best.genome);
  EXPECT_EQ(found, (std::vector<std::string>{"512x512B", "64x64C"}));
}

}  // namespace
}  // namespace paraiso::tune
