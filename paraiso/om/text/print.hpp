// The text format of a machine: print and parse, exact both ways. The grammar is in docs/om.md.
// Gives: print, parse, program_hash, print_dot. Needs: Machine.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

/// The machine as `.om` text, each graph numbered canonically from its Stores: equal programs print
/// equally, however they were built. Locations are not printed; dead values are left out.
[[nodiscard]] std::string print(const Machine& machine);

/// Reads `.om` text. Throws Error at `file`:line for whatever is wrong; values get that location.
/// `parse(print(m))` prints as `print(m)`. The result passes `verify`.
[[nodiscard]] Machine parse(std::string_view text, std::string_view file = "<text>");

/// hex(fnv1a(print(machine))): the program's identity for schedules and caches.
[[nodiscard]] std::string program_hash(const Machine& machine);

/// Graphviz source of the dataflow of every kernel.
[[nodiscard]] std::string print_dot(const Machine& machine);

}  // namespace paraiso::om
