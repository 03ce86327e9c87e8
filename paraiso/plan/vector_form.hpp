// vector_form: which loop bodies are computed in explicit vectors, and which terms are the same for
// all cells of a row. Gives: kLargestVectorBody, kLargestPairedBody, uniform_terms,
// has_vector_form, VectorForm, vector_form. Needs: expand, passes' value_range.
#pragma once

#include "paraiso/passes/analysis/value_range.hpp"
#include "paraiso/plan/expand.hpp"

namespace paraiso::plan {

// Compilers take minutes for explicit vectors in larger bodies, which no sensible schedule has.
inline constexpr std::size_t kLargestVectorBody = 800, kLargestPairedBody = 250;  // terms

/// The terms that are the same for every cell of a row: scalars, indices of other axes, and results
/// of these.
[[nodiscard]] std::vector<bool> uniform_terms(const om::Graph& graph, const Expansion& expansion);

/// Whether vectors of operands of this element can compute an operator.
[[nodiscard]] bool has_vector_form(om::Op op, om::Element operand);

using passes::Lane;
using passes::storage_lane;
using Ranges = std::vector<std::optional<passes::Range>>;  // passes::value_ranges

/// A loop body in vectors. Integers are computed in as few bytes as hold them and their operands.
struct VectorForm {
  /// A vector has as many lanes as a machine vector has of this element: the smallest one, but at
  /// most twice as many lanes as of the largest.
  Lane unit = Lane::i8;
  std::vector<Lane> terms;                    // the element each term is computed as
  std::vector<std::optional<Lane>> operands;  // the element of a term's integer operands
};

/// None if vectors cannot compute everything in it.
[[nodiscard]] std::optional<VectorForm> vector_form(const om::Graph& graph, const Ranges& ranges,
                                                    const Expansion& expansion);

}  // namespace paraiso::plan
