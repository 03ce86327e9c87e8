// CLARIS: a small C-like syntax tree. All that is decided (loop order, storage, halos) is in it; a
// printer only chooses spelling.
// Gives: Expr and its makers, Statement, Parameter, Function. Needs: om's operators and constants,
// lanes.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "paraiso/passes/value_range.hpp"

namespace paraiso::codegen::claris {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

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
struct Subscript {
  ExprPtr array, index;
};
/// A call of a support or generated function by its printed name.
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
struct Expr {
  std::variant<Name, Literal, IndexLiteral, IndexBinary, Operate, Subscript, Call, Choose, Both>
      node;
};

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

struct Statement;
using Block = std::vector<Statement>;

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
/// An object of a support type: `type name(arguments);`
struct DeclareObject {
  std::string type, name;
  std::vector<ExprPtr> arguments;
};
struct Assign {
  ExprPtr target, value;
};
/// A row of an array, the object that makes its ends, and where the loop finds its cells: in the
/// row or in a copy.
struct RowArgument {
  passes::Lane element;
  std::string row, ends, cells;
};
/// for (variable = begin; variable < end; variable += step); explicit vectors go on in whole ones
struct For {
  enum class Kind { sequential, parallel, vector };
  Kind kind = Kind::sequential;
  std::string variable;
  ExprPtr begin, end;
  // of vector: how many cells are taken at a time, as machine vectors of a number; none: the
  // compiler decides
  std::optional<passes::Lane> lanes = {};
  int vectors = 1;
  std::vector<Statement> body;
  std::vector<RowArgument> rows = {};  // of vector: whose cells beyond the ends are made by the way
  int step = 1;                        // of sequential
};
struct If {
  ExprPtr condition;
  std::vector<Statement> body;
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
  std::variant<Declare, DeclarePointer, DeclareObject, Assign, For, If, Evaluate, Return, Comment>
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
