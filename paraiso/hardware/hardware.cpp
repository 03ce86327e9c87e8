#include "paraiso/hardware/hardware.hpp"

#include <fmt/format.h>

#include "paraiso/hardware/network.hpp"

namespace paraiso::hardware {
namespace {

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::processor: return "processor";
    case Kind::storage: return "storage";
    case Kind::interconnect: return "interconnect";
  }
  return "";
}

std::optional<Complaint> link_complaint(const Hardware& hardware) {
  for (std::size_t l = 0; l < hardware.links.size(); ++l) {
    const Component& one = hardware.components[hardware.links[l].one];
    const Component& other = hardware.components[hardware.links[l].other];
    if (&one == &other) return Complaint{fmt::format("`{}` is joined to itself", one.name), {}, l};
    if (one.kind == Kind::interconnect || other.kind == Kind::interconnect) continue;
    return Complaint{fmt::format("the {} `{}` is joined to the {} `{}`: an interconnect must lie "
                                 "between them",
                                 name_of(one.kind), one.name, name_of(other.kind), other.name),
                     {},
                     l};
  }
  return std::nullopt;
}

/// Whether each processor reaches a storage and all others: shown by one of each kind of pairs.
std::optional<Complaint> way_complaint(const Hardware& hardware) {
  Network network(hardware);
  const auto& sites = network.sites();
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const Component& own = hardware.components[sites[s].component];
    if (!network.route(s, s))
      return Complaint{fmt::format("no storage can be reached from the processor `{}`", own.name),
                       sites[s].component,
                       {}};
    if (network.route(0, s) && network.route(s > 0 ? s - 1 : 0, s)) continue;
    const Component& first = hardware.components[sites[0].component];
    return Complaint{own.name == first.name
                         ? fmt::format("no path between the copies of `{}`", own.name)
                         : fmt::format("no path between `{}` and `{}`", first.name, own.name),
                     sites[s].component,
                     {}};
  }
  return std::nullopt;
}

}  // namespace

double Hardware::copies(std::size_t block) const {
  double count = static_cast<double>(blocks[block].count);
  for (; block != 0; block = blocks[block].parent)
    count *= static_cast<double>(blocks[blocks[block].parent].count);
  return count;
}

std::optional<Complaint> complaint(const Hardware& hardware) {
  double processors = 0;
  for (std::size_t c = 0; c < hardware.components.size(); ++c) {
    const double copies = hardware.copies(hardware.components[c].block);
    if (hardware.components[c].kind == Kind::processor) processors += copies;
    if (copies > kMostProcessors || processors > kMostProcessors)
      return Complaint{
          fmt::format("more than {} copies of `{}`", kMostProcessors, hardware.components[c].name),
          c,
          {}};
  }
  if (processors == 0) return Complaint{"there is no processor"};
  if (auto wrong = link_complaint(hardware)) return wrong;
  return way_complaint(hardware);
}

}  // namespace paraiso::hardware
