// remove_dead: keeps what a Store or a boundary's result needs, numbered canonically.
//
//   %0 = load f
//   %1 = neg %0           # no Store needs it  ->  gone
//   store f %0
#include "paraiso/passes/rewrite/remove_dead.hpp"

#include "paraiso/passes/rewrite/rewrite.hpp"

namespace paraiso::passes {

om::Machine remove_dead(const om::Machine& machine) {
  return rewrite_machine(machine, [](const om::Graph&) {
    return [](const Site&) { return std::optional<om::ValueId>(); };
  });
}

}  // namespace paraiso::passes
