// Joins what the parts of a grid send of a sum or product of floats: the bits of one process.
// Gives: PartNumbers, LineOfNodes, JoinNodes, join_nodes in paraiso_mpi. Needs: nodes.hpp.
//
// Axis by axis: where lines along it are cut, their numbers come from several parts, and each line
// becomes one item of the next axis. What those items are together is a part again.
#pragma once

#include <list>
#include <set>

#include "paraiso/support/mpi/nodes.hpp"

namespace paraiso_mpi {

/// What a part has sent. Both are kept elsewhere.
struct PartNumbers {
  const NodesOf* part;
  const char* numbers;
};

/// One line, put together from its numbers in turn. An item has at most 8 bytes.
class LineOfNodes {
 public:
  /// Of `items` along its axis, which are chunks if it has `cells`, else 0.
  LineOfNodes(const Reducing& like, std::int64_t items, std::int64_t cells)
      : like_(like), items_(items), cells_(cells) {}

  void add(const NodesOf::Piece& piece, const char* numbers) {
    if (piece.level >= 0) return push(piece.level, piece.first, numbers);
    const std::int64_t number = piece.first / chunk_cells, start = number * chunk_cells;
    chunk_.insert(chunk_.end(), numbers,
                  numbers + static_cast<std::size_t>(piece.count) * like_.bytes);
    if (piece.first + piece.count < std::min(start + chunk_cells, cells_)) return;
    std::uint64_t item = 0;
    like_.chunk(chunk_.data(), piece.first + piece.count - start, &item);
    chunk_.clear();
    push(0, number, &item);
  }
  /// When all have been added: writes that of the line, and begins another one.
  void take(void* result) {
    std::memcpy(result, &open_.back().bits, like_.bytes);
    open_.clear();
  }

 private:
  struct Node {
    int level;
    std::int64_t number;
    std::uint64_t bits;
  };

  void push(int level, std::int64_t number, const void* value) {
    Node node{level, number, 0};
    std::memcpy(&node.bits, value, like_.bytes);
    while ((std::int64_t{1} << node.level) < items_) {
      if (node.number % 2 != 0) {
        node.bits = combined(open_.back().bits, node.bits);
        open_.pop_back();
      } else if ((node.number + 1) << node.level < items_) {
        break;  // its other half comes later
      }
      node.number /= 2;
      ++node.level;
    }
    open_.push_back(node);
  }
  std::uint64_t combined(std::uint64_t x, std::uint64_t y) const {
    constexpr std::int64_t two = 2;
    char both[2 * sizeof x];
    std::memcpy(both, &x, like_.bytes);
    std::memcpy(both + like_.bytes, &y, like_.bytes);
    std::uint64_t result = 0;
    like_.tree(both, &two, 1, &result);
    return result;
  }

  const Reducing& like_;
  std::int64_t items_, cells_;
  std::vector<char> chunk_;  // the cells so far of one that is cut
  std::vector<Node> open_;   // whose other halves are missing
};

/// See join_nodes.
class JoinNodes {
 public:
  JoinNodes(const Reducing& like, const Extents& whole, std::vector<PartNumbers> parts)
      : like_(like), whole_(whole), parts_(std::move(parts)) {}

  void finish(void* result) {
    for (std::size_t axis = 0; axis + 1 < whole_.size(); ++axis) join_along(axis);
    const std::size_t last = whole_.size() - 1;
    LineOfNodes line = line_along(last);
    for (const PartNumbers& one : take_along(last)) add(one, 0, line);
    line.take(result);
  }

 private:
  /// Lines that have been put together: a part of the axes above theirs.
  struct Joined {
    explicit Joined(NodesOf where) : part(std::move(where)) {}
    NodesOf part;
    std::vector<char> numbers;
  };

  LineOfNodes line_along(std::size_t axis) const {
    return axis == 0 ? LineOfNodes(like_, chunks(whole_[0]), whole_[0])
                     : LineOfNodes(like_, whole_[axis], 0);
  }
  void add(const PartNumbers& one, std::int64_t line_number, LineOfNodes& line) const {
    const std::size_t before = static_cast<std::size_t>(line_number) * one.part->in_line();
    const char* next = one.numbers + before * like_.bytes;
    for (const NodesOf::Piece& piece : one.part->pieces()) {
      line.add(piece, next);
      next += static_cast<std::size_t>(piece.count) * like_.bytes;
    }
  }
  /// Those with lines along that axis, in the order of lines.
  std::vector<PartNumbers> take_along(std::size_t axis) {
    std::vector<PartNumbers> taken, rest;
    for (const PartNumbers& one : parts_) (one.part->axis() == axis ? taken : rest).push_back(one);
    parts_ = std::move(rest);
    std::sort(taken.begin(), taken.end(), [&](const PartNumbers& x, const PartNumbers& y) {
      return x.part->begin()[axis] < y.part->begin()[axis];
    });
    return taken;
  }
  /// Lines of which the same parts have something are joined together.
  void join_along(std::size_t axis) {
    const std::vector<PartNumbers> parts = take_along(axis);
    if (parts.empty()) return;
    std::vector<Extents> cuts;
    for (std::size_t a = axis + 1; a < whole_.size(); ++a) {
      std::set<std::int64_t> at;
      for (const PartNumbers& one : parts) at.insert({one.part->begin()[a], one.part->end()[a]});
      cuts.emplace_back(at.begin(), at.end());
    }
    join_lines(axis, parts, cuts, Extents(whole_.size()), Extents(whole_.size(), 1));
  }
  /// `begin` and `end` are decided along the axes for which there are no cuts any more.
  void join_lines(std::size_t axis, const std::vector<PartNumbers>& parts,
                  std::vector<Extents> cuts, Extents begin, Extents end) {
    if (parts.empty()) return;
    const std::size_t a = axis + cuts.size();
    if (cuts.empty()) return join_lines(axis, parts, begin, end);
    const Extents at = std::move(cuts.back());
    cuts.pop_back();
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      begin[a] = at[i];
      end[a] = at[i + 1];
      std::vector<PartNumbers> there;
      for (const PartNumbers& one : parts)
        if (one.part->begin()[a] <= begin[a] && end[a] <= one.part->end()[a]) there.push_back(one);
      join_lines(axis, there, cuts, begin, end);
    }
  }
  /// All lines of a box; axes up to `axis` are one item each.
  void join_lines(std::size_t axis, const std::vector<PartNumbers>& parts, Extents begin,
                  Extents end) {
    Extents extents(whole_.size(), 1);
    std::int64_t lines = 1;
    for (std::size_t a = axis + 1; a < whole_.size(); ++a) lines *= extents[a] = end[a] - begin[a];
    std::vector<char> items(static_cast<std::size_t>(lines) * like_.bytes);
    LineOfNodes line = line_along(axis);
    Extents at = begin;
    for (std::int64_t i = 0; i < lines; ++i) {
      for (const PartNumbers& one : parts) add(one, line_number(*one.part, axis, at), line);
      line.take(items.data() + static_cast<std::size_t>(i) * like_.bytes);
      for (std::size_t a = axis + 1; a < whole_.size() && ++at[a] == end[a]; ++a) at[a] = begin[a];
    }
    for (std::size_t a = 0; a <= axis; ++a) end[a] = whole_[a];
    Joined& joined = joined_.emplace_back(NodesOf(whole_, std::move(begin), std::move(end)));
    joined.numbers = OwnNodes(like_, joined.part, items.data(), extents.data()).numbers(false);
    parts_.push_back({&joined.part, joined.numbers.data()});
  }
  static std::int64_t line_number(const NodesOf& part, std::size_t axis, const Extents& at) {
    std::int64_t number = 0;
    for (std::size_t a = at.size() - 1; a > axis; --a)
      number = number * (part.end()[a] - part.begin()[a]) + at[a] - part.begin()[a];
    return number;
  }

  const Reducing& like_;
  const Extents& whole_;
  std::vector<PartNumbers> parts_;
  std::list<Joined> joined_;
};

/// To `result` that of the whole grid, from what all its parts have sent.
inline void join_nodes(const Reducing& like, const Extents& whole, std::vector<PartNumbers> parts,
                       void* result) {
  JoinNodes(like, whole, std::move(parts)).finish(result);
}

}  // namespace paraiso_mpi
