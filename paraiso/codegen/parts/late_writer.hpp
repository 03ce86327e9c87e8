// late_writer: what kernels of a part store from reductions that no cell waits for, as functions
// that are called when these are known. Gives: late_function, write_late_header,
// write_late_source. Needs: plan, module.
#pragma once

#include "paraiso/codegen/lower/module.hpp"
#include "paraiso/om/divide/late_reductions.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// The kernel's function: `channel_late_measure`.
[[nodiscard]] std::string late_function(const Module& module, std::size_t kernel);

/// NAME_late.hpp and NAME_late.cpp, which know nothing of MPI: they are compiled as the solver is,
/// so that scalars have its bits. Of the machine's `kernels`, those with late reductions.
[[nodiscard]] std::string write_late_header(const Module& module,
                                            const std::vector<std::size_t>& kernels);
[[nodiscard]] std::string write_late_source(const om::Machine& machine, const Module& module,
                                            const std::vector<std::size_t>& kernels);

}  // namespace paraiso::codegen
