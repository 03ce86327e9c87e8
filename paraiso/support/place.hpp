// A solver's place in a divided grid, and what it asks of the solvers of the other parts.
// Gives: Reducing, Exchange, Place in paraiso_support. Needs: nothing.
//
// Plain data and functions, so that threads, processes and networks can be behind it: generated
// code knows of none of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paraiso_support {

/// One part's share of a reduction: an item for each chunk of 256 cells, chunks of a row first; or
/// one for each cell, where cuts go through chunks and their order matters, or Place says so.
struct Reducing {
  void* items;                  // may be overwritten
  const std::int64_t* extents;  // items along each axis
  int axes;
  std::size_t bytes;  // of an item
  bool ordered;       // its bits depend on the order: a sum or product of floats
  bool of_cells;
  // The result of the (at most 256) cells of a chunk; that of items along axes, by the fixed tree,
  // which overwrites them.
  void (*chunk)(const void* cells, std::int64_t count, void* result);
  void (*tree)(void* items, const std::int64_t* extents, int axes, void* result);
  void* result;  // to be set to that of the whole grid
  // Its number among those of the kernel from whose results only scalars are stored, which may be
  // set after the kernel instead; -1: not one of them.
  int late = -1;
};

/// What connects the parts. Every part calls the same in the same order.
struct Exchange {
  void* context;
  // Of reductions whose shares are known at the same time.
  void (*reduce)(void* context, const Reducing* shares, int count);
  // Waits for what others have sent before the present kernel, and puts it into its ghost cells. A
  // kernel that computes meanwhile calls it; for others it has been done.
  void (*receive)(void* context);
};

/// A part of a grid: `size` cells from `origin` on, of `whole`. Ghost cells that lie in other parts
/// are put there by others before a kernel runs.
struct Place {
  const std::int64_t *size, *origin, *whole;
  const Exchange* exchange;  // nullptr: the part is the whole
  // Some cells of a row are computed by other parts, too, which count them: reductions give an item
  // for each cell.
  bool items_of_cells = false;
  int beside = 1;  // parts on this host, which share its caches; this one included
};

}  // namespace paraiso_support
