#include "paraiso/hardware/rank_places.hpp"

#include <map>

namespace paraiso::hardware {

std::vector<std::size_t> rank_places(std::size_t ranks, std::size_t processors) {
  const std::size_t each = (ranks + processors - 1) / processors;  // at most
  const std::size_t used = (ranks + each - 1) / each;
  std::vector<std::size_t> places(ranks);
  for (std::size_t r = 0; r < ranks; ++r) places[r] = r * used / ranks;
  return places;
}

std::vector<double> rank_speeds(const Hardware& hardware, std::size_t ranks) {
  const Network network(hardware);
  const auto places = rank_places(ranks, network.sites().size());
  std::vector<double> sharing(network.sites().size()), speeds;
  for (const std::size_t place : places) ++sharing[place];
  for (const std::size_t place : places) {
    const auto& processor = hardware.components[network.sites()[place].component];
    speeds.push_back(processor.performance / sharing[place]);
  }
  return speeds;
}

std::vector<double> rank_memories(const Hardware& hardware, std::size_t ranks) {
  const Network network(hardware);
  std::vector<std::pair<std::size_t, std::size_t>> storages;
  std::map<std::pair<std::size_t, std::size_t>, double> sharing;
  for (const std::size_t place : rank_places(ranks, network.sites().size())) {
    storages.push_back(network.storage(place));
    ++sharing[storages.back()];
  }
  std::vector<double> bytes;
  for (const auto& storage : storages)
    bytes.push_back(hardware.components[storage.first].performance / sharing[storage]);
  return bytes;
}

}  // namespace paraiso::hardware
