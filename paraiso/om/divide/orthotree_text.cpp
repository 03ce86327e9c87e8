// Orthotrees as text: a word for each node, and what it has.
#include <fmt/format.h>

#include <charconv>

#include "paraiso/base/text.hpp"
#include "paraiso/om/divide/orthotree.hpp"
#include "paraiso/om/text/parse_line.hpp"
#include "paraiso/om/verify/verify.hpp"

namespace paraiso::om {
namespace {

using TreeNode = Orthotree::Node;
using TreeKind = Orthotree::Kind;

std::string line_of(const TreeNode& node) {
  switch (node.kind) {
    case TreeKind::leaf: return "leaf";
    case TreeKind::warp: return fmt::format("warp {}", node.axis);
    case TreeKind::divide: return fmt::format("divide {} at {}", node.axis, node.at);
  }
  return {};
}

std::int64_t parse_coordinate(LineCursor& cursor) {
  constexpr std::string_view kExpected = "the first cell of the upper side, 1 or more";
  const auto word = cursor.peek();
  std::int64_t at = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), at);
  if (error != std::errc{} || end != word.data() + word.size() || at < 1)
    cursor.fail_expected(kExpected);
  cursor.skip_one();
  return at;
}

TreeNode parse_node(LineCursor& cursor) {
  if (cursor.accept("leaf")) return {};
  if (cursor.accept("warp"))
    return {TreeKind::warp, cursor.integer("an axis", 0, kLargestDimension - 1), 0};
  if (!cursor.accept("divide")) cursor.fail_expected("`leaf`, `warp` or `divide`");
  const int axis = cursor.integer("an axis", 0, kLargestDimension - 1);
  if (!cursor.accept("at")) cursor.fail_expected("`at`");
  return {TreeKind::divide, axis, parse_coordinate(cursor)};
}

}  // namespace

std::string print(const Orthotree& tree) {
  std::string text;
  std::vector<std::size_t> depths = {0};  // of the parts that are still to come
  for (const TreeNode& node : tree.nodes()) {
    const auto depth = depths.back();
    depths.pop_back();
    text += std::string(2 * std::min<std::size_t>(depth, 32), ' ') + line_of(node) + "\n";
    if (node.kind != TreeKind::leaf) depths.push_back(depth + 1);
    if (node.kind == TreeKind::divide) depths.push_back(depth + 1);
  }
  return text;
}

Orthotree parse_orthotree(std::string_view text, std::string_view file) {
  Location location{intern_file(file), 0};
  std::vector<TreeNode> nodes;
  std::size_t missing = 1;  // parts
  while (!text.empty()) {
    const auto end = text.find('\n');
    ++location.line;
    LineCursor cursor(text.substr(0, end), location);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    while (!cursor.at_end()) {
      if (missing == 0) cursor.fail_expected("nothing after a whole division");
      if (nodes.size() == Orthotree::kMostNodes)
        cursor.fail(fmt::format("more than {} nodes", Orthotree::kMostNodes));
      nodes.push_back(parse_node(cursor));
      if (nodes.back().kind == TreeKind::leaf) --missing;
      if (nodes.back().kind == TreeKind::divide) ++missing;
    }
  }
  location.line = std::max(1, location.line);
  if (missing > 0)
    throw Error(location,
                fmt::format("the text ends here, expected {} more part{}: is the file cut?",
                            missing, missing == 1 ? "" : "s"));
  return Orthotree(std::move(nodes));
}

}  // namespace paraiso::om
