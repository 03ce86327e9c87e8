#include "paraiso/tune/tuner.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "paraiso/runtime/process/process_identity.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/landscape.hpp"

namespace paraiso::tune {
namespace {

using test::Folder;
using test::Landscape;

/// Simulated workers that finish in a random order.
class Fleet final : public Evaluator {
 public:
  Fleet(const Landscape& landscape, std::size_t workers)
      : landscape_(landscape), workers_(workers) {}

  std::size_t capacity() const override { return workers_; }
  void start(std::size_t ticket, const plan::Genome& genome) override {
    ++started[genome];
    running_.emplace_back(ticket, genome);
  }
  Finished wait() override {
    std::swap(running_[rng_.below(running_.size())], running_.back());
    const auto [ticket, genome] = running_.back();
    running_.pop_back();
    if (microseconds > 0) usleep(microseconds);
    return {ticket, landscape_.measure(genome)};
  }

  std::map<plan::Genome, int> started;
  useconds_t microseconds = 0;

 private:
  const Landscape& landscape_;
  std::size_t workers_;
  Rng rng_{1};
  std::vector<std::pair<std::size_t, plan::Genome>> running_;
};

TuningProblem problem_of(const Landscape& landscape) {
  TuningProblem problem;
  problem.machine = "landscape";
  problem.genes = landscape.space().genes;
  return problem;
}

TunerSettings settings(std::size_t budget, std::uint64_t seed = 1) {
  TunerSettings settings;
  settings.budget = budget;
  settings.seed = seed;
  return settings;
}

std::size_t tune(Database& database, const Landscape& landscape, const TunerSettings& settings,
                 std::size_t workers = 8) {
  Fleet fleet(landscape, workers);
  Tuner tuner(database, database.add(problem_of(landscape)), landscape.space(), settings);
  return tuner.run(fleet);
}

TEST(Tuner, RecordsWhatItMeasured) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const Landscape landscape(1, {.failing = 0.1});
  EXPECT_EQ(tune(database, landscape, settings(300)), 300u);
  std::map<std::int64_t, std::string> seen;
  int failures = 0;
  database.each(1, 0, [&](const Individual& i) {
    const auto genome = plan::genome_from(landscape.space().genes, i.genome);
    EXPECT_EQ(i.measurement, landscape.measure(genome));
    for (const std::int64_t parent : i.parents) EXPECT_TRUE(seen.contains(parent)) << i.id;
    EXPECT_GE(i.finished, i.born);
    failures += !i.measurement.ok();
    seen[i.id] = i.method;
  });
  EXPECT_EQ(seen.size(), 300u);
  EXPECT_EQ(std::ranges::count(seen, "start", [](const auto& s) { return s.second; }), 1);
  EXPECT_GT(failures, 5);
}

TEST(Tuner, GoesOnWhereItStopped) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  const Landscape landscape(2, {});
  {
    Database database(file);
    tune(database, landscape, settings(100));
  }
  Database database(file);
  Fleet fleet(landscape, 4);
  Tuner tuner(database, 1, landscape.space(), settings(50, 2));
  EXPECT_EQ(tuner.history().size(), 100u);
  EXPECT_EQ(tuner.run(fleet), 50u);
  EXPECT_EQ(tuner.history().size(), 150u);
  EXPECT_EQ(database.count(1), 150);
  for (const auto& [genome, count] : fleet.started) EXPECT_EQ(count, 1);
}

/// The same call again: it would draw again what is known, did it not draw by another seed.
TEST(Tuner, GoesOnFromThreeThousandIndividuals) {
  for (const StrategyInfo& info : strategies()) {
    const std::string name = info.name;
    if (name == "exhaustive") continue;
    Folder folder;
    Database database(folder / "tuning.sqlite");
    const Landscape landscape(2, {.genes = 40});
    TunerSettings same = settings(3000);
    same.strategy = name;
    tune(database, landscape, same);
    tune(database, landscape, settings(3000 - static_cast<std::size_t>(database.count(1))));
    ASSERT_EQ(database.count(1), 3000);
    same.budget = 100;
    Fleet fleet(landscape, 4);
    Tuner tuner(database, 1, landscape.space(), same);
    const std::size_t measured = tuner.run(fleet);
    if (name == "greedy" && measured < 100)
      EXPECT_EQ(tuner.ending(), "no other allele of any one gene is faster");
    else
      EXPECT_EQ(measured, 100u) << name << ": " << tuner.ending();
  }
}

TEST(Tuner, SaysWhyItEnded) {
  const Landscape landscape(4, {.genes = 4, .largest_allele_count = 2, .pairs = 2});
  const auto ending = [&](const std::string& strategy, std::size_t budget, bool stop = false) {
    Folder folder;
    Database database(folder / "tuning.sqlite");
    TunerSettings asked = settings(budget);
    asked.strategy = strategy;
    asked.stop = [&] { return stop; };
    Fleet fleet(landscape, 2);
    Tuner tuner(database, database.add(problem_of(landscape)), landscape.space(), asked);
    tuner.run(fleet);
    return tuner.ending();
  };
  EXPECT_EQ(ending("anneal", 10), "the budget is spent");
  EXPECT_EQ(ending("anneal", 1000, true), "it was told to stop");
  EXPECT_EQ(ending("anneal", 1000), "1000 births in a row were known already");
  EXPECT_EQ(ending("random", 1000), "1000 random schedules in a row were known already");
  EXPECT_EQ(ending("exhaustive", 1000), "every schedule is known");
  EXPECT_EQ(ending("greedy", 1000), "no other allele of any one gene is faster");
  EXPECT_TRUE(ending("torczon", 1000).ends_with(" steps in a row led to known schedules only"));
}

TEST(Tuner, EndsWithATotalWhoeverMeasured) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const Landscape landscape(3, {});
  Fleet fleet(landscape, 4);
  TunerSettings asked = settings(1000);
  asked.total = 30;
  Tuner tuner(database, database.add(problem_of(landscape)), landscape.space(), asked);
  tune(database, landscape, settings(12, 2), 4);                 // since it began
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // news are read once a second
  fleet.microseconds = 100;
  tuner.run(fleet);
  EXPECT_EQ(tuner.ending(), "30 individuals are known");
  EXPECT_EQ(database.count(1), 30);
}

TEST(Tuner, TriesAListAndNothingElseWhoeverElseTriesIt) {
  const Landscape landscape(3, {});
  Space list = landscape.space();
  Rng rng(1);
  while (list.starts.size() < 12) list.starts.push_back(list.canonical(uniform_genome(list, rng)));
  for (const std::string strategy : {"anneal", "genetic", "greedy", "torczon", "random"}) {
    SCOPED_TRACE(strategy);
    Folder folder;
    Database database(folder / "tuning.sqlite");
    TunerSettings asked = settings(1000);
    asked.strategy = strategy, asked.starts_only = true;
    Fleet fleet(landscape, 3);
    Tuner tuner(database, database.add(problem_of(landscape)), list, asked);
    asked.budget = 5;
    Tuner other(database, 1, list, asked);
    other.run(fleet);
    tuner.run(fleet);
    EXPECT_EQ(tuner.ending(), "all that was to be tried is known");
    const std::set<plan::Genome> all(list.starts.begin(), list.starts.end());
    EXPECT_EQ(database.count(1), static_cast<std::int64_t>(all.size()));
    database.each(1, 0, [&](const Individual& one) { EXPECT_EQ(one.method, "start"); });
  }
}

TEST(Tuner, KnowsAllWhenAnExhaustiveSearchHasEnded) {
  const Landscape landscape(4, {.genes = 4, .largest_allele_count = 2, .pairs = 2});
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const auto problem = database.add(problem_of(landscape));
  const auto knows_all = [&](std::size_t budget, const std::string& strategy = "exhaustive") {
    TunerSettings asked = settings(budget);
    asked.strategy = strategy;
    Fleet fleet(landscape, 2);
    Tuner tuner(database, problem, landscape.space(), asked);
    tuner.run(fleet);
    return tuner.knows_all();
  };
  EXPECT_FALSE(knows_all(3));
  EXPECT_FALSE(knows_all(1000, "random")) << "it can't tell";
  EXPECT_TRUE(knows_all(1000));
  EXPECT_TRUE(knows_all(1));
}

TEST(Tuner, StopsWhenTold) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const Landscape landscape(3, {});
  TunerSettings told = settings(1000);
  int watched = 0;
  told.watch = [&](const TunerEvent& event) {
    ++watched;
    EXPECT_EQ(event.history.size(), static_cast<std::size_t>(watched));
  };
  told.stop = [&] { return watched >= 20; };
  const std::size_t measured = tune(database, landscape, told, 8);
  EXPECT_EQ(measured, static_cast<std::size_t>(watched));
  EXPECT_GE(watched, 20);
  EXPECT_LE(watched, 28) << "what was in flight is still waited for";
  EXPECT_EQ(database.count(1), watched);
}

TEST(Tuner, EndsWithTheSpace) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const Landscape landscape(4, {.genes = 4, .largest_allele_count = 2, .pairs = 2});
  TunerSettings all = settings(1000);
  all.strategy = "exhaustive";
  EXPECT_EQ(tune(database, landscape, all), 16u);
  EXPECT_EQ(tune(database, landscape, all), 0u);
}

TEST(Tuner, TwoShareADatabase) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  const Landscape landscape(5, {.genes = 6, .largest_allele_count = 3, .pairs = 3});
  Database(file).add(problem_of(landscape));
  std::vector<std::thread> tuners;
  std::atomic<std::size_t> measured = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    tuners.emplace_back([&, seed] {
      Database database(file);
      TunerSettings exhaustive = settings(1000, seed);
      exhaustive.strategy = "exhaustive";  // the same order: they meet all the time
      measured += tune(database, landscape, exhaustive, 3);
    });
  for (auto& tuner : tuners) tuner.join();
  const auto all = *genome_count(landscape.space().genes);
  EXPECT_EQ(measured, static_cast<std::size_t>(all));
  EXPECT_EQ(Database(file).count(1), all);
}

TEST(Tuner, TriesAgainWhatADeadOneHadClaimed) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const Landscape landscape(6, {.genes = 3, .largest_allele_count = 2, .pairs = 1});
  const auto problem = database.add(problem_of(landscape));
  const auto dead = database.add(TunerRun{});
  ASSERT_EQ(database.claim(problem, dead, "AAA", 0, 1), Claim::granted);
  TunerSettings all = settings(1000);
  all.strategy = "exhaustive";
  EXPECT_EQ(tune(database, landscape, all), 8u);
}

/// A process that calls `work`, which never returns, until it is killed with the object's end.
class Child {
 public:
  template <class Work>
  explicit Child(Work work) : id_(fork()) {
    if (id_ != 0) return;
    work();
    _exit(1);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }
  void end() {
    if (id_ == 0) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    id_ = 0;
  }

 private:
  pid_t id_;
};

bool is_soon(const std::function<bool()>& happened) {
  for (int attempt = 0; attempt < 1000 && !happened(); ++attempt) usleep(10000);
  return happened();
}

TEST(Tuner, GoesOnAtOnceAfterOneThatWasKilled) {
  const Landscape landscape(8, {.genes = 30});
  // They stand still until all that they have asked for is measured.
  for (const char* name : {"greedy", "nelder-mead", "torczon"}) {
    Folder folder;
    const auto file = folder / "tuning.sqlite";
    TunerSettings settings;
    settings.strategy = name;
    settings.budget = 1000000;
    Child killed([&] {
      settings.watch = [](const TunerEvent& event) {
        while (event.history.size() == 20) pause();
      };
      tune(*std::make_unique<Database>(file), landscape, settings, 4);
    });
    ASSERT_TRUE(
        is_soon([&] { return std::filesystem::exists(file) && Database(file).count(1) == 20; }));
    killed.end();
    settings.budget = 20;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    settings.stop = [&] { return std::chrono::steady_clock::now() > end; };
    Database database(file);
    EXPECT_EQ(tune(database, landscape, settings, 4), 20u) << name;
  }
}

TEST(Tuner, NoticesThatTheOneItWaitsForHasEnded) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  const Landscape landscape(6, {.genes = 3, .largest_allele_count = 2, .pairs = 1});
  Database database(file);
  const auto problem = database.add(problem_of(landscape));
  Child other([&] {
    Database own(file);
    TunerRun session;
    session.process = runtime::process_identity();
    own.claim(problem, own.add(session), "BAB", 0, 1e12);
    pause();
  });
  ASSERT_TRUE(is_soon([&] { return database.is_claimed(problem, "BAB", 0); }));
  TunerSettings all = settings(1000);
  all.strategy = "exhaustive";
  int measured = 0;
  all.watch = [&](const TunerEvent&) {
    if (++measured == 7) other.end();
  };
  EXPECT_EQ(tune(database, landscape, all), 8u);
}

TEST(Tuner, LosesOnlyWhatIsInFlightWhenKilled) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  const Landscape landscape(7, {.genes = 30});
  Rng rng(1);
  std::size_t reported = 0;
  constexpr int kKills = 50, kWorkers = 4;
  for (int kill_number = 0; kill_number < kKills; ++kill_number) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      Database database(file);
      TunerSettings endless = settings(1000000, static_cast<std::uint64_t>(kill_number));
      endless.watch = [&](const TunerEvent&) { (void)!write(ends[1], "x", 1); };
      tune(database, landscape, endless, kWorkers);
      _exit(0);
    }
    close(ends[1]);
    usleep(static_cast<useconds_t>(rng.below(30000)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    for (char x; read(ends[0], &x, 1) == 1;) ++reported;
    close(ends[0]);
  }
  Database database(file);
  std::set<std::string> genomes;
  std::size_t count = 0;
  database.each(1, 0, [&](const Individual& i) { genomes.insert(i.genome), ++count; });
  EXPECT_GT(reported, 0u);
  EXPECT_EQ(genomes.size(), count) << "counted twice";
  EXPECT_GE(count, reported) << "finished and missing";
  EXPECT_LE(count, reported + kKills) << "one may have been recorded and not reported";
  EXPECT_EQ(SQLite::Database(file.string()).execAndGet("pragma integrity_check").getString(), "ok");
}

}  // namespace
}  // namespace paraiso::tune
