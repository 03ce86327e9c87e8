// What a part of a grid sends of a sum or product of floats.
// Gives: Extents, chunks, NodesOf, OwnNodes, nodes_of in paraiso_mpi. Needs: place.hpp,
// reduction.hpp.
//
// The tree's nodes are aligned intervals of chunks, rows, planes, ... A part is the whole grid
// along some first axes. Along the next one its cells are cut into the fewest nodes that it has
// whole, and each of its lines along that axis is one number for each of them. Only where that is
// axis 0 and a cut goes through a chunk, it is the chunk's cells, because lanes add them one after
// the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "paraiso/support/place.hpp"
#include "paraiso/support/reduction.hpp"

namespace paraiso_mpi {

using paraiso_support::chunk_cells;
using paraiso_support::Reducing;

/// Along each axis.
using Extents = std::vector<std::int64_t>;

inline std::int64_t chunks(std::int64_t cells) { return (cells + chunk_cells - 1) / chunk_cells; }

/// What a part's numbers are: all that follows from where it lies.
class NodesOf {
 public:
  /// Numbers of a line: one for items [first << level, (first + 1) << level), as far as there are
  /// so many; or, where `level` is -1, `count` cells of one chunk from cell `first` on.
  struct Piece {
    int level;
    std::int64_t first, count;
  };

  /// Of the part that has cells [begin, end).
  NodesOf(const Extents& whole, Extents begin, Extents end)
      : begin_(std::move(begin)), end_(std::move(end)) {
    while (axis_ + 1 < whole.size() && begin_[axis_] == 0 && end_[axis_] == whole[axis_]) ++axis_;
    if (axis_ > 0)
      add_nodes(begin_[axis_], end_[axis_], whole[axis_]);
    else
      add_row(begin_[0], end_[0], whole[0]);
    for (const Piece& piece : pieces_) in_line_ += static_cast<std::size_t>(piece.count);
  }

  const Extents& begin() const { return begin_; }
  const Extents& end() const { return end_; }
  /// Along which its lines lie: the first that it does not have whole, or the last.
  std::size_t axis() const { return axis_; }
  /// Of each line in turn.
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// Numbers of a line, and of all lines.
  std::size_t in_line() const { return in_line_; }
  std::size_t count() const {
    std::size_t numbers = in_line_;
    for (std::size_t a = axis_ + 1; a < begin_.size(); ++a)
      numbers *= static_cast<std::size_t>(end_[a] - begin_[a]);
    return numbers;
  }

 private:
  /// Items [begin, end) of n, by the fewest nodes.
  void add_nodes(std::int64_t begin, std::int64_t end, std::int64_t n) {
    while (begin < end) {  // the largest that starts at `begin` and ends by `end`
      std::int64_t length = 1;
      int level = 0;
      while (begin % (2 * length) == 0 && begin + length < n &&
             std::min(begin + 2 * length, n) <= end) {
        length *= 2;
        ++level;
      }
      pieces_.push_back({level, begin / length, 1});
      begin += length;
    }
  }
  void add_cells(std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const std::int64_t next = std::min(end, (begin / chunk_cells + 1) * chunk_cells);
      pieces_.push_back({-1, begin, next - begin});
      begin = next;
    }
  }
  void add_row(std::int64_t begin, std::int64_t end, std::int64_t n) {
    const std::int64_t first = chunks(begin), last = end == n ? chunks(n) : end / chunk_cells;
    if (first >= last) return add_cells(begin, end);
    add_cells(begin, first * chunk_cells);
    add_nodes(first, last, chunks(n));
    add_cells(last * chunk_cells, end);
  }

  Extents begin_, end_;
  std::size_t axis_ = 0, in_line_ = 0;
  std::vector<Piece> pieces_;
};

/// A part's items, one for each chunk of axis 0, or for each cell where it cuts chunks: computes
/// its numbers from them, and overwrites them.
class OwnNodes {
 public:
  OwnNodes(const Reducing& like, const NodesOf& part, void* items, const std::int64_t* extents)
      : like_(like),
        part_(part),
        items_(static_cast<char*>(items)),
        extents_(extents),
        node_(extents, extents + part.axis() + 1) {}

  /// `of_cells`: the items are cells along axis 0, which its lines lie along.
  std::vector<char> numbers(bool of_cells) {
    const std::size_t axis = part_.axis();
    std::int64_t length = below(axis + 1), lines = 1;
    for (std::size_t a = axis + 1; a < part_.begin().size(); ++a) lines *= extents_[a];
    std::vector<char> all(part_.count() * like_.bytes);
    char* to = all.data();
    for (std::int64_t line = 0; line < lines; ++line)
      for (const NodesOf::Piece& piece : part_.pieces()) {
        if (of_cells)
          reduce_cells(piece, line * length, to);
        else
          reduce_items(piece, line * length, to);
        to += static_cast<std::size_t>(piece.count) * like_.bytes;
      }
    return all;
  }

 private:
  /// Items of one place along `axis`.
  std::int64_t below(std::size_t axis) const {
    std::int64_t items = 1;
    for (std::size_t a = 0; a < axis; ++a) items *= extents_[a];
    return items;
  }
  char* item(std::int64_t number) const {
    return items_ + number * static_cast<std::int64_t>(like_.bytes);
  }
  void reduce_items(const NodesOf::Piece& piece, std::int64_t line, char* to) {
    const std::size_t axis = part_.axis();
    const std::int64_t origin = axis > 0 ? part_.begin()[axis] : part_.begin()[0] / chunk_cells;
    const std::int64_t first = (piece.first << piece.level) - origin;
    node_[axis] = std::min(std::int64_t{1} << piece.level, extents_[axis] - first);
    like_.tree(item(line + first * below(axis)), node_.data(), static_cast<int>(axis) + 1, to);
  }
  void reduce_cells(const NodesOf::Piece& piece, std::int64_t line, char* to) {
    const std::int64_t origin = part_.begin()[0];
    if (piece.level < 0)
      return void(std::memcpy(to, item(line + piece.first - origin),
                              static_cast<std::size_t>(piece.count) * like_.bytes));
    const std::int64_t first = (piece.first << piece.level) * chunk_cells - origin;
    const std::int64_t cells = std::min(chunk_cells << piece.level, extents_[0] - first);
    const std::int64_t count = chunks(cells);
    of_chunks_.resize(static_cast<std::size_t>(count) * like_.bytes);
    for (std::int64_t c = 0; c < count; ++c)
      like_.chunk(item(line + first + c * chunk_cells),
                  std::min(chunk_cells, cells - c * chunk_cells),
                  of_chunks_.data() + static_cast<std::size_t>(c) * like_.bytes);
    like_.tree(of_chunks_.data(), &count, 1, to);
  }

  const Reducing& like_;
  const NodesOf& part_;
  char* items_;
  const std::int64_t* extents_;
  Extents node_;  // those of one, up to its axis
  std::vector<char> of_chunks_;
};

/// Of a part of a grid of `whole` cells its numbers in turn. Overwrites the share's items.
inline std::vector<char> nodes_of(const Reducing& share, const NodesOf& part,
                                  const Extents& whole) {
  const bool of_cells = paraiso_support::cuts_chunks(part.begin()[0], part.end()[0], whole[0]);
  return OwnNodes(share, part, share.items, share.extents).numbers(of_cells);
}

}  // namespace paraiso_mpi
