// held_out: what is known and what is asked when some solvers are held out of a set of spaces.
// Gives: Split, without, splits_of. Needs: rivals.
#pragma once

#include "paraiso/tune/rivals/rivals.hpp"

namespace paraiso::tune {

struct Split {
  Spaces known, asked;
};

/// `asked` are the spaces of the solvers with these names.
[[nodiscard]] Split without(const Spaces& spaces, const std::set<std::string>& families);

/// Each solver, size or machine held out in turn; or, if there are judges, these all at once.
/// Throws Error if there is but one size or machine.
[[nodiscard]] std::vector<Split> splits_of(const Spaces& all, const Judging& judging);

}  // namespace paraiso::tune
