// Orthotree: how a grid is divided into boxes, one for each storage, by cuts that may be moved.
// Gives: Orthotree, regular_division, even_division, parts_along_axes, print, parse_orthotree.
// Needs: Box, Error.
//
// T. Muranushi (2012), section 4.2: a tree is a Leaf, a Warp along an axis (its two ends are
// joined) or a Divide of an axis at a coordinate, with a tree on each side. Cuts on the two sides
// of another cut need not meet, so divisions are irregular. As text, before the words of its parts:
//
//   divide 1 at 30            # cells with y < 30, then the others
//     leaf
//     divide 0 at 12
//       leaf
//       leaf
//
// A tree knows no size: it divides the grid of any size that leaves a cell for each leaf.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "paraiso/base/error.hpp"
#include "paraiso/om/cells/box.hpp"

namespace paraiso::om {

/// Invariant: `nodes` is a whole tree in pre-order, the lower side of a Divide before the upper
/// one. Leaves, in that order, are numbered from 0: those are the storages.
class Orthotree {
 public:
  enum class Kind : std::uint8_t { leaf, warp, divide };
  struct Node {
    Kind kind = Kind::leaf;
    int axis = 0;         // of a Warp or Divide
    std::int64_t at = 0;  // of a Divide: the first cell of its upper side
    friend bool operator==(const Node&, const Node&) = default;
  };
  static constexpr std::size_t kMostNodes = 1 << 21;

  /// One Leaf.
  Orthotree() : Orthotree(std::vector<Node>(1)) {}
  [[nodiscard]] static Orthotree warp(int axis, const Orthotree& inside);
  [[nodiscard]] static Orthotree divide(int axis, std::int64_t at, const Orthotree& lower,
                                        const Orthotree& upper);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t leaf_count() const;
  [[nodiscard]] bool has_warp(int axis) const;

  /// Why it can't divide a grid of that size, or "": axes that there are, Warps above all Divides
  /// and at most one an axis, at least `least` cells along each axis in each part.
  [[nodiscard]] std::string complaint(const Cell& size, std::int64_t least = 1) const;
  /// The box of each leaf. Throws Error with the complaint if there is one.
  [[nodiscard]] std::vector<Box> leaves(const Cell& size) const;
  /// The leaves, in order, that have cells in `box` of a grid of that size, which has no complaint.
  [[nodiscard]] std::vector<std::size_t> leaves_in(const Box& box) const;

  /// With the Divide `node` at another coordinate.
  [[nodiscard]] Orthotree with_cut(std::size_t node, std::int64_t at) const;
  /// With a Divide in place of leaf number `leaf`.
  [[nodiscard]] Orthotree with_leaf_divided(std::size_t leaf, int axis, std::int64_t at) const;
  /// With one leaf in place of the Divide `node`, both sides of which are leaves; else throws
  /// Error: only what was one is merged.
  [[nodiscard]] Orthotree with_leaves_merged(std::size_t node) const;
  /// The positions of Divides in `nodes()`.
  [[nodiscard]] std::vector<std::size_t> cuts() const;

  friend bool operator==(const Orthotree&, const Orthotree&) = default;
  /// Reads what `print` writes; `#` starts a comment. Throws Error at the line.
  friend Orthotree parse_orthotree(std::string_view text, std::string_view file);

 private:
  explicit Orthotree(std::vector<Node> nodes);
  [[nodiscard]] std::size_t place_of(std::size_t leaf) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> ends_;  // of each node: where the nodes of its tree end
};

[[nodiscard]] std::string print(const Orthotree& tree);
[[nodiscard]] Orthotree parse_orthotree(std::string_view text, std::string_view file = "");

/// `parts[a]` parts along axis a, as equal as may be; the cuts of the last axis are the outermost.
/// Throws Error where an axis has fewer cells than parts.
[[nodiscard]] Orthotree regular_division(const Cell& size, const std::vector<std::int64_t>& parts);

/// Into so many leaves, as equal as may be, mostly by cuts across the axis on which a part is
/// longest (EvenCuts); axis 0, along which rows lie in memory, only where no other can be cut,
/// and long rows at multiples of 256 cells.
/// Throws Error if there are fewer cells than leaves.
[[nodiscard]] Orthotree even_division(const Cell& size, std::int64_t leaves);

/// Into how many parts all cuts together divide each of so many axes: of a regular division, those
/// that it was made of.
[[nodiscard]] std::vector<std::int64_t> parts_along_axes(const Orthotree& tree, std::size_t axes);

}  // namespace paraiso::om
