// rank_places: on which processors of a hardware graph ranks are. Gives: rank_places, rank_speeds,
// rank_memories. Needs: Network.
#pragma once

#include "paraiso/hardware/network.hpp"

namespace paraiso::hardware {

/// The processor of each of so many ranks: in order, as evenly as may be, on as few processors as
/// that takes.
[[nodiscard]] std::vector<std::size_t> rank_places(std::size_t ranks, std::size_t processors);

/// What each rank has of its processor's performance: operations a second.
[[nodiscard]] std::vector<double> rank_speeds(const Hardware& hardware, std::size_t ranks);

/// The bytes of its nearest storage that each rank has, of which those that are near it have equal
/// shares.
[[nodiscard]] std::vector<double> rank_memories(const Hardware& hardware, std::size_t ranks);

}  // namespace paraiso::hardware
