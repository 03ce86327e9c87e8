// CLARIS: a small C-like syntax tree. It holds every decision (loop order, storage, halos); a
// printer only chooses the spelling.
// Gives: Expr and its makers, Statement, FunctionParameter, Function. Needs: om, cpu_nodes,
// device_nodes.
//
// A core that every back end prints; one alternative of Expr and one of Statement hold the nodes
// that only one kind of processor has (cpu_nodes.hpp, device_nodes.hpp).
#pragma once

#include "paraiso/codegen/claris/cpu_nodes.hpp"
#include "paraiso/codegen/claris/device_nodes.hpp"

namespace paraiso::codegen::claris {

/// A variable, parameter or function.
struct Name {
  std::string text;
};
struct Literal {
  om::Constant value;
};
/// An address or a bound: 64-bit integers without wrapping, `+`, `-` and `*` only.
struct IndexLiteral {
  std::int64_t value;
};
struct IndexBinary {
  char op;
  ExprPtr left, right;
};
/// An operator of the machine on values of `element`; `result` picks one of several results.
struct Operate {
  om::Op op;
  om::Element element;
  om::Element target;  // of cast
  int result;
  bool lanes;  // on vectors (some operands may be scalars)
  std::vector<ExprPtr> operands;
  bool libm = false;  // by the C library's function
};
/// A value as another kind of number, or vectors of these.
struct Convert {
  passes::Lane lane;
  ExprPtr value;
};
struct Subscript {
  ExprPtr array, index;
};
/// A call of a generated function.
struct Call {
  std::string function;
  std::vector<ExprPtr> arguments;
};
/// condition ? yes : no, of addresses.
struct Choose {
  ExprPtr condition, yes, no;
};
struct And {
  ExprPtr left, right;
};
/// begin <= at < end.
struct Within {
  ExprPtr at, begin, end;
};
/// The smaller or the larger of two bounds.
struct Smaller {
  ExprPtr left, right;
};
struct Larger {
  ExprPtr left, right;
};
/// The grid's cells along an axis, and the stride of every array there, in elements.
struct GridSize {
  int axis;
};
struct GridStride {
  int axis;
};
/// The same of the grid that this one may be a part of, and where this part begins there.
struct WholeSize {
  int axis;
};
struct GridOrigin {
  int axis;
};
/// The offset of a row of an array from core cell 0; `cell` has the indices along axes 1, 2, ...
struct GridRow {
  std::vector<ExprPtr> cell;
};
/// The index, along an axis, of the ghost cell that a boundary kernel's function computes.
struct HaloCell {
  int axis;
};
/// The address of the core cell nearest to the ghost cell displaced by `offset`.
struct NearestCell {
  om::Offset offset;
};
/// The value of a Global static at the kernel's entry.
struct Held {
  om::StaticId id;
};
/// A constant hidden from the compiler, so that min and max of it keep the sign of a zero.
struct Opaque {
  om::Constant value;
};
struct Expr {
  std::variant<Name, Literal, IndexLiteral, IndexBinary, Operate, Convert, Subscript, Call, Choose,
               And, Within, Smaller, Larger, GridSize, GridStride, WholeSize, GridOrigin, GridRow,
               HaloCell, NearestCell, Held, Opaque, CpuExpr, DeviceExpr>
      node;
};

/// An expression of any node.
[[nodiscard]] ExprPtr make(Expr expr);
[[nodiscard]] ExprPtr name(std::string text);
[[nodiscard]] ExprPtr literal(om::Constant value);
[[nodiscard]] ExprPtr integer(std::int64_t value);
[[nodiscard]] ExprPtr plus(ExprPtr left,
                           ExprPtr right);  // drops zeros; subtracts negative literals
[[nodiscard]] ExprPtr times(ExprPtr left, ExprPtr right);
[[nodiscard]] ExprPtr minus(ExprPtr left, ExprPtr right);
[[nodiscard]] ExprPtr subscript(ExprPtr array, ExprPtr index);
[[nodiscard]] ExprPtr call(std::string function, std::vector<ExprPtr> arguments);

[[nodiscard]] ExprPtr choose(ExprPtr condition, ExprPtr yes, ExprPtr no);

/// Both conditions hold.
[[nodiscard]] ExprPtr both(ExprPtr left, ExprPtr right);

/// The Arith that computes `value`, applied to `operands`.
[[nodiscard]] ExprPtr operate(const om::Graph& graph, om::ValueId value,
                              std::vector<ExprPtr> operands, bool lanes = false);

/// A variable that is never assigned again; `element` empty: a 64-bit index.
struct Declare {
  std::optional<om::Element> element;
  std::string name;
  ExprPtr value;
  bool lanes = false;  // a vector of that element
};
/// A pointer that is never moved again.
struct DeclarePointer {
  passes::Lane element;
  bool read_only;
  std::string name;
  ExprPtr value;
};
struct Assign {
  ExprPtr target, value;
};
/// for (variable = begin; variable < end; variable += step)
struct For {
  std::string variable;
  ExprPtr begin, end;
  Block body;
  int step = 1;
};
struct If {
  ExprPtr condition;
  Block body;
};
struct Evaluate {
  ExprPtr value;
};
struct Return {
  ExprPtr value;
};
struct Comment {
  std::string text;
};
struct Statement {
  std::variant<Declare, DeclarePointer, Assign, For, If, Evaluate, Return, Comment, CpuStatement,
               DeviceStatement>
      node;
};

struct FunctionParameter {
  enum class Kind {
    input_array,
    output_array,
    scalar,
    result,
    partials,
    places,  // of a device: where partial results lie
    grid,
    threads,
    tile,
    scratch,
    cell,
    ghosts,
    scalars,      // of a device, in its memory
    scalars_out,  // the same, written
    arrival
  };
  Kind kind;
  om::Element element;  // of arrays, scalars and results
  std::string name;
};

struct Function {
  std::vector<std::string> comment;
  std::optional<om::Element> returns;
  std::string name;
  std::vector<FunctionParameter> parameters;
  Block body;
  std::optional<BlockShape> kernel = {};  // of a device's kernel: its blocks
};

}  // namespace paraiso::codegen::claris
