// Hardware graphs: read, printed, and refused where they make no sense.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "paraiso/hardware/network.hpp"
#include "paraiso/hardware/rank_places.hpp"

namespace paraiso::hardware {
namespace {

constexpr const char* kCluster = R"(// two racks
graph "small cluster" {
  node [shape=box];
  spine [label="move : Ethernet : 10 GB/s, latency 5 us"];
  subgraph cluster_rack {
    label="2x rack"; color=grey;
    leaf [label="move : switch : 40 GB/s, latency 300 ns, duplex"];
    subgraph "3x node" {
      cpu [label="compute : EPYC : 1.5 Tflop/s, 16 threads", machine="epyc.json"];
      cpu -- bus -- dram -- nowhere_yet;  /* the last one comes below */
      bus [label="move : DDR5 : 200 GB/s"]
      dram [label="allocate : memory : 256 GiB"]
      nowhere_yet [label="move : disk cable : 1 GB/s, overhead 0.5 ms"];
    }
    bus -- leaf [style=dashed];
  }
  leaf -- spine
}
)";

TEST(Hardware, IsReadFromTheLanguageOfGraphviz) {
  const Hardware cluster = parse_hardware(kCluster, "a.dot");
  EXPECT_EQ(cluster.name, "small cluster");
  ASSERT_EQ(cluster.blocks.size(), 3u);
  EXPECT_EQ(cluster.blocks[1], (Subgraph{"rack", 2, 0}));
  EXPECT_EQ(cluster.blocks[2], (Subgraph{"node", 3, 1}));
  ASSERT_EQ(cluster.components.size(), 6u);
  const Component cpu{"cpu", Kind::processor, "EPYC", 1.5e12, 16, "epyc.json", 0, 0, false, 2};
  EXPECT_EQ(cluster.components[2], cpu);
  EXPECT_EQ(cluster.components[1].latency, 300e-9);
  EXPECT_TRUE(cluster.components[1].duplex);
  EXPECT_EQ(cluster.components[4].performance, 256 * 0x1p30);
  EXPECT_EQ(cluster.components[5].overhead, 0.5e-3);
  EXPECT_EQ(cluster.links.size(), 5u);
  EXPECT_EQ(cluster.copies(2), 6);
}

TEST(Hardware, IsWhatItsTextSays) {
  const std::string text = print(parse_hardware(kCluster, "a.dot"));
  EXPECT_EQ(print(parse_hardware(text, "b.dot")), text);
  EXPECT_NE(text.find(R"(  subgraph "cluster_rack" {
    label="2x rack";
    "leaf" [label="move : switch : 40 GB/s, latency 300 ns, duplex"];
    subgraph "cluster_node" {
      label="3x node";
      "cpu" [label="compute : EPYC : 1.5 Tflop/s, 16 threads", machine="epyc.json"];
)"),
            std::string::npos)
      << text;
}

// 65.6 * 1e9 is not 6.56e10, and 1.23 * 1e-6 not 1.23e-6: measured values have three digits.
TEST(Hardware, MeasuredValuesKeepTheirPrefixes) {
  const auto said = [](double speed, double latency) {
    Component bus;
    bus.kind = Kind::interconnect;
    bus.performance = speed;
    bus.latency = latency;
    return performance_text(bus);
  };
  EXPECT_EQ(said(6.56e10, 1.15e-6), "65.6 GB/s, latency 1.15 us");
  for (int digits = 100; digits < 1000; ++digits) {
    const double number = digits / 100.0;
    const std::string text = fmt::format("{} GB/s, latency {} us", number, number);
    Component read;
    read.kind = Kind::interconnect;
    read_performance(text, read, {});
    EXPECT_EQ(read.performance, std::strtod(fmt::format("{}e9", number).c_str(), nullptr));
    EXPECT_EQ(read.latency, std::strtod(fmt::format("{}e-6", number).c_str(), nullptr));
    EXPECT_EQ(performance_text(read), text);
  }
  EXPECT_EQ(said(1e9 / 3, 1.02e1 / 1e6), "333.333333333333 MB/s, latency 10.2 us");
}

/// A sound graph with one line more, which is line 5.
std::string with_line(const std::string& line) {
  return "graph {\n  cpu [label=\"compute : a : 1 Gflop/s\"];\n"
         "  bus [label=\"move : b : 1 GB/s\"];\n  ram [label=\"allocate : c : 1 GB\"];\n" +
         line + "\n  cpu -- bus -- ram;\n}\n";
}

std::string message_of(const std::string& text) {
  try {
    (void)parse_hardware(text, "a.dot");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Hardware, WithoutSenseIsRefusedAtItsLine) {
  EXPECT_EQ(message_of(with_line("")), "");
  const std::pair<const char*, const char*> cases[] = {
      {"cpu -- ram",
       "the processor `cpu` is joined to the storage `ram`: an interconnect must lie "
       "between them"},
      {"bus -- bus", "`bus` is joined to itself"},
      {"gpu [label=\"compute : g : 1 Gflop/s\"]",
       "no storage can be reached from the processor `gpu`"},
      {"gpu [label=\"compute : g : 1 Gflop/s\"] hbm [label=\"allocate : h : 1 GB\"] "
       "link [label=\"move : l : 1 GB/s\"] gpu -- link -- hbm",
       "no path between `cpu` and `gpu`"},
      {"x [label=\"compute : g : 0 Gflop/s\"]", "`0 Gflop/s` is not above 0"},
      {"x [label=\"compute : g : -2 Gflop/s\"]", "`-2 Gflop/s` is not above 0"},
      {"x [label=\"compute : g : nan flop/s\"]", "`nan flop/s` is not above 0"},
      {"x [label=\"compute : g : 3 GB/s\"]",
       "`3 GB/s` has the unit `GB/s`, not flop/s with a prefix"},
      {"x [label=\"move : g : 3 furlong/s\"]",
       "`3 furlong/s` has the unit `furlong/s`, not B/s with a prefix"},
      {"x [label=\"move : g : fast\"]", "`fast` is not a number with the unit B/s"},
      {"x [label=\"move : g : 1 GB/s, latency -1 us\"]",
       "`latency -1 us` is not a time of 0 or more"},
      {"x [label=\"compute : g : 1 Gflop/s, 0 threads\"]",
       "`0 threads` is not a number of threads from 1 to 4096"},
      {"x [label=\"melt : g : 1 Gflop/s\"]",
       "no method `melt`: there is compute, allocate and move"},
      {"x [label=\"a thing\"]", "`a thing` is not `method : tag : performance`"},
      {"x", "`x` has no label `method : tag : performance`"},
      {"x [shape=box]", "`x` has no label `method : tag : performance`"},
      {"bus -- y", "`y` is joined and has no label"},
      {"cpu [label=\"compute : a : 1 Gflop/s\"]", "`cpu` is declared twice"},
      {"ram2 [label=\"allocate : c : 1 GB\", machine=\"m.json\"]",
       "`ram2` is no processor, and has a `machine`"},
      {"bus -> ram", "expected `--`, found `->`"},
      {"bus -- ;", "expected a name, found `;`"},
      {"subgraph \"0x\" {}", "`0x` is not from 1x to 1048576x"},
      {"\"no end", "a text in quotes has no end"},
      {"/* no end", "a comment has no end"},
      {"} more {", "expected nothing after the graph, found `more`"},
  };
  for (const auto& [line, message] : cases)
    EXPECT_EQ(message_of(with_line(line)), std::string("a.dot:5: error: ") + message) << line;
  EXPECT_EQ(message_of("digraph {}"), "a.dot:1: error: expected `graph`, found `digraph`");
  EXPECT_EQ(message_of("graph {"), "a.dot:1: error: expected `}`, found the end");
  EXPECT_EQ(message_of("graph {}"), "a.dot:1: error: there is no processor");
  EXPECT_EQ(message_of(with_line("x [label=\"move : g : 1 GB/s, 3 threads\"]")),
            "a.dot:5: error: `3 threads` says nothing of such a component\n"
            "hint: a performance is like `25 GB/s, latency 1.2 us, overhead 0.3 us, duplex`");
}

TEST(Hardware, CopiesMustBeJoined) {
  EXPECT_EQ(
      message_of("graph {\n subgraph \"4x node\" {\n  cpu [label=\"compute : a : 1 flop/s\"]\n"
                 "  bus [label=\"move : b : 1 B/s\"] ram [label=\"allocate : c : 1 B\"]\n"
                 "  cpu -- bus -- ram\n }\n}\n"),
      "a.dot:3: error: no path between the copies of `cpu`");
  EXPECT_EQ(message_of("graph {\n subgraph \"1048576x\" { subgraph \"2x\" {\n"
                       "  cpu [label=\"compute : a : 1 flop/s\"] } }\n}\n"),
            "a.dot:3: error: more than 1048576 copies of `cpu`");
}

TEST(Hardware, NestedWithoutLimitIsRefused) {
  const auto nested = [](int depth, const std::string& name) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "subgraph " + name + " { ";
    return text + std::string(static_cast<std::size_t>(depth), '}');
  };
  EXPECT_EQ(message_of(with_line(nested(64, "inner"))), "");
  EXPECT_EQ(message_of(with_line(nested(65, "inner"))),
            "a.dot:5: error: more than 64 subgraphs lie in each other");
  EXPECT_EQ(message_of(with_line(nested(1'000'000, "inner"))),
            "a.dot:5: error: more than 64 subgraphs lie in each other");
}

TEST(Hardware, EmptySubgraphsCostNothing) {
  const std::string open = "subgraph \"1048576x\" { ";
  EXPECT_EQ(message_of(with_line(open + open + open + "}}}")), "");
}

TEST(Network, LeadsThroughWhatLiesBetween) {
  const Hardware cluster = parse_hardware(kCluster, "a.dot");
  Network network(cluster);
  ASSERT_EQ(network.sites().size(), 6u);
  EXPECT_EQ(network.sites()[4].copies, (std::vector<std::int64_t>{0, 1, 1}));
  EXPECT_EQ(network.route(2, 2)->hops.size(), 1u);  // bus, to the memory
  EXPECT_EQ(network.route(0, 2)->hops.size(), 3u);  // bus, leaf, bus
  const Route far = *network.route(1, 5);           // bus, leaf, spine, leaf, bus
  ASSERT_EQ(far.hops.size(), 5u);
  EXPECT_EQ(far.hops[1].latency, 300e-9);
  EXPECT_EQ(far.hops[2].seconds_per_byte, 1 / 10e9);
  // The same leaf in each direction is a carrier of its own; the spine has one.
  const Route back = *network.route(5, 1);
  EXPECT_EQ(back.hops[2].carrier, far.hops[2].carrier);
  EXPECT_NE(back.hops[1].carrier, far.hops[3].carrier);
  EXPECT_EQ(back.hops[0].carrier, far.hops[4].carrier);
  EXPECT_EQ(network.route(2, 5)->hops[1].carrier, far.hops[1].carrier);
}

TEST(Network, SpreadsMessagesOverCopies) {
  const Hardware tree = parse_hardware(R"(graph {
  subgraph "2x spines" { spine [label="move : s : 1 GB/s"] }
  subgraph "4x nodes" {
    cpu [label="compute : a : 1 Gflop/s"] bus [label="move : b : 1 GB/s"]
    ram [label="allocate : c : 1 GB"] cpu -- bus -- ram
  }
  bus -- spine
})",
                                       "a.dot");
  Network network(tree);
  EXPECT_NE(network.route(0, 2)->hops[1].carrier, network.route(0, 3)->hops[1].carrier);
  EXPECT_EQ(network.route(0, 3)->hops[1].carrier, network.route(1, 2)->hops[1].carrier);
}

TEST(Network, LeadsToTheTargetsOwnOfAnotherKindOfNodes) {
  const Hardware two = parse_hardware(R"(graph {
  net [label="move : s : 1 GB/s"]
  subgraph "4x slow" {
    cpu [label="compute : a : 1 Gflop/s"] bus [label="move : b : 1 GB/s"]
    ram [label="allocate : c : 1 GB"] cpu -- bus -- ram
  }
  subgraph "4x fast" {
    cpu2 [label="compute : a : 9 Gflop/s"] bus2 [label="move : b : 9 GB/s"]
    ram2 [label="allocate : c : 1 GB"] cpu2 -- bus2 -- ram2
  }
  bus -- net -- bus2
})",
                                      "a.dot");
  Network network(two);
  for (std::size_t slow = 0; slow < 4; ++slow)
    for (std::size_t fast = 4; fast < 8; ++fast)
      for (const auto& [from, to] : {std::pair(slow, fast), std::pair(fast, slow)}) {
        const auto hops = network.route(from, to)->hops;
        ASSERT_EQ(hops.size(), 3u);
        EXPECT_EQ(hops[0].carrier, network.route(from, from)->hops[0].carrier);
        EXPECT_EQ(hops[2].carrier, network.route(to, to)->hops[0].carrier) << from << " to " << to;
      }
}

TEST(RankPlaces, AreFilledInOrderAndAsEvenlyAsMayBe) {
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(rank_places(3, 5), (Places{0, 1, 2}));
  EXPECT_EQ(rank_places(4, 4), (Places{0, 1, 2, 3}));
  EXPECT_EQ(rank_places(5, 4), (Places{0, 0, 1, 1, 2}));  // two each, so three suffice
  EXPECT_EQ(rank_places(7, 2), (Places{0, 0, 0, 0, 1, 1, 1}));
  for (std::size_t processors = 1; processors < 12; ++processors)
    for (std::size_t ranks = 1; ranks < 40; ++ranks) {
      const Places places = rank_places(ranks, processors);
      EXPECT_TRUE(std::ranges::is_sorted(places));
      EXPECT_LT(places.back(), processors);
      std::vector<std::size_t> counts(places.back() + 1);
      for (const std::size_t place : places) ++counts[place];
      const auto [least, most] = std::ranges::minmax(counts);
      EXPECT_LE(most - least, 1u);
      EXPECT_EQ(most, (ranks + processors - 1) / processors);
    }
}

TEST(RankPlaces, ShareTheSpeedOfAProcessor) {
  const Hardware cluster = parse_hardware(kCluster, "a.dot");  // six processors
  EXPECT_EQ(rank_speeds(cluster, 6), std::vector<double>(6, 1.5e12));
  const double half = 1.5e12 / 2;
  EXPECT_EQ(rank_speeds(cluster, 7),
            (std::vector<double>{half, half, half, half, half, half, 1.5e12}));
}

TEST(RankPlaces, ShareTheStorageNearThem) {
  const Hardware graph = parse_hardware(R"(graph g {
  subgraph "2x node" {
    subgraph "2x socket" {
      cpu [label="compute : c : 1 Gflop/s"]; bus [label="move : b : 1 GB/s"]; cpu -- bus;
    }
    ram [label="allocate : m : 60 GB"]; bus -- ram;
  }
  net [label="move : n : 1 GB/s"]; bus -- net;
})",
                                        "a.dot");
  EXPECT_EQ(rank_memories(graph, 4), std::vector<double>(4, 30e9));
  EXPECT_EQ(rank_memories(graph, 3), (std::vector<double>{30e9, 30e9, 60e9}));
  EXPECT_EQ(rank_memories(graph, 12), std::vector<double>(12, 10e9));
}

}  // namespace
}  // namespace paraiso::hardware
