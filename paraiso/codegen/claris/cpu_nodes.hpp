// The nodes of CLARIS that only CPU back ends have: threads, caches and vectors.
// Gives: CpuExpr, CpuStatement and their alternatives. Needs: om, lanes, extents.
//
// A tile is the box of cells that a thread computes at a time. A window is the layout of a tile's
// cells in the thread's scratch. A row is all cells along axis 0; a node that finds one has the
// row's indices along the other axes in `cell`.
#pragma once

#include <array>
#include <string>
#include <variant>

#include "paraiso/codegen/claris/forward.hpp"
#include "paraiso/om/graph/machine.hpp"
#include "paraiso/passes/analysis/footprint.hpp"
#include "paraiso/passes/analysis/value_range.hpp"

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
/// The cells from an address on, one per lane.
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
/// Which way the tile's ends move from stage to stage: 1 inwards, -1 outwards, 0 not at all.
struct TileSlant {};
/// A tile, as the loop over the tiles names it.
enum class TileKind : std::uint8_t { whole, shrinking, growing };
struct OneTile {
  TileKind kind;
};
/// The offset of a row in a window.
struct WindowRow {
  std::string window;
  std::vector<ExprPtr> cell;
};
/// What `axis` adds to that offset in a window that keeps only some lines along it, in turn.
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
/// An address for prefetching only, which may lie outside the array.
struct FarFrom {
  ExprPtr array, distance;
};
/// Where one of `parts` parts of a row begins, if as many loops share prefetching it.
struct PartOfRow {
  std::size_t part, parts;
  ExprPtr begin, end;
};
/// How many rows ahead to prefetch, in a tile with `cells` cells in a row and `rows` rows.
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
/// Whether the arrays that a kernel touches, `bytes` bytes per cell in all, exceed the caches.
struct TooLargeToKeep {
  std::size_t bytes;
};

using CpuExpr = std::variant<FillLanes, CountLanes, LoadLanes, Neighbour, TileBegin, TileEnd,
                             TileSlant, OneTile, WindowRow, WindowLine, TakeScratch, FarFrom,
                             PartOfRow, RowsAhead, RoundTo, PartialsOf, TooLargeToKeep>;

// Statements.

/// Declares the layout of the tile's cells, widened by `reach`, in the scratch. `lines`: per axis,
/// the lines of a rolling buffer, or 0 to keep all lines. Rows are multiples of `row_unit` cells,
/// by default of a vector's.
struct DeclareWindow {
  std::string name;
  passes::Extent reach;
  std::vector<int> lines;
  std::optional<std::int64_t> row_unit;
};
/// Declares this thread's scratch, from which TakeScratch takes.
struct OpenScratch {};
/// Makes room in the scratch of all threads.
struct ReserveScratch {};

/// The rules of the lower and the upper side.
using AxisSides = std::array<om::Boundary, 2>;

/// Declares the object that computes the ghost cells at the ends of a static's rows, for a loop in
/// vectors of `unit` that reads `lower` and `upper` cells beyond the ends.
struct DeclareRowEnds {
  std::string name;
  om::Element element;
  passes::Lane unit;
  std::int32_t lower, upper;
  AxisSides sides;
};
/// Declares the object that fills the ghost cells of `cells` by the rules of `sides`, one pair per
/// axis. The cells lie in a window or, without one, in an array. `reach`: cells kept beyond the
/// tile; `width`: cells filled beyond the grid.
struct DeclareEdges {
  std::string name;
  om::Element element;
  std::string cells;
  std::optional<std::string> window;
  passes::Extent reach, width;
  std::vector<AxisSides> sides;
};
/// Fills the ghost cells of one row, or of all.
struct FillEdges {
  std::string edges;
  std::optional<std::vector<ExprPtr>> cell;
};

/// The names of a row of an array, of the object with its ghost cells, and of its cells in the
/// loop.
struct RowArgument {
  passes::Lane element;
  std::string row, ends, cells;
};
/// A loop over the cells of a row: in explicit vectors of `lanes`, several at a time; without
/// `lanes`, in vectors that the compiler chooses. With `rows`, over those rows from begin to end.
struct VectorLoop {
  std::string variable;
  ExprPtr begin, end;
  std::optional<passes::Lane> lanes;
  int vectors;
  std::vector<RowArgument> rows;
  Block body;
};
/// Stores a value's lanes at an address; past the caches if the variable `streaming` is set.
struct StoreLanes {
  ExprPtr address, value;
  std::string streaming;  // empty: always into the caches
};
/// Makes what was stored past the caches visible to other threads.
struct StreamingFence {};
/// Prefetches the cells of `row` for a vector at `cell`, or this loop's share if `parts` loops do.
struct Prefetch {
  std::string row;
  ExprPtr cell;
  std::size_t parts;
};
/// Reduces the cells of the tile's row to partial results, one per chunk.
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
  bool of_region = false;  // of the present region of the box, not of all
};
/// Runs `body` for all cells that need no message, then, after these have come, for the others:
/// regions of a box. `reach`: how far cells are read; rows are cut at multiples of `granule`.
struct ForRegions {
  passes::Extent box, reach;
  std::int64_t granule;
  bool whole_rows;  // or not at all
  Block body;
};
/// All tiles of one kind, shared between threads.
struct ForTiles {
  TileKind kind;
  Block body;
};
/// Declares the partial results of a reduction.
struct DeclarePartials {
  std::string name;
  om::Element element;
  om::ReduceOp op;
};
/// The result of a reduction, from its partial ones.
struct CombinePartials {
  std::string result, partials;
  std::optional<int> late;  // as in Reducing
};
/// Those of several reductions that are waited for: two or more.
struct CombineTogether {
  std::vector<CombinePartials> all;
};

using CpuStatement = std::variant<DeclareWindow, OpenScratch, ReserveScratch, DeclareRowEnds,
                                  DeclareEdges, FillEdges, VectorLoop, StoreLanes, StreamingFence,
                                  Prefetch, ReduceRow, DeclareTiles, ForRegions, ForTiles,
                                  DeclarePartials, CombinePartials, CombineTogether>;

}  // namespace paraiso::codegen::claris
