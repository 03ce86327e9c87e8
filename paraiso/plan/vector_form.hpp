// vector_form: which loop bodies are computed in explicit vectors, and what is the same for all
// cells of a row. Gives: uniform_terms, has_vector_form, vector_element. Needs: expand.
#pragma once

#include "paraiso/plan/expand.hpp"

namespace paraiso::plan {

/// The terms that are the same for every cell of a row: scalars, indices of other axes, and what is
/// computed from them.
[[nodiscard]] std::vector<bool> uniform_terms(const om::Graph& graph, const Expansion& expansion);

/// Whether vectors of operands of this element can compute an operator.
[[nodiscard]] bool has_vector_form(om::Op op, om::Element operand);

/// The smallest number among the values of a body, if vectors can compute everything in it: a
/// vector has as many lanes as a machine vector has of these.
[[nodiscard]] std::optional<om::Element> vector_element(const om::Graph& graph,
                                                        const Expansion& expansion);

}  // namespace paraiso::plan
