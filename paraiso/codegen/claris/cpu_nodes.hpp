// The nodes of CLARIS that only a processor with threads, caches and vectors has a meaning for.
// Gives: CpuExpr, CpuStatement and their alternatives. Needs: om, lanes, extents.
//
// A tile is the box of cells that a thread makes at a time. A window says how cells of a tile lie
// in the thread's own memory, the scratch. A row is all cells along axis 0; `cell` of a node that
// finds one has its indices along the other axes.
#pragma once

#include <array>
#include <string>
#include <variant>

#include "paraiso/codegen/claris/forward.hpp"
#include "paraiso/om/machine.hpp"
#include "paraiso/passes/footprint.hpp"
#include "paraiso/passes/value_range.hpp"

namespace paraiso::codegen::claris {

// Expressions.

/// One value in every lane of the loop's vectors.
struct FillLanes {
  ExprPtr value;
};
/// first, first + 1, ... in the lanes.
struct CountLanes {
  ExprPtr first;
};
/// The cells from an address on, one a lane.
struct LoadLanes {
  ExprPtr address;
};
/// The cells `distance` beyond those at an address, of a row that is loaded there as well.
struct Neighbour {
  std::int32_t distance;
  ExprPtr address;
};
/// Where the tile begins and ends along an axis.
struct TileBegin {
  int axis;
};
struct TileEnd {
  int axis;
};
/// How many cells each end of the tile moves from stage to stage, a unit of slope.
struct TileSlant {};
/// One of the tiles, as a loop over them has it.
enum class TileKind : std::uint8_t { whole, shrinking, growing };
struct OneTile {
  TileKind kind;
};
/// How far a row lies from the beginning of what a window describes.
struct WindowRow {
  std::string window;
  std::vector<ExprPtr> cell;
};
/// What a row of a window that keeps few of them, in turn, adds to that along `axis`.
struct WindowLine {
  std::string window;
  int axis;
  ExprPtr row;
};
/// The next free part of the scratch, large enough for a window.
struct TakeScratch {
  passes::Lane element;
  std::string window;
};
/// An address that is never read, maybe outside of the array.
struct FarFrom {
  ExprPtr array, distance;
};
/// How far into a row that part of it begins, where `parts` loops share the row.
struct PartOfRow {
  std::size_t part, parts;
  ExprPtr begin, end;
};
/// How many rows ahead memory is asked for, in a tile with so many cells a row and rows.
struct RowsAhead {
  ExprPtr cells, rows;
};
/// The next multiple of `cells`, downwards or upwards.
struct RoundTo {
  enum class Way : std::uint8_t { down, up };
  Way way;
  int cells;
  ExprPtr at;
};
/// The address of a reduction's partial results.
struct PartialsOf {
  std::string name;
};
/// Whether what a kernel touches, so many bytes a cell, is too large for the caches.
struct TooLargeToKeep {
  std::size_t bytes;
};

using CpuExpr = std::variant<FillLanes, CountLanes, LoadLanes, Neighbour, TileBegin, TileEnd,
                             TileSlant, OneTile, WindowRow, WindowLine, TakeScratch, FarFrom,
                             PartOfRow, RowsAhead, RoundTo, PartialsOf, TooLargeToKeep>;

// Statements.

/// Declares how cells of the tile, widened by `reach`, lie in the scratch; per axis as many lines
/// as are kept in turn, or 0 for all. Rows are multiples of `row_unit` cells; none: of a vector.
struct DeclareWindow {
  std::string name;
  passes::Extent reach;
  std::vector<int> lines;
  std::optional<std::int64_t> row_unit;
};
/// The scratch of this thread, from which TakeScratch takes.
struct OpenScratch {};
/// Makes room in the scratch of all threads.
struct ReserveScratch {};

/// The rules of one side and the other.
using Sides = std::array<om::Boundary, 2>;

/// Declares what makes the ghost cells at the ends of a static's rows, in a loop in vectors of
/// `unit` that reaches `lower` and `upper` cells beyond.
struct DeclareRowEnds {
  std::string name;
  om::Element element;
  passes::Lane unit;
  std::int32_t lower, upper;
  Sides sides;
};
/// Declares what fills the ghost cells of `cells` by the rules of `sides`, one pair an axis: of a
/// window, or, without one, of an array. `reach`: all that are needed; `width`: those beyond the
/// grid.
struct DeclareEdges {
  std::string name;
  om::Element element;
  std::string cells;
  std::optional<std::string> window;
  passes::Extent reach, width;
  std::vector<Sides> sides;
};
/// Fills the ghost cells of one row, or of all.
struct FillEdges {
  std::string edges;
  std::optional<std::vector<ExprPtr>> cell;
};

/// A row of an array, what makes its ends, and what the loop's body calls its cells.
struct RowArgument {
  passes::Lane element;
  std::string row, ends, cells;
};
/// A loop over cells of a row in vectors: explicit ones of `lanes`, several at a time; or, without
/// `lanes`, such as the compiler finds. With `rows`, from their begin to their end.
struct VectorLoop {
  std::string variable;
  ExprPtr begin, end;
  std::optional<passes::Lane> lanes;
  int vectors;
  std::vector<RowArgument> rows;
  Block body;
};
/// The value's lanes to an address; past the caches where the variable `streaming` says so.
struct StoreLanes {
  ExprPtr address, value;
  std::string streaming;  // empty: through them
};
/// What was written past the caches is seen by all.
struct StreamingFence {};
/// Asks memory for the cells that a vector of the loop has at `cell` of a row, or for its share.
struct Prefetch {
  std::string row;
  ExprPtr cell;
  std::size_t parts;
};
/// Reduces the cells of the tile's row to partial results, one a chunk.
struct ReduceRow {
  om::ReduceOp op;
  std::string cells, partials;
  std::vector<ExprPtr> cell;
};

/// Declares how the grid is divided: tiles of `size` that start at multiples of `granule`; or,
/// where they shrink along one axis, pieces of it.
struct DeclareTiles {
  struct Whole {
    std::vector<std::int64_t> size;
    std::int64_t granule;
  };
  struct Cut {
    int axis;
    std::int64_t size;
    std::int32_t steepest;  // how far the ends move in all
  };
  passes::Extent box;
  std::variant<Whole, Cut> shape;
};
/// All tiles of one kind, shared between threads.
struct ForTiles {
  TileKind kind;
  Block body;
};
/// Declares the partial results of a reduction, one a chunk of the grid.
struct DeclarePartials {
  std::string name;
  om::Element element;
};
/// The result of a reduction, from its partial ones.
struct CombinePartials {
  std::string result, partials;
  om::ReduceOp op;
};

using CpuStatement =
    std::variant<DeclareWindow, OpenScratch, ReserveScratch, DeclareRowEnds, DeclareEdges,
                 FillEdges, VectorLoop, StoreLanes, StreamingFence, Prefetch, ReduceRow,
                 DeclareTiles, ForTiles, DeclarePartials, CombinePartials>;

}  // namespace paraiso::codegen::claris
