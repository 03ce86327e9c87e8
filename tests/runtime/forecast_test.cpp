// Simulated steps against those of real ranks whose messages are delayed by known times.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

#include "paraiso/hardware/simulate/step_work.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/ranks/messages.hpp"

namespace paraiso::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLatency = 8e-3, kBytesPerSecond = 100e3;

/// What all ranks send goes through one wire, one message after another.
class Wire {
 public:
  double deliver(double now, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    free_ = std::max(now, free_) + static_cast<double>(bytes) / kBytesPerSecond;
    return free_ + kLatency;
  }

 private:
  std::mutex mutex_;
  double free_ = 0;
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

/// Seconds of the fastest of some steps, each of which is awaited: other programs only ever delay
/// them.
double measured(const Library& library, const om::Orthotree& tree, Wire* wire) {
  const auto inner = in_process_ranks(static_cast<int>(tree.leaf_count()));
  std::vector<std::jthread> others;
  for (std::size_t r = 1; r < inner.size(); ++r)
    others.emplace_back([&, r] {
      Delayed end(*inner[r], wire);
      (void)divided_instance(library, kSize, tree, 1, end, [] {});
    });
  Delayed end(*inner[0], wire);
  const auto instance = divided_instance(library, kSize, tree, 1, end, [] {});
  double best = 1e9;
  for (int step = 0; step < (wire ? 8 : 100); ++step) {
    const double start = now();
    instance->run("proceed");
    instance->finish();
    if (step > 0) best = std::min(best, now() - start);
  }
  return best;
}

/// Each rank on a processor of its own; the wire joins them.
hardware::Hardware wired(std::int64_t ranks) {
  using namespace hardware;
  Hardware graph;
  graph.blocks.push_back({"node", ranks, 0});
  Component cpu{"cpu", Kind::processor, "", 1e9}, ram{"ram", Kind::storage, "", 1e9};
  Component bus{"bus", Kind::interconnect, "", 1e12}, wire{"wire", Kind::interconnect, ""};
  for (Component* one : {&cpu, &ram, &bus}) one->block = 1;
  wire.performance = kBytesPerSecond;
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

TEST(Forecast, IsThatOfRanksWithDelayedMessages) {
  const om::Machine program = passes::prepare(om::parse(kSpread, "spread"), passes::Numbers::fma);
  const Library library = compile(plan::plan_program(program, plan::default_schedule(program)),
                                  {.optimization = "-O1"});
  for (const std::int64_t ranks : {2, 3, 5}) {
    const om::Orthotree tree = om::even_division(kSize, ranks);
    const double undelayed = measured(library, tree, nullptr);
    Wire wire;
    const double delayed = measured(library, tree, &wire);
    const hardware::Hardware graph = wired(ranks);
    hardware::Network network(graph);
    auto work = hardware::step_work(program, *program.step_kernel(), tree, kSize,
                                    {[&](auto, const auto&) { return undelayed; }});
    work.takes_results = true;
    std::vector<std::size_t> places;
    for (std::int64_t r = 0; r < ranks; ++r) places.push_back(static_cast<std::size_t>(r));
    const auto simulated =
        hardware::simulate(network, places, programs_of(work, hardware::Collectives::star), 8);
    const double forecast = (simulated.ends[7] - simulated.ends[0]) / 7;
    EXPECT_GT(delayed, 10 * undelayed);
    EXPECT_NEAR(delayed / forecast, 1, 0.05) << ranks << " ranks: " << delayed << " s";
    RecordProperty("forecast" + std::to_string(ranks), std::to_string(forecast));
    RecordProperty("measured" + std::to_string(ranks), std::to_string(delayed));
  }
}

}  // namespace
}  // namespace paraiso::runtime
