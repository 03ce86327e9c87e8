#include "paraiso/tune/process_evaluator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "paraiso/runtime/file.hpp"
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

std::string answer(const std::string& text) { return "echo '" + text + "' > $ANSWER"; }

Measurement outcome(const std::string& build, const std::string& time) {
  Folder folder;
  ProcessEvaluator evaluator(Scripted(build, time), folder.path(),
                             {.builds = 1, .build_seconds = 0.5, .time_seconds = 0.5});
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

TEST(ProcessEvaluator, AHangTakesItsChildrenWithIt) {
  Folder folder;
  const auto marker = folder / "marker";
  ProcessEvaluator evaluator(
      Scripted(fmt::format("(sleep 1; touch {}) & wait", marker.string()), ""), folder.path(),
      {.builds = 1, .build_seconds = 0.2, .time_seconds = 0.2});
  evaluator.start(0, {0});
  EXPECT_EQ(evaluator.wait().measurement.reason, "it took more than 0.2 seconds");
  usleep(1500000);
  EXPECT_FALSE(std::filesystem::exists(marker));
}

Measurement limited_outcome(const std::string& build) {
  Folder folder;
  ProcessEvaluator evaluator(
      Scripted(build, ""), folder.path(),
      {.builds = 1, .build_seconds = 30, .bytes = 64 << 20, .processes = 20});
  evaluator.start(0, {0});
  return evaluator.wait().measurement;
}

TEST(ProcessEvaluator, EatsNoMoreMemoryThanItMay) {
  const Measurement failure = limited_outcome("tail /dev/zero");
  EXPECT_EQ(failure.reason, "it used more than 64.0 MiB of memory");
  EXPECT_EQ(failure.score, 0);
}

TEST(ProcessEvaluator, ForksNoMoreThanItMay) {
  const Measurement failure =
      limited_outcome("i=0; while [ $i -lt 40 ]; do sleep 60 & i=$((i+1)); done; wait");
  EXPECT_EQ(failure.reason, "it used more than 20 processes");
  EXPECT_EQ(failure.score, 0);
}

TEST(ProcessEvaluator, TheSameCodeIsTimedOnce) {
  Folder folder;
  const auto log = folder / "log";
  ProcessEvaluator evaluator(Scripted(answer(kBuilt), fmt::format("echo x >> {}; ", log.string()) +
                                                          answer(R"({"samples": [2, 4]})")),
                             folder.path(), {.builds = 3});
  for (std::size_t ticket = 0; ticket < 3; ++ticket)
    evaluator.start(ticket, {static_cast<std::uint16_t>(ticket)});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(evaluator.wait().measurement.score, 3);
  EXPECT_EQ(runtime::read_file(log), "x\n");
}

TEST(ProcessEvaluator, TimesAlone) {
  Folder folder;
  const auto busy = folder / "busy";
  const std::string path = busy.string();
  ProcessEvaluator evaluator(
      Scripted(fmt::format("touch {0}.$GENOME; sleep 0.1; rm {0}.$GENOME; ", path) +
                   "echo \"{\\\"schedule_hash\\\": \\\"s\\\", \\\"code_hash\\\": \\\"$GENOME\\\", "
                   "\\\"compile_seconds\\\": 1}\" > $ANSWER",
               fmt::format("ls {}.* && exit 1; ", path) + answer(R"({"samples": [1]})")),
      folder.path(), {.builds = 4});
  for (std::size_t ticket = 0; ticket < 4; ++ticket)
    evaluator.start(ticket, {static_cast<std::uint16_t>(ticket)});
  std::set<std::size_t> tickets;
  for (int i = 0; i < 4; ++i) {
    const Finished finished = evaluator.wait();
    EXPECT_EQ(finished.measurement.reason, "");
    tickets.insert(finished.ticket);
  }
  EXPECT_EQ(tickets.size(), 4u);
}

/// Scores grow with the genes' sum; three in ten fail, each in its own way.
TEST(ProcessEvaluator, ATuningAmongFailuresFindsTheChampion) {
  Folder folder;
  Database database(folder / "tuning.sqlite");
  Problem problem;
  problem.genes = {{"g", {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}}};
  const auto id = database.add(problem);
  Space space{problem.genes, {{0}}, [](const plan::Genome& genome) { return genome; }};
  TunerSettings settings;
  settings.strategy = "exhaustive";
  settings.budget = 100;
  Tuner tuner(database, id, space, settings);
  const std::string built =
      "echo \"{\\\"schedule_hash\\\": \\\"s\\\", \\\"code_hash\\\": \\\"$GENOME\\\", "
      "\\\"compile_seconds\\\": 1}\" > $ANSWER";
  ProcessEvaluator evaluator(
      Scripted(built,
               "case $GENOME in 3) kill -SEGV $$;; 6) sleep 60;; 9) echo '{' > $ANSWER; exit 0;; "
               "esac; echo \"{\\\"samples\\\": [10$GENOME]}\" > $ANSWER"),
      folder.path(), {.builds = 2, .build_seconds = 20, .time_seconds = 1});
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
