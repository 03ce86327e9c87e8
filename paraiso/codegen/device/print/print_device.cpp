#include "paraiso/codegen/device/print/print_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/device/print/print_expression.hpp"
#include "paraiso/codegen/device/print/repeat_text.hpp"
#include "paraiso/codegen/device/print/vector_text.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Element;
using om::Overload;

namespace {

class DeviceBlockPrinter {
 public:
  /// `of_launch`: arrays of a block lie in what its launch asks for.
  DeviceBlockPrinter(const Dialect& dialect, std::set<std::string>& used,
                     const std::vector<std::string>& held, bool of_launch)
      : dialect_(dialect), expressions_(dialect, used, held), of_launch_(of_launch) {}

  std::string run(const Block& block) {
    indented(block);
    return std::move(text_);
  }

 private:
  void line(const std::string& content) {
    text_ += wrap_line(std::string(indent_, ' ') + spell(dialect_, content)) + "\n";
  }
  void indented(const Block& block) {
    indent_ += 2;
    for (const Statement& statement : block) print(statement);
    indent_ -= 2;
  }
  void body(const std::string& head, const Block& block) {
    line(head + " {");
    indented(block);
    line("}");
  }
  [[nodiscard]] std::string text(const ExprPtr& expr) const { return expressions_.text(expr); }
  [[nodiscard]] std::string type(const std::optional<Element>& element) const {
    return element ? device_type(dialect_, *element) : "LONG";
  }

  void print(const Statement& statement) {
    std::visit(
        Overload{
            [&](const Declare& s) {
              line(fmt::format("const {} {} = {};", type(s.element), s.name, text(s.value)));
            },
            [&](const Assign& s) { line(fmt::format("{} = {};", text(s.target), text(s.value))); },
            [&](const For& s) {
              body(loop(s.variable, text(s.begin), text(s.end), fmt::format("{}", s.step)), s.body);
            },
            [&](const If& s) { body(fmt::format("if ({})", text(s.condition)), s.body); },
            [&](const Evaluate& s) { line(text(s.value) + ";"); },
            [&](const Return& s) { line(fmt::format("return {};", text(s.value))); },
            [&](const claris::Comment& s) { line("// " + s.text); },
            [&](const DeviceStatement& s) {
              std::visit([&](const auto& of_device) { print(of_device); }, s);
            },
            [](const DeclarePointer&) { refuse(); },
            [](const CpuStatement&) { refuse(); },
        },
        statement.node);
  }
  [[noreturn]] static void refuse() {
    throw std::logic_error("a statement that no kernel of a device has");
  }

  [[nodiscard]] static std::string loop(const std::string& variable, const std::string& begin,
                                        const std::string& end, const std::string& step) {
    const std::string next =
        step == "1" ? "++" + variable : fmt::format("{} += {}", variable, step);
    return fmt::format("for (LONG {0} = {1}; {0} < {2}; {3})", variable, begin, end, next);
  }

  void print(const ForThreads& s) {
    std::string conditions;
    for (const ThreadAxis& axis : s.axes) {
      const ExprPtr thread = name(fmt::format("thread_{}()", axis_name(axis.axis)));
      line(fmt::format("const LONG {} = {};", axis.variable,
                       text(plus(times(integer(axis.cells), thread), axis.begin))));
      conditions +=
          fmt::format("{}{} < {}", conditions.empty() ? "" : " && ", axis.variable, text(axis.end));
    }
    body(fmt::format("if ({})", conditions), s.body);
  }

  void print(const Unroll& s) { line(fmt::format("UNROLL({})", s.times)); }

  void print(const DeclareCells& s) {
    line(fmt::format("{} {}[{}];", memory_type(dialect_, s.element), s.name, s.cells));
  }
  void print(const LoadCells& s) {
    line(fmt::format("{}({}, {});", load_function(s.element, s.cells), text(s.to), text(s.from)));
  }
  void print(const StoreCells& s) {
    line(fmt::format("{}({}, {}, {});", store_function(s.element, s.cells), text(s.to),
                     text(s.from), text(s.count)));
  }

  void print(const StoreGhosts& s) {
    std::string at_side, cell;
    for (std::size_t a = 0; a < s.axes.size(); ++a) {
      const bool in_vector = a == 0 && s.cells > 1;
      const std::string index = text(s.cell[a]);
      if (const int most = std::max(s.axes[a].below, s.axes[a].above); most > 0)
        at_side += fmt::format("{0}{1} < {2} || {1}{3} grid.size[{4}] - {2}",
                               at_side.empty() ? "" : " || ", index, most,
                               in_vector ? fmt::format(" + {} >", s.cells) : " >=", a);
      cell += ", " + index + (in_vector ? " + lane" : "");
    }
    const std::string store = s.routine + "(" + s.array + ", grid, ", at = text(s.at);
    if (s.cells == 1) {
      line(fmt::format("if ({0}) {1}{2}, {3}[{2}]{4});", at_side, store, at, s.array, cell));
      return;
    }
    line(fmt::format("if ({}) {{", at_side));
    indent_ += 2;
    line(fmt::format("{} repeated[{}];", memory_type(dialect_, s.element), s.cells));
    line(fmt::format("{}(repeated, {} + {});", load_function(s.element, s.cells), s.array, at));
    line(fmt::format("UNROLL({})", s.cells));
    line(loop("lane", "0", fmt::format("{}", s.cells), "1"));
    line(fmt::format("  if ({} + lane < grid.size[0])", text(s.cell[0])));
    line(fmt::format("    {}{} + lane, repeated[lane]{});", store, at, cell));
    indent_ -= 2;
    line("}");
  }

  void print(const DeclareShared& s) {
    std::string extents;
    std::size_t bytes = om::size_of(s.element);
    for (const int extent : s.extents) {
      extents += fmt::format("[{}]", extent);
      bytes *= static_cast<std::size_t>(extent);
    }
    if (of_launch_) {
      line(fmt::format("{0} (&{1}){2} = *({0} (*){2})(shared_of_launch + {3});",
                       memory_type(dialect_, s.element), s.name, extents, doubles_));
      doubles_ += (bytes + 7) / 8;
      return;
    }
    line(fmt::format("SHARED {} {}{};", memory_type(dialect_, s.element), s.name, extents));
  }
  void print(const DeclareVariable& s) {
    line(fmt::format("{} {} = {};", type(s.element), s.name, text(s.value)));
  }
  void print(const Barrier&) { line("BARRIER;"); }
  void print(const ReturnIfStopped&) { line("if (scalars->stop) return;"); }
  void print(const GuardSteps& s) {
    std::string before = text(s.time);
    for (std::size_t step = 0; step < s.next.size(); ++step) {
      const std::string next = text(s.next[step]);
      const std::string amiss = step + 1 < s.next.size()
                                    ? fmt::format("!({} < scalars->until)", next)
                                    : fmt::format("{0} != {0}", next);
      line(fmt::format("if (scalars->guarded && ({} || {} <= {})) scalars->stop = 3;", amiss, next,
                       before));
      before = next;
    }
    print(ReturnIfStopped{});
  }
  void print(const CountStep& s) {
    line("scalars->done += 1;");
    if (!s.time) return;
    const std::string next = text(s.next), time = text(s.time);
    line(fmt::format("if (scalars->guarded && !({} < scalars->until)) scalars->stop = 1;", next));
    line(fmt::format("if (scalars->guarded && {} <= {}) scalars->stop = 2;", next, time));
  }

  void print(const FindSource& s) {
    line(fmt::format("LONG {} = {};", s.called, text(s.index)));
    line(fmt::format("bool {}_negates = false;", s.called));
    const bool meets = has_value(s.lower) || has_value(s.upper);
    line(fmt::format("{}resolve(&{}, grid.size[{}], {}, {}, &{}_negates);",
                     meets ? "const int " + s.called + "_met = " : "", s.called, s.axis,
                     rule_name(s.lower), rule_name(s.upper), s.called));
    if (meets) line(fmt::format("if ({0}_met != CORE) {0} = 0;", s.called));
  }

  // Ghost cells of what a block keeps.

  void print(const KeptSources& s) {
    for (const KeptSources::Axis& axis : s.across)
      line(fmt::format("LONG {}_{} = {};", s.called, axis_name(axis.axis), loop_name(axis.axis)));
    line(fmt::format("bool {}_negates = false;", s.called));
    for (const KeptSources::Axis& axis : s.across)
      if (axis.is_filled())
        line(fmt::format(
            "if ({}) {}", s.made,
            resolved(axis, s.called + "_" + axis_name(axis.axis), s.called + "_negates")));
    for (int n = 1; n <= s.along.below; ++n) declare_plane(s, below(s, n), fmt::format("-{}", n));
    for (int n = 0; n < s.along.above; ++n)
      declare_plane(s, above(s, n), fmt::format("grid.size[{}] + {}", s.along.axis, n));
  }
  /// Which plane of the grid that one is filled from.
  void declare_plane(const KeptSources& s, const std::string& called, const std::string& plane) {
    line(fmt::format("LONG {} = {};", called, plane));
    line(fmt::format("bool {}_negates = false;", called));
    line(resolved(s.along, called, called + "_negates"));
  }
  static std::string below(const KeptSources& s, int n) {
    return fmt::format("{}_below_{}", s.called, n);
  }
  static std::string above(const KeptSources& s, int n) {
    return fmt::format("{}_above_{}", s.called, n + 1);
  }

  /// One load and one store of a plane: PoCL 3.1 loses stores of a branch for planes of the grid
  /// where another one is for those above it.
  void print(const FillKept& s) {
    const KeptSources& from = s.sources;
    const KeptSources::Axis& along = from.along;
    line(fmt::format("const LONG plane = {} + ({});", loop_name(along.axis), s.newest));
    line(along.is_filled() ? "if (plane >= 0) {" : "{");
    indent_ += 2;
    const std::string size = fmt::format("grid.size[{}]", along.axis);
    const bool ends = along.above > 0;
    line(fmt::format("const bool above = {};", ends ? "plane >= " + size : "false"));
    std::string row = "plane", negates = from.called + "_negates";
    for (int n = 0; n < along.above; ++n) {
      const std::string source = above(from, n);
      row = fmt::format("plane == {} + {} ? {} : {}", size, n, source, row);
      negates = fmt::format("plane == {} + {} ? {}_negates : {}", size, n, source, negates);
    }
    line(fmt::format("const LONG row_from = {};", row));
    line(fmt::format("{} value = {};", memory_type(dialect_, s.element), source_cell(s)));
    if (s.element != Element::boolean)
      line(fmt::format("if ({}) value = {};", negates, expressions_.negated(s.element, "value")));
    line(fmt::format("if (above{}) {} = value;", is_ghost(s), kept_at(s, "plane")));
    for (int n = 1; n <= along.below; ++n) {
      const std::string value = s.element == Element::boolean
                                    ? "value"
                                    : fmt::format("{}_negates ? {} : value", below(from, n),
                                                  expressions_.negated(s.element, "value"));
      line(fmt::format("if (plane == {}) {} = {};", below(from, n),
                       kept_at(s, fmt::format("(-{})", n)), value));
    }
    indent_ -= 2;
    line("}");
  }

  /// Of planes above the grid, the same column, whose ghost cells are filled already.
  [[nodiscard]] std::string source_cell(const FillKept& s) const {
    std::string cell = s.kept + ring(s, "row_from");
    for (std::size_t t = s.columns.size(); t-- > 0;) {
      const KeptSources::Axis& axis = s.sources.across[t];
      cell += axis.is_filled()
                  ? fmt::format("[{0} + (above ? 0 : (int)({1}_{2} - {3}))]", s.columns[t],
                                s.sources.called, axis_name(axis.axis), loop_name(axis.axis))
                  : "[" + s.columns[t] + "]";
    }
    return cell;
  }
  [[nodiscard]] static std::string is_ghost(const FillKept& s) {
    std::string text;
    for (const KeptSources::Axis& axis : s.sources.across)
      if (axis.is_filled())
        text += fmt::format(" || {}_{} != {}", s.sources.called, axis_name(axis.axis),
                            loop_name(axis.axis));
    return text;
  }

  [[nodiscard]] static std::string loop_name(int axis) { return std::string(1, "ijklmn"[axis]); }
  [[nodiscard]] static std::string resolved(const KeptSources::Axis& axis, const std::string& index,
                                            const std::string& negates) {
    return fmt::format("resolve(&{}, grid.size[{}], {}, {}, &{});", index, axis.axis,
                       rule_name(axis.lower), rule_name(axis.upper), negates);
  }
  /// Which plane of the ring has that one of the grid.
  [[nodiscard]] static std::string ring(const FillKept& s, const std::string& plane) {
    return fmt::format("[({0} + (int)({1} - {2}) % {3} + {3}) % {3}]", s.turn, plane,
                       loop_name(s.sources.along.axis), s.planes);
  }
  [[nodiscard]] static std::string kept_at(const FillKept& s, const std::string& plane) {
    std::string place = s.kept + ring(s, plane);
    for (std::size_t t = s.columns.size(); t-- > 0;) place += "[" + s.columns[t] + "]";
    return place;
  }

  // Ghost cells.

  void print(const FillGhosts& s) {
    const std::string value_type = memory_type(dialect_, s.element);
    const std::string cells = loop("number", "thread_x()", s.ghosts + ".count", "threads_x()");
    line((s.row < 0 ? "" : fmt::format("if (BLOCK_1 == {}) ", s.row)) + cells + " {");
    indent_ += 2;
    line(fmt::format("LONG cell[{}];", s.dimension));
    line(fmt::format("ghost_cell(grid, {}, number, cell);", s.ghosts));
    line("const LONG at = address(grid, cell);");
    line(value_type + " value;");
    line("bool negate = false;");
    along_axis(s, s.axes.size());
    line(s.element == Element::boolean ? fmt::format("{}[at] = value;", s.array)
                                       : fmt::format("{}[at] = negate ? {} : value;", s.array,
                                                     expressions_.negated(s.element, "value")));
    indent_ -= 2;
    line("}");
  }

  /// What is left of `axes`, the last one first: a value that is met ends the search.
  void along_axis(const FillGhosts& s, std::size_t left) {
    if (left == 0) return line(fmt::format("value = {}[address(grid, cell)];", s.array));
    const auto& [axis, lower, upper] = s.axes[left - 1];
    const std::string resolved =
        fmt::format("resolve(&cell[{0}], grid.size[{0}], {1}, {2}, &negate)", axis,
                    rule_name(lower.rule), rule_name(upper.rule));
    if (!has_value(lower) && !has_value(upper)) {
      line(resolved + ";");
      return along_axis(s, left - 1);
    }
    const std::string met = fmt::format("met_{}", axis_name(axis));
    line(fmt::format("const int {} = {};", met, resolved));
    std::string otherwise;
    for (const auto& [side, which] : {std::pair(lower, "LOWER"), std::pair(upper, "UPPER")}) {
      if (!has_value(side)) continue;
      line(fmt::format("{}if ({} == {}) {{", otherwise, met, which));
      line("  value = " + value_of(side) + ";");
      otherwise = "} else ";
    }
    line("} else {");
    indent_ += 2;
    along_axis(s, left - 1);
    indent_ -= 2;
    line("}");
  }

  [[nodiscard]] static bool has_value(const om::Boundary& rule) {
    return std::holds_alternative<om::Fixed>(rule);
  }
  [[nodiscard]] static bool has_value(const GhostSide& side) {
    return side.value || std::holds_alternative<om::Fixed>(side.rule);
  }
  [[nodiscard]] std::string value_of(const GhostSide& side) const {
    return text(side.value ? side.value : literal(std::get<om::Fixed>(side.rule).value));
  }

  const Dialect& dialect_;
  DeviceExpressions expressions_;
  const bool of_launch_;
  std::size_t doubles_ = 0;  // of what the launch asks for, that have arrays
  int indent_ = 0;
  std::string text_;
};

}  // namespace

std::string DevicePrinter::print(const Function& function) {
  std::string text;
  for (const auto& comment : function.comment) text += wrap_line("/// " + comment) + "\n";
  std::string head = function.kernel
                         ? fmt::format("KERNEL {} void ", block_bounds(dialect_, *function.kernel))
                         : fmt::format("FUNCTION {} ", device_type(dialect_, *function.returns));
  head += function.name + "(";
  for (std::size_t p = 0; p < function.parameters.size(); ++p)
    head += (p ? ", " : "") + parameter(function.parameters[p], function.kernel.has_value());
  const bool of_launch =
      function.kernel && function.kernel->asks_for_shared() && *dialect_.shared_of_launch;
  text += wrap_line(spell(dialect_, head + ") {")) + "\n";
  if (of_launch) text += fmt::format("  SHARED_OF_LAUNCH({});\n", function.kernel->shared_bytes);
  return text + DeviceBlockPrinter(dialect_, used_, held_, of_launch).run(function.body) + "}\n";
}

std::string DevicePrinter::parameter(const FunctionParameter& parameter, bool of_kernel) const {
  const char* cells = memory_type(dialect_, parameter.element);
  const char* alone = of_kernel ? " RESTRICT" : "";  // of inlined functions it helps nobody
  switch (parameter.kind) {
    case FunctionParameter::Kind::grid: return "Grid grid";
    case FunctionParameter::Kind::ghosts: return "Ghosts " + parameter.name;
    case FunctionParameter::Kind::scalars: return "GLOBAL const Scalars* scalars";
    case FunctionParameter::Kind::scalars_out: return "GLOBAL Scalars* scalars";
    case FunctionParameter::Kind::cell: return "const LONG* cell";
    case FunctionParameter::Kind::input_array:
      return fmt::format("GLOBAL const {}*{} {}", cells, alone, parameter.name);
    case FunctionParameter::Kind::output_array:
    case FunctionParameter::Kind::partials:
      return fmt::format("GLOBAL {}*{} {}", cells, alone, parameter.name);
    case FunctionParameter::Kind::places: return "Places " + parameter.name;
    case FunctionParameter::Kind::scalar:
      return fmt::format("{} {}", of_kernel ? cells : device_type(dialect_, parameter.element),
                         parameter.name);
    case FunctionParameter::Kind::result:
    case FunctionParameter::Kind::threads:
    case FunctionParameter::Kind::tile:
    case FunctionParameter::Kind::scratch:
    case FunctionParameter::Kind::arrival: break;
  }
  throw std::logic_error("a parameter that no function of a device has");
}

}  // namespace paraiso::codegen
