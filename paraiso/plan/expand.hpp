// expand: the terms that one loop body computes, each a value at an offset.
// Gives: Term, Expansion, expand, reads_static. Needs: om.
//
// Inlined values are recomputed at each offset where they are used; a (value, offset) pair occurs
// once. Shifts vanish here: they become offsets.
#pragma once

#include <map>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::plan {

struct Term {
  enum class Kind : std::uint8_t {
    compute,      // an Arith, from operands; for an inner Load, the value that it reads
    read_static,  // a Load of the state at entry
    read_array,   // a value that lies in an array
    read_buffer,  // a value in a buffer of the thread
    index,        // LoadIndex
    scalar,       // a Broadcast; `value` is the Global
  };
  Kind kind;
  om::ValueId value;
  om::Offset offset;          // the cell read is x + offset
  std::vector<int> operands;  // positions in Expansion::terms, before this one

  /// Whether it reads the memory of a static or of an array.
  [[nodiscard]] bool reads_array() const {
    return kind == Kind::read_static || kind == Kind::read_array;
  }
};

struct Expansion {
  std::vector<Term> terms;  // operands before users
  std::vector<int> roots;   // the term of each root, in the order asked for
  bool complete = true;     // false: the limit was reached, and `terms` are only the first ones
  [[nodiscard]] double operations(const om::Graph& graph) const;  // weighted, per cell
};

/// Where the values of a loop body come from.
enum class ValueStorage : std::uint8_t { nowhere, buffer, array };
struct Sources {
  std::vector<ValueStorage> kept;         // per value
  std::map<om::ValueId, om::Offset> own;  // stored values computed by the body, and for which cell
  std::vector<om::ValueId> inner = {};    // StepChain::read; empty: nothing
};

/// A Local value at a cell, relative to the loop's.
struct ValueAt {
  om::ValueId value;
  om::Offset offset;
};

/// Whether a term is a read of that static.
[[nodiscard]] bool reads_static(const om::Graph& graph, const Term& term, om::StaticId id);

/// Expands `roots`; stops at `limit` terms.
[[nodiscard]] Expansion expand(const om::Graph& graph, std::span<const ValueAt> roots,
                               const Sources& sources, std::size_t limit);

inline constexpr std::size_t kLargestExpansion = 50000;  // terms of one value that a loop makes

}  // namespace paraiso::plan
