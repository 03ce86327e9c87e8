// order_terms: which result of a loop body is computed first. Gives: order_terms. Needs: expand.
//
// A body that makes several arrays may have much in common between some of them, and little between
// others: a thread that makes those one after the other has fewer values at a time.
#pragma once

#include "paraiso/plan/expand.hpp"

namespace paraiso::plan {

/// Puts each result behind the one that leaves least to compute for it, where a thread then needs
/// fewer registers.
void order_terms(const om::Graph& graph, Expansion& expansion);

}  // namespace paraiso::plan
