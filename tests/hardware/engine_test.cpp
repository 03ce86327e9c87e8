// Simulated time against closed forms, exactly: a ring and a tree without contention, what shares
// an interconnect, and that noise is drawn from its seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "paraiso/hardware/simulate/step_work.hpp"

namespace paraiso::hardware {
namespace {

// Powers of two, so that sums of times have no rounding.
constexpr double kLatency = 0x1p-10, kOverhead = 0x1p-12, kByte = 0x1p-30;

/// Nodes that are joined by a switch so fast that nobody waits for it.
Hardware nodes(std::int64_t count, double bytes_per_second = 1 / kByte) {
  Hardware graph;
  graph.blocks.push_back({"node", count, 0});
  Component cpu{"cpu", Kind::processor, "", 1e9};
  Component memory{"memory", Kind::storage, "", 1e9};
  Component adapter{"adapter", Kind::interconnect, "", bytes_per_second};
  adapter.overhead = kOverhead / 2;
  adapter.duplex = true;
  for (Component* one : {&cpu, &memory, &adapter}) one->block = 1;
  Component net{"net", Kind::interconnect, "", 0x1p200};
  net.latency = kLatency;
  graph.components = {cpu, memory, adapter, net};
  graph.links = {{0, 2}, {1, 2}, {2, 3}};
  return graph;
}

std::vector<std::size_t> one_each(std::size_t count) {
  std::vector<std::size_t> places(count);
  for (std::size_t r = 0; r < count; ++r) places[r] = r;
  return places;
}

TEST(Engine, RingTakesWhatItsClosedFormSays) {
  // Each rank computes, sends to the right and waits for the left: per step work, two overheads,
  // a latency and the bytes through one adapter, as the other carries them meanwhile.
  constexpr double kWork = 0x1p-8, kBytes = 1 << 20;
  for (const std::size_t ranks : {2u, 3u, 16u, 1000u}) {
    const Hardware graph = nodes(static_cast<std::int64_t>(ranks));
    ASSERT_FALSE(complaint(graph));
    Network network(graph);
    std::vector<RankProgram> programs;
    for (std::size_t r = 0; r < ranks; ++r)
      programs.push_back(
          {compute(kWork), send((r + 1) % ranks, kBytes), receive((r + ranks - 1) % ranks)});
    const Simulated found = simulate(network, one_each(ranks), programs, 10);
    const double step = kWork + 2 * kOverhead + kLatency + kBytes * kByte;
    for (int s = 0; s < 10; ++s)
      EXPECT_EQ(found.ends[static_cast<std::size_t>(s)], (s + 1) * step) << ranks;
    EXPECT_EQ(found.working[0], 10 * (kWork + 2 * kOverhead));
    EXPECT_EQ(found.messages, 10.0 * static_cast<double>(ranks));
  }
}

TEST(Engine, TreeTakesOneMessageALevel) {
  // 2^k ranks: work, then k levels up and k down; each an overhead at both ends, a latency and its
  // bytes. Before it the command goes down, after it the answer comes up.
  for (const std::size_t ranks : {2u, 4u, 8u, 256u, 4096u}) {
    const Hardware graph = nodes(static_cast<std::int64_t>(ranks));
    Network network(graph);
    StepWork work;
    work.seconds.assign(ranks, 0x1p-6);
    work.reductions = 1;
    work.reduced.assign(ranks, 8);
    const auto levels = static_cast<double>(std::bit_width(ranks) - 1);
    const Simulated found =
        simulate(network, one_each(ranks), programs_of(work, Collectives::tree), 1);
    // Rank 0 ends last: it hears of all. The last rank that the command reaches was served by ranks
    // that had nothing else to send before it.
    const double message = 2 * kOverhead + kLatency;
    EXPECT_EQ(found.ends[0], 4 * levels * message + 0x1p-6 + levels * kByte * (24 + 8 + 8 + 0))
        << ranks;
  }
}

TEST(Engine, StarServesOneRankAfterAnother) {
  // The answers: rank 0 is busy for an overhead with each; those of equal ranks come together.
  const Hardware graph = nodes(9);
  Network network(graph);
  std::vector<RankProgram> programs(9);
  for (std::size_t r = 1; r < 9; ++r) {
    programs[0].push_back(receive(r));
    programs[r].push_back(send(0, 0));
  }
  const Simulated found = simulate(network, one_each(9), programs, 1);
  EXPECT_EQ(found.ends[0], kOverhead + kLatency + 8 * kOverhead);
}

TEST(Engine, AnInterconnectCarriesOneMessageAfterAnother) {
  // Four senders, one receiver: its adapter carries all bytes, the others a quarter each.
  constexpr double kBytes = 1 << 24;
  const Hardware graph = nodes(5);
  Network network(graph);
  std::vector<RankProgram> programs(5);
  for (std::size_t r = 1; r < 5; ++r) {
    programs[r].push_back(send(0, kBytes));
    programs[0].push_back(receive(r));
  }
  const Simulated found = simulate(network, one_each(5), programs, 1);
  EXPECT_EQ(found.ends[0], kOverhead + kLatency + 4 * kBytes * kByte + kOverhead);
}

TEST(Engine, RanksOfANodeShareItsAdapter) {
  Hardware graph = nodes(2);
  graph.components.push_back({"core", Kind::processor, "", 1e9});
  graph.components.back().block = 1;
  graph.links.push_back({4, 2});
  Network network(graph);
  ASSERT_EQ(network.sites().size(), 4u);
  constexpr double kBytes = 1 << 24;
  const auto seconds = [&](bool both) {
    std::vector<RankProgram> programs(4);
    for (std::size_t r = 0; r < (both ? 2u : 1u); ++r) {
      programs[r].push_back(send(r + 2, kBytes));
      programs[r + 2].push_back(receive(r));
    }
    return simulate(network, one_each(4), programs, 1).ends[0];
  };
  EXPECT_EQ(seconds(true) - seconds(false), kBytes * kByte);
}

TEST(Engine, NoiseIsThatOfItsSeed) {
  const Hardware graph = nodes(8);
  Network network(graph);
  StepWork work;
  work.seconds.assign(8, 1);  // long against messages
  const auto programs = programs_of(work, Collectives::tree);
  const auto seconds = [&](const Noise& noise) {
    return simulate(network, one_each(8), programs, 200, noise).ends.back();
  };
  const double quiet = seconds({});
  EXPECT_EQ(seconds({0.1, 7}), seconds({0.1, 7}));
  EXPECT_NE(seconds({0.1, 7}), seconds({0.1, 8}));
  // The slowest of 8 is late by the mean of the largest of 8 exponentials: 1 + 1/2 + ... + 1/8.
  const double late = 200 * 0.1 * (761.0 / 280);
  EXPECT_NEAR(seconds({0.1, 7}) - quiet, late, 0.1 * late);
  std::vector<double> slowness(8, 1);
  slowness[7] = 2;  // which the command reaches last
  EXPECT_NEAR(seconds({0, 1, slowness}) - quiet, 200, 1e-9);
}

TEST(Engine, WaitingForNothingIsAnError) {
  const Hardware graph = nodes(2);
  Network network(graph);
  try {
    (void)simulate(network, one_each(2), {{}, {receive(0)}}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "error: rank 1 waits for a message that is never sent");
  }
}

}  // namespace
}  // namespace paraiso::hardware
