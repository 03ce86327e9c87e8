// inner_states: where the states between the steps of a chained kernel may lie.
// Gives: settle_inner_states. Needs: genes, step_chain.
//
// Whatever an inner state's storage, cells beyond the core are filled by the static's boundary
// before the next step reads them. An array of the whole grid always can be; it is what all other
// classes are demoted to.
#pragma once

#include "paraiso/plan/genes.hpp"

namespace paraiso::plan {

/// Demotes the storage of inner states to what is legal, and keeps in arrays what their boundary
/// kernels read.
void settle_inner_states(const om::Machine& machine, const om::Kernel& kernel, Choices& choices);

}  // namespace paraiso::plan
