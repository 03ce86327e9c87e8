// Random programs over special values: signed zeros, infinities, NaN, denormals, the least and the
// greatest, and numbers whose products and sums cancel exactly.
// Gives: SpecialForm, special_machine. Needs: om, and an Rng, so that a seed tells the whole
// program.
//
// What a compiler makes of an expression depends on what stands around it: a sign that moves into
// a product, a quotient that is known from another one. So every operator meets every other one
// here, over few operands, and random grids of ordinary numbers, which reach almost none of the
// cases in which such a change shows, are replaced by all pairs of special values.
#pragma once

#include <vector>

#include "paraiso/base/rng.hpp"
#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::test {

/// What computes a kernel's expressions.
enum class SpecialForm {
  vectors,   // operators that have a vector form alone
  cells,     // cell by cell, because of a remainder that has none
  scalars,   // globals
  boundary,  // a boundary kernel
};

[[nodiscard]] const char* name(SpecialForm form);

/// A machine of two dimensions whose kernels write what no other reads or writes. With `loops`,
/// which all that is new is drawn from, some kernels of cells also reduce a value, and the last one
/// is a step that reads neighbours and writes what all read.
[[nodiscard]] om::Machine special_machine(Rng& rng, SpecialForm form, int kernels,
                                          Rng* loops = nullptr);

}  // namespace paraiso::test
