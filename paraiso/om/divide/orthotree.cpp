#include "paraiso/om/divide/orthotree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "paraiso/support/mpi/even.hpp"

namespace paraiso::om {
namespace {

using TreeNode = Orthotree::Node;
using TreeKind = Orthotree::Kind;

void append(std::vector<TreeNode>& nodes, const Orthotree& tree) {
  nodes.insert(nodes.end(), tree.nodes().begin(), tree.nodes().end());
}

std::string axis_complaint(const TreeNode& node, std::size_t axes) {
  if (node.axis >= 0 && static_cast<std::size_t>(node.axis) < axes) return {};
  return fmt::format("the division names axis {}, the grid has {}", node.axis,
                     axes == 1 ? "1 axis" : fmt::format("{} axes", axes));
}

/// Why a Divide can't cut `box`, or "".
std::string cut_complaint(const TreeNode& node, const Box& box, std::int64_t least) {
  const auto a = static_cast<std::size_t>(node.axis);
  if (node.at - box.lower[a] >= least && box.upper[a] - node.at >= least) return {};
  return fmt::format("the cut of axis {} at {} leaves fewer than {} cell{} on one side of [{}, {})",
                     node.axis, node.at, least, least == 1 ? "" : "s", box.lower[a], box.upper[a]);
}

}  // namespace

Orthotree::Orthotree(std::vector<TreeNode> nodes) : nodes_(std::move(nodes)), ends_(nodes_.size()) {
  for (auto n = static_cast<std::uint32_t>(nodes_.size()); n-- > 0;) {
    ends_[n] = n + 1;
    if (nodes_[n].kind != TreeKind::leaf) ends_[n] = ends_[n + 1];
    if (nodes_[n].kind == TreeKind::divide) ends_[n] = ends_[ends_[n]];
  }
}

Orthotree Orthotree::warp(int axis, const Orthotree& inside) {
  std::vector<TreeNode> nodes = {{TreeKind::warp, axis, 0}};
  append(nodes, inside);
  return Orthotree(std::move(nodes));
}

Orthotree Orthotree::divide(int axis, std::int64_t at, const Orthotree& lower,
                            const Orthotree& upper) {
  std::vector<TreeNode> nodes = {{TreeKind::divide, axis, at}};
  append(nodes, lower);
  append(nodes, upper);
  return Orthotree(std::move(nodes));
}

std::size_t Orthotree::leaf_count() const {
  return std::ranges::count(nodes_, TreeKind::leaf, &TreeNode::kind);
}

bool Orthotree::has_warp(int axis) const {
  return std::ranges::count(nodes_, TreeNode{TreeKind::warp, axis, 0}) > 0;
}

std::string Orthotree::complaint(const Cell& size, std::int64_t least) const {
  std::vector<Box> parts = {{Cell(size.size(), 0), size}};  // that are still to come
  std::vector<bool> warped(size.size());
  bool divided = false;
  for (const TreeNode& node : nodes_) {
    if (node.kind != TreeKind::leaf)
      if (auto why = axis_complaint(node, size.size()); !why.empty()) return why;
    Box part = std::move(parts.back());
    if (node.kind == TreeKind::warp) {
      if (divided) return fmt::format("the warp of axis {} lies below a cut", node.axis);
      if (warped[node.axis]) return fmt::format("axis {} is warped twice", node.axis);
      warped[node.axis] = true;
      parts.back() = std::move(part);
      continue;
    }
    parts.pop_back();
    if (node.kind == TreeKind::leaf) continue;
    divided = true;
    if (auto why = cut_complaint(node, part, least); !why.empty()) return why;
    parts.push_back(part);
    parts.back().lower[node.axis] = node.at;
    part.upper[node.axis] = node.at;
    parts.push_back(std::move(part));
  }
  return {};
}

std::vector<Box> Orthotree::leaves(const Cell& size) const {
  if (auto why = complaint(size); !why.empty()) throw Error(why);
  std::vector<Box> boxes, parts = {{Cell(size.size(), 0), size}};
  for (const TreeNode& node : nodes_) {
    if (node.kind == TreeKind::warp) continue;
    Box part = std::move(parts.back());
    parts.pop_back();
    if (node.kind == TreeKind::leaf) {
      boxes.push_back(std::move(part));
      continue;
    }
    parts.push_back(part);
    parts.back().lower[node.axis] = node.at;
    part.upper[node.axis] = node.at;
    parts.push_back(std::move(part));
  }
  return boxes;
}

std::vector<std::size_t> Orthotree::leaves_in(const Box& box) const {
  std::vector<std::size_t> found;
  struct Part {
    std::size_t node, leaf;  // where it starts; the number of its first leaf
    Box wanted;
  };
  std::vector<Part> parts = {{0, 0, box}};
  while (!parts.empty()) {
    auto [n, leaf, wanted] = std::move(parts.back());
    parts.pop_back();
    if (wanted.empty()) continue;
    while (nodes_[n].kind == TreeKind::warp) ++n;
    if (nodes_[n].kind == TreeKind::leaf) {
      found.push_back(leaf);
      continue;
    }
    const auto a = static_cast<std::size_t>(nodes_[n].axis);
    const std::size_t upper = ends_[n + 1];
    // Of a tree with d Divides, which are half of its nodes but one, d + 1 are leaves.
    Part above = {upper, leaf + (upper - n) / 2, wanted};
    above.wanted.lower[a] = std::max(wanted.lower[a], nodes_[n].at);
    wanted.upper[a] = std::min(wanted.upper[a], nodes_[n].at);
    parts.push_back(std::move(above));
    parts.push_back({n + 1, leaf, std::move(wanted)});
  }
  return found;
}

Orthotree Orthotree::with_cut(std::size_t node, std::int64_t at) const {
  if (node >= nodes_.size() || nodes_[node].kind != TreeKind::divide)
    throw Error(fmt::format("node {} of the division is no cut", node));
  auto nodes = nodes_;
  nodes[node].at = at;
  return Orthotree(std::move(nodes));
}

std::size_t Orthotree::place_of(std::size_t leaf) const {
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (nodes_[n].kind == TreeKind::leaf && leaf-- == 0) return n;
  throw Error(fmt::format("the division has only {} leaves", leaf_count()));
}

Orthotree Orthotree::with_leaf_divided(std::size_t leaf, int axis, std::int64_t at) const {
  auto nodes = nodes_;
  const auto place = nodes.begin() + static_cast<std::ptrdiff_t>(place_of(leaf));
  nodes.insert(place, {TreeNode{TreeKind::divide, axis, at}, TreeNode{}});
  return Orthotree(std::move(nodes));
}

Orthotree Orthotree::with_leaves_merged(std::size_t node) const {
  if (node >= nodes_.size() || nodes_[node].kind != TreeKind::divide || ends_[node] != node + 3)
    throw Error(fmt::format("node {} of the division is no cut between two leaves", node));
  auto nodes = nodes_;
  const auto place = nodes.begin() + static_cast<std::ptrdiff_t>(node);
  nodes.erase(place, place + 2);
  return Orthotree(std::move(nodes));
}

std::vector<std::size_t> Orthotree::cuts() const {
  std::vector<std::size_t> found;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (nodes_[n].kind == TreeKind::divide) found.push_back(n);
  return found;
}

namespace {

/// Parts [first, first + count) of `parts` along `axis`, each divided along the axes below.
Orthotree parts_along(const Cell& size, const std::vector<std::int64_t>& parts, int axis,
                      std::int64_t first, std::int64_t count) {
  if (axis < 0) return {};
  if (count == 1) return parts_along(size, parts, axis - 1, 0, axis > 0 ? parts[axis - 1] : 1);
  const std::int64_t half = count / 2;
  return Orthotree::divide(axis, size[axis] * (first + half) / parts[axis],
                           parts_along(size, parts, axis, first, half),
                           parts_along(size, parts, axis, first + half, count - half));
}

Orthotree divided_evenly(const Box& box, std::int64_t leaves, paraiso_mpi::EvenCuts& cuts) {
  if (leaves == 1) return {};
  const auto cut = cuts.cut(om::minus(box.upper, box.lower), leaves);
  Box lower = box, upper = box;
  lower.upper[cut.axis] = upper.lower[cut.axis] = box.lower[cut.axis] + cut.below;
  return Orthotree::divide(cut.axis, lower.upper[cut.axis],
                           divided_evenly(lower, cut.parts_below, cuts),
                           divided_evenly(upper, leaves - cut.parts_below, cuts));
}

}  // namespace

Orthotree regular_division(const Cell& size, const std::vector<std::int64_t>& parts) {
  if (parts.size() != size.size())
    throw Error(fmt::format("the division {} has {} numbers, the grid {} axes",
                            fmt::join(parts, "x"), parts.size(), size.size()));
  for (std::size_t a = 0; a < size.size(); ++a)
    if (parts[a] < 1 || parts[a] > size[a])
      throw Error(
          fmt::format("axis {} of {} cells can't be cut into {} parts", a, size[a], parts[a]));
  const int last = static_cast<int>(size.size()) - 1;
  return parts_along(size, parts, last, 0, parts[last]);
}

Orthotree even_division(const Cell& size, std::int64_t leaves) {
  double cells = 1;
  for (auto n : size) cells *= static_cast<double>(n);
  if (leaves < 1 || static_cast<double>(leaves) > cells)
    throw Error(fmt::format("a grid of {} cells can't be divided into {} parts",
                            fmt::join(size, "x"), leaves));
  paraiso_mpi::EvenCuts cuts(size);
  return divided_evenly({Cell(size.size(), 0), size}, leaves, cuts);
}

std::vector<std::int64_t> parts_along_axes(const Orthotree& tree, std::size_t axes) {
  std::vector<std::set<std::int64_t>> cuts(axes);
  for (const std::size_t cut : tree.cuts()) {
    const Orthotree::Node& node = tree.nodes()[cut];
    cuts[static_cast<std::size_t>(node.axis)].insert(node.at);
  }
  std::vector<std::int64_t> parts;
  for (const auto& along : cuts) parts.push_back(static_cast<std::int64_t>(along.size()) + 1);
  return parts;
}

}  // namespace paraiso::om
