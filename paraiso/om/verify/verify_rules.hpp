// The checks behind the verifier's table: each throws Error where its rule is broken.
// Gives: one function per rule. Needs: Machine. For verify.cpp, verify_machine.cpp and
// verify_graph.cpp only.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om::rule {

// Of the machine, its statics and their boundaries: verify_machine.cpp.
void machine_name(const Machine& machine);
void dimension(const Machine& machine);
void static_names(const Machine& machine);
void kernel_names(const Machine& machine);
void boundary_kernel_names(const Machine& machine);
void boundary_count(const Machine& machine);
void cyclic_pairs(const Machine& machine);
void reflect_sign(const Machine& machine);
void fixed_element(const Machine& machine);
void user_boundary(const Machine& machine);
void role_type(const Machine& machine);
void role_once(const Machine& machine);
void role_axis(const Machine& machine);
void domain_pairs(const Machine& machine);
void initial_element(const Machine& machine);
void bounds_of_parameters(const Machine& machine);
void bounds_order(const Machine& machine);
void default_in_bounds(const Machine& machine);
void has_kernel(const Machine& machine);
void one_step_kernel(const Machine& machine);

// Of the graphs: verify_graph.cpp.
void signature(const Machine& machine);
void producers(const Machine& machine);
void operands_first(const Machine& machine);
void operand_count(const Machine& machine);
void references(const Machine& machine);
void types(const Machine& machine);
void value_names(const Machine& machine);
void scope_text(const Machine& machine);
void steps(const Machine& machine);
void single_store(const Machine& machine);
void kernel_stores(const Machine& machine);
void parameter_stores(const Machine& machine);
void chained_load(const Machine& machine);
void chained_store(const Machine& machine);
void last_step(const Machine& machine);
void boundary_kernel_pure(const Machine& machine);
void boundary_kernel_step(const Machine& machine);
void boundary_kernel_result(const Machine& machine);

}  // namespace paraiso::om::rule
