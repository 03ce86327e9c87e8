#include "paraiso/runtime/calibrate/ping_pong.hpp"

#include <algorithm>
#include <thread>

#include "paraiso/base/clock.hpp"

namespace paraiso::runtime {
namespace {

constexpr std::size_t kSmall = 64, kLarge = 4 << 20;  // bytes of a message
constexpr int kSmallRounds = 400, kLargeRounds = 20, kBurst = 64;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Half of the way to and fro.
double one_way(Transport& transport, int other, std::size_t bytes, int rounds) {
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) {
    const double start = steady_seconds();
    transport.send(other, transport.buffer(bytes));
    transport.release(transport.receive(other));
    seconds.push_back((steady_seconds() - start) / 2);
  }
  return median(std::move(seconds));
}

/// Seconds that the sender of one small message is busy.
double busy(Transport& transport, int other) {
  std::vector<double> seconds;
  for (int message = 0; message < kBurst; ++message) {
    const double start = steady_seconds();
    transport.send(other, transport.buffer(kSmall));
    seconds.push_back(steady_seconds() - start);
  }
  transport.release(transport.receive(other));  // that all are there
  return median(std::move(seconds));
}

}  // namespace

MessageTime ping_pong(Transport& transport, int other) {
  // First many rounds: the first message opens the connection.
  const double small = one_way(transport, other, kSmall, kSmallRounds);
  const double large = one_way(transport, other, kLarge, kLargeRounds);
  // A net that takes a message to its receiver's host before `send` returns keeps the sender busy
  // for more than half of the way.
  const double overhead = std::min(busy(transport, other), small / 2);
  constexpr double kFastest = 1e13;  // where a message is handed over without a copy
  const double bytes = static_cast<double>(kLarge - kSmall);
  return {overhead, small - 2 * overhead,
          large - small > bytes / kFastest ? bytes / (large - small) : kFastest};
}

void echo(Transport& transport, int other) {
  for (int round = 0; round < kSmallRounds + kLargeRounds; ++round)
    transport.send(other, transport.receive(other));
  for (int message = 0; message < kBurst; ++message) transport.release(transport.receive(other));
  transport.send(other, {});
}

std::optional<int> far_rank(const Transport& transport) {
  for (int rank = 1; rank < transport.ranks(); ++rank)
    if (transport.host(rank) != transport.host(0)) return rank;
  return std::nullopt;
}

MessageTime ping_pong_here() {
  const auto ranks = in_process_ranks(2);
  std::jthread other([&] { echo(*ranks[1], 0); });
  return ping_pong(*ranks[0], 1);
}

}  // namespace paraiso::runtime
