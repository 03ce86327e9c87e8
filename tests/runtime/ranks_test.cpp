// Runs on several ranks: the same files as on one, and failures of one rank alone.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "machines.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/output/checkpoint.hpp"
#include "paraiso/runtime/output/output.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/ranks/driver.hpp"
#include "paraiso/runtime/run/run.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/transport/processor_time.hpp"
#include "support.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;
using test::Folder;

const std::vector<std::int64_t> kSize = {6, 4};

TEST(Ranks, AFailureOfOneEndsTheWaitingOfAll) {
  for (std::size_t failing = 0; failing < 3; ++failing) {
    const auto ends = in_process_ranks(3);
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < 3; ++rank)
      threads.emplace_back([&, rank] {
        Transport& own = *ends[rank];
        if (rank == failing) return own.abandon({static_cast<int>(rank), "the disk is full", ""});
        try {
          (void)own.receive(static_cast<int>(failing));  // which never sends
          ADD_FAILURE();
        } catch (const Abandoned& other) {
          EXPECT_EQ(error_of(other.failure, own).what(),
                    "error: rank " + std::to_string(failing) + " of 3: the disk is full");
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(Ranks, WaitingIsNoWork) {
  const auto ends = in_process_ranks(2);
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    ends[1]->send(0, {});
  });
  const double start = processor_seconds();
  (void)ends[0]->receive(1);
  const double taken = processor_seconds() - start;
  late.join();
  EXPECT_GT(ends[0]->waited(), 0.5 * taken);  // which balancing does not count
  EXPECT_LT(taken, 20e-3);                    // and after a while it slept
}

TEST(Ranks, FailuresOfAllKindsAreTold) {
  const auto told = [](const auto& error) {
    try {
      throw error;
    } catch (...) {
      return failure_in_flight(3);
    }
  };
  EXPECT_EQ(told(std::bad_alloc()).message, "there is not enough memory");
  EXPECT_EQ(told(std::runtime_error("odd")).message, "odd");
  EXPECT_EQ(told(Error("full").with_hint("make room")).hint, "make room");
  EXPECT_EQ(told(Abandoned({1, "of another", ""})).rank, 1);
  EXPECT_EQ(told(Error("full")).rank, 3);
}

TEST(Ranks, CommandsAreMessages) {
  const Command sent = {Order::read, 5, ~std::uint64_t{7}, {{1, 2, 3}, {4, 5, 6}}};
  const Command command = decode_command(encode(sent));
  EXPECT_EQ(command.order, sent.order);
  EXPECT_EQ(command.number, sent.number);
  EXPECT_EQ(command.bits, sent.bits);
  EXPECT_EQ(command.box, sent.box);
}

class DividedRun : public testing::Test {
 protected:
  Folder folder;
  const om::Machine program = passes::prepare(test::drift<double>(), passes::Numbers::fma);
  Library library = compile(plan::plan_program(program, plan::default_schedule(program)),
                            {.optimization = "-O1"});

  [[nodiscard]] std::unique_ptr<Instance> divided(std::int64_t ranks) const {
    return divided_instance(library, kSize, om::even_division(kSize, ranks), 1);
  }
  static RunOptions quiet(std::int64_t steps) {
    RunOptions options;
    options.progress = false;
    options.steps = steps;
    return options;
  }
  [[nodiscard]] std::string file(const std::string& name) const { return read_file(folder / name); }
};

TEST_F(DividedRun, EndsWhereARankFailsAmidWork) {
  Division division(library, om::even_division(kSize, 2), kSize, 1, Library::Sharing::worthwhile);
  const auto ends = in_process_ranks(2);
  std::thread other([&] {
    ends[1]->send(0, {});  // that it serves
    (void)ends[1]->receive(0);
    ends[1]->abandon({1, "the disk is full", "make room"});
  });
  LateAnswers first(*ends[0]);
  Driver driver(division, first, std::make_unique<Worker>(division, first));
  for (int call = 0; call < 2; ++call)  // nothing runs after that, and nobody waits
    EXPECT_EQ(error_text([&] {
                driver.run(0);
                driver.finish();
              }),
              "error: rank 1 of 2: the disk is full\nhint: make room");
  other.join();
}

/// As many as single steps would be until a time is reached, or no longer moves.
TEST_F(DividedRun, TakesStepsUntilATime) {
  const auto whole = library.instance(kSize), parts = divided(3);
  const auto expect_same_steps = [&](double until, std::int64_t most) {
    const auto taken = parts->take_steps("proceed", most, until).value_or(StepsTaken{});
    for (std::int64_t step = 1; step <= taken.count; ++step) {
      EXPECT_LT(whole->scalar("time"), until);
      whole->run("proceed");
    }
    EXPECT_TRUE(whole->scalar("time") >= until || taken.count == most || taken.stands_still);
    EXPECT_EQ(save(*parts).statics, save(*whole).statics);
    return taken;
  };
  for (Instance* one : {whole.get(), parts.get()}) {
    one->run("bump");
    one->set_scalar("time_limit", 10);
  }
  const double step = whole->scalar("time_step");
  EXPECT_EQ(expect_same_steps(1e9, 4).count, 4);
  EXPECT_EQ(expect_same_steps(whole->scalar("time") + 2.5 * step, 50).count, 3);
  EXPECT_EQ(expect_same_steps(whole->scalar("time") + 3 * step, 50).count, 3);
  for (Instance* one : {whole.get(), parts.get()}) one->set_scalar("time_step", 0);
  const StepsTaken last = expect_same_steps(1e9, 50);
  EXPECT_EQ(last.count, 1);
  EXPECT_TRUE(last.stands_still);
}

TEST_F(DividedRun, GoesBackToTheStateThatItKept) {
  const auto instance = divided(3);
  instance->run("bump");
  instance->keep();
  const auto before = save(*instance).statics;
  for (int i = 0; i < 3; ++i) instance->run("proceed");
  const auto after = save(*instance).statics;
  EXPECT_NE(after, before);
  instance->go_back();
  EXPECT_EQ(save(*instance).statics, before);
  for (int i = 0; i < 3; ++i) instance->run("proceed");
  EXPECT_EQ(save(*instance).statics, after);
}

TEST_F(DividedRun, WritesTheFilesOfOneRank) {
  std::vector<std::string> files;
  for (const std::int64_t ranks : {0, 1, 2, 5, 24}) {
    const auto instance = ranks == 0 ? library.instance(kSize) : divided(ranks);
    auto options = quiet(5);
    options.output = folder / ("out" + std::to_string(ranks));
    options.plot = "u";
    options.checkpoint = folder / "check";
    const RunResult result = run(*instance, options);
    const auto scalars = read_file(result.series);
    std::vector<std::string> seen = {file("check"), scalars, read_file(result.pictures.back())};
    const auto copy = library.instance(kSize);  // HDF5 files have times of day in them
    (void)load_fields(result.snapshots.back(), *copy);
    for (const auto& field : summarise_fields(*copy)) seen.push_back(field.hash);
    for (const auto& field : result.fields)
      seen.push_back(field.hash + " " + std::to_string(field.sum));
    if (ranks == 0) files = seen;
    for (std::size_t i = 0; i < files.size(); ++i)
      EXPECT_TRUE(seen[i] == files[i]) << ranks << " ranks, " << i;
  }
}

TEST_F(DividedRun, GoesOnFromACheckpointOfOtherRanks) {
  const auto whole = library.instance(kSize);
  auto options = quiet(7);
  options.checkpoint = folder / "whole";
  (void)run(*whole, options);
  for (const auto& [before, after] : {std::pair(1, 3), std::pair(3, 1), std::pair(4, 5)}) {
    options = quiet(3);
    options.checkpoint = folder / "part";
    (void)run(*divided(before), options);
    options = quiet(7);
    options.restart = options.checkpoint = folder / "part";
    EXPECT_EQ(run(*divided(after), options).steps_run, 4);
    EXPECT_TRUE(file("part") == file("whole")) << before << " to " << after;
  }
}

TEST_F(DividedRun, SetsFieldsFromAFile) {
  auto options = quiet(2);
  options.output = folder / "out";
  const auto source = run(*library.instance(kSize), options).snapshots.back();
  const auto hashes = [&](Instance& instance) {
    auto from = quiet(3);
    from.fields = source;
    std::string all;
    for (const auto& field : run(instance, from).fields) all += field.hash;
    return all;
  };
  EXPECT_EQ(hashes(*divided(3)), hashes(*library.instance(kSize)));
}

TEST_F(DividedRun, TellsWhichRankHasANaN) {
  auto options = quiet(9);
  options.parameters = parse_parameters(library.machine(), std::vector<std::string>{"poison=0.3"});
  EXPECT_EQ(error_text([&] { (void)run(*divided(4), options); }).substr(0, 47),
            "error: NaN in field `u` at cell (3, 1) on rank ");
}

TEST_F(DividedRun, StopsForACallbackOnAllRanks) {
  auto options = quiet(9);
  options.between = [](Instance&, std::int64_t step) { return step < 4; };
  const auto result = run(*divided(3), options);
  EXPECT_EQ(result.end, RunEnd::callback);
  EXPECT_EQ(result.steps, 4);
}

}  // namespace
}  // namespace paraiso::runtime
