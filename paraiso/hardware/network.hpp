// Network: the copies of a hardware graph's processors, and how messages go from one to another.
// Gives: Processor, Hop, Route, Network. Needs: Hardware.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "paraiso/hardware/hardware.hpp"

namespace paraiso::hardware {

/// One processor.
struct Processor {
  std::size_t component = 0;
  std::vector<std::int64_t> copies;  // its number in each block from the whole graph down
};

/// One interconnect on the way of a message.
struct Hop {
  std::size_t carrier = 0;  // whose bandwidth messages share: an interconnect, or one of its
                            // directions
  double latency = 0, seconds_per_byte = 0;
};
struct Route {
  std::vector<Hop> hops;
  double overhead = 0;  // seconds that its processor is busy, at each end
};

class Network {
 public:
  /// Of a graph without a complaint, which it refers to.
  explicit Network(const Hardware& hardware);

  /// All processors, those of a block's copy side by side.
  [[nodiscard]] const std::vector<Processor>& sites() const { return sites_; }
  [[nodiscard]] std::size_t carriers() const { return carriers_; }
  /// The way with the least latency, of those the one with the fewest interconnects. Within a
  /// processor: to its nearest storage. Where several copies of an interconnect would do, number
  /// (from + to) modulo their number. None if there is no way.
  [[nodiscard]] std::optional<Route> route(std::size_t from, std::size_t to);
  /// The nearest storage of a processor: the component, and which copy of it.
  [[nodiscard]] std::pair<std::size_t, std::size_t> storage(std::size_t site) const;

 private:
  struct Step {
    std::size_t component, came_from;
    bool at_target;  // in the blocks of the target, where these are not the source's
  };
  using Way = std::optional<std::vector<Step>>;
  using Copies = std::vector<std::int64_t>;

  void add_sites(std::size_t block, Copies copies, const std::vector<bool>& holds);
  [[nodiscard]] const std::vector<std::size_t>& chain_of(const Processor& processor) const {
    return chains_[hardware_.components[processor.component].block];
  }
  [[nodiscard]] Copies copies_of(std::size_t component, bool at_target, const Processor& from,
                                 const Processor& to, std::size_t spread) const;
  [[nodiscard]] std::size_t number_of(std::size_t component, const Copies& copies) const;
  [[nodiscard]] bool joined(std::size_t one, const Copies& a, std::size_t other,
                            const Copies& b) const;
  [[nodiscard]] Way find_way(std::size_t from, std::size_t to) const;
  [[nodiscard]] Way way_to_storage(std::size_t from) const;  // which is its last step

  const Hardware& hardware_;
  std::vector<std::vector<std::size_t>> chains_;      // of each block: from the whole graph to it
  std::vector<std::vector<std::size_t>> neighbours_;  // of each component
  std::vector<std::size_t> first_carrier_;            // of each component
  std::vector<Processor> sites_;
  std::size_t carriers_ = 0;
  std::map<std::vector<std::size_t>, Way> known_;  // by both components, and where blocks part
};

}  // namespace paraiso::hardware
