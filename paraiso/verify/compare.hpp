// compare: an interpreter's state, given to an instance of generated code and compared with it.
// Gives: Difference, write_state, first_difference. Needs: instance, tolerance.
#pragma once

#include <optional>

#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/verify/tolerance.hpp"

namespace paraiso::verify {

/// Where generated code and interpreter differ, with everything needed to reproduce it.
struct Difference {
  std::string name;                // of the static
  std::vector<std::int64_t> cell;  // empty for a Global
  om::Constant expected, got;
  double allowed = 0;  // between them; 0: they should have the same bits
  std::string kernel;  // after which it shows; which `call` of the sequence
  int call = 0;
  std::string start;  // "problem `jet`", "random state"
  std::vector<std::int64_t> size;
  std::size_t ranks = 1;
  std::string compiler, target;
  int threads = 1;
  int schedule = 0;  // its number; with `seed`, its identity
  std::uint64_t seed = 1;
  std::string schedule_text;  // as `--schedule FILE` reads it

  /// Everything but the schedule's text, on a few lines.
  [[nodiscard]] std::string text() const;
};

/// Gives the instance all cells and scalars of `state`.
void write_state(runtime::Instance& instance, const om::State& state);

/// The first static, in the program's order, with a value that is further from the expected one
/// than is tolerated; of the difference it knows name, cell and values.
[[nodiscard]] std::optional<Difference> first_difference(runtime::Instance& instance,
                                                         const om::State& expected,
                                                         const Tolerance& tolerance);

}  // namespace paraiso::verify
