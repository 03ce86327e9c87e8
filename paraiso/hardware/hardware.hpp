// Hardware: what a program runs on, as a graph of processors, storages and interconnects.
// Gives: Kind, Component, Subgraph, Link, Hardware, Complaint, complaint, print, parse_hardware,
// performance_text. Needs: Error.
//
// T. Muranushi (2012), section 5: a component is labelled `method : tag : performance`, processors
// and storages are never joined directly, and a subgraph may stand for many equal ones. As text, a
// subset of Graphviz's language that its programs draw, too:
//
//   graph "small cluster" {
//     switch [label="move : Ethernet : 10 GB/s, latency 5 us"];
//     subgraph cluster_node {
//       label="4x node";
//       cpu [label="compute : EPYC : 1 Tflop/s, 16 threads"];
//       bus [label="move : DDR5 : 200 GB/s"];
//       dram [label="allocate : memory : 256 GB"];
//       cpu -- bus -- dram;
//     }
//     bus -- switch;
//   }
//
// A link joins each copy of one component to each copy of the other that lies in the same copies of
// the blocks that hold both: here each of four buses to the one switch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraiso/base/error.hpp"

namespace paraiso::hardware {

/// By the method: `compute`, `allocate`, `move`.
enum class Kind : std::uint8_t { processor, storage, interconnect };

struct Component {
  std::string name;  // in the graph
  Kind kind = Kind::processor;
  std::string tag;           // for people
  double performance = 0;    // operations a second; bytes; bytes a second
  int threads = 1;           // of a processor
  std::string machine = {};  // of a processor: the file of its measurements; empty: none
  double latency = 0;     // of an interconnect: seconds until the first byte is on its other side,
  double overhead = 0;    // and that a processor is busy to send or receive a message through it
  bool duplex = false;    // it has its performance in each direction
  std::size_t block = 0;  // that it lies in
  friend bool operator==(const Component&, const Component&) = default;
};

/// So many equal parts of the graph.
struct Subgraph {
  std::string name;
  std::int64_t count = 1;
  std::size_t parent = 0;  // before it in the list; the first one, the whole graph, has itself
  friend bool operator==(const Subgraph&, const Subgraph&) = default;
};

struct Link {
  std::size_t one = 0, other = 0;  // components
  friend bool operator==(const Link&, const Link&) = default;
};

struct Hardware {
  std::string name;
  std::vector<Subgraph> blocks = {{}};
  std::vector<Component> components;
  std::vector<Link> links;

  /// The copies of a block, or of a component in it.
  [[nodiscard]] double copies(std::size_t block) const;
  friend bool operator==(const Hardware&, const Hardware&) = default;
};
inline constexpr double kMostProcessors = 1 << 20;

/// What makes no sense, and the component or link that it is about.
struct Complaint {
  std::string message;
  std::optional<std::size_t> component = {}, link = {};
};
/// A link without an interconnect; no processor, or too many; a processor that reaches no storage,
/// or not each other one.
[[nodiscard]] std::optional<Complaint> complaint(const Hardware& hardware);

/// The performance of a component in a label: `25 GB/s, latency 1.2 us`.
[[nodiscard]] std::string performance_text(const Component& component);
/// Sets the performance of a component of its kind. Throws Error at `location`.
void read_performance(std::string_view text, Component& component, Location location);

[[nodiscard]] std::string print(const Hardware& hardware);
/// Reads what `print` writes. Throws Error at the line.
[[nodiscard]] Hardware parse_hardware(std::string_view text, std::string_view file);

}  // namespace paraiso::hardware
