// ablations: what FAST's prediction owes to each of its parts: rivals with one part left out or
// fixed, which `compare_rivals` compares like the whole ones. Gives: ablations. Needs: rivals.
//
// Left out are one group of features after the other, of all rivals that look at features; fixed
// are FAST's K and the number of programs that it asks, which it else chooses or takes from the
// paper.
#pragma once

#include "paraiso/tune/rivals/rivals.hpp"

namespace paraiso::tune {

/// For a list of so many recipes: a K that takes them all in would leave nothing to learn.
[[nodiscard]] std::vector<Rival> ablations(std::size_t recipes);

}  // namespace paraiso::tune
