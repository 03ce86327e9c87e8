#include "paraiso/codegen/cpu/print/class_writer.hpp"

#include <algorithm>
#include <stdexcept>

#include "paraiso/codegen/cpp/class_frame.hpp"
#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/cpp/print_cpp.hpp"
#include "paraiso/codegen/cpp/version_text.hpp"
#include "paraiso/om/cells/sides.hpp"

namespace paraiso::codegen {

using namespace om;

namespace {

/// Widths of a fill; the first, at the ends of rows, maybe only if `row_ends`, or if rows are
/// divided.
std::string widths(const std::vector<std::int32_t>& list, bool chosen, std::int32_t computed) {
  std::string first = std::to_string(list[0]);
  if (chosen && list[0] > 0) first = fmt::format("row_ends ? {0} : grid_.sent({0})", list[0]);
  if (computed > 0) first = fmt::format("grid_.sent({})", computed);
  std::string text = "{" + first;
  for (std::size_t a = 1; a < list.size(); ++a) text += fmt::format(", {}", list[a]);
  return text + "}";
}

/// Of the axes after `axis`, those along which a field is cyclic, a bit an axis.
unsigned cyclic_after(int axis, const std::vector<claris::AxisSides>& sides) {
  unsigned bits = 0;
  for (std::size_t a = static_cast<std::size_t>(axis) + 1; a < sides.size(); ++a)
    if (is_cyclic(sides[a])) bits |= 1U << a;
  return bits;
}

/// Functions of the file's own, if there are any.
std::string in_namespace(const std::vector<claris::Function>& functions, int dimension) {
  if (functions.empty()) return {};
  std::string text = "namespace {\n\n";
  for (const auto& function : functions) text += print_cpp(function, dimension) + "\n";
  return text + "}  // namespace\n\n";
}

/// A class whose arrays lie in the host's memory, whose loops are its threads'.
class ClassWriter : public ClassFrame {
 public:
  using ClassFrame::ClassFrame;

 protected:
  [[nodiscard]] std::string made_for() const override {
    return std::string(
               "C++ and OpenMP\n"
               "// Compile with -ffp-contract=off and without -ffast-math: then results have the "
               "same bits,\n"
               "// whatever the number of threads. Needs paraiso_support.hpp and "
               "paraiso_support.cpp only.\n") +
           (module_.calls_libm
                ? "// For its cells it calls elementary functions of the C library, in "
                  "paraiso_libm.hpp.\n"
                : "");
  }
  [[nodiscard]] std::string includes() const override {
    return std::string("#include \"paraiso_support.hpp\"\n") +
           (module_.calls_libm ? "#include \"paraiso_libm.hpp\"\n" : "");
  }
  [[nodiscard]] std::string thread_count() const override { return "threads_.all()"; }
  [[nodiscard]] std::string address(const Variable& field) const override { return field.member; }
  [[nodiscard]] std::string array(const plan::ArrayRef& array) const override {
    if (array.front) return around_.held[array.front->index];
    return fmt::format("static_cast<{}*>({}[{}])", cpp_type(array.element),
                       spare(size_of(array.element)), array.spare);
  }
  [[nodiscard]] std::string definitions() const override {
    return constructor() + bytes_method("support::Array::bytes") +
           in_namespace(module_.boundaries, module_.dimension);
  }
  [[nodiscard]] std::string before(const KernelMethod& kernel) const override {
    return in_namespace(kernel.functions, module_.dimension);
  }

  [[nodiscard]] std::string general_methods() const override {
    return fmt::format(
        "  /// Memory for `size` core cells along each axis, all zero; fewer than one thread is "
        "one.\n"
        "  /// Throws std::bad_alloc, and std::invalid_argument if an axis has no cells.\n"
        "  explicit {0}(const std::int64_t (&size)[{1}], int threads = 1{2});\n"
        "  /// The same for one part of a grid: its ghost cells in other parts are the caller's to "
        "send.\n"
        "  explicit {0}(const paraiso_support::Place& place, int threads = 1{2});\n"
        "  {0}(const {0}&) = delete;\n  {0}& operator=(const {0}&) = delete;\n\n"
        "  std::int64_t size(int axis) const {{ return grid_.size[axis]; }}\n"
        "  /// The distance of neighbours along `axis`, in elements of any array.\n"
        "  std::int64_t stride(int axis) const {{ return grid_.stride[axis]; }}\n"
        "  void set_threads(int threads) {{\n"
        "    threads_ = paraiso_support::Threads(threads);\n    take_thresholds();\n  }}\n"
        "  /// Work shorter than `least_shared` nanoseconds runs on one thread.\n"
        "  void set_threads(int threads, double least_shared) {{\n"
        "{3}    set_threads(threads);\n  }}\n"
        "  /// The bytes that an instance of this size allocates.\n"
        "  static double bytes(const std::int64_t (&size)[{1}]);\n\n",
        module_.name, module_.dimension, declare_tuning(module_), set_least_shared(module_));
  }

  [[nodiscard]] std::string members() const override {
    std::string text =
        declare_make_grid() +
        fmt::format(
            "  static paraiso_support::Grid<{0}> make_grid(const paraiso_support::Place& "
            "place);\n  void make_arrays();\n\n",
            module_.dimension) +
        forecasts();
    text += fmt::format(
        "  paraiso_support::Grid<{0}> grid_;\n"
        "  paraiso_support::Threads threads_;\n  std::vector<paraiso_support::Array> memory_;\n"
        "  paraiso_support::ScratchMemory scratch_;\n",
        module_.dimension);
    for (const Variable& s : module_.statics)
      text += s.is_field ? fmt::format("  {}* {};\n", cpp_type(s.element), s.member)
                         : fmt::format("  {} {} = {};\n", cpp_type(s.element), s.member,
                                       cpp_literal(s.initial));
    for (auto [bytes, count] : module_.spares)
      if (count > 0)
        text +=
            fmt::format("  void* {}[{}];  // of {}-byte elements\n", spare(bytes), count, bytes);
    return text;
  }

  [[nodiscard]] std::string fill(const HaloFill& fill, bool chosen) const override {
    std::string text =
        wrap_line(fmt::format("  const std::int64_t lower[] = {}, upper[] = {};",
                              widths(fill.width.lower, chosen, fill.computed_ends[0]),
                              widths(fill.width.upper, chosen, fill.computed_ends[1]))) +
        "\n";
    for (const auto& [axis, sides, calls] : fill.axes) {
      const unsigned cyclic = cyclic_after(axis, fill.sides);
      text += wrap_line(fmt::format("  support::fill_axis<{}{}>({}, grid_, threads_, lower, upper, "
                                    "{}, {}, {}, {});",
                                    axis, cyclic != 0 ? fmt::format(", {}", cyclic) : "",
                                    array(fill.array), side_name(sides[0]), side_name(sides[1]),
                                    side_value(fill.element, sides[0], calls[0]),
                                    side_value(fill.element, sides[1], calls[1]))) +
              "\n";
    }
    return text;
  }

  [[nodiscard]] std::string print(const RunGroup& run) const override {
    const std::string call = wrap_line(
        fmt::format("  {}({});", run.function,
                    spell(run.arguments, fmt::format("{}[{}]", run.forecast_table, run.forecast))));
    const bool waits = std::ranges::any_of(run.arguments, [](const Given& argument) {
      return std::holds_alternative<ArrivalArgument>(argument);
    });
    return (waits ? arrival(run) : "") + call + "\n";
  }
  [[nodiscard]] std::string print(const ReduceArray&) const override {
    throw std::logic_error("the loops of processors reduce what they make");
  }

 private:
  /// The variable that a group calls when it has computed all that needs no message.
  [[nodiscard]] std::string arrival(const RunGroup& run) const {
    std::string text = "  const support::Arrival arrive = [&] {\n    grid_.receive();\n";
    for (const CallFill& fill : run.refilled) text += "  " + act(fill);
    return text + "  };\n";
  }

  /// The only part of the text that depends on the cost model.
  [[nodiscard]] std::string forecasts() const {
    std::string text;
    for (const KernelMethod& kernel : module_.kernels) {
      std::vector<std::string> numbers;
      for (const double forecast : kernel.forecasts)
        numbers.push_back(fmt::format("{:.2g}", forecast));
      if (!numbers.empty())
        text += wrap_line(fmt::format("  static constexpr double {}[] = {{{}}};",
                                      kernel.forecast_table, fmt::join(numbers, ", "))) +
                "\n";
    }
    if (text.empty()) return text;
    return "  // Predicted nanoseconds per cell on one thread, by which it is decided whether to "
           "share.\n" +
           text + "\n";
  }

  [[nodiscard]] std::string constructor() const {
    std::string text = define_make_grid();
    text += fmt::format(
        "support::Grid<{1}> {0}::make_grid(const support::Place& place) {{\n"
        "  const std::int64_t size[] = {{{3}}};\n  return {{{2}}};\n}}\n\n"
        "{0}::{0}(const std::int64_t (&size)[{1}], int threads{4})\n"
        "    : grid_(make_grid(size)), threads_(threads) {{\n{5}  make_arrays();\n}}\n\n"
        "{0}::{0}(const support::Place& place, int threads{4})\n"
        "    : grid_(make_grid(place)), threads_(threads) {{\n{5}  make_arrays();\n}}\n\n"
        "void {0}::make_arrays() {{\n",
        module_.name, module_.dimension, grid_arguments("size, place", module_.part_margin),
        elements_of("place.size"), tuning_parameter(module_), take_tuning(module_));
    if (array_count() > 0) text += allocations();
    return text + "}\n\n";
  }

  /// `array[0], array[1]`: an entry an axis.
  [[nodiscard]] std::string elements_of(const char* array) const {
    std::string text;
    for (int a = 0; a < module_.dimension; ++a)
      text += fmt::format("{}{}[{}]", a > 0 ? ", " : "", array, a);
    return text;
  }

  [[nodiscard]] std::string allocations() const {
    const bool skewed = module_.skews.any();
    std::string text = fmt::format(
        "  memory_.reserve({});\n"
        "  const auto allocate = [&](std::size_t element_bytes{}) {{\n"
        "    memory_.emplace_back(grid_, element_bytes, static_cast<int>(memory_.size()), "
        "threads_.all(){});\n"
        "    return memory_.back().origin();\n  }};\n",
        array_count(), skewed ? ", std::int64_t skew = 0" : "", skewed ? ", skew" : "");
    for (std::size_t s = 0; s < module_.statics.size(); ++s)
      if (const Variable& field = module_.statics[s]; field.is_field)
        text += fmt::format("  {0} = static_cast<{1}*>(allocate(sizeof({1}){2}));\n", field.member,
                            cpp_type(field.element), skew(module_.skews.of(om::StaticId(s))));
    for (auto [bytes, count] : module_.spares)
      if (count > 0) text += skewed ? allocate_each(bytes, count) : allocate_all(bytes);
    return text;
  }

  [[nodiscard]] static std::string allocate_all(std::size_t bytes) {
    return fmt::format("  for (void*& array : {}) array = allocate({});\n", spare(bytes), bytes);
  }
  [[nodiscard]] std::string allocate_each(std::size_t bytes, int count) const {
    std::string text;
    const auto known = module_.skews.spares.find(bytes);
    for (int n = 0; n < count; ++n)
      text += fmt::format("  {}[{}] = allocate({}{});\n", spare(bytes), n, bytes,
                          known == module_.skews.spares.end()
                              ? ""
                              : skew(known->second[static_cast<std::size_t>(n)]));
    return text;
  }
  /// The argument for storage that lies shifted.
  [[nodiscard]] static std::string skew(const om::Offset& cells) {
    return cells.empty() ? "" : fmt::format(", grid_.elements_of({})", cpp_list(cells));
  }

  [[nodiscard]] std::string side_value(Element element, const Boundary& boundary,
                                       const std::optional<BoundaryCall>& call) const {
    if (call)
      return fmt::format("[&](const std::int64_t* cell) {{ return {}({}); }}", call->function,
                         spell(call->arguments));
    if (std::holds_alternative<Fixed>(boundary))
      return fmt::format("[](const std::int64_t*) {{ return {}; }}",
                         side_constant(boundary, element));
    return fmt::format("support::no_value<{}>", cpp_type(element));
  }

  /// `forecast`: the name of the constant that decides how many threads share the call.
  [[nodiscard]] std::string spell(const std::vector<Given>& arguments,
                                  const std::string& forecast = {}) const {
    std::string text;
    for (const Given& argument : arguments)
      text += (text.empty() ? "" : ", ") + spell(argument, forecast);
    return text;
  }
  [[nodiscard]] std::string spell(const Given& argument, const std::string& forecast) const {
    if (std::holds_alternative<ThreadsArgument>(argument))
      return fmt::format("threads_.for_cells(grid_.cells(), {})", forecast);
    if (std::holds_alternative<ScratchArgument>(argument)) return "scratch_";
    if (std::holds_alternative<ArrivalArgument>(argument)) return "arrive";
    return given(argument);
  }
};

}  // namespace

std::string print_header(const Module& module) { return ClassWriter(module).header(); }

std::string print_source(const Module& module) { return ClassWriter(module).source(); }

}  // namespace paraiso::codegen
