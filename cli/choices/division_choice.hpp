// division_choice: the options that say how a grid is divided.
// Gives: DivisionChoice, declare_division, is_divided, check_divides, choose_division. Needs:
// Orthotree, WrongCall.
#pragma once

#include <string>

#include "paraiso/hardware/hardware.hpp"
#include "paraiso/om/divide/orthotree.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace paraiso::cli {

inline constexpr std::int64_t kMostParts = 1 << 20;

struct DivisionChoice {
  std::string ranks;     // as typed; empty: not given
  std::string divide;    // `auto`, `2x2x1` or a file; empty: `auto`
  bool balance = false;  // cuts move where ranks are slow
};
/// Both need the option `with`, if there is one.
void declare_division(CLI::App& command, DivisionChoice& choice, CLI::Option* with = nullptr);
[[nodiscard]] bool is_divided(const DivisionChoice& choice);

/// Throws WrongCall for a back end that has whole grids; `who` needs another one.
void check_divides(const runtime::Backend& backend, const char* who = "a divided grid needs");

/// The division of a grid of that size, among so many `processes` if there are any. Where nothing
/// else is said, parts are equal; or, if `machine` is a hardware graph, as large as the ranks'
/// processors are fast. Throws
/// WrongCall if it can't be divided so, or if the options contradict each other; Error for a file
/// that is no division.
[[nodiscard]] om::Orthotree choose_division(const DivisionChoice& choice, const om::Cell& size,
                                            int processes, const std::string& machine);
[[nodiscard]] om::Orthotree choose_division(const DivisionChoice& choice, const om::Cell& size,
                                            const hardware::Hardware& machine);

}  // namespace paraiso::cli
