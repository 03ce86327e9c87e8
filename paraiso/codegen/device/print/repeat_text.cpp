#include "paraiso/codegen/device/print/repeat_text.hpp"

#include <fmt/format.h>

#include <map>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/codegen/claris/walk.hpp"
#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/device/operators.hpp"
#include "paraiso/codegen/device/print/print_expression.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Overload;

namespace {

constexpr const char* kFirstGhostText =
    R"(/// Of the ghost cells beyond a side, counted from 1, the first that repeats a cell so far from it:
/// of all beyond the last cell, where they repeat that one or have a value of their own.
FUNCTION LONG first_ghost(int rule, LONG cells, LONG far, LONG size) {
  if (rule == CYCLIC) return size - far;
  if (rule == OUTFLOW || rule == VALUE) return far == 0 ? 1 : cells + 1;
  return far + 1;
}
FUNCTION LONG last_ghost(int rule, LONG cells, LONG first) {
  return rule == OUTFLOW || rule == VALUE || first > cells ? cells : first;
}

)";

// 0: the dimension, 1: the element, 2: its type.
constexpr const char* kSidesText =
    R"(/// The rules of a field's sides along each axis, how many ghost cells lie beyond them, and the
/// values that these have, where they repeat no cell.
typedef struct {{
  int lower[{0}], upper[{0}];
  LONG below[{0}], above[{0}];
  {2} value_below[{0}], value_above[{0}];
}} Sides_{1};

)";

// 0: the axis, 1: its number, 2: the function, 3: the type, 4: the element, 5: further axes, 6: the
// indices, 7: what stores a cell and those that repeat it beyond further axes, to the address, 8:
// and after it, 9: and after the value; 10, 11: the value below and above.
constexpr const char* kRepeatText =
    R"(/// Stores a cell, and the ghost cells that repeat it beyond axis {0}{5}.
FUNCTION void {2}(GLOBAL {3}* array, Grid grid, Sides_{4} sides, LONG at, {3} value, {6}) {{
  const LONG stride = grid.stride[{1}], far = grid.size[{1}] - 1 - index;
  {7}at{8}value{9};
  LONG n = first_ghost(sides.lower[{1}], sides.below[{1}], index, grid.size[{1}]);
  LONG last = last_ghost(sides.lower[{1}], sides.below[{1}], n);
  UNROLL(1)
  for (; n <= last; ++n)
    {7}at - (index + n) * stride{8}{10}{9};
  n = first_ghost(sides.upper[{1}], sides.above[{1}], far, grid.size[{1}]);
  last = last_ghost(sides.upper[{1}], sides.above[{1}], n);
  UNROLL(1)
  for (; n <= last; ++n)
    {7}at + (far + n) * stride{8}{11}{9};
}}

)";

// 0: the routine, 1: the type, 2: the indices, 3: the element, 4: the rules, widths and values of
// the sides, 5: the function of axis x, 6: the indices again.
constexpr const char* kRoutineText =
    R"(/// Stores the ghost cells that repeat a cell of a field.
ROUTINE void {0}(GLOBAL {1}* array, Grid grid, LONG at, {1} value{2}) {{
  const Sides_{3} sides = {{{4}}};
  {5}(array, grid, sides, at, value{6});
}}

)";

/// `repeat_x_f64`: what stores a cell, and the ghost cells that repeat it beyond an axis and all
/// that follow.
std::string repeat_function(int axis, om::Element element) {
  return fmt::format("repeat_{}_{}", axis_name(axis), om::name(element));
}

/// Of each field whose ghost cells are stored with the cells that they repeat, by its routine.
using Repeated = std::map<std::string, const StoreGhosts*>;
void collect_repeated(const Block& block, Repeated& found) {
  for (const Statement& statement : block) {
    if (const auto* of_device = std::get_if<DeviceStatement>(&statement.node))
      if (const auto* node = std::get_if<StoreGhosts>(of_device))
        found.try_emplace(node->routine, node);
    for (const Block* part : parts(statement).blocks) collect_repeated(*part, found);
  }
}

/// `{CYCLIC, REFLECT}`: of each axis.
template <class Of>
std::string braced(const StoreGhosts& ghosts, const Of& of) {
  std::string text;
  for (const StoreGhosts::Axis& axis : ghosts.axes)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", of(axis));
  return "{" + text + "}";
}

/// The value of ghost cells that repeat no cell, or any.
std::string side_value(const Dialect& dialect, const om::Boundary& rule, om::Element element) {
  const auto* fixed = std::get_if<om::Fixed>(&rule);
  return device_literal(dialect, fixed ? fixed->value : om::Constant::from_double(element, 0));
}

std::string routine_text(const Dialect& dialect, const StoreGhosts& ghosts) {
  using Axis = StoreGhosts::Axis;
  std::string sides, parameters, passed;
  const auto add = [&](const auto& of) {
    sides += (sides.empty() ? "" : ", ") + braced(ghosts, of);
  };
  add([](const Axis& axis) { return rule_name(axis.lower); });
  add([](const Axis& axis) { return rule_name(axis.upper); });
  add([](const Axis& axis) { return axis.below; });
  add([](const Axis& axis) { return axis.above; });
  add([&](const Axis& axis) { return side_value(dialect, axis.lower, ghosts.element); });
  add([&](const Axis& axis) { return side_value(dialect, axis.upper, ghosts.element); });
  for (std::size_t a = 0; a < ghosts.axes.size(); ++a) {
    parameters += fmt::format(", LONG index_{}", axis_name(static_cast<int>(a)));
    passed += fmt::format(", index_{}", axis_name(static_cast<int>(a)));
  }
  return fmt::format(fmt::runtime(kRoutineText), ghosts.routine,
                     memory_type(dialect, ghosts.element), parameters, om::name(ghosts.element),
                     sides, repeat_function(0, ghosts.element), passed);
}

/// Of several lines, each as wide as there is room for.
std::string wrap_lines(const std::string& text) {
  std::string wrapped;
  for (const std::string& line : split(text, '\n')) wrapped += wrap_line(line) + "\n";
  wrapped.pop_back();
  return wrapped;
}

/// The function of one axis.
std::string axis_text(const Dialect& dialect, const DeviceExpressions& expressions,
                      om::Element element, int axis, int dimension) {
  std::string parameters = "LONG index", passed;
  for (int a = axis + 1; a < dimension; ++a) {
    parameters += fmt::format(", LONG index_{}", axis_name(a));
    passed += fmt::format(", index_{}", axis_name(a));
  }
  const bool last = axis + 1 == dimension;
  const auto value = [&](const char* side, const char* beyond) {
    const std::string same = element == om::Element::boolean
                                 ? std::string("value")
                                 : fmt::format("sides.{}[{}] == REFLECT_NEGATIVE ? {} : value",
                                               side, axis, expressions.negated(element, "value"));
    return fmt::format("sides.{0}[{1}] == VALUE ? sides.value_{2}[{1}] : {3}", side, axis, beyond,
                       same);
  };
  return fmt::format(fmt::runtime(kRepeatText), axis_name(axis), axis,
                     repeat_function(axis, element), memory_type(dialect, element),
                     om::name(element), last ? "" : " and the axes that follow", parameters,
                     last ? "array[" : repeat_function(axis + 1, element) + "(array, grid, sides, ",
                     last ? "] = " : ", ", last ? "" : passed + ")", value("lower", "below"),
                     value("upper", "above"));
}

}  // namespace

const char* rule_name(const om::Boundary& side) {
  return std::visit(
      Overload{
          [](const om::Cyclic&) { return "CYCLIC"; },
          [](const om::Outflow&) { return "OUTFLOW"; },
          [](const om::Reflect& rule) { return rule.sign < 0 ? "REFLECT_NEGATIVE" : "REFLECT"; },
          [](const om::Fixed&) { return "VALUE"; },
          [](const om::UserBoundary&) { return "VALUE"; },
      },
      side);
}

std::string repeat_functions(const Dialect& dialect, const std::vector<Function>& functions,
                             int dimension, std::set<std::string>& used) {
  Repeated repeated;
  for (const Function& function : functions) collect_repeated(function.body, repeated);
  if (repeated.empty()) return {};
  std::set<om::Element> elements;
  for (const auto& [routine, ghosts] : repeated) elements.insert(ghosts->element);
  const std::vector<std::string> no_scalars;
  const DeviceExpressions expressions(dialect, used, no_scalars);
  std::string text = kFirstGhostText;
  for (const om::Element element : elements) {
    text += fmt::format(fmt::runtime(kSidesText), dimension, om::name(element),
                        memory_type(dialect, element));
    for (int axis = dimension; axis-- > 0;)
      text += wrap_lines(axis_text(dialect, expressions, element, axis, dimension));
  }
  for (const auto& [routine, ghosts] : repeated) text += wrap_lines(routine_text(dialect, *ghosts));
  return spell(dialect, text);
}

}  // namespace paraiso::codegen
