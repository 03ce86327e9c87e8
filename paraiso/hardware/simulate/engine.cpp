#include "paraiso/hardware/simulate/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

#include "paraiso/base/rng.hpp"
#include "paraiso/hardware/simulate/carrier.hpp"

namespace paraiso::hardware {
namespace {

/// From one rank to another.
struct Channel {
  std::uint32_t to = 0;
  std::uint32_t first_hop = 0, hops = 0;  // in the list of all routes' hops
  double overhead = 0;
  std::uint32_t received = 0;   // messages
  std::vector<double> arrived;  // when the last bytes were there, of what is not yet received, in
                                // the order in which they were sent; kNever: they are on the way
};

/// An operation with its channel.
struct ChannelOperation {
  Operation::Kind kind;
  std::uint32_t channel;
  double amount;
};

struct MessageInFlight {
  std::uint32_t channel = 0, number = 0;  // of those on that channel
  std::uint32_t hop = 0;                  // that its first byte reaches next
  std::uint32_t ended = 0;                // hops that its last byte has left
  double bytes = 0, last_byte = 0;        // when that is there, as far as hops have ended
};

constexpr double kNever = Carrier::kNever;

/// The first byte of a message is at an interconnect; or the last one of some message leaves one.
struct Event {
  double time;
  std::uint64_t order;  // of events at the same time
  std::uint32_t number;
  bool ends;  // then it is a carrier's number
  friend bool operator>(const Event& x, const Event& y) {
    return x.time != y.time ? x.time > y.time : x.order > y.order;
  }
};

struct SimulatedRank {
  std::vector<ChannelOperation> actions;
  std::size_t next = 0;
  std::int64_t step = 0;
  double clock = 0, slowness = 1;
  std::uint32_t awaited = 0;  // the channel, if it waits
  bool waits = false;
};

class Engine {
 public:
  Engine(Network& network, const std::vector<std::size_t>& places,
         const std::vector<RankProgram>& programs, std::int64_t steps, const Noise& noise)
      : network_(network),
        places_(places),
        steps_(steps),
        noise_(noise),
        rng_(noise.seed),
        carriers_(network.carriers()),
        ranks_(programs.size()) {
    outcome_.ends.resize(static_cast<std::size_t>(steps));
    outcome_.working.resize(programs.size());
    for (std::size_t r = 0; r < programs.size(); ++r) {
      if (!noise.slowness.empty()) ranks_[r].slowness = noise.slowness[places[r]];
      for (const Operation& operation : programs[r]) add(r, operation);
    }
  }

  Simulated run() {
    for (std::size_t r = 0; r < ranks_.size(); ++r) go_on(r);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.ends)
        look_at(event);
      else
        pass(event);
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      if (ranks_[r].step < steps_)
        throw Error(fmt::format("rank {} waits for a message that is never sent", r));
    return std::move(outcome_);
  }

 private:
  void add(std::size_t rank, const Operation& operation) {
    const bool sends = operation.kind == Operation::Kind::send;
    const std::uint32_t channel = operation.kind == Operation::Kind::compute ? 0
                                  : sends ? channel_of(rank, operation.peer)
                                          : channel_of(operation.peer, rank);
    ranks_[rank].actions.push_back({operation.kind, channel, operation.amount});
    if (!sends) return;
    outcome_.messages += static_cast<double>(steps_);
    outcome_.bytes += operation.amount * static_cast<double>(steps_);
  }

  std::uint32_t channel_of(std::size_t from, std::size_t to) {
    const auto [known, added] =
        numbers_.try_emplace(from << 32 | to, static_cast<std::uint32_t>(channels_.size()));
    if (!added) return known->second;
    const auto route = network_.route(places_[from], places_[to]);
    if (!route) throw Error(fmt::format("no path from rank {} to rank {}", from, to));
    channels_.push_back({static_cast<std::uint32_t>(to),
                         static_cast<std::uint32_t>(hops_.size()),
                         static_cast<std::uint32_t>(route->hops.size()),
                         route->overhead,
                         0,
                         {}});
    hops_.insert(hops_.end(), route->hops.begin(), route->hops.end());
    to_end_.resize(hops_.size());
    double latency = 0;
    for (std::size_t hop = hops_.size(); hop-- > channels_.back().first_hop;)
      to_end_[hop] = latency += hops_[hop].latency;
    return known->second;
  }

  /// A rank works until it waits or has ended its last step.
  void go_on(std::size_t r) {
    SimulatedRank& rank = ranks_[r];
    while (rank.step < steps_) {
      if (rank.next == rank.actions.size()) {
        double& end = outcome_.ends[static_cast<std::size_t>(rank.step++)];
        end = std::max(end, rank.clock);
        rank.next = 0;
        continue;
      }
      if (!act(r, rank, rank.actions[rank.next])) return;
      ++rank.next;
    }
  }

  /// False if the rank has to wait.
  bool act(std::size_t r, SimulatedRank& rank, const ChannelOperation& action) {
    if (action.kind == Operation::Kind::compute) {
      work(r, action.amount * rank.slowness *
                  (noise_.jitter > 0 ? 1 - noise_.jitter * std::log(1 - rng_.unit()) : 1));
      return true;
    }
    Channel& channel = channels_[action.channel];
    if (action.kind == Operation::Kind::send) {
      work(r, channel.overhead);
      launch(action, rank.clock);
      return true;
    }
    rank.waits = channel.arrived.empty() || channel.arrived.front() == kNever;
    rank.awaited = action.channel;
    if (rank.waits) return false;
    rank.clock = std::max(rank.clock, channel.arrived.front());
    channel.arrived.erase(channel.arrived.begin());  // there are rarely more
    ++channel.received;
    work(r, channel.overhead);
    return true;
  }

  void work(std::size_t r, double seconds) {
    ranks_[r].clock += seconds;
    outcome_.working[r] += seconds;
  }

  void launch(const ChannelOperation& action, double time) {
    std::uint32_t number = static_cast<std::uint32_t>(messages_.size());
    if (spare_.empty()) {
      messages_.emplace_back();
    } else {
      number = spare_.back();
      spare_.pop_back();
    }
    Channel& channel = channels_[action.channel];
    const auto before = static_cast<std::uint32_t>(channel.arrived.size());
    messages_[number] = {action.channel, channel.received + before, 0, 0, action.amount, time};
    channel.arrived.push_back(kNever);
    events_.push({time, order_++, number, false});
  }

  /// A message begins to go through its next interconnect.
  void pass(const Event& event) {
    MessageInFlight& message = messages_[event.number];
    const Channel& channel = channels_[message.channel];
    const Hop& hop = hops_[channel.first_hop + message.hop];
    const bool last = ++message.hop == channel.hops;
    if (!last) events_.push({event.time + hop.latency, order_++, event.number, false});
    if (message.bytes == 0) return end_hop(event.number, message.hop - 1, event.time);
    Carrier& carrier = carriers_[hop.carrier];
    carrier.add(event.time, message.bytes, hop.seconds_per_byte, {event.number, message.hop - 1});
    look_later(hop.carrier, carrier);
  }

  void look_later(std::size_t number, Carrier& carrier) {
    const double end = carrier.next_end();
    if (end >= carrier.look) return;
    carrier.look = end;
    events_.push({end, order_++, static_cast<std::uint32_t>(number), true});
  }

  /// At a carrier that was to be looked at now, unless that has been put forward.
  void look_at(const Event& event) {
    Carrier& carrier = carriers_[event.number];
    if (event.time != carrier.look) return;
    carrier.look = kNever;
    while (carrier.next_end() <= event.time) {
      const Carrier::Passage ended = carrier.take();
      end_hop(ended.message, ended.hop, event.time);
    }
    look_later(event.number, carrier);
  }

  /// The last byte of a message has left an interconnect.
  void end_hop(std::uint32_t number, std::uint32_t hop, double time) {
    MessageInFlight& message = messages_[number];
    Channel& channel = channels_[message.channel];
    message.last_byte = std::max(message.last_byte, time + to_end_[channel.first_hop + hop]);
    if (++message.ended < channel.hops) return;
    channel.arrived[message.number - channel.received] = message.last_byte;
    const std::uint32_t of = message.channel, to = channel.to;
    spare_.push_back(number);
    SimulatedRank& rank = ranks_[to];
    if (rank.waits && rank.awaited == of && channel.arrived.front() != kNever) go_on(to);
  }

  Network& network_;
  const std::vector<std::size_t>& places_;
  const std::int64_t steps_;
  const Noise& noise_;
  Rng rng_;
  std::vector<Carrier> carriers_;
  std::vector<SimulatedRank> ranks_;
  std::vector<Channel> channels_;
  std::vector<Hop> hops_;
  std::vector<double> to_end_;  // of each hop: its latency and those of the hops behind it
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // of channels, by sender and receiver
  std::vector<MessageInFlight> messages_;
  std::vector<std::uint32_t> spare_;  // messages that have arrived
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t order_ = 0;
  Simulated outcome_;
};

}  // namespace

Simulated simulate(Network& network, const std::vector<std::size_t>& places,
                   const std::vector<RankProgram>& programs, std::int64_t steps,
                   const Noise& noise) {
  return Engine(network, places, programs, steps, noise).run();
}

}  // namespace paraiso::hardware
