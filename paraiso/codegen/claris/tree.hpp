// CLARIS: a small C-like syntax tree. All that is decided (loop order, storage, halos) is in it; a
// printer only chooses spelling.
// Gives: Expr and its makers, Statement, Parameter, Function. Needs: om, cpu_nodes.
//
// A core that every back end prints, and one alternative of Expr and of Statement a kind of
// processor, with the nodes that it alone has (cpu_nodes.hpp).
#pragma once

#include "paraiso/codegen/claris/cpu_nodes.hpp"

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
struct Both {
  ExprPtr left, right;
};
/// begin <= at < end.
struct Within {
  ExprPtr at, begin, end;
};
/// Of two bounds.
struct Smaller {
  ExprPtr left, right;
};
struct Larger {
  ExprPtr left, right;
};
/// The grid's cells along an axis, and the elements between neighbours there in every array.
struct GridSize {
  int axis;
};
struct GridStride {
  int axis;
};
/// How far a row of an array lies from core cell 0; `cell` has its indices along axes 1, 2, ...
struct GridRow {
  std::vector<ExprPtr> cell;
};
/// The index along an axis of the ghost cell that a boundary kernel's function is about.
struct HaloCell {
  int axis;
};
/// Where the core cell lies that is nearest to the ghost cell displaced by `offset`.
struct NearestCell {
  om::Offset offset;
};
/// What a Global static holds at entry of the kernel.
struct Held {
  om::StaticId id;
};
/// A constant whose value no compiler may know: min and max of it keep the sign of a zero.
struct Opaque {
  om::Constant value;
};
struct Expr {
  std::variant<Name, Literal, IndexLiteral, IndexBinary, Operate, Convert, Subscript, Call, Choose,
               Both, Within, Smaller, Larger, GridSize, GridStride, GridRow, HaloCell, NearestCell,
               Held, Opaque, CpuExpr>
      node;
};

/// Of any node.
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

/// The Arith that makes `value`, applied to `operands`.
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
  std::variant<Declare, DeclarePointer, Assign, For, If, Evaluate, Return, Comment, CpuStatement>
      node;
};

struct Parameter {
  enum class Kind {
    input_array,
    output_array,
    scalar,
    result,
    partials,
    grid,
    threads,
    tile,
    scratch,
    cell
  };
  Kind kind;
  om::Element element;  // of arrays, scalars and results
  std::string name;
};

struct Function {
  std::vector<std::string> comment;
  std::optional<om::Element> returns;
  std::string name;
  std::vector<Parameter> parameters;
  Block body;
};

}  // namespace paraiso::codegen::claris
