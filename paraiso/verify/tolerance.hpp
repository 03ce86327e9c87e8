// tolerance: how far code that calls the C library's functions may be from the interpreter, which
// has our own. Gives: has_own_bits, with_wrong_functions, distance, agree, Tolerance. Needs:
// backend, om.
//
// The library's functions differ from ours by some ulp, and how far that carries depends on the
// program. So the interpreter runs it again with functions that are wrong on purpose, by more than
// the library's: what differs in code may differ as much.
#pragma once

#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::verify {

/// Whether the back end's code must have the interpreter's bits.
[[nodiscard]] bool has_own_bits(const runtime::Backend& backend, const om::Machine& program);

inline constexpr int kWrongUlps = 64;  // glibc says up to 4 of its functions, ours are within 1

/// `program` for the interpreter: each result of a function that may be the library's is wrong by
/// up to kWrongUlps, in each cell by another number that `seed` gives.
[[nodiscard]] om::Machine with_wrong_functions(const om::Machine& program, std::uint64_t seed);

/// Of two values: 0 if they are the same, infinite if one of them is and for NaN.
[[nodiscard]] double distance(om::Constant one, om::Constant other);

/// Whether they are the same, or no further apart than is allowed.
[[nodiscard]] bool agree(om::Constant want, om::Constant got, double allowed);

/// What a state's values may differ by: one number a static; none: by nothing.
class Tolerance {
 public:
  /// At least what a state's largest values round off in a few hundred operations.
  void include(const om::State& state);
  /// As far as the states of wrong functions are away.
  void include(const om::State& state, const om::State& wrong);

  [[nodiscard]] double of(om::StaticId id) const {
    return allowed_.empty() ? 0 : allowed_[id.index];
  }

 private:
  std::vector<double> allowed_;
};

}  // namespace paraiso::verify
