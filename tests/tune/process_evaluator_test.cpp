#include "paraiso/tune/evaluate/process_evaluator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "paraiso/base/text.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/landscape.hpp"

namespace paraiso::tune {
namespace {

using test::Folder;

const std::string kBuilt = R"({"schedule_hash": "s", "code_hash": "CODE", "compile_seconds": 1.5})";

/// A worker in the shell's language, one script a phase; `$ANSWER` is the file to write.
class Scripted {
 public:
  Scripted(std::string build, std::string time)
      : build_(std::move(build)), time_(std::move(time)) {}

  std::vector<std::string> operator()(const WorkerOrder& order) const {
    const std::string& script = order.phase == WorkerOrder::Phase::build ? build_ : time_;
    return {"/bin/sh", "-c",
            fmt::format("ANSWER='{}'; BEST={}; GENOME={}; {}", order.answer.string(), order.best,
                        order.genome.empty() ? 0 : order.genome[0], script)};
  }

 private:
  std::string build_, time_;
};

/// A build whose code is what the shell makes of `code`.
std::string built_as(const std::string& code) {
  return "echo \"{\\\"schedule_hash\\\": \\\"s\\\", \\\"code_hash\\\": \\\"" + code +
         "\\\", \\\"compile_seconds\\\": 1}\" > $ANSWER";
}

std::string answer(const std::string& text) { return "echo '" + text + "' > $ANSWER"; }

Measurement outcome(const std::string& build, const std::string& time) {
  Folder folder;
  ProcessEvaluator evaluator({.command = Scripted(build, time),
                              .folder = folder.path(),
                              .limits = {.builds = 1, .build_seconds = 0.5, .time_seconds = 0.5}});
  evaluator.start(7, {0});
  const Finished finished = evaluator.wait();
  EXPECT_EQ(finished.ticket, 7u);
  EXPECT_EQ(folder.file_count(), 0) << "nothing is left behind";
  return finished.measurement;
}

TEST(ProcessEvaluator, TakesTheSamples) {
  const Measurement good =
      outcome(answer(kBuilt), "echo noise; " + answer(R"({"samples": [2, 4]})"));
  EXPECT_EQ(good.reason, "");
  EXPECT_EQ(good.score, 3);
  EXPECT_EQ(good.samples, (std::vector<double>{2, 4}));
  EXPECT_EQ(good.code_hash, "CODE");
  EXPECT_EQ(good.schedule_hash, "s");
  EXPECT_EQ(good.compile_seconds, 1.5);
}

TEST(ProcessEvaluator, SaysHowLongItTook) {
  Folder folder;
  ProcessEvaluator evaluator(
      {.command = Scripted("sleep 0.2; " + answer(R"({"schedule_hash": "s", "code_hash": "c", )"
                                                  R"("compile_seconds": 0.125})"),
                           "sleep 0.1; " + answer(R"({"samples": [1]})")),
       .folder = folder.path()});
  for (const std::uint16_t genome : {0, 1}) evaluator.start(genome, {genome});
  const Measurement first = evaluator.wait().measurement, second = evaluator.wait().measurement;
  for (const Measurement& measurement : {first, second}) {
    EXPECT_EQ(measurement.compile_seconds, 0.125);
    EXPECT_GE(measurement.check_seconds, 0.2 - 0.125);
    EXPECT_LT(measurement.check_seconds, 60);
  }
  EXPECT_GE(first.time_seconds, 0.1);
  EXPECT_EQ(second.time_seconds, 0) << "its code was timed before";
  EXPECT_GE(outcome("sleep 0.1; exit 3", "").check_seconds, 0.1);
}

TEST(ProcessEvaluator, EveryFailureHasItsReason) {
  const std::string built = answer(kBuilt), garbage = "the worker's answer can't be understood";
  const auto reason = [](const std::string& build, const std::string& time) {
    const Measurement failure = outcome(build, time);
    EXPECT_EQ(failure.score, 0);
    return failure.reason;
  };
  EXPECT_EQ(reason(answer(R"({"reason": "the compiler failed"})"), ""), "the compiler failed");
  EXPECT_EQ(reason(built, answer(R"({"reason": "the state did not move"})")),
            "the state did not move");
  EXPECT_EQ(reason(built, "kill -SEGV $$"), "it was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(reason(built, "kill -ABRT $$"), "it was ended by signal 6 (Aborted)");
  EXPECT_EQ(reason("kill -ALRM $$", ""), "checking it took more than 0.5 seconds");
  EXPECT_EQ(reason(built, "sleep 60"), "it took more than 0.5 seconds");
  EXPECT_EQ(reason("sleep 60", ""), "it took more than 0.5 seconds");
  EXPECT_EQ(reason(built, "echo out of memory; exit 3"),
            "its worker ended with status 3 and said `out of memory`");
  EXPECT_EQ(reason(built, answer(R"({"samples": [2, 4]})") + "; exit 1"),
            "its worker ended with status 1 and said nothing");
  EXPECT_EQ(reason(built, "true"), "its worker ended with status 0 and said nothing");
  EXPECT_EQ(reason(built, answer("(*)&^%")), garbage);
  EXPECT_EQ(reason(built, answer(R"({"samples": []})")), garbage);
  EXPECT_EQ(reason(built, answer(R"({"samples": [-1]})")), garbage);
  EXPECT_EQ(reason(built, answer(R"({"samples": "many"})")), garbage);
  EXPECT_EQ(reason(built, answer(R"({"reason": ""})")), garbage);
  EXPECT_EQ(reason(built, built), garbage) << "the answer to another question";
  EXPECT_EQ(reason(answer(R"({"code_hash": 3})"), ""), garbage);
}

TEST(ProcessEvaluator, KeepsTheSourcesOfFailures) {
  Folder folder;
  ProcessEvaluator evaluator(
      {.command = Scripted("[ $GENOME = 1 ] && exit 1; " + built_as("$GENOME"),
                           "[ $GENOME = 2 ] && exit 1; " + answer(R"({"samples": [1]})")),
       .folder = folder.path(),
       .keep = [](const plan::Genome& genome) { return fmt::format("kept-{}", genome[0]); }});
  std::vector<std::string> kept;
  for (std::uint16_t genome = 0; genome < 3; ++genome) {
    evaluator.start(genome, {genome});
    kept.push_back(evaluator.wait().measurement.sources);
  }
  EXPECT_EQ(kept, (std::vector<std::string>{"", "kept-1", "kept-2"}));
}

TEST(ProcessEvaluator, AHangTakesItsChildrenWithIt) {
  Folder folder;
  const auto marker = folder / "marker";
  ProcessEvaluator evaluator(
      {.command = Scripted(fmt::format("(sleep 1; touch {}) & wait", marker.string()), ""),
       .folder = folder.path(),
       .limits = {.builds = 1, .build_seconds = 0.2, .time_seconds = 0.2}});
  evaluator.start(0, {0});
  EXPECT_EQ(evaluator.wait().measurement.reason, "it took more than 0.2 seconds");
  usleep(1500000);
  EXPECT_FALSE(std::filesystem::exists(marker));
}

/// With so many builds at a time, of two that there may be, which share 128 MiB.
Measurement limited_outcome(const std::string& build, const std::string& time = "",
                            std::uint16_t builds = 1) {
  Folder folder;
  ProcessEvaluator evaluator({.command = Scripted(build, time),
                              .folder = folder.path(),
                              .limits = {.builds = 2,
                                         .build_seconds = 30,
                                         .time_seconds = 30,
                                         .bytes = 128 << 20,
                                         .processes = 20}});
  for (std::uint16_t genome = 0; genome < builds; ++genome) evaluator.start(genome, {genome});
  return evaluator.wait().measurement;
}

TEST(ProcessEvaluator, EatsNoMoreMemoryThanItMay) {
  const Measurement failure = limited_outcome("tail /dev/zero", "", 2);
  EXPECT_EQ(failure.reason, "it used more than 64.0 MiB of memory") << "its part of the machine's";
  EXPECT_EQ(limited_outcome("tail /dev/zero").reason, "it used more than 128.0 MiB of memory")
      << "one that builds alone has all";
  EXPECT_EQ(failure.score, 0);
  EXPECT_EQ(limited_outcome(answer(kBuilt), "tail /dev/zero").reason,
            "it used more than 128.0 MiB of memory");
}

TEST(ProcessEvaluator, ForksNoMoreThanItMay) {
  const Measurement failure =
      limited_outcome("i=0; while [ $i -lt 40 ]; do sleep 60 & i=$((i+1)); done; wait");
  EXPECT_EQ(failure.reason, "it used more than 20 processes");
  EXPECT_EQ(failure.score, 0);
}

/// Samples of 1 behind the score that an individual has to reach.
const std::string kTellsGoal = "echo \"{\\\"samples\\\": [1$BEST]}\" > $ANSWER";

/// The goals of three individuals one after the other; the first two reach 10, then 110.
std::vector<double> goals(bool give_up) {
  Folder folder;
  ProcessEvaluator evaluator({.command = Scripted(built_as("$GENOME"), kTellsGoal),
                              .folder = folder.path(),
                              .best = 5,
                              .give_up = give_up});
  std::vector<double> told;
  for (std::uint16_t genome = 0; genome < 3; ++genome) {
    evaluator.start(genome, {genome});
    told.push_back(evaluator.wait().measurement.score);
  }
  return told;
}

TEST(ProcessEvaluator, TellsWhatThereIsToReach) {
  EXPECT_EQ(goals(true), (std::vector<double>{15, 115, 1115}));
  EXPECT_EQ(goals(false), (std::vector<double>{10, 10, 10})) << "all are timed to the end";
}

TEST(ProcessEvaluator, TheSameCodeIsTimedOnce) {
  Folder folder;
  const auto log = folder / "log";
  ProcessEvaluator evaluator(
      {.command = Scripted(answer(kBuilt), fmt::format("echo x >> {}; ", log.string()) +
                                               answer(R"({"samples": [2, 4]})")),
       .folder = folder.path(),
       .limits = {.builds = 3}});
  for (std::size_t ticket = 0; ticket < 3; ++ticket)
    evaluator.start(ticket, {static_cast<std::uint16_t>(ticket)});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(evaluator.wait().measurement.score, 3);
  EXPECT_EQ(runtime::read_file(log), "x\n");
}

/// Marks what is being built; fails where something is built or timed beside what it times.
Scripted watching(const std::filesystem::path& folder) {
  const std::string built = (folder / "built").string(), timed = (folder / "timed").string();
  return {fmt::format("mkdir {0}.$$; sleep 0.1; rmdir {0}.$$; ", built) + built_as("$GENOME"),
          fmt::format("mkdir {1} || exit 1; sleep 0.1; ls -d {0}.* && exit 1; rmdir {1}; ", built,
                      timed) +
              answer(R"({"samples": [1]})")};
}

void evaluate(ProcessEvaluator& evaluator, std::size_t count) {
  for (std::size_t ticket = 0; ticket < count; ++ticket)
    evaluator.start(ticket, {static_cast<std::uint16_t>(ticket)});
  std::set<std::size_t> tickets;
  for (std::size_t i = 0; i < count; ++i) {
    const Finished finished = evaluator.wait();
    EXPECT_EQ(finished.measurement.reason, "");
    tickets.insert(finished.ticket);
  }
  EXPECT_EQ(tickets.size(), count);
}

TEST(ProcessEvaluator, TimesAlone) {
  Folder folder, answers;
  ProcessEvaluator evaluator(
      {.command = watching(folder.path()), .folder = answers.path(), .limits = {.builds = 4}});
  evaluate(evaluator, 4);
}

/// Each waits until the other has begun, for longer than it may take.
TEST(ProcessEvaluator, BuildsOverlap) {
  Folder folder, answers;
  const std::string begun = (folder / "begun").string();
  ProcessEvaluator evaluator(
      {.command = Scripted(fmt::format("touch {0}.$GENOME; until [ -e {0}.0 ] && [ -e {0}.1 ]; do "
                                       "sleep 0.01; done; ",
                                       begun) +
                               built_as("$GENOME"),
                           answer(R"({"samples": [1]})")),
       .folder = answers.path(),
       .limits = {.builds = 2, .build_seconds = 20}});
  evaluate(evaluator, 2);
}

TEST(ProcessEvaluator, TwoOnOneHostTimeAlone) {
  Folder folder;
  std::vector<std::thread> tuners;
  for (int tuner = 0; tuner < 2; ++tuner)
    tuners.emplace_back([&] {
      Folder answers;
      ProcessEvaluator evaluator({.command = watching(folder.path()),
                                  .folder = answers.path(),
                                  .limits = {.builds = 2},
                                  .locks = {.host = {folder / "lock"}}});
      for (int batch = 0; batch < 3; ++batch) evaluate(evaluator, 2);
    });
  for (auto& tuner : tuners) tuner.join();
}

TuningProblem problem_with_ten_genomes() {
  TuningProblem problem;
  problem.genes = {{"g", {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}}};
  return problem;
}

Space space_of(const TuningProblem& problem) {
  return {problem.genes, {{0}}, [](const plan::Genome& genome) { return genome; }};
}

TEST(ProcessEvaluator, TwoTunersTimeTheSameCodeOnce) {
  Folder folder;
  const auto file = folder / "tuning.sqlite", log = folder / "log";
  const TuningProblem problem = problem_with_ten_genomes();
  const auto id = Database(file).add(problem);
  const Scripted command(built_as("$((GENOME % 3))"),
                         fmt::format("echo $((GENOME % 3)) >> {}; sleep 0.2; ", log.string()) +
                             answer(R"({"samples": [2, 4]})"));
  std::vector<std::thread> tuners;
  for (int tuner = 0; tuner < 2; ++tuner)
    tuners.emplace_back([&] {
      Folder answers;
      Database database(file);
      ProcessEvaluator evaluator(
          {.command = command,
           .folder = answers.path(),
           .limits = {.builds = 2},
           .locks = {.host = {folder / "lock"}},
           .recall = [&](const std::string& code) { return database.timing_of(id, code); }});
      TunerSettings settings;
      settings.strategy = "exhaustive";
      settings.budget = 100;
      Tuner(database, id, space_of(problem), settings).run(evaluator);
    });
  for (auto& tuner : tuners) tuner.join();
  const auto lines = split(runtime::read_file(log), '\n');
  EXPECT_EQ(std::multiset<std::string>(lines.begin(), lines.end()),
            (std::multiset<std::string>{"", "0", "1", "2"}));
  int measured = 0;
  Database(file).each(id, 0, [&](const Individual& individual) {
    ++measured;
    EXPECT_EQ(individual.measurement.samples, (std::vector<double>{2, 4}));
  });
  EXPECT_EQ(measured, 10);
}

TEST(ProcessEvaluator, WhoWatchesMayTimeToo) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const TuningProblem problem = problem_with_ten_genomes();
  const auto id = database.add(problem);
  ProcessEvaluator evaluator(
      {.command = Scripted(built_as("$GENOME"), answer(R"({"samples": [2, 4]})")),
       .folder = folder.path(),
       .locks = {.host = {folder / "lock"}}});
  TunerSettings settings;
  settings.strategy = "exhaustive";
  settings.budget = 100;
  std::vector<double> scores;
  settings.watch = [&](const TunerEvent&) { scores.push_back(evaluator.time({0}).score); };
  EXPECT_EQ(Tuner(database, id, space_of(problem), settings).run(evaluator), 10u);
  EXPECT_EQ(scores, std::vector<double>(10, 3));
}

/// What was built long ago may have left the cache since.
TEST(ProcessEvaluator, WhatIsTimedBesideOthersIsBuilt) {
  Folder folder;
  const auto log = folder / "log";
  ProcessEvaluator evaluator(
      {.command = Scripted(
           fmt::format("echo build $GENOME >> {}; [ $GENOME = 2 ] && ", log.string()) +
               answer(R"({"reason": "the compiler failed"})") + " || " + built_as("$GENOME"),
           fmt::format("echo time $GENOME >> {}; ", log.string()) +
               answer(R"({"samples": [2, 4]})")),
       .folder = folder.path(),
       .locks = {.host = {folder / "lock"}}});
  EXPECT_EQ(evaluator.time({1}).score, 3);
  EXPECT_EQ(evaluator.time({1}).score, 3);
  EXPECT_EQ(evaluator.time({2}).reason, "the compiler failed");
  EXPECT_EQ(evaluator.build({2}).reason, "the compiler failed");
  EXPECT_EQ(runtime::read_file(log), "build 1\ntime 1\ntime 1\nbuild 2\nbuild 2\n");
}

TEST(ProcessEvaluator, ATuningAmongFailuresFindsTheChampion) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  const TuningProblem problem = problem_with_ten_genomes();
  const auto id = database.add(problem);
  TunerSettings settings;
  settings.strategy = "exhaustive";
  settings.budget = 100;
  Tuner tuner(database, id, space_of(problem), settings);
  ProcessEvaluator evaluator(
      {.command = Scripted(
           built_as("$GENOME"),
           "case $GENOME in 3) kill -SEGV $$;; 6) sleep 60;; 9) echo '{' > $ANSWER; exit 0;; "
           "esac; echo \"{\\\"samples\\\": [10$GENOME]}\" > $ANSWER"),
       .folder = folder.path(),
       .limits = {.builds = 2, .build_seconds = 20, .time_seconds = 1}});
  EXPECT_EQ(tuner.run(evaluator), 10u);
  const History& history = tuner.history();
  EXPECT_EQ(history.genome(*history.best()), (plan::Genome{8}));
  database.each(id, 0, [&](const Individual& i) {
    const bool faulty = i.genome == "D" || i.genome == "G" || i.genome == "J";
    EXPECT_EQ(i.measurement.reason.empty(), !faulty) << i.genome << ": " << i.measurement.reason;
  });
}

}  // namespace
}  // namespace paraiso::tune
