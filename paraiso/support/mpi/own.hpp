// The items of a reduction that count, where a part also computes cells of others.
// Gives: append_own in paraiso_mpi. Needs: place.hpp, reduction.hpp.
#pragma once

#include <algorithm>
#include <vector>

#include "paraiso/support/place.hpp"
#include "paraiso/support/reduction.hpp"

namespace paraiso_mpi {

/// Of a reduction with an item for each cell: appends those of `count` cells of a row, or, unless
/// `as_cells`, one for each chunk of them. `items` has that of the first, cell `first` of the whole
/// row, where chunks are counted.
inline void append_own(const paraiso_support::Reducing& share, const char* items,
                       std::int64_t first, std::int64_t count, bool as_cells,
                       std::vector<char>& own) {
  const auto bytes = static_cast<std::int64_t>(share.bytes);
  if (as_cells) {
    own.insert(own.end(), items, items + bytes * count);
    return;
  }
  constexpr std::int64_t chunk = paraiso_support::chunk_cells;
  for (const std::int64_t end = first + count; first < end;) {
    const std::int64_t next = std::min(end, (first / chunk + 1) * chunk);
    own.resize(own.size() + share.bytes);
    share.chunk(items, next - first, own.data() + own.size() - share.bytes);
    items += bytes * (next - first);
    first = next;
  }
}

}  // namespace paraiso_mpi
