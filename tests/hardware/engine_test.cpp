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
    work.takes_results = true;
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

TEST(Engine, WhatIsComputedAheadHidesMessages) {
  // Each of two ranks sends the other bytes that travel for 2^-6 s.
  const Hardware graph = nodes(2);
  Network network(graph);
  StepWork work;
  work.seconds.assign(2, 0x1p-6);
  work.messages = {{0, 1, 0x1p24, 0}, {1, 0, 0x1p24, 0}};
  const auto seconds = [&](double share) {
    work.ahead.assign(share > 0 ? 2 : 0, share * 0x1p-6);
    return simulate(network, one_each(2), programs_of(work, Collectives::emitted), 1).ends[0];
  };
  const double travelling = kLatency + 0x1p24 * kByte;
  EXPECT_EQ(seconds(0), 2 * kOverhead + travelling + 0x1p-6);
  EXPECT_EQ(seconds(0.5), 2 * kOverhead + travelling + 0x1p-7);
  EXPECT_EQ(seconds(1), 2 * kOverhead + travelling);
}

TEST(Engine, OneExchangeForSeveralCalls) {
  const Hardware graph = nodes(2);
  Network network(graph);
  StepWork work;
  work.seconds.assign(2, 0x1p-6);
  work.messages = {{0, 1, 0x1p20, 0}, {1, 0, 0x1p20, 0}};
  work.calls = 4;
  const Simulated found =
      simulate(network, one_each(2), programs_of(work, Collectives::emitted), 1);
  EXPECT_EQ(found.ends[0], 4 * 0x1p-6 + 2 * kOverhead + kLatency + 0x1p20 * kByte);
  EXPECT_EQ(found.messages, 2);
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

TEST(Engine, MessagesShareAnInterconnect) {
  // Four senders, one receiver: its adapter carries all bytes, the others a quarter each. All are
  // there at the same time, and are received one after the other.
  constexpr double kBytes = 1 << 24;
  const Hardware graph = nodes(5);
  Network network(graph);
  std::vector<RankProgram> programs(5);
  for (std::size_t r = 1; r < 5; ++r) {
    programs[r].push_back(send(0, kBytes));
    programs[0].push_back(receive(r));
  }
  const Simulated found = simulate(network, one_each(5), programs, 1);
  EXPECT_EQ(found.ends[0], kOverhead + kLatency + 4 * kBytes * kByte + 4 * kOverhead);
}

/// When each rank but the first has what the first one sends it: so many bytes each, at once.
std::vector<double> ends_of_messages(Hardware graph, const std::vector<double>& bytes) {
  for (Component& one : graph.components) one.overhead = 0;
  Network network(graph);
  std::vector<double> ends;
  for (std::size_t r = 1; r <= bytes.size(); ++r) {
    std::vector<RankProgram> programs(bytes.size() + 1);
    for (std::size_t to = 1; to <= bytes.size(); ++to)
      programs[0].push_back(send(to, bytes[to - 1]));
    programs[r].push_back(receive(0));
    ends.push_back(simulate(network, one_each(programs.size()), programs, 1).ends[0]);
  }
  return ends;
}

TEST(Engine, SharesAreEqualAsLongAsThereAreBytes) {
  // Of 1, 1 and 2 units: three until the short ones end after 3, then one that needs the rest.
  constexpr double kUnit = 1 << 24;
  const auto ends = ends_of_messages(nodes(4), {kUnit, kUnit, 2 * kUnit});
  EXPECT_NEAR(ends[0], kLatency + 3 * kUnit * kByte, 1e-12);
  EXPECT_EQ(ends[1], ends[0]);
  EXPECT_NEAR(ends[2], kLatency + 4 * kUnit * kByte, 1e-12);
}

TEST(Engine, WhatComesLaterHasItsShareFromThenOn) {
  // One of 4 units has 2 behind it when another of 4 comes: then both are halved, until the first
  // ends at 2 + 4, and the other has had 2 and needs 2 more.
  constexpr double kUnit = 1 << 24;
  Hardware graph = nodes(3);
  for (Component& one : graph.components) one.overhead = 0;
  Network network(graph);
  for (const std::size_t waits : {1u, 2u}) {
    std::vector<RankProgram> programs(3);
    programs[0] = {send(1, 4 * kUnit), compute(2 * kUnit * kByte), send(2, 4 * kUnit)};
    programs[waits] = {receive(0)};
    EXPECT_EQ(simulate(network, one_each(3), programs, 1).ends[0],
              kLatency + (waits == 1 ? 6 : 8) * kUnit * kByte);
  }
}

TEST(Engine, WhatWaitsHoldsUpNoOther) {
  // Rank 0 sends to 1, whose adapter three others use, too, and to 4, which nobody else does.
  constexpr double kUnit = 1 << 24;
  Hardware graph = nodes(6);
  for (Component& one : graph.components) one.overhead = 0;
  Network network(graph);
  const auto end = [&](std::size_t waits) {
    std::vector<RankProgram> programs(6);
    programs[0] = {send(1, kUnit), send(4, kUnit)};
    for (const std::size_t other : {2u, 3u, 5u}) programs[other] = {send(1, kUnit)};
    programs[waits] = {receive(0)};
    return simulate(network, one_each(6), programs, 1).ends[0];
  };
  EXPECT_EQ(end(4), kLatency + 2 * kUnit * kByte);
  EXPECT_EQ(end(1), kLatency + 4 * kUnit * kByte);
}

TEST(Engine, MessagesToOneRankKeepTheirOrder) {
  // The short one is there first, and is received second.
  constexpr double kUnit = 1 << 24;
  Hardware graph = nodes(2);
  for (Component& one : graph.components) one.overhead = 0;
  Network network(graph);
  const auto end = [&](double work) {
    return simulate(network, one_each(2),
                    {{send(1, 3 * kUnit), send(1, kUnit)}, {receive(0), compute(work), receive(0)}},
                    1)
        .ends[0];
  };
  EXPECT_EQ(end(0), kLatency + 4 * kUnit * kByte);
  EXPECT_EQ(end(1), 1 + kLatency + 4 * kUnit * kByte);
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
  work.takes_results = true;  // each step waits for the slowest
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
