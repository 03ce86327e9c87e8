#include "paraiso/codegen/cpp/print_cpp.hpp"

#include <stdexcept>

#include "paraiso/codegen/claris/walk.hpp"
#include "paraiso/codegen/cpp/cpp_words.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Element;
using om::Overload;

namespace {

const char* type_text(const std::optional<Element>& element) {
  return element ? cpp_type(*element) : "std::int64_t";
}

class BlockPrinter {
 public:
  BlockPrinter(int indent, const Surroundings& around) : indent_(indent), around_(around) {}

  std::string run(const Block& block) {
    for (const auto& statement : block) print(statement);
    return std::move(text_);
  }

 private:
  void line(const std::string& content) {
    text_ += wrap_line(std::string(indent_, ' ') + content) + "\n";
  }

  [[nodiscard]] std::string spell(const ExprPtr& expr) const { return print_cpp(expr, around_); }

  void print(const Statement& statement) {
    std::visit(
        Overload{
            [&](const Declare& s) {
              line(fmt::format("const {} {} = {};", s.lanes ? "auto" : type_text(s.element), s.name,
                               spell(s.value)));
            },
            [&](const DeclarePointer& s) {
              line(fmt::format("{}{}* const {} = {};", s.read_only ? "const " : "",
                               cpp_type(s.element), s.name, spell(s.value)));
            },
            [&](const Assign& s) {
              line(fmt::format("{} = {};", spell(s.target), spell(s.value)));
            },
            [&](const For& s) { loop(s.variable, spell(s.begin), spell(s.end), s.step, s.body); },
            [&](const If& s) {
              line(fmt::format("if ({}) {{", spell(s.condition)));
              body(s.body);
            },
            [&](const Evaluate& s) { line(spell(s.value) + ";"); },
            [&](const Return& s) { line(fmt::format("return {};", spell(s.value))); },
            [&](const claris::Comment& s) { line("// " + s.text); },
            [&](const CpuStatement& s) {
              std::visit([&](const auto& of_cpu) { print(of_cpu); }, s);
            },
            [](const DeviceStatement&) {
              throw std::logic_error("what devices alone have is not C++");
            },
        },
        statement.node);
  }

  void loop(const std::string& variable, const std::string& begin, const std::string& end, int step,
            const Block& inner) {
    const std::string next = step == 1 ? "++" + variable : fmt::format("{} += {}", variable, step);
    line(
        fmt::format("for (std::int64_t {0} = {1}; {0} < {2}; {3}) {{", variable, begin, end, next));
    body(inner);
  }

  void body(const Block& inner) {
    indented(inner);
    line("}");
  }

  void indented(const Block& inner) {
    indent_ += 2;
    for (const auto& statement : inner) print(statement);
    indent_ -= 2;
  }

  // What a thread keeps.

  void print(const DeclareWindow& s) {
    const std::string unit = s.row_unit ? fmt::format(", {}", *s.row_unit) : "";
    line(fmt::format("const support::Window<{}> {}(tile, {}, {}, {}{});", around_.dimension, s.name,
                     cpp_list(s.reach.lower), cpp_list(s.reach.upper), cpp_list(s.lines), unit));
  }
  void print(const OpenScratch&) { line("support::Scratch scratch(memory);"); }
  void print(const ReserveScratch&) { line("memory.reserve(threads);"); }

  // Ghost cells.

  void print(const DeclareRowEnds& s) {
    line(fmt::format("const support::RowEnds<{}, {}, {}, {}> {}({}.line(0), {});",
                     cpp_type(s.element), cpp_type(s.unit), s.lower, s.upper, s.name, around_.grid,
                     side_rules(s.sides, s.element)));
  }
  void print(const DeclareEdges& s) {
    const std::string grid = fmt::format("support::Grid<{}>", around_.dimension);
    std::string rules;
    for (const AxisSides& sides : s.sides)
      rules += fmt::format("{}{{{}}}", rules.empty() ? "" : ", ", side_rules(sides, s.element));
    line(fmt::format(
        "const support::InnerState<{}, {}{}> {}({}, {}, {}, {}, {}, {}, {}, {}, {{{}}});",
        around_.dimension, cpp_type(s.element), s.window ? "" : ", " + grid, s.name, s.cells,
        s.window.value_or(around_.grid), around_.grid,
        s.window ? "tile" : "support::whole_core(" + around_.grid + ")", cpp_list(s.reach.lower),
        cpp_list(s.reach.upper), cpp_list(s.width.lower), cpp_list(s.width.upper), rules));
  }
  void print(const FillEdges& s) {
    if (!s.cell) return line(s.edges + ".fill();");
    line(fmt::format("{}.fill_row({{0{}}});", s.edges, more_arguments(*s.cell)));
  }

  // Rows.

  void print(const VectorLoop& s) {
    if (!s.lanes) {
      text_ += "#pragma omp simd\n";
      return loop(s.variable, spell(s.begin), spell(s.end), 1, s.body);
    }
    std::string function = "each_vector", range, parameters, arguments;
    if (s.rows.empty())
      range = fmt::format("{}, {}, ", spell(s.begin), spell(s.end));
    else
      function = "each_vector_of_rows";
    for (const RowArgument& row : s.rows) {
      parameters += fmt::format(", const {}* {}", cpp_type(row.element), row.cells);
      arguments += fmt::format(", {}.of({})", row.ends, row.row);
    }
    line(
        fmt::format("support::{}<{}, {}>({}[&]([[maybe_unused]] auto lanes, "
                    "std::int64_t {}{}) PARAISO_CELLS {{",
                    function, cpp_type(*s.lanes), s.vectors, range, s.variable, parameters));
    if (mentions(s.body, AnyOf<FillLanes, CountLanes, LoadLanes>()))
      text_ += std::string(indent_ + 2, ' ') + "using Lanes = decltype(lanes);\n";
    indented(s.body);
    line(fmt::format("}}{});", arguments));
  }
  void print(const StoreLanes& s) {
    line(fmt::format("support::store({}, {}{});", spell(s.address), spell(s.value),
                     s.streaming.empty() ? "" : ", " + s.streaming));
  }
  void print(const StreamingFence&) { line("support::streaming_fence();"); }
  void print(const Prefetch& s) {
    const std::string share = s.parts > 1 ? fmt::format("<{}>", s.parts) : "";
    line(fmt::format("support::prefetch{}(lanes, {}, {});", share, s.row, spell(s.cell)));
  }
  void print(const ReduceRow& s) {
    line(fmt::format("support::reduce_row<{}>({}, tile.begin[0], tile.end[0], {}, {}{});",
                     functor(s.op), s.cells, s.partials, around_.grid, more_arguments(s.cell)));
  }

  // Tiles between threads.

  void print(const DeclareTiles& s) {
    const auto [type, shape] = std::visit(
        Overload{
            [](const DeclareTiles::Whole& whole) {
              return std::pair("Tiles", fmt::format("{}, {}", cpp_list(whole.size), whole.granule));
            },
            [](const DeclareTiles::Cut& cut) {
              return std::pair("SplitTiles",
                               fmt::format("{}, {}, {}", cut.axis, cut.size, cut.steepest));
            },
        },
        s.shape);
    const std::string box =
        s.of_region ? "regions[region]"
                    : fmt::format("{}, {}", cpp_list(s.box.lower), cpp_list(s.box.upper));
    line(fmt::format("const support::{}<{}> tiles({}, {}, {}, threads);", type, around_.dimension,
                     around_.grid, box, shape));
  }
  void print(const ForRegions& s) {
    line(fmt::format("const support::Regions<{}> regions({}, {}, {}, {}, {}, {}, {});",
                     around_.dimension, around_.grid, cpp_list(s.box.lower), cpp_list(s.box.upper),
                     cpp_list(s.reach.lower), cpp_list(s.reach.upper), s.granule, s.whole_rows));
    line("for (std::int64_t region = 0; region < regions.count; ++region) {");
    line("  if (region == 1) arrive();");
    body(s.body);
  }
  void print(const ForTiles& s) {
    text_ += "#pragma omp parallel for num_threads(threads) schedule(static)\n";
    const char* count = s.kind == TileKind::growing ? "tiles.count - 1" : "tiles.count";
    loop("number", "0", count, 1, s.body);
  }
  void print(const DeclarePartials& s) {
    line(fmt::format("support::Partials<{}, {}> {}({});", functor(s.op), cpp_type(s.element),
                     s.name, around_.grid));
  }
  void print(const CombinePartials& s) {
    line(fmt::format("{} = {}.combine({}{});", s.result, s.partials, around_.grid,
                     s.late ? fmt::format(", {}", *s.late) : ""));
  }
  void print(const CombineTogether& s) {
    std::string shares;
    for (const CombinePartials& one : s.all)
      shares += fmt::format(", {}.share({}, {})", one.partials, around_.grid, one.result);
    line(fmt::format("support::combine_together({}{});", around_.grid, shares));
  }

  [[nodiscard]] std::string more_arguments(const std::vector<ExprPtr>& exprs) const {
    std::string text;
    for (const auto& expr : exprs) text += ", " + spell(expr);
    return text;
  }

  int indent_;
  const Surroundings& around_;
  std::string text_;
};

std::string print_parameter(const FunctionParameter& parameter, int dimension) {
  const char* type = cpp_type(parameter.element);
  switch (parameter.kind) {
    case FunctionParameter::Kind::input_array:
      return fmt::format("const {}* {}", type, parameter.name);
    case FunctionParameter::Kind::output_array:
      return fmt::format("{}* __restrict {}", type, parameter.name);
    case FunctionParameter::Kind::scalar: return fmt::format("{} {}", type, parameter.name);
    case FunctionParameter::Kind::result: return fmt::format("{}& {}", type, parameter.name);
    case FunctionParameter::Kind::partials: return fmt::format("{}* {}", type, parameter.name);
    case FunctionParameter::Kind::tile:
      return fmt::format("const support::Tile<{}>& {}", dimension, parameter.name);
    case FunctionParameter::Kind::scratch:
      return fmt::format("support::ScratchMemory& {}", parameter.name);
    case FunctionParameter::Kind::grid:
      return fmt::format("const support::Grid<{}>& {}", dimension, parameter.name);
    case FunctionParameter::Kind::threads: return fmt::format("int {}", parameter.name);
    case FunctionParameter::Kind::cell:
      return fmt::format("const std::int64_t* {}", parameter.name);
    case FunctionParameter::Kind::arrival:
      return fmt::format("const support::Arrival& {}", parameter.name);
    case FunctionParameter::Kind::ghosts:  // of devices alone
    case FunctionParameter::Kind::places:
    case FunctionParameter::Kind::scalars:
    case FunctionParameter::Kind::scalars_out: break;
  }
  return {};
}

}  // namespace

std::string print_cpp(const Block& block, int indent, const Surroundings& around) {
  return BlockPrinter(indent, around).run(block);
}

std::string print_cpp(const Function& function, int dimension) {
  Surroundings around;
  around.dimension = dimension;
  std::string text;
  for (const auto& comment : function.comment) text += wrap_line("/// " + comment) + "\n";
  std::string head =
      fmt::format("{} {}(", function.returns ? cpp_type(*function.returns) : "void", function.name);
  for (std::size_t p = 0; p < function.parameters.size(); ++p)
    head += (p ? ", " : "") + print_parameter(function.parameters[p], dimension);
  return text + wrap_line(head + ") {") + "\n" + print_cpp(function.body, 2, around) + "}\n";
}

}  // namespace paraiso::codegen
