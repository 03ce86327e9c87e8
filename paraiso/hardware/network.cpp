#include "paraiso/hardware/network.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace paraiso::hardware {
namespace {

/// In how many blocks, from the whole graph down, two processors lie together.
std::size_t common_depth(const std::vector<std::size_t>& chain, const Processor& from,
                         const std::vector<std::size_t>& other, const Processor& to) {
  std::size_t depth = 0;
  while (depth < chain.size() && depth < other.size() && chain[depth] == other[depth] &&
         from.copies[depth] == to.copies[depth])
    ++depth;
  return depth;
}

/// How many blocks, from the whole graph down, two components lie in.
std::size_t shared_blocks(const std::vector<std::size_t>& chain,
                          const std::vector<std::size_t>& other) {
  const auto [end, _] = std::ranges::mismatch(chain, other);
  return static_cast<std::size_t>(end - chain.begin());
}

}  // namespace

Network::Network(const Hardware& hardware)
    : hardware_(hardware), neighbours_(hardware.components.size()) {
  for (std::size_t b = 0; b < hardware.blocks.size(); ++b) {
    chains_.push_back(b == 0 ? std::vector<std::size_t>{} : chains_[hardware.blocks[b].parent]);
    chains_.back().push_back(b);
  }
  for (const Link& link : hardware.links) {
    neighbours_[link.one].push_back(link.other);
    neighbours_[link.other].push_back(link.one);
  }
  for (std::size_t c = 0; c < hardware.components.size(); ++c) {
    first_carrier_.push_back(carriers_);
    if (hardware.components[c].kind == Kind::interconnect)
      carriers_ += static_cast<std::size_t>(hardware.copies(hardware.components[c].block)) *
                   std::max<std::size_t>(1, neighbours_[c].size());
  }
  std::vector<bool> holds(hardware.blocks.size());  // processors, in itself or further down
  for (const Component& component : hardware.components)
    if (component.kind == Kind::processor) holds[component.block] = true;
  for (std::size_t b = hardware.blocks.size(); --b > 0;)
    if (holds[b]) holds[hardware.blocks[b].parent] = true;
  add_sites(0, {0}, holds);
}

void Network::add_sites(std::size_t block, Copies copies, const std::vector<bool>& holds) {
  for (std::size_t c = 0; c < hardware_.components.size(); ++c)
    if (hardware_.components[c].block == block && hardware_.components[c].kind == Kind::processor)
      sites_.push_back({c, copies});
  for (std::size_t b = block + 1; b < hardware_.blocks.size(); ++b) {
    if (hardware_.blocks[b].parent != block || !holds[b]) continue;
    copies.push_back(0);
    for (; copies.back() < hardware_.blocks[b].count; ++copies.back()) add_sites(b, copies, holds);
    copies.pop_back();
  }
}

/// Of a component on the way between two processors.
Network::Copies Network::copies_of(std::size_t component, bool at_target, const Processor& from,
                                   const Processor& to, std::size_t spread) const {
  const auto& chain = chains_[hardware_.components[component].block];
  const Processor& near = at_target ? to : from;
  const auto& own = chain_of(near);
  Copies copies;
  bool inside = true;
  for (std::size_t level = 0; level < chain.size(); ++level) {
    inside = inside && level < own.size() && own[level] == chain[level];
    copies.push_back(inside ? near.copies[level]
                            : static_cast<std::int64_t>(spread) %
                                  hardware_.blocks[chain[level]].count);
  }
  return copies;
}

/// Of a copy among all of its component.
std::size_t Network::number_of(std::size_t component, const Copies& copies) const {
  std::size_t number = 0;
  const auto& blocks = chains_[hardware_.components[component].block];
  for (std::size_t level = 0; level < blocks.size(); ++level)
    number = number * static_cast<std::size_t>(hardware_.blocks[blocks[level]].count) +
             static_cast<std::size_t>(copies[level]);
  return number;
}

std::pair<std::size_t, std::size_t> Network::storage(std::size_t site) const {
  const Way way = way_to_storage(site);
  if (!way) throw Error("a processor that reaches no storage");
  const std::size_t component = way->back().component;
  const Processor& near = sites_[site];
  return {component, number_of(component, copies_of(component, false, near, near, 2 * site))};
}

bool Network::joined(std::size_t one, const Copies& a, std::size_t other, const Copies& b) const {
  const auto& x = chains_[hardware_.components[one].block];
  const auto& y = chains_[hardware_.components[other].block];
  for (std::size_t level = 0; level < x.size() && level < y.size() && x[level] == y[level]; ++level)
    if (a[level] != b[level]) return false;
  return true;
}

Network::Way Network::way_to_storage(std::size_t from) const {
  const Processor& site = sites_[from];
  std::vector<std::vector<Step>> ways = {{{site.component, site.component, false}}};
  for (std::size_t next = 0; next < ways.size(); ++next) {  // the shortest first
    const Step last = ways[next].back();
    for (const std::size_t c : neighbours_[last.component]) {
      if (hardware_.components[c].kind == Kind::storage) {
        std::vector<Step> way(ways[next].begin() + 1, ways[next].end());
        way.push_back({c, last.component, false});
        return way;
      }
      const bool seen =
          std::ranges::any_of(ways, [&](const auto& way) { return way.back().component == c; });
      if (hardware_.components[c].kind != Kind::interconnect || seen) continue;
      ways.push_back(ways[next]);
      ways.back().push_back({c, last.component, false});
    }
  }
  return std::nullopt;
}

/// Dijkstra's shortest way through interconnects.
Network::Way Network::find_way(std::size_t from, std::size_t to) const {
  struct Place {
    std::size_t component;
    Copies copies;
    std::size_t previous;
    bool at_target;
  };
  const Processor &source = sites_[from], &target = sites_[to];
  std::vector<Place> places = {{source.component, source.copies, 0, false}};
  std::vector<std::pair<std::size_t, Copies>> done;
  using Item = std::tuple<double, std::size_t, std::size_t>;  // latency, interconnects, place
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  open.emplace(0, 0, 0);
  while (!open.empty()) {
    const auto [latency, hops, at] = open.top();
    open.pop();
    const Place place = places[at];
    if (place.component == target.component && place.copies == target.copies) {
      std::vector<Step> way;
      for (std::size_t p = place.previous; p != 0; p = places[p].previous)
        way.push_back(
            {places[p].component, places[places[p].previous].component, places[p].at_target});
      std::ranges::reverse(way);
      return way;
    }
    if (std::ranges::find(done, std::pair(place.component, place.copies)) != done.end()) continue;
    done.emplace_back(place.component, place.copies);
    for (const std::size_t c : neighbours_[place.component])
      for (const bool at_target : {false, true}) {
        const Component& next = hardware_.components[c];
        const std::size_t shared[] = {shared_blocks(chains_[next.block], chain_of(source)),
                                      shared_blocks(chains_[next.block], chain_of(target))};
        // The other end's copy is the right one; another pair would only meet it by chance.
        if (shared[at_target] < shared[!at_target]) continue;
        Copies copies = copies_of(c, at_target, source, target, from + to);
        const bool ends = c == target.component && copies == target.copies;
        if (!ends && next.kind != Kind::interconnect) continue;
        if (!joined(place.component, place.copies, c, copies)) continue;
        open.emplace(latency + next.latency, hops + 1, places.size());
        places.push_back({c, std::move(copies), at, at_target});
      }
  }
  return std::nullopt;
}

std::optional<Route> Network::route(std::size_t from, std::size_t to) {
  const Processor &source = sites_[from], &target = sites_[to];
  const auto& chain = chain_of(source);
  const std::size_t depth =
      from == to ? chain.size() + 1 : common_depth(chain, source, chain_of(target), target);
  const auto [known, added] =
      known_.try_emplace(std::vector{source.component, target.component, depth});
  if (added) known->second = from == to ? way_to_storage(from) : find_way(from, to);
  if (!known->second) return std::nullopt;
  Route route;
  for (const Step& step : *known->second) {
    const Component& component = hardware_.components[step.component];
    if (component.kind == Kind::storage) break;
    const std::size_t number = number_of(
        step.component, copies_of(step.component, step.at_target, source, target, from + to));
    const auto& near = neighbours_[step.component];
    const auto direction =
        static_cast<std::size_t>(std::ranges::find(near, step.came_from) - near.begin());
    const std::size_t carrier =
        first_carrier_[step.component] + number * near.size() + (component.duplex ? direction : 0);
    route.hops.push_back({carrier, component.latency, 1 / component.performance});
    route.overhead += component.overhead;
  }
  return route;
}

}  // namespace paraiso::hardware
