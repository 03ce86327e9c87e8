// Programs of any number of instructions, for the tests that time grows with it and no faster.
// Gives: large_machine. Needs: om, and an Rng, so that a seed tells the whole program.
#pragma once

#include "paraiso/base/rng.hpp"
#include "paraiso/om/graph/machine.hpp"

namespace paraiso::test {

/// A step kernel of about so many instructions: as a solver of many stages, layer after layer of a
/// few fields, each made from itself and a random other one at random neighbours by random
/// operators.
[[nodiscard]] om::Machine large_machine(Rng& rng, int dimension, std::size_t instructions);

}  // namespace paraiso::test
