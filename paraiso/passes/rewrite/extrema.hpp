// extrema: see extrema.cpp. Gives: unnested, unnest_extrema. Needs: rewrite.
#pragma once

#include "paraiso/passes/rewrite/rewrite.hpp"

namespace paraiso::passes {

/// What an extremum of an extremum becomes, at the outer one's place.
[[nodiscard]] std::optional<om::ValueId> unnested(const Site& site);

/// Everywhere in a machine.
[[nodiscard]] om::Machine unnest_extrema(const om::Machine& machine);

}  // namespace paraiso::passes
