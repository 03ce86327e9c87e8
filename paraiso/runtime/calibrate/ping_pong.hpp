// ping_pong: what a message between two ranks takes.
// Gives: MessageTime, ping_pong, echo, far_rank, ping_pong_here. Needs: Transport.
#pragma once

#include <optional>

#include "paraiso/runtime/transport/transport.hpp"

namespace paraiso::runtime {

/// As the simulator counts it: a message of n bytes takes 2 overhead + latency + n / bandwidth.
struct MessageTime {
  double overhead = 0;   // seconds that its sender is busy
  double latency = 0;    // seconds
  double bandwidth = 0;  // bytes a second
};

/// Medians of messages to and fro between this rank and `other`, which calls `echo`: less than a
/// second where messages take microseconds.
[[nodiscard]] MessageTime ping_pong(Transport& transport, int other);
void echo(Transport& transport, int other);

/// The first rank on another host than rank 0; none if there is one host.
[[nodiscard]] std::optional<int> far_rank(const Transport& transport);

/// Between two ranks of this process.
[[nodiscard]] MessageTime ping_pong_here();

}  // namespace paraiso::runtime
