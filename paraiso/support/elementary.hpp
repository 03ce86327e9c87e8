// Elementary functions with the same bits on every host and device: exp, log, pow, cbrt, sin, cos,
// tan, asin, acos, atan, atan2, sinh, cosh, tanh, at most 1 ulp from the true value.
// Gives: these on doubles and vectors of them, in paraiso_support::elementary. Needs: its folder.
//
// They consist of IEEE additions, products, quotients, roots and explicit fused multiply-adds, in
// one fixed order, without tables. The only branch is for angles beyond 2^30. So loops of them
// vectorise, and every compiler and device gets the same bits. `V` is double or Vector<double, L>;
// floats are computed as doubles and rounded at the end.
//
// A value that needs more digits than a double has is a Pair, the unevaluated sum of two doubles.
// Polynomials are Chebyshev fits, computed with 300 bits, of the functions in the comments next to
// them.
#pragma once

#include "paraiso/support/elementary/angles.hpp"
#include "paraiso/support/elementary/pairs.hpp"
#include "paraiso/support/elementary/powers.hpp"
