#include "paraiso/tune/database/database.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tune/database_support.hpp"

namespace paraiso::tune {
namespace {

using test::Folder;

TEST(Database, GivesBackWhatWasRecorded) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Individual first = individual(1, "AB"), failure = individual(1, "BA", {1});
  failure.measurement = failed("the state did not move");
  {
    Database database = small(file);
    first.id = database.record(1, first);
    failure.id = database.record(1, failure);
    Individual child = individual(1, "BB", {2, 1});
    child.id = database.record(1, child);
    EXPECT_EQ(database.find(1, "BB"), child);
  }
  Database again(file);
  EXPECT_EQ(again.problems(), (std::vector{std::pair(std::int64_t{1}, problem())}));
  EXPECT_EQ(again.find(1, "AB"), first);
  EXPECT_EQ(again.find(1, "BA"), failure);
  EXPECT_EQ(again.find(1, "AA"), std::nullopt);
  std::vector<std::string> genomes;
  again.each(1, first.id, [&](const Individual& i) { genomes.push_back(i.genome); });
  EXPECT_EQ(genomes, (std::vector<std::string>{"BA", "BB"}));
  EXPECT_EQ(again.count(1), 3);
}

TEST(Database, EqualProblemsAreOne) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const auto first = database.add(problem());
  EXPECT_EQ(database.add(problem()), first);
  const auto second = database.add(problem("64x64"));
  EXPECT_NE(second, first);
  database.add(session());
  database.record(first, individual(1, "AB"));
  EXPECT_EQ(database.find(second, "AB"), std::nullopt) << "a genome belongs to its problem";
}

TEST(Database, KnowsWhatCodeHasShown) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  EXPECT_EQ(database.timing_of(1, "feed"), std::nullopt);
  Individual first = individual(1, "AB"), other = individual(1, "BA"),
             failure = individual(1, "BB");
  other.measurement = measured({1});
  other.measurement.code_hash = "feed";
  failure.measurement = failed("it hung");
  failure.measurement.code_hash = "beef";
  for (const auto& one : {first, other, failure}) database.record(1, one);
  EXPECT_EQ(database.timing_of(1, "feed"), first.measurement);
  EXPECT_EQ(database.timing_of(1, "beef"), failure.measurement);
  EXPECT_EQ(database.timing_of(2, "feed"), std::nullopt) << "a timing belongs to its problem";
}

TEST(Database, SourcesOfAFailureMayMoveWithIt) {
  Folder folder;
  const auto here = folder / "here", there = folder / "there";
  std::filesystem::create_directory(here);
  Individual failure = individual(1, "AB");
  failure.measurement = failed("it hung");
  failure.measurement.sources = (here / "t.sqlite-failures" / "1").string();
  small(here / "t.sqlite").record(1, failure);
  EXPECT_EQ(Database(here / "t.sqlite").find(1, "AB")->measurement, failure.measurement);
  std::filesystem::rename(here, there);
  EXPECT_EQ(Database(there / "t.sqlite").find(1, "AB")->measurement.sources,
            there / "t.sqlite-failures" / "1");
}

TEST(Database, ProblemsAreApartByWhatScoresDependOn) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  std::vector<TuningProblem> all = {problem()};
  for (const auto change : std::initializer_list<void (*)(TuningProblem&)>{
           [](TuningProblem& p) { p.machine = "other"; },
           [](TuningProblem& p) { p.program_hash = "other"; },
           [](TuningProblem& p) { p.numbers = "other"; },
           [](TuningProblem& p) { p.element = "other"; },
           [](TuningProblem& p) { p.backend = "other"; },
           [](TuningProblem& p) { p.compiler = "other"; }, [](TuningProblem& p) { p.threads = 77; },
           [](TuningProblem& p) { p.size = "7x7"; },
           [](TuningProblem& p) { p.size += " on 4 ranks (1x4)"; },
           [](TuningProblem& p) { p.host_fingerprint = "other"; },
           [](TuningProblem& p) { p.genes.pop_back(); },
           [](TuningProblem& p) { p.generator = "other"; },
           [](TuningProblem& p) { p.initial = "other"; },
           [](TuningProblem& p) { p.parameters = "a=1, b=2"; },
           [](TuningProblem& p) { p.target = "x86-64-v3"; }})
    change(all.emplace_back(problem()));
  for (const TuningProblem& one : all) database.add(one);
  const auto known = database.problems();
  ASSERT_EQ(known.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(known[i].second, all[i]);
  ASSERT_EQ(database.problems_of("other").size(), 1u);
  EXPECT_EQ(database.problems_of("other")[0].second.machine, "other");
  EXPECT_EQ(database.problems_of(all[0].machine).size(), all.size() - 1);
  EXPECT_TRUE(database.problems_of("none").empty());
}

/// Of one rank, what has been measured counts for ever.
TEST(Database, TheKeyOfAWholeGridStays) {
  EXPECT_EQ(key_of(example_problem()), "ade14837deb4179c");
}

TEST(Database, AnotherNameOfTheHostIsTheSameProblem) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  TuningProblem elsewhere = problem();
  elsewhere.host = "container-77";
  const auto id = database.add(problem());
  EXPECT_EQ(database.add(elsewhere), id);
  EXPECT_EQ(database.problems()[0].second.host, problem().host);
}

TEST(Database, KeepsReferencesInTheOrderOfTime) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  const auto other = database.add(problem("64x64"));
  const ReferenceTiming first{10, 1, 100.5}, second{12, 2, 200.5};
  database.record(1, second);
  database.record(1, first);
  database.record(other, first);
  EXPECT_EQ(database.references(1), (std::vector{first, second}));
  EXPECT_EQ(database.references(other), std::vector{first});
}

TEST(Database, KnowsWhenCodeWasMeasuredFirst) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  Individual first = individual(1, "AB"), later = individual(1, "BA"),
             nothing = individual(1, "BB");
  later.finished = 2000;
  nothing.measurement = failed("the compiler failed");
  for (const auto& one : {later, first, nothing}) database.record(1, one);
  EXPECT_EQ(database.first_finished(1), (std::map<std::string, double>{{"feed", 1001.125}}));
  EXPECT_TRUE(database.first_finished(2).empty());
}

TEST(Database, KnowsWhenSessionsOfAProblemBegan) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  const auto other = database.add(problem("64x64"));
  const auto began = [&](double started) {
    TunerRun made = session();
    made.started = started;
    return database.add(made);
  };
  database.record(1, individual(began(30), "AB"));
  database.record(other, individual(began(20), "AB"));
  began(10);
  EXPECT_EQ(database.session_starts(1), (std::vector<double>{10, 12.5, 30}))
      << "two have measured nothing yet";
}

TEST(Database, KeepsTheLastOfLaterMeasurementsBesideTheFirst) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  const auto id = database.record(1, individual(1, "AB"));
  database.remeasure(id, measured({1, 2}));
  database.remeasure(id, measured({4, 6}));
  EXPECT_EQ(database.find(1, "AB")->measurement, individual(1, "AB").measurement);
  const auto again = database.remeasured(1);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again.at("feed").score, 5);
  EXPECT_DOUBLE_EQ(again.at("feed").deviation, std::sqrt(2));
  EXPECT_TRUE(again.at("feed").ok());
  EXPECT_TRUE(database.remeasured(2).empty());
}

TEST(Database, CountsNobodyTwice) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  const auto id = database.record(1, individual(1, "AB"));
  Individual late = individual(1, "AB");
  late.measurement = failed("another opinion");
  EXPECT_EQ(database.record(1, late), id);
  EXPECT_EQ(database.count(1), 1);
  EXPECT_TRUE(database.find(1, "AB")->measurement.ok()) << "the first one stays";
}

TEST(Database, ImportsAtOnce) {
  Folder folder;
  Database database = small(folder / "tuning.sqlite");
  database.record(1, individual(1, "AB"));
  database.import(1,
                  std::vector{individual(1, "BA", {1}), individual(1, "AB"), individual(1, "BB")});
  EXPECT_EQ(database.count(1), 3);
  std::vector<std::string> seen;
  database.each_result(1, 1, 7, [&](const Outcome& r) { seen.push_back(r.genome); });
  EXPECT_EQ(seen, (std::vector<std::string>{"BA", "BB"}));
  database.each_result(1, 0, 1, [&](const Outcome& r) { ADD_FAILURE() << r.genome; });
}

TEST(Database, KeepsTheLastContestOfAProblem) {
  Folder folder;
  const auto file = folder / "tuning.sqlite";
  Contest first{{"AB", 1.0 / 3, 0.1, "in words"},
                {"AA", 0.25, 0.2, "others"},
                true,
                300,
                64.5,
                "paraiso tune hydro",
                12.5};
  {
    Database database = small(file);
    EXPECT_EQ(database.contest(1), std::nullopt);
    database.record(1, first);
    EXPECT_EQ(database.contest(1), first);
    first.won = false, first.held = 13;
    database.record(1, first);
  }
  EXPECT_EQ(Database(file).contest(1), first);
}

}  // namespace
}  // namespace paraiso::tune
