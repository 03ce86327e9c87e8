// expand: what one loop body computes, as a list of terms, each a value at a displacement.
// Gives: Term, Expansion, expand. Needs: om.
//
// Values that are kept nowhere are recomputed at each displacement where they are used; a (value,
// displacement) pair is shared, never copied. Shifts vanish here: they become displacements.
#pragma once

#include "paraiso/om/machine.hpp"

namespace paraiso::plan {

struct Term {
  enum class Kind : std::uint8_t {
    compute,      // an Arith, from operands
    read_static,  // a Load
    read_array,   // a value that another stage (or this one, at offset 0) stored
    index,        // LoadIndex
    scalar,       // a Broadcast; `value` is the Global
  };
  Kind kind;
  om::ValueId value;
  om::Offset offset;          // the cell read is x + offset
  std::vector<int> operands;  // positions in Expansion::terms, before this one
};

struct Expansion {
  std::vector<Term> terms;  // operands before users
  std::vector<int> roots;   // the term of each root, in the order asked for
  bool complete = true;     // false: the limit was met, `terms` are the first of them
  [[nodiscard]] double operations(const om::Graph& graph) const;  // weighted, per cell
};

/// Expands `roots` (Local values, each at offset 0). `stored[v]` says that value v lies in an
/// array; it is computed here only if `own[v]`, at offset 0. Stops at `limit` terms.
[[nodiscard]] Expansion expand(const om::Graph& graph, std::span<const om::ValueId> roots,
                               const std::vector<bool>& stored, const std::vector<bool>& own,
                               std::size_t limit);

inline constexpr std::size_t kLargestExpansion = 50000;  // terms of one loop body

}  // namespace paraiso::plan
