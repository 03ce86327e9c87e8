#include "paraiso/codegen/cpp/print_expression.hpp"

#include <stdexcept>

#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/lower/spelt.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Element;
using om::Op;
using om::Overload;

namespace {

/// Vectors have operators of their own, found by their type; truths are combined by name.
const char* infix_of_lanes(const Spelling& row, const Operate& operate) {
  if (operate.op == Op::select) return nullptr;
  if (operate.element == Element::boolean) return row.infix_bool;
  return row.infix_float || om::is_float(operate.element) ? row.infix_float : row.infix_integer;
}

class ExpressionPrinter {
 public:
  explicit ExpressionPrinter(const Surroundings& around) : around_(around) {}

  [[nodiscard]] Spelt spell(const ExprPtr& expr) const {
    return std::visit(
        Overload{
            [](const Name& e) { return Spelt{e.text}; },
            [](const Literal& e) {
              std::string text = cpp_literal(e.value);
              return Spelt{text, text[0] == '-' ? 6 : 7};
            },
            [](const IndexLiteral& e) {
              return Spelt{fmt::format("{}", e.value), e.value < 0 ? 6 : 7};
            },
            [&](const IndexBinary& e) {
              return infix(std::string(1, e.op), e.op == '*' ? 5 : 4, spell(e.left),
                           spell(e.right));
            },
            [&](const Operate& e) { return operation(e); },
            [&](const Convert& e) {
              return support(fmt::format("cast<{}>", cpp_type(e.lane)), {e.value});
            },
            [&](const Subscript& e) { return Spelt{text(e.array) + "[" + text(e.index) + "]"}; },
            [&](const Call& e) { return Spelt{e.function + "(" + joined(e.arguments) + ")"}; },
            [&](const Choose& e) {
              return Spelt{text(e.condition) + " ? " + text(e.yes) + " : " + text(e.no), 1};
            },
            [&](const And& e) {
              return Spelt{text(e.left) + " && " + text(e.right), 1};
            },
            [&](const Within& e) {
              return support("within", {e.at, e.begin, e.end});
            },
            [&](const Smaller& e) {
              return support("smaller", {e.left, e.right});
            },
            [&](const Larger& e) {
              return support("larger", {e.left, e.right});
            },
            [&](const GridSize& e) { return Spelt{of_grid("size", e.axis)}; },
            [&](const WholeSize& e) { return Spelt{of_grid("whole", e.axis)}; },
            [&](const GridOrigin& e) { return Spelt{of_grid("origin", e.axis)}; },
            [&](const GridStride& e) { return Spelt{of_grid("stride", e.axis)}; },
            [&](const GridRow& e) { return Spelt{around_.grid + ".row(" + joined(e.cell) + ")"}; },
            [](const HaloCell& e) { return Spelt{fmt::format("cell[{}]", e.axis)}; },
            [&](const NearestCell& e) {
              return Spelt{fmt::format("{}.nearest(cell, {})", around_.grid, cpp_list(e.offset))};
            },
            [&](const Held& e) { return Spelt{around_.held.at(e.id.index)}; },
            [](const Opaque& e) { return Spelt{"support::opaque(" + cpp_literal(e.value) + ")"}; },
            [&](const CpuExpr& e) { return spell(e); },
            [](const DeviceExpr&) -> Spelt {
              throw std::logic_error("what devices alone have is not C++");
            },
        },
        expr->node);
  }

  [[nodiscard]] std::string joined(const std::vector<ExprPtr>& exprs) const {
    std::string all;
    for (const auto& expr : exprs) all += (all.empty() ? "" : ", ") + text(expr);
    return all;
  }

 private:
  [[nodiscard]] Spelt spell(const CpuExpr& expr) const {
    return std::visit(
        Overload{
            [&](const FillLanes& e) { return Spelt{"Lanes::fill(" + text(e.value) + ")"}; },
            [&](const CountLanes& e) { return Spelt{"Lanes::count_from(" + text(e.first) + ")"}; },
            [&](const LoadLanes& e) { return Spelt{"Lanes::load(" + text(e.address) + ")"}; },
            [&](const Neighbour& e) {
              return Spelt{
                  fmt::format("support::neighbour<{}>(lanes, {})", e.distance, text(e.address))};
            },
            [](const TileBegin& e) { return Spelt{fmt::format("tile.begin[{}]", e.axis)}; },
            [](const TileEnd& e) { return Spelt{fmt::format("tile.end[{}]", e.axis)}; },
            [](const TileSlant&) { return Spelt{"tile.slant"}; },
            [](const OneTile& e) { return Spelt{one_tile(e.kind)}; },
            [&](const WindowRow& e) { return Spelt{e.window + ".row(" + joined(e.cell) + ")"}; },
            [&](const WindowLine& e) {
              return Spelt{fmt::format("{}.line({}, {})", e.window, e.axis, text(e.row))};
            },
            [](const TakeScratch& e) {
              return Spelt{fmt::format("scratch.take<{}>({})", cpp_type(e.element), e.window)};
            },
            [&](const FarFrom& e) {
              return support("far_from", {e.array, e.distance});
            },
            [&](const PartOfRow& e) {
              const auto part = integer(static_cast<std::int64_t>(e.part));
              return support(fmt::format("part_of_row<{}>", e.parts), {part, e.begin, e.end});
            },
            [&](const RowsAhead& e) {
              return support("rows_ahead", {e.cells, e.rows});
            },
            [&](const RoundTo& e) {
              const char* way = e.way == RoundTo::Way::down ? "floor" : "ceil";
              return support(fmt::format("{}_to<{}>", way, e.cells), {e.at});
            },
            [](const PartialsOf& e) { return Spelt{e.name + ".data()"}; },
            [&](const TooLargeToKeep& e) {
              return Spelt{
                  fmt::format("support::too_large_to_keep({}.0, {})", e.bytes, around_.grid)};
            },
        },
        expr);
  }

  static std::string one_tile(TileKind kind) {
    switch (kind) {
      case TileKind::whole: return "tiles[number]";
      case TileKind::shrinking: return "tiles.shrinking(number)";
      case TileKind::growing: return "tiles.growing(number)";
    }
    return {};
  }

  [[nodiscard]] std::string of_grid(const char* what, int axis) const {
    return fmt::format("{}.{}[{}]", around_.grid, what, axis);
  }

  [[nodiscard]] std::string text(const ExprPtr& expr) const { return spell(expr).text; }

  [[nodiscard]] Spelt support(const std::string& function,
                              const std::vector<ExprPtr>& arguments) const {
    return {"support::" + function + "(" + joined(arguments) + ")"};
  }

  [[nodiscard]] Spelt operation(const Operate& operate) const {
    const Spelling& row = spelling(operate.op);
    const auto& operands = operate.operands;
    if (operate.op == Op::cast)
      return support(fmt::format("cast<{}>", cpp_type(operate.target)), operands);
    const char* sign = operate.lanes ? infix_of_lanes(row, operate) : row.infix(operate.element);
    if (!sign) {
      const std::string function = (operate.libm ? row.libm : row.call)[operate.result];
      return operate.lanes ? Spelt{function + "(" + joined(operands) + ")"}
                           : support(function, operands);
    }
    if (operate.op == Op::select)
      return conditional(spell(operands[0]), spell(operands[1]), spell(operands[2]));
    if (operands.size() > 1)
      return infix(sign, row.precedence, spell(operands[0]), spell(operands[1]));
    return prefix(sign, row.precedence, spell(operands[0]));
  }

  const Surroundings& around_;
};

}  // namespace

std::string print_cpp(const ExprPtr& expr, const Surroundings& around) {
  return ExpressionPrinter(around).spell(expr).text;
}

std::string print_cpp(const std::vector<ExprPtr>& exprs, const Surroundings& around) {
  return ExpressionPrinter(around).joined(exprs);
}

}  // namespace paraiso::codegen
