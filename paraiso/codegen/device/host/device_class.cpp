#include "paraiso/codegen/device/host/device_class.hpp"

#include <algorithm>
#include <cctype>

#include "paraiso/codegen/cpp/class_frame.hpp"
#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/cpp/print_cpp.hpp"
#include "paraiso/codegen/cpp/version_text.hpp"
#include "paraiso/codegen/device/host/partials_text.hpp"
#include "paraiso/codegen/device/host/take_steps.hpp"
#include "paraiso/codegen/device/host/watch_text.hpp"
#include "paraiso/codegen/device/print/kernels_text.hpp"

namespace paraiso::codegen {

using namespace om;
using claris::FunctionParameter;

namespace {

/// "OpenCL", "CUDA", "HIP".
std::string title(const Dialect& dialect) {
  std::string text = dialect.name;
  if (text == "opencl") return "OpenCL";
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// 0: the class, 1: the layer, 2: the kernels' source, 3: what compiles it.
constexpr const char* kImage = R"(}}  // namespace paraiso_solver

// {2}, compiled: by a C++ compiler for the device `emulated`, or by {3}.
#ifdef PARAISO_EMULATED
extern "C" const {1}::EmulatedKernels paraiso_emulated_{0};
#else
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    ".hidden paraiso_image_{0}\n"
    ".globl paraiso_image_{0}\n"
    "paraiso_image_{0}:\n"
    ".incbin \"{0}.fatbin\"\n"
    ".popsection\n");
extern "C" __attribute__((visibility("hidden"))) const unsigned char paraiso_image_{0}[];
#endif

namespace paraiso_solver {{
namespace {{

#ifdef PARAISO_EMULATED
constexpr {1}::Image {0}_kernels{{nullptr, &paraiso_emulated_{0}}};
#else
constexpr {1}::Image {0}_kernels{{paraiso_image_{0}, nullptr}};
#endif

}}  // namespace

)";

constexpr const char* kDeclareGraphs =
    R"(  /// How many graphs were launched so far, each of many calls of a kernel.
  std::int64_t graph_launches() const { return device_.graphs(); }
)";

class DeviceClassWriter : public ClassFrame {
 public:
  DeviceClassWriter(const DeviceModule& device, const Dialect& dialect)
      : ClassFrame(device.module),
        device_(device),
        dialect_(dialect),
        layer_(fmt::format("paraiso_{}", dialect.name)),
        kernels_(device.kernels()) {}

 protected:
  [[nodiscard]] std::string made_for() const override {
    return fmt::format(
        "{}\n"
        "// Compile with -ffp-contract=off and without -ffast-math: then results have the same "
        "bits on\n"
        "// every device that rounds as IEEE 754 says. Needs paraiso_support.hpp, "
        "paraiso_device.hpp and\n// paraiso_support.cpp{} only.\n",
        title(dialect_), has_image() ? fmt::format(", and {}", kernels_file()) : "");
  }
  [[nodiscard]] std::string includes() const override {
    return "#include \"paraiso_support.hpp\"\n#include \"paraiso_device.hpp\"\n";
  }

  [[nodiscard]] std::string general_methods() const override {
    return fmt::format(
        "  /// Memory for `size` core cells along each axis, all zero, on a device: its number or "
        "a part\n"
        "  /// of its name; empty: that of $PARAISO_DEVICE, else the first GPU{2}.\n"
        "  /// Throws std::runtime_error where there is none or its memory does not suffice, and\n"
        "  /// std::invalid_argument where an axis has no cell.\n"
        "  explicit {0}(const std::int64_t (&size)[{1}], const std::string& device = \"\"{3});\n"
        "  {0}(const {0}&) = delete;\n  {0}& operator=(const {0}&) = delete;\n\n"
        "  std::int64_t size(int axis) const {{ return grid_.size[axis]; }}\n"
        "  /// Elements between neighbours along `axis`, in every array.\n"
        "  std::int64_t stride(int axis) const {{ return grid_.stride[axis]; }}\n"
        "  /// Kernels run while the host goes on: waits until all of them are done.\n"
        "  void finish() const {{ device_.finish(); }}\n{5}{6}"
        "  /// Bytes that an instance of that size allocates on the device.\n"
        "  static double bytes(const std::int64_t (&size)[{1}]);\n{4}\n",
        module_.name, module_.dimension, has_image() ? "" : ", else the first of all",
        declare_tuning(module_), declare_take_steps(device_), declare_watch(),
        has_image() ? kDeclareGraphs : "");
  }

  [[nodiscard]] std::string members() const override {
    std::string text = "  struct Kernels;\n" + declare_make_grid();
    text += fmt::format("  paraiso_support::Grid<{}> grid_;\n  {}::Device device_;\n",
                        module_.dimension, layer_);
    if (!kernels_.empty()) text += "  std::shared_ptr<Kernels> kernels_;\n";
    text += declare_scalars();
    if (!device_.reductions.empty())
      text += fmt::format("  paraiso_support::Reducer<{}::Memory> reducer_;\n", layer_);
    if (!module_.partials.empty())
      text += fmt::format("  std::vector<paraiso_support::BlockPartials<{}::Memory>> partials_;\n",
                          layer_);
    for (const Variable& s : module_.statics)
      if (s.is_field || !has_scalars())
        text += s.is_field ? fmt::format("  paraiso_support::DeviceField<{}, {}::Memory> {};\n",
                                         cpp_type(s.element), layer_, s.member)
                           : fmt::format("  {} {} = {};\n", cpp_type(s.element), s.member,
                                         cpp_literal(s.initial));
    for (auto [bytes, count] : module_.spares)
      if (count > 0)
        text += fmt::format("  {}::Memory {}[{}];  // of {}-byte elements\n", layer_, spare(bytes),
                            count, bytes);
    return text +
           fmt::format("  std::vector<{}::Memory> kept_;  // copies of all fields\n", layer_);
  }

  [[nodiscard]] std::string definitions() const override {
    std::string more;
    if (!device_.reductions.empty())
      more += fmt::format("  sum += support::Reducer<{}::Memory>::bytes(size);\n", layer_);
    for (const PartialResults& partials : module_.partials)
      more += wrap_line(fmt::format("  sum += {}.bytes({});", layout_of(device_, partials),
                                    size_of(partials.element))) +
              "\n";
    if (has_scalars()) more += "  sum += static_cast<double>(sizeof(Scalars));\n";
    return kernels() + constructor() + bytes_method("support::device_bytes", more) +
           define_take_steps(device_, layer_) + define_watch(device_, fields());
  }
  [[nodiscard]] std::string scalar(const Variable& variable) const override {
    if (!has_scalars()) return variable.member;
    const auto number = static_cast<std::size_t>(&variable - module_.statics.data());
    return "scalars_.host()." + device_.scalars.held[number];
  }
  [[nodiscard]] std::string before(const KernelMethod&) const override { return {}; }
  [[nodiscard]] std::string address(const Variable& field) const override {
    return field.member + ".cells()";
  }
  [[nodiscard]] std::string array(const plan::ArrayRef& array) const override {
    if (array.front) return around_.held[array.front->index] + ".memory()";
    return fmt::format("{}[{}]", spare(size_of(array.element)), array.spare);
  }

  [[nodiscard]] std::string begin_kernel(const KernelMethod& kernel) const override {
    const std::string all = (has_scalars() ? ", scalars_" : "") + fields();
    std::string text;
    if (!all.empty())
      text += wrap_line(fmt::format("  support::upload({});", all.substr(2))) + "\n";
    if (!may_be_graph(kernel)) return text;
    const auto [count, cell] = launches(kernel);
    return text +
           wrap_line(fmt::format("  device_.begin_call(support::launches_dominate({:.3g} * "
                                 "static_cast<double>(grid_.cells()), {}));",
                                 cell, count)) +
           "\n";
  }
  [[nodiscard]] std::string end_kernel(const KernelMethod& kernel) const override {
    return may_be_graph(kernel) ? "  device_.end_call();\n" : "";
  }
  [[nodiscard]] std::string fill(const HaloFill& fill, bool) const override {
    return fills({&fill, 1});
  }
  /// Where the cells' stores may have left them right, they are filled only if they are not.
  [[nodiscard]] std::string fill_method(const FillMethod& method) const override {
    if (!may_have_ghosts(method.fill)) return fills({&method.fill, 1});
    const std::string& field = around_.held[method.fill.rules.index];
    return fmt::format("  if ({}.has_ghosts()) return;\n", field) + fills({&method.fill, 1}) +
           fmt::format("  {}.set_ghosts(true);\n", field);
  }
  [[nodiscard]] std::string print(const FillTogether& all) const override {
    std::string fields;
    bool may_have = true;
    for (const HaloFill& fill : all.fills)
      if (may_have_ghosts(fill))
        fields += (fields.empty() ? "" : ", ") + around_.held[fill.rules.index];
      else
        may_have = false;
    const std::string marks = fields.empty() ? "" : "    support::set_ghosts(" + fields + ");\n";
    const std::string needed = may_have ? "if (!support::have_ghosts(" + fields + ")) " : "";
    return wrap_line("  " + needed + "{") + "\n" + fills(all.fills) + marks + "  }\n";
  }
  [[nodiscard]] std::string print(const MarkGhosts& mark) const override {
    const std::string& field = around_.held[mark.id.index];
    if (!mark.stored) return fmt::format("  {}.set_ghosts(false);\n", field);
    return wrap_line(fmt::format("  {}.set_ghosts(support::has_cells(grid_, {}, {}));", field,
                                 cpp_list(mark.stored->lower), cpp_list(mark.stored->upper))) +
           "\n";
  }
  [[nodiscard]] std::string print(const RunGroup& run) const override {
    const claris::BlockShape& block = *device_.function(run.function).kernel;
    const std::string box = cpp_list(run.box.lower) + ", " + cpp_list(run.box.upper);
    const std::string threads =
        fmt::format("support::threads_of_tiles(grid_, {}, {{{}}}, {{{}, {}}})", box,
                    tiles_text(block), block.x, block.y);
    return launch(run.function, threads, passed(run.function, 0, run.arguments).substr(2));
  }
  [[nodiscard]] std::string print(const ReduceArray& reduce) const override {
    const DeviceReduction reduction = device_.reduction(reduce);
    const std::string what = has_scalars() ? "reducer_.enqueue"
                                           : fmt::format("{} = reducer_.reduce<{}>", reduce.result,
                                                         cpp_type(reduce.array.element));
    return wrap_line(fmt::format("  {}(grid_, kernels_->{}, kernels_->{}, {}, {});", what,
                                 chunks_kernel(module_.name, reduction),
                                 tree_kernel(module_.name, reduction), array(reduce.array),
                                 combining(reduction))) +
           "\n";
  }
  [[nodiscard]] std::string print(const ReducePartials& reduce) const override {
    const PartialResults& partials = module_.partials[reduce.number];
    const DeviceReduction reduction = device_.reduction(partials);
    const std::string combine = has_scalars() ? "" : fmt::format("{} = ", reduce.result);
    const std::string call = has_scalars() ? std::string("enqueue")
                                           : fmt::format("reduce<{}>", cpp_type(partials.element));
    return wrap_line(fmt::format("  {}partials_[{}].{}(kernels_->{}, {});", combine, reduce.number,
                                 call, tree_kernel(module_.name, reduction),
                                 combining(reduction))) +
           "\n";
  }
  [[nodiscard]] std::string print(const RunScalars& run) const override {
    const bool grid =
        device_.function(run.function).parameters[0].kind == FunctionParameter::Kind::grid;
    return launch(run.function, "{1, 1, 1}",
                  fmt::format("{}{}scalars_.memory()", grid ? "support::DeviceGrid(grid_), " : "",
                              results_of(run)));
  }

 private:
  /// Whether some kernel stores these ghost cells with the cells that they repeat.
  [[nodiscard]] bool may_have_ghosts(const HaloFill& fill) const {
    return fill.array.front == fill.rules && module_.ghosts_kept[fill.rules.index];
  }

  /// Each is a row of the launch, as long as the longest one.
  [[nodiscard]] std::string fills(std::span<const HaloFill> all) const {
    const auto [kernel, arguments] = device_.fill(all);
    const std::vector<plan::Extent> widths = ghosts_of(all).widths;
    std::string text, passed_first = "support::DeviceGrid(grid_)", counts;
    for (std::size_t width = 0; width < widths.size(); ++width) {
      const std::string name = Ghosts::name(width);
      text += wrap_line(fmt::format("  const support::DeviceGhosts<{}> {}(grid_, {}, {});",
                                    module_.dimension, name, cpp_list(widths[width].lower),
                                    cpp_list(widths[width].upper))) +
              "\n";
      passed_first += ", " + name;
      counts += fmt::format("{}{}.count", counts.empty() ? "" : ", ", name);
    }
    if (widths.size() > 1) counts = fmt::format("std::max({{{}}})", counts);
    return text + launch(kernel,
                         fmt::format("{{static_cast<std::size_t>({}), {}, 1}}", counts, all.size()),
                         passed_first + passed(kernel, 1 + widths.size(), arguments));
  }

  /// What a kernel of scalars is given of the reduction before it.
  [[nodiscard]] static std::string results_of(const RunScalars& run) {
    if (run.partials) return fmt::format("partials_[{}].memory(), ", *run.partials);
    return run.reduced ? "reducer_.partials(), " : "";
  }

  /// Whether scalars are in the device's memory.
  [[nodiscard]] bool has_scalars() const { return !device_.scalars.all.empty(); }

  /// Graphs are of the languages that are compiled before they run.
  [[nodiscard]] bool may_be_graph(const KernelMethod& kernel) const {
    return has_image() && launches(kernel).count > 0;
  }
  [[nodiscard]] const plan::Launches& launches(const KernelMethod& kernel) const {
    return device_.launches[static_cast<std::size_t>(&kernel - module_.kernels.data())];
  }

  /// `, u_, v_`: all fields.
  [[nodiscard]] std::string fields() const {
    std::string list;
    for (const Variable& s : module_.statics)
      if (s.is_field) list += ", " + s.member;
    return list;
  }

  [[nodiscard]] std::string declare_scalars() const {
    if (!has_scalars()) return {};
    std::string text = "  struct Scalars {  // as the kernels' text declares it\n";
    for (const DeviceScalar& scalar : device_.scalars.all)
      text += fmt::format(
          "    {} {} = {};\n", cpp_type(scalar.element), scalar.name,
          cpp_literal(scalar.initial.value_or(om::Constant::from_double(scalar.element, 0))));
    return text + fmt::format(
                      "    double until = 0;\n"
                      "    std::int64_t stop = 0, done = 0, guarded = 0;\n  }};\n"
                      "  paraiso_support::DeviceScalars<Scalars, {}::Memory> scalars_;\n",
                      layer_);
  }

  /// The kernels' text, and what they are once they are built for a device.
  [[nodiscard]] std::string kernels() const {
    if (kernels_.empty()) return {};
    std::string text = has_image() ? image() : source_text();
    text += fmt::format(
        "/// The kernels, built for a device.\n"
        "struct {0}::Kernels {{\n"
        "  explicit Kernels(const {1}::Device& device) : program(device, \"{0}\", {0}_kernels) "
        "{{}}\n\n"
        "  {1}::Program program;\n",
        module_.name, layer_);
    for (const std::string& kernel : kernels_)
      text += wrap_line(fmt::format("  {0}::Kernel {1}{{program, \"{1}\"{2}}};", layer_, kernel,
                                    shared_of(kernel))) +
              "\n";
    return text + "};\n\n";
  }

  /// Of a kernel whose launches ask for shared memory: `, 98304`; of a version's, which may lack it
  /// where another version runs: `, 98304, false`.
  [[nodiscard]] std::string shared_of(const std::string& kernel) const {
    const auto own = std::ranges::find(device_.functions, kernel, &claris::Function::name);
    if (own == device_.functions.end() || !own->kernel->asks_for_shared()) return {};
    return fmt::format(", {}{}", own->kernel->shared_bytes,
                       is_of_version(module_, kernel) ? ", false" : "");
  }

  [[nodiscard]] std::string source_text() const {
    std::string text = fmt::format(
        "namespace {{\n\nconstexpr const char* {0}_kernels = R\"{1}(\n{2})\";\n\n}}  // "
        "namespace\n\n",
        module_.name, dialect_.name, kernels_text(device_, dialect_));
    return text.insert(text.rfind('"'), dialect_.name);
  }

  /// Kernels that a compiler of their own has compiled.
  [[nodiscard]] bool has_image() const { return dialect_.compiled_by; }
  [[nodiscard]] std::string kernels_file() const { return module_.name + dialect_.suffix; }
  [[nodiscard]] std::string image() const {
    return fmt::format(fmt::runtime(kImage), module_.name, layer_, kernels_file(),
                       dialect_.compiled_by);
  }

  [[nodiscard]] std::string constructor() const {
    std::string text = define_make_grid();
    text += fmt::format(
        "{0}::{0}(const std::int64_t (&size)[{1}], const std::string& device{3})\n"
        "    : grid_(make_grid(size)), device_(device){2} {{\n{4}",
        module_.name, module_.dimension,
        std::string(has_scalars() ? ", scalars_(device_)" : "") +
            (device_.reductions.empty() ? "" : ", reducer_(device_, grid_)"),
        tuning_parameter(module_), take_tuning(module_));
    if (array_count() > 0)
      text += fmt::format(
          "  device_.require(bytes(size), "
          "support::device_bytes(static_cast<double>(grid_.elements), "
          "{}));\n",
          largest_element());
    if (!kernels_.empty()) text += "  kernels_ = std::make_shared<Kernels>(device_);\n";
    for (const Variable& s : module_.statics)
      if (s.is_field) text += fmt::format("  {} = {{device_, grid_}};\n", s.member);
    for (auto [bytes, count] : module_.spares)
      if (count > 0)
        text += fmt::format(
            "  for (auto& array : {}) array = {{device_, static_cast<std::size_t>(grid_.elements) "
            "* {}}};\n",
            spare(bytes), bytes);
    for (const PartialResults& partials : module_.partials)
      text += make_partials(device_, partials);
    return text + "}\n\n";
  }

  [[nodiscard]] std::size_t largest_element() const {
    std::size_t largest = 0;
    for (auto [bytes, count] : module_.arrays())
      if (count > 0) largest = std::max(largest, bytes);
    return largest;
  }

  [[nodiscard]] std::string launch(const std::string& kernel, const std::string& threads,
                                   const std::string& arguments) const {
    const claris::BlockShape block = *device_.function(kernel).kernel;
    return wrap_line(fmt::format("  kernels_->{}.launch({}, {{{}, {}, 1}}, {});", kernel, threads,
                                 block.x, block.y, arguments)) +
           "\n";
  }

  /// For the parameters of a kernel from number `first` on: `, u_.memory(), dt`.
  [[nodiscard]] std::string passed(const std::string& kernel, std::size_t first,
                                   const std::vector<Given>& arguments) const {
    const auto& parameters = device_.function(kernel).parameters;
    std::string text;
    std::size_t place = first;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      if (has_scalars() && is_scalar_on_device(arguments[a])) continue;
      const FunctionParameter& parameter = parameters[place++];
      const bool truth = parameter.kind == FunctionParameter::Kind::scalar &&
                         parameter.element == Element::boolean;
      const std::string value = std::holds_alternative<GridArgument>(arguments[a])
                                    ? "support::DeviceGrid(grid_)"
                                    : given(arguments[a]);
      text += ", " + (truth ? fmt::format("static_cast<std::uint8_t>({})", value) : value);
    }
    if (has_scalars()) text += ", scalars_.memory()";
    return text;
  }

  const DeviceModule& device_;
  const Dialect& dialect_;
  const std::string layer_;
  const std::vector<std::string> kernels_;
};

}  // namespace

std::string print_device_header(const DeviceModule& module, const Dialect& dialect) {
  return DeviceClassWriter(module, dialect).header();
}

std::string print_device_source(const DeviceModule& module, const Dialect& dialect) {
  return DeviceClassWriter(module, dialect).source();
}

}  // namespace paraiso::codegen
