// parts_writer: what `emit --mpi` adds to a project: a class of a part of the grid for each process
// of MPI, an example that uses it, its build. Gives: write_part, write_late, write_parts_example,
// write_parts_build, write_parts_readme. Needs: plan, module.
#pragma once

#include "paraiso/codegen/generate.hpp"
#include "paraiso/codegen/lower/module.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// NAME_part.hpp: which kernel reads and changes what, as paraiso_share.hpp takes it. Kernels that
/// fill sides between their steps are left out: parts don't run them. With `steps` > 1, parts
/// exchange once for so many calls of the step kernel, where that can be enough.
[[nodiscard]] std::string write_part(const plan::Plan& plan, const Module& module, int steps);
/// NAME_late.hpp and NAME_late.cpp, if a kernel stores scalars from reductions that no cell waits
/// for.
[[nodiscard]] std::vector<SourceFile> write_late(const plan::Plan& plan, const Module& module);
/// A main that any number of processes run; the first prints scalars and hashes of fields.
[[nodiscard]] std::string write_parts_example(const om::Machine& machine, const Module& module);
/// What CMakeLists.txt and README.md have besides.
[[nodiscard]] std::string write_parts_build(const om::Machine& machine, const Module& module);
[[nodiscard]] std::string write_parts_readme(const Module& module, int steps);

}  // namespace paraiso::codegen
