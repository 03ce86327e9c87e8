// The nine instructions of the Orthotope Machine, as plain data.
// Gives: StaticId, NodeId, ValueId, Instruction and its nine alternatives. Needs: Id, operators.
#pragma once

#include <variant>
#include <vector>

#include "paraiso/base/id.hpp"
#include "paraiso/om/graph/operators.hpp"

namespace paraiso::om {

using StaticId = Id<struct StaticTag>;
using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;

/// A displacement on the grid, one component per axis.
using Offset = std::vector<std::int32_t>;

enum class ReduceOp : std::uint8_t { sum, product, min, max, any, all };
[[nodiscard]] const char* name(ReduceOp op);
[[nodiscard]] std::optional<ReduceOp> parse_reduce_op(std::string_view text);

/// () -> Global. A constant scalar.
struct Imm {
  Constant value;
  friend bool operator==(const Imm&, const Imm&) = default;
};
/// () -> the static's type. The state at entry; at step k > 0, what `Store @k-1` wrote, halo
/// filled.
struct Load {
  StaticId source;
  int step = 0;
  friend bool operator==(const Load&, const Load&) = default;
};
/// (value of the static's type) -> (). Takes effect at exit.
struct Store {
  StaticId target;
  int step = 0;
  friend bool operator==(const Store&, const Store&) = default;
};
/// (Local T) -> Global T. Core cells only, each once.
struct Reduce {
  ReduceOp op = ReduceOp::sum;
  friend bool operator==(const Reduce&, const Reduce&) = default;
};
/// (Global T) -> Local T.
struct Broadcast {
  friend bool operator==(const Broadcast&, const Broadcast&) = default;
};
/// (Local T) -> Local T: `b[x] = a[x - offset]`. The only instruction that looks at a neighbour.
struct Shift {
  Offset offset;
  friend bool operator==(const Shift&, const Shift&) = default;
};
/// () -> Local i64: 0 at the first core cell of the axis, negative below it.
struct LoadIndex {
  int axis = 0;
  friend bool operator==(const LoadIndex&, const LoadIndex&) = default;
};
/// () -> Global i64: the number of core cells along the axis.
struct LoadSize {
  int axis = 0;
  friend bool operator==(const LoadSize&, const LoadSize&) = default;
};
/// (operands of one realm, types as the operator's rule says) -> one or two values of that realm.
struct Arith {
  Op op = Op::identity;
  Element target = Element::f64;  // of cast; f64 for every other operator
  // Code may call the C library's function, whose last digits differ from the interpreter's.
  bool libm = false;
  friend bool operator==(const Arith&, const Arith&) = default;
};
/// What is wrong with `libm` of an operator on operands of that realm; empty if nothing is.
[[nodiscard]] std::string libm_complaint(const Arith& arith, Realm realm);

using Instruction =
    std::variant<Imm, Load, Store, Reduce, Broadcast, Shift, LoadIndex, LoadSize, Arith>;

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

}  // namespace paraiso::om
