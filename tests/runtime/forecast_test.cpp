// Simulated steps against those of real ranks whose messages are delayed by known times.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <thread>

#include "paraiso/hardware/simulate/step_work.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/ranks/messages.hpp"

namespace paraiso::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLatency = 8e-3;

/// What all ranks send goes through one wire, one message after another.
class Wire {
 public:
  explicit Wire(double bytes_per_second) : bytes_per_second_(bytes_per_second) {}
  double deliver(double now, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    free_ = std::max(now, free_) + static_cast<double>(bytes) / bytes_per_second_;
    return free_ + kLatency;
  }

 private:
  std::mutex mutex_;
  double bytes_per_second_, free_ = 0;
};

double now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

/// Delivers messages not before the wire does; each carries that time at its end.
class Delayed : public Transport {
 public:
  Delayed(Transport& ends, Wire* wire) : ends_(ends), wire_(wire) {}
  [[nodiscard]] int rank() const override { return ends_.rank(); }
  [[nodiscard]] int ranks() const override { return ends_.ranks(); }
  [[nodiscard]] std::string host(int rank) const override { return ends_.host(rank); }
  [[nodiscard]] Bytes buffer(std::size_t bytes) override { return ends_.buffer(bytes); }
  void send(int to, Bytes message) override {
    const double at = wire_ ? wire_->deliver(now(), message.size()) : 0;
    message.resize(message.size() + sizeof at);
    std::memcpy(message.data() + message.size() - sizeof at, &at, sizeof at);
    ends_.send(to, std::move(message));
  }
  [[nodiscard]] Bytes receive(int from) override {
    Bytes message = ends_.receive(from);
    double at = 0;
    std::memcpy(&at, message.data() + message.size() - sizeof at, sizeof at);
    message.resize(message.size() - sizeof at);
    while (now() < at) std::this_thread::sleep_for(std::chrono::duration<double>(at - now()));
    return message;
  }
  void release(Bytes buffer) override { ends_.release(std::move(buffer)); }
  void abandon(const Failure& why) noexcept override { ends_.abandon(why); }

 private:
  Transport& ends_;
  Wire* wire_;
};

constexpr const char* kSpread = R"(paraiso 1
machine spread dimension 2

static u local f64
  boundary 0 cyclic cyclic
  boundary 1 cyclic cyclic
static most global f64

kernel proceed step
  %0: local f64 = load u
  %1: local f64 = shift %0 (0, 1)
  %2: local f64 = shift %0 (0, -1)
  %3: local f64 = add %1 %2
  %4: local f64 = mul %3 %0
  store u %4
  %5: global f64 = reduce max %4
  store most %5
end

end machine
)";
const om::Cell kSize = {60, 40};

/// Two ranks and more, whose messages a wire delays.
class Delayable {
 public:
  Delayable(const Library& library, const om::Orthotree& tree, Wire* wire)
      : inner_(in_process_ranks(static_cast<int>(tree.leaf_count()))), end_(*inner_[0], wire) {
    for (std::size_t r = 1; r < inner_.size(); ++r)
      others_.emplace_back([&library, &tree, wire, &inner = *inner_[r]] {
        Delayed end(inner, wire);
        (void)divided_instance(library, kSize, tree, 1, end, [] {});
      });
    instance_ = divided_instance(library, kSize, tree, 1, end_, [] {});
  }

  /// Seconds of so many steps, of which ranks are told at once, and which are awaited.
  double seconds_of(std::int64_t steps) {
    const double start = now();
    EXPECT_EQ(instance_->take_steps("proceed", steps, 0).value_or(StepsTaken{}).count, steps);
    instance_->finish();
    return now() - start;
  }
  /// The least of some measurements: other programs only ever delay them.
  double least_of(int repeats, std::int64_t steps) {
    double least = 1e9;
    for (int i = 0; i < repeats; ++i) least = std::min(least, seconds_of(steps));
    return least;
  }
  double step_alone(int repeats) { return least_of(repeats + 1, 1); }
  double step_of_many(int repeats) { return (least_of(repeats, 16) - least_of(repeats, 4)) / 12; }

 private:
  std::vector<std::unique_ptr<Transport>> inner_;
  std::vector<std::jthread> others_;
  Delayed end_;
  std::unique_ptr<RankedInstance> instance_;  // ends first: it tells the others the end
};

/// Each rank on a processor of its own; the wire joins them.
hardware::Hardware wired(std::int64_t ranks, double bytes_per_second) {
  using namespace hardware;
  Hardware graph;
  graph.blocks.push_back({"node", ranks, 0});
  Component cpu{"cpu", Kind::processor, "", 1e9}, ram{"ram", Kind::storage, "", 1e9};
  Component bus{"bus", Kind::interconnect, "", 1e12}, wire{"wire", Kind::interconnect, ""};
  for (Component* one : {&cpu, &ram, &bus}) one->block = 1;
  wire.performance = bytes_per_second;
  wire.latency = kLatency;
  graph.components = {cpu, ram, bus, wire};
  graph.links = {{0, 2}, {1, 2}, {2, 3}};
  return graph;
}

/// `shape` never changes; the sides of `u` are made from it, `v` has nothing to do with it.
constexpr const char* kSides = R"(paraiso 1
machine sides dimension 2

static u local f64
  boundary 0 cyclic cyclic
  boundary 1 kernel edge kernel edge
static shape local f64
  boundary 0 cyclic cyclic
  boundary 1 outflow outflow

boundary_kernel edge
  %0: local f64 = load shape
  %1: local f64 = shift %0 (0, 3)
result %1
end

kernel proceed step
  %0: local f64 = load u
  %1: local f64 = load shape
  %2: local f64 = shift %0 (0, 2)
  %3: local f64 = shift %1 (0, -1)
  %4: local f64 = add %2 %3
  store u %4
end

end machine
)";

TEST(StepWork, SendsWhatRanksSendAgainInEachStep) {
  const om::Machine program = passes::prepare(om::parse(kSides, "sides"), passes::Numbers::fma);
  const om::Kernel& kernel = *program.step_kernel();
  const om::Cell size = {12, 7};
  for (const std::int64_t ranks : {2, 3, 6}) {
    const om::Orthotree tree = om::even_division(size, ranks);
    MessagePlan plan(program, tree, size, {om::exact_wants(om::reads_of(kernel.graph).at(0))});
    Sent sent = plan.nothing_sent();
    const auto first = plan.before(0, sent).sent;
    plan.ran(0, sent);
    const auto again = plan.before(0, sent).sent;
    EXPECT_LT(again.bytes, first.bytes);
    double bytes = 0;
    const auto work =
        hardware::step_work(program, kernel, tree, size, {[](auto, const auto&) { return 1.0; }});
    for (const auto& message : work.messages) bytes += message.bytes;
    EXPECT_EQ(bytes, static_cast<double>(again.bytes)) << ranks;
    EXPECT_EQ(work.messages.size(), static_cast<std::size_t>(again.messages)) << ranks;
  }
}

constexpr const char* kTwoExtremes = R"(paraiso 1
machine m dimension 1
static u local f64
  boundary 0 cyclic cyclic

kernel proceed step
  %0: local f64 = load u
  %1: global f64 = reduce min %0
  %2: global f64 = reduce max %0
  %3: global f64 = sub %2 %1
  %4: local f64 = broadcast %3
  %5: local f64 = mul %0 %4
  store u %5
end

end machine
)";

/// Two reductions of a group that cells wait for take one message of each rank, and one answer.
TEST(Forecast, CountsOneMessageForTheReductionsOfAGroup) {
  const om::Machine program = passes::prepare(om::parse(kTwoExtremes, "m"), passes::Numbers::fma);
  const plan::Plan plan = plan::plan_program(program, plan::default_schedule(program));
  const om::Cell size = {40};
  const om::Orthotree tree = om::even_division(size, 4);
  const std::size_t groups = hardware::reducing_groups(plan.kernels[0]);
  EXPECT_EQ(groups, 1u);
  const auto one_second = [](auto, const auto&) { return 1.0; };
  const auto work =
      hardware::step_work(program, program.kernels[0], tree, size, {one_second}, 1, groups);
  EXPECT_EQ(work.reductions, 1u);
  EXPECT_EQ(work.reduced[0], 16);
  EXPECT_EQ(work.results, 16);
  int sent = 0;
  for (const auto& rank : programs_of(work, hardware::Collectives::emitted))
    for (const hardware::Operation& act : rank) sent += act.kind == hardware::Operation::Kind::send;
  EXPECT_EQ(sent, 3 + 3);  // of each of three what it has, and the answer
  const std::string source = compile(plan, {.optimization = "-O1"}).source();
  EXPECT_NE(source.find("combine_together("), std::string::npos);  // as ranks do
}

/// Steps of real ranks, and what the simulator makes of their messages and of the time that steps
/// take without delay.
class ForecastOfRanks : public testing::Test {
 protected:
  const om::Machine program = passes::prepare(om::parse(kSpread, "spread"), passes::Numbers::fma);
  const Library library = compile(plan::plan_program(program, plan::default_schedule(program)),
                                  {.optimization = "-O1"});

  /// `undelayed`: seconds of a step without delays.
  [[nodiscard]] double forecast(const om::Orthotree& tree, double bytes_per_second, bool alone,
                                double undelayed) {
    const hardware::Hardware graph =
        wired(static_cast<std::int64_t>(tree.leaf_count()), bytes_per_second);
    hardware::Network network(graph);
    auto work = hardware::step_work(program, *program.step_kernel(), tree, kSize,
                                    {[&](auto, const auto&) { return undelayed; }});
    EXPECT_FALSE(work.commanded || work.takes_results);
    work.commanded = work.takes_results = alone;
    std::vector<std::size_t> places(tree.leaf_count());
    std::iota(places.begin(), places.end(), 0);
    const auto simulated =
        hardware::simulate(network, places, programs_of(work, hardware::Collectives::star), 8);
    return (simulated.ends[7] - simulated.ends[0]) / 7;
  }

  /// Of 2, 3 and 5 ranks. Gives the longest.
  double expect_steps_as_foretold(double bytes_per_second, bool alone) {
    double longest = 0;
    for (const std::int64_t ranks : {2, 3, 5}) {
      const om::Orthotree tree = om::even_division(kSize, ranks);
      Wire wire(bytes_per_second);
      Delayable at_once(library, tree, nullptr), delayed(library, tree, &wire);
      const double undelayed = alone ? at_once.step_alone(100) : at_once.step_of_many(30);
      const double step = alone ? delayed.step_alone(8) : delayed.step_of_many(6);
      EXPECT_GT(step, 10 * undelayed);
      EXPECT_NEAR(step / forecast(tree, bytes_per_second, alone, undelayed), 1, 0.05)
          << ranks << " ranks: " << step << " s";
      longest = std::max(longest, step);
    }
    return longest;
  }
};

TEST_F(ForecastOfRanks, EqualsStepsWithDelayedMessages) { expect_steps_as_foretold(100e3, true); }

/// Ranks that are told of many steps at once wait in each for their neighbours alone.
TEST_F(ForecastOfRanks, EqualsManyStepsWithDelayedMessages) {
  EXPECT_LT(expect_steps_as_foretold(1e9, false), 1.2 * kLatency);
}

}  // namespace
}  // namespace paraiso::runtime
