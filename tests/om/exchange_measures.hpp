// exchange_measures: what an exchange is compared with. Gives: hull_wants, message_count. Needs:
// distribute.
#pragma once

#include <algorithm>
#include <set>

#include "paraiso/om/divide/distribute.hpp"

namespace paraiso::test {

/// `exact_wants` in one reach each, its hull.
inline std::vector<om::Want> hull_wants(const std::map<om::StaticId, om::Offsets>& reads) {
  std::vector<om::Want> wants = om::exact_wants(reads);
  for (om::Want& want : wants) {
    const om::Cell zero(want.reaches[0].least.size(), 0);
    om::Reach hull = {zero, zero};
    for (const om::Reach& reach : want.reaches)
      for (std::size_t a = 0; a < hull.least.size(); ++a) {
        hull.least[a] = std::min(hull.least[a], reach.least[a]);
        hull.most[a] = std::max(hull.most[a], reach.most[a]);
      }
    want.reaches = {std::move(hull)};
  }
  return wants;
}

/// The number of pairs of leaves between which something is sent.
inline std::size_t message_count(const om::Exchange& exchange) {
  std::set<std::pair<std::size_t, std::size_t>> peers;
  for (const om::Transfer& transfer : exchange.transfers)
    peers.insert({transfer.from, transfer.to});
  return peers.size();
}

}  // namespace paraiso::test
