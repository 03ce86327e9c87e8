// engine: when each of many ranks does what, as discrete events: they compute, send and wait, and
// messages share the interconnects that they go through.
// Gives: Operation, RankProgram, Noise, Simulated, simulate. Needs: Network.
//
// A message leaves when its sender has been busy for the route's overhead. Its first byte takes
// each interconnect's latency; those messages of which an interconnect has bytes have equal shares
// of its bandwidth; the last byte is as late as the slowest interconnect makes it. The receiver is
// busy for the overhead again. So without contention a message of n bytes takes
//
//   2 * overhead + sum of latencies + n / smallest bandwidth        (LogGP, with a gap for bytes)
//
// What one interconnect can't take on yet waits before it, and holds up no other.
#pragma once

#include <cstdint>
#include <vector>

#include "paraiso/hardware/network.hpp"

namespace paraiso::hardware {

struct Operation {
  enum class Kind : std::uint8_t { compute, send, receive };
  Kind kind = Kind::compute;
  std::uint32_t peer = 0;  // of a message
  double amount = 0;       // seconds, or bytes of what is sent
};
[[nodiscard]] inline Operation compute(double seconds) {
  return {Operation::Kind::compute, 0, seconds};
}
[[nodiscard]] inline Operation send(std::size_t to, double bytes) {
  return {Operation::Kind::send, static_cast<std::uint32_t>(to), bytes};
}
[[nodiscard]] inline Operation receive(std::size_t from) {
  return {Operation::Kind::receive, static_cast<std::uint32_t>(from), 0};
}

/// What a rank does in a step. Messages from one rank to another arrive in order.
using RankProgram = std::vector<Operation>;

/// What makes equal work take unequal time.
struct Noise {
  double jitter = 0;  // computing takes 1 + jitter * x times as long, x exponential with mean 1
  std::uint64_t seed = 1;
  std::vector<double> slowness = {};  // by processor: how many times as long; empty: 1
};

struct Simulated {
  std::vector<double> ends;     // of each step: seconds from the beginning until all ranks ended it
  std::vector<double> working;  // of each rank: seconds, all steps together
  double messages = 0, bytes = 0;
};

/// `places`: the processor of each rank. Throws Error if a rank waits for what nobody sends.
[[nodiscard]] Simulated simulate(Network& network, const std::vector<std::size_t>& places,
                                 const std::vector<RankProgram>& programs, std::int64_t steps,
                                 const Noise& noise = {});

}  // namespace paraiso::hardware
