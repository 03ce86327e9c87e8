// references: what the interpreter makes of a program on small grids, from several beginnings.
// Gives: ReferenceRun, References, usual_sizes, steps_at_once. Needs: verify_options, tolerance,
// om.
//
// A run is an initial kernel (or a random state), then some steps, then every plain kernel; of a
// fused kernel, single steps. Where code may call the C library's functions, what tolerance.hpp
// allows goes with it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "paraiso/verify/tolerance.hpp"
#include "paraiso/verify/verify_options.hpp"

namespace paraiso::verify {

/// Odd, tiny (axes of one cell, halos wider than the grid) and long grids. The tiny ones differ
/// between even and odd turns; both together have each length from 1 to 7 along each axis.
[[nodiscard]] std::vector<std::vector<std::int64_t>> usual_sizes(int dimension, int turn);

/// How many steps the ranks of a divided grid take between two exchanges; 1 where it is whole.
[[nodiscard]] int steps_at_once(const om::Machine& program, const VerifyOptions& options);

/// A state to begin from, the kernels to run, and the interpreter's state after each.
struct ReferenceRun {
  std::string start;
  om::State begin;
  std::vector<const om::Kernel*> calls;
  std::vector<om::State> after;
  std::vector<Tolerance> tolerances = {};  // after each; none: the same bits
};

/// All runs of a program; those on a grid are computed once, when they are first asked for.
class References {
 public:
  using Size = std::vector<std::int64_t>;

  /// Both must live as long.
  References(const om::Machine& program, const VerifyOptions& options);

  /// Nothing is tolerated.
  [[nodiscard]] bool exact() const { return wrong_.empty(); }
  /// The grids of one turn.
  [[nodiscard]] std::vector<Size> sizes(int turn) const;
  [[nodiscard]] const std::vector<ReferenceRun>& runs_on(const Size& size);

 private:
  const om::Machine& program_;
  const VerifyOptions& options_;
  std::vector<om::Machine> wrong_;  // the program with wrong functions, if it calls a library's
  std::map<Size, std::vector<ReferenceRun>> known_;
};

}  // namespace paraiso::verify
