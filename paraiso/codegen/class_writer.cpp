#include "paraiso/codegen/class_writer.hpp"

#include <fmt/format.h>

#include <set>

#include "paraiso/codegen/cpp_words.hpp"
#include "paraiso/codegen/plugin.hpp"
#include "paraiso/codegen/print_cpp.hpp"
#include "paraiso/codegen/scalars.hpp"
#include "paraiso/codegen/spelling.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/plan/cost/cost_model.hpp"

namespace paraiso::codegen {

using namespace om;

namespace {

std::string widths(const std::vector<std::int32_t>& list) {
  return fmt::format("{{{}}}", fmt::join(list, ", "));
}
/// The first one only where `row_ends` asks for it.
std::string chosen_widths(const std::vector<std::int32_t>& list) {
  std::string text = fmt::format("{{row_ends ? {} : 0", list[0]);
  for (std::size_t a = 1; a < list.size(); ++a) text += fmt::format(", {}", list[a]);
  return text + "}";
}

/// Those of the methods that every class has are taken.
Names names_in_class() {
  return {"size", "stride", "set_threads", "bytes", "save", "load", "make_grid"};
}

/// Functions of the file's own, if there are any.
std::string in_namespace(const std::string& functions) {
  return functions.empty() ? functions : "namespace {\n\n" + functions + "}  // namespace\n\n";
}

/// No method has the name of its class, and a class would hide an operator.
std::string name_of_class(const std::string& wanted) {
  Names names = names_in_class();
  for (const auto function : operator_functions()) names.take(function);
  return names.unique(wanted);
}

}  // namespace

ClassWriter::ClassWriter(const plan::Plan& plan, const std::string& wanted)
    : plan_(plan), machine_(plan.machine) {
  class_name_ = name_of_class(wanted.empty() ? machine_.name : wanted);
  name_functions();
  name_members();
  for (std::size_t b = 0; b < boundaries_.size(); ++b)
    boundary_functions_.push_back(lower_boundary(plan_, BoundaryKernelId(b), boundaries_[b]));
}

void ClassWriter::name_functions() {
  Names names = names_in_class();
  names.take(class_name_);
  for (const auto& s : machine_.statics) statics_.push_back(names.unique(s.name));
  for (const auto& k : machine_.kernels) kernels_.push_back(names.unique(k.name));
  for (const auto& b : machine_.boundary_kernels)
    boundaries_.push_back(names.unique(class_name_ + "_boundary_" + b.name));
  for (const auto& s : statics_) fills_.push_back(names.unique("fill_" + s));
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    auto& groups = groups_.emplace_back();
    for (std::size_t g = 1; g <= plan_.kernels[k].groups.size(); ++g) {
      const auto all = names.unique(fmt::format("{}_{}_{}", class_name_, kernels_[k], g));
      groups.push_back({names.unique(all + "_tile"), all});
    }
  }
}

/// They end in an underscore, as no other name does.
void ClassWriter::name_members() {
  Names names{"grid", "threads", "memory", "scratch"};
  for (auto [bytes, count] : plan_.spares) names.take(fmt::format("spare{}", bytes));
  for (const auto& s : statics_) members_.push_back(names.unique(s) + "_");
  in_method_ = {machine_.dimension, "grid_", members_};
}

bool ClassWriter::is_local(std::size_t s) const { return machine_.statics[s].type.is_local(); }

std::string ClassWriter::type_of(std::size_t s) const {
  return cpp_type(machine_.statics[s].type.element);
}

std::string ClassWriter::spare(std::size_t bytes) { return fmt::format("spare{}_", bytes); }

Names ClassWriter::names_of_variables() const {
  Names names{"lower", "upper", "cell"};  // where halos are filled between steps
  for (const auto& fill : fills_) names.take(fill);
  for (const auto& boundary : boundaries_) names.take(boundary);
  for (const auto& groups : groups_)
    for (const auto& group : groups) names.take(group.all);
  return names;
}

int ClassWriter::array_count() const {
  int count = 0;
  for (std::size_t s = 0; s < statics_.size(); ++s) count += is_local(s);
  for (auto [bytes, spares] : plan_.spares) count += spares;
  return count;
}

std::string ClassWriter::argument(const Argument& argument) const {
  return std::visit(Overload{
                        [](const GridArgument&) -> std::string { return "grid_"; },
                        [](const ThreadsArgument&) -> std::string {
                          return {};
                        },  // the kernel's method knows how many
                        [](const CellArgument&) -> std::string { return "cell"; },
                        [](const ScratchArgument&) -> std::string { return "scratch_"; },
                        [](const TileArgument&) -> std::string { return {}; },  // of tile functions
                        [&](const plan::ArrayRef& array) {
                          if (array.front) return member(array.front->index);
                          return fmt::format("static_cast<{}*>({}[{}])", cpp_type(array.element),
                                             spare(size_of(array.element)), array.spare);
                        },
                        [](const ValueId&) -> std::string {
                          return {};
                        },  // the kernel's method knows its scalars
                        [&](const StaticId& id) { return member(id.index); },
                    },
                    argument);
}

std::string ClassWriter::banner() const {
  return fmt::format(
      "// `{}` in {} dimension{}, generated by Paraiso for C++ and OpenMP.\n"
      "// Program {}, schedule {}.\n"
      "// Compile with -ffp-contract=off and without -ffast-math: then results have the same "
      "bits,\n"
      "// whatever the number of threads. Needs paraiso_support.hpp and paraiso_support.cpp "
      "only.\n",
      machine_.name, machine_.dimension, machine_.dimension == 1 ? "" : "s",
      om::program_hash(machine_), plan::schedule_hash(plan_.schedule));
}

std::string ClassWriter::accessors() const {
  std::string text;
  for (std::size_t s = 0; s < statics_.size(); ++s) {
    if (is_local(s))
      text += fmt::format("  {}* {}() {{ return {}; }}\n", type_of(s), statics_[s], member(s));
    else
      text += fmt::format("  {}& {}() {{ return {}; }}\n", type_of(s), statics_[s], member(s));
  }
  return text;
}

std::string ClassWriter::members() const {
  std::string text;
  for (std::size_t s = 0; s < statics_.size(); ++s) {
    if (is_local(s))
      text += fmt::format("  {}* {};\n", type_of(s), member(s));
    else
      text += fmt::format("  {} {} = {};\n", type_of(s), member(s),
                          cpp_literal(machine_.statics[s].initial));
  }
  for (auto [bytes, count] : plan_.spares)
    if (count > 0)
      text += fmt::format("  void* {}[{}];  // of {}-byte elements\n", spare(bytes), count, bytes);
  return text;
}

std::string ClassWriter::header() const {
  const int dimension = machine_.dimension;
  std::string text = banner();
  text += "#pragma once\n\n#include \"paraiso_support.hpp\"\n\nnamespace paraiso_solver {\n\n";
  text += fmt::format("class {} {{\n public:\n", class_name_);
  text += fmt::format(
      "  /// Memory for `size` core cells along each axis, all zero. Throws std::bad_alloc, and\n"
      "  /// std::invalid_argument where an axis has no cell. Fewer threads than one are one.\n"
      "  explicit {0}(const std::int64_t (&size)[{1}], int threads = 1);\n"
      "  {0}(const {0}&) = delete;\n  {0}& operator=(const {0}&) = delete;\n\n"
      "  std::int64_t size(int axis) const {{ return grid_.size[axis]; }}\n"
      "  /// Elements between neighbours along `axis`, in every array.\n"
      "  std::int64_t stride(int axis) const {{ return grid_.stride[axis]; }}\n"
      "  /// What one thread makes in less than `least_shared` nanoseconds is not shared.\n"
      "  void set_threads(int threads, double least_shared = paraiso_support::least_shared) {{\n"
      "    threads_ = paraiso_support::Threads(threads, least_shared);\n  }}\n"
      "  /// Bytes that an instance of that size allocates.\n"
      "  static double bytes(const std::int64_t (&size)[{1}]);\n\n",
      class_name_, dimension);
  text += "  // State. An array's pointer is its core cell 0; fetch it anew after each kernel.\n";
  text += accessors();
  text += "\n  // Kernels.\n";
  for (const auto& kernel : kernels_) text += fmt::format("  void {}();\n", kernel);
  text +=
      "\n  /// The whole state as a plain binary file. Both throw std::runtime_error.\n"
      "  void save(const char* path) const;\n  void load(const char* path);\n\n private:\n";
  for (std::size_t s = 0; s < statics_.size(); ++s)
    if (is_local(s) && is_filled(s))
      text += fmt::format("  void {}({});\n", fills_[s],
                          row_ends(s) == RowEnds::chosen ? "bool row_ends" : "");
  text += fmt::format(
      "  static paraiso_support::Grid<{0}> make_grid(const std::int64_t (&size)[{0}]);\n\n",
      dimension);
  text += fmt::format("  paraiso_support::Grid<{}> grid_;\n", dimension);
  text += "  paraiso_support::Threads threads_;\n  std::vector<paraiso_support::Array> memory_;\n";
  text += "  paraiso_support::ScratchMemory scratch_;\n";
  text += members();
  text += "};\n\n}  // namespace paraiso_solver\n";
  return text;
}

std::string ClassWriter::grid_arguments() const {
  return fmt::format("size, {}, {}, {}", widths(plan_.margin.lower), widths(plan_.margin.upper),
                     plan_.row_unit);
}

std::string ClassWriter::constructor() const {
  const int dimension = machine_.dimension;
  std::string text = fmt::format(
      "support::Grid<{1}> {0}::make_grid(const std::int64_t (&size)[{1}]) {{\n"
      "  return {{{2}}};\n}}\n\n",
      class_name_, dimension, grid_arguments());
  text += fmt::format(
      "{0}::{0}(const std::int64_t (&size)[{1}], int threads)\n"
      "    : grid_(make_grid(size)), threads_(threads) {{\n",
      class_name_, dimension);
  if (array_count() > 0) text += allocations();
  return text + "}\n\n";
}

std::string ClassWriter::allocations() const {
  std::string text = fmt::format(
      "  memory_.reserve({});\n"
      "  const auto allocate = [&](std::size_t element_bytes) {{\n"
      "    memory_.emplace_back(grid_, element_bytes, static_cast<int>(memory_.size()), "
      "threads_.all());\n"
      "    return memory_.back().origin();\n  }};\n",
      array_count());
  for (std::size_t s = 0; s < statics_.size(); ++s)
    if (is_local(s))
      text +=
          fmt::format("  {0} = static_cast<{1}*>(allocate(sizeof({1})));\n", member(s), type_of(s));
  for (auto [bytes, count] : plan_.spares)
    if (count > 0)
      text += fmt::format("  for (void*& array : {}) array = allocate({});\n", spare(bytes), bytes);
  return text;
}

std::string ClassWriter::bytes_method() const {
  if (array_count() == 0)
    return fmt::format("double {}::bytes(const std::int64_t (&)[{}]) {{ return 0; }}\n\n",
                       class_name_, machine_.dimension);
  std::string text = fmt::format(
      "double {}::bytes(const std::int64_t (&size)[{}]) {{\n"
      "  const double elements = support::count_elements({});\n  double sum = 0;\n",
      class_name_, machine_.dimension, grid_arguments());
  std::map<std::size_t, int> counts = plan_.spares;
  for (std::size_t s = 0; s < statics_.size(); ++s)
    if (is_local(s)) ++counts[size_of(machine_.statics[s].type.element)];
  for (auto [bytes, count] : counts)
    if (count > 0)
      text += fmt::format("  sum += {}.0 * support::Array::bytes(elements, {});\n", count, bytes);
  return text + "  return sum;\n}\n\n";
}

std::string ClassWriter::side_value(const Static& s, const Boundary& boundary,
                                    const Spelling& spell) const {
  if (std::holds_alternative<Fixed>(boundary))
    return fmt::format("[](const std::int64_t*) {{ return {}; }}",
                       side_constant(boundary, s.type.element));
  if (const auto* user = std::get_if<UserBoundary>(&boundary)) {
    const auto& lowered = boundary_functions_[user->kernel.index];
    std::string arguments;
    for (const auto& a : lowered.arguments) arguments += (arguments.empty() ? "" : ", ") + spell(a);
    return fmt::format("[&](const std::int64_t* cell) {{ return {}({}); }}",
                       boundaries_[user->kernel.index], arguments);
  }
  return fmt::format("support::no_value<{}>", cpp_type(s.type.element));
}

/// Fills the cells around the core of an array, `width` of them, by the boundary of a static.
std::string ClassWriter::fill_axes(std::size_t s, const std::string& array,
                                   const plan::Extent& width, const Spelling& spell,
                                   bool choice) const {
  const Static& variable = machine_.statics[s];
  const auto spell_widths = choice ? chosen_widths : widths;
  std::string text = fmt::format("  const std::int64_t lower[] = {}, upper[] = {};\n",
                                 spell_widths(width.lower), spell_widths(width.upper));
  for (int a = 0; a < machine_.dimension; ++a) {
    if (width.lower[a] == 0 && width.upper[a] == 0) continue;
    const auto& [low, high] = variable.boundary[a];
    text += wrap_line(fmt::format(
                "  support::fill_axis<{}>({}, grid_, threads_, lower, upper, {}, {}, {}, {});", a,
                array, side_name(low), side_name(high), side_value(variable, low, spell),
                side_value(variable, high, spell))) +
            "\n";
  }
  return text;
}

bool ClassWriter::reads_row_ends(const plan::KernelPlan& kernel, std::size_t s) {
  return kernel.halo[s].lower[0] > 0 || kernel.halo[s].upper[0] > 0;
}

ClassWriter::RowEnds ClassWriter::row_ends(std::size_t s) const {
  bool own = false, filled = false;
  for (const auto& kernel : plan_.kernels) {
    if (!reads_row_ends(kernel, s)) continue;
    (kernel.own_row_ends[s] ? own : filled) = true;
  }
  return !own ? RowEnds::filled : filled ? RowEnds::chosen : RowEnds::never;
}

plan::Extent ClassWriter::filled_halo(std::size_t s) const {
  plan::Extent width = plan_.halo[s];
  if (row_ends(s) == RowEnds::never) width.lower[0] = width.upper[0] = 0;
  return width;
}

std::string ClassWriter::fill_methods() const {
  std::string text;
  for (std::size_t s = 0; s < statics_.size(); ++s) {
    if (!is_local(s) || !is_filled(s)) continue;
    const bool choice = row_ends(s) == RowEnds::chosen;
    text +=
        fmt::format("void {}::{}({}) {{\n", class_name_, fills_[s], choice ? "bool row_ends" : "");
    text += fill_axes(
        s, member(s), filled_halo(s), [&](const Argument& a) { return argument(a); }, choice);
    text += "}\n\n";
  }
  return text;
}

std::string ClassWriter::fill_between_steps(const plan::Fill& fill,
                                            const ScalarNames& scalars) const {
  const auto spell = [&](const Argument& given) -> std::string {
    if (const auto* array = std::get_if<plan::ArrayRef>(&given))
      return argument(fill.arrays.at(*array->front));
    if (const auto* id = std::get_if<StaticId>(&given))
      if (const auto value = fill.scalars.find(*id); value != fill.scalars.end())
        return print_cpp(scalars.expression(value->second), in_method_);
    return argument(given);
  };
  const std::string text = fill_axes(fill.rules.index, argument(fill.array), fill.width, spell);
  return fmt::format("  {{\n{}  }}\n", text);
}

/// How far arrays are filled by the boundary of a static, between kernels and within them.
std::vector<plan::Extent> ClassWriter::filled_widths(std::size_t s) const {
  std::vector<plan::Extent> widths = {plan_.halo[s]};
  for (const auto& kernel : plan_.kernels)
    for (const auto& fill : kernel.fills)
      if (fill.rules.index == s) widths.push_back(fill.width);
  return widths;
}

/// Of the boundary kernels that some halo needs.
std::string ClassWriter::boundary_functions() const {
  std::set<BoundaryKernelId> needed;
  for (std::size_t s = 0; s < statics_.size(); ++s) {
    if (!is_local(s)) continue;
    for (const auto& width : filled_widths(s))
      for (int a = 0; a < machine_.dimension; ++a)
        for (const Boundary& side : machine_.statics[s].boundary[a])
          if (const auto* user = std::get_if<UserBoundary>(&side))
            if (width.lower[a] > 0 || width.upper[a] > 0) needed.insert(user->kernel);
  }
  std::string text;
  for (BoundaryKernelId id : needed)
    text += print_cpp(boundary_functions_[id.index].function, machine_.dimension) + "\n";
  return in_namespace(text);
}

std::string ClassWriter::files_methods() const {
  std::string save, load;
  for (std::size_t s = 0; s < statics_.size(); ++s) {
    if (is_local(s)) {
      const char* each =
          "  support::File::each_row(grid_, {0}, [&](auto* row, std::int64_t count) {{ "
          "file.{1}(row, count); }});\n";
      save += wrap_line(fmt::format(fmt::runtime(each), member(s), "write"));
      load += wrap_line(fmt::format(fmt::runtime(each), member(s), "read"));
    } else {
      save += fmt::format("  file.write(&{}, 1);\n", member(s));
      load += fmt::format("  file.read(&{}, 1);\n", member(s));
    }
  }
  return fmt::format(
      "void {0}::save(const char* path) const {{\n"
      "  support::File file(path, std::ios::out | std::ios::trunc);\n"
      "  file.write(grid_.size, {1});\n{2}  file.finish();\n}}\n\n"
      "void {0}::load(const char* path) {{\n"
      "  support::File file(path, std::ios::in);\n"
      "  std::int64_t size[{1}];\n  file.read(size, {1});\n"
      "  for (int a = 0; a < {1}; ++a)\n"
      "    if (size[a] != grid_.size[a])\n"
      "      throw std::runtime_error(std::string(\"`\") + path + \"` holds a grid of another "
      "size\");\n"
      "{3}}}\n\n",
      class_name_, machine_.dimension, save, load);
}

std::string ClassWriter::kernel(std::size_t k) const {
  const plan::KernelPlan& plan = plan_.kernels[k];
  const Graph& graph = plan.kernel->graph;
  std::string functions;
  std::string body;
  for (std::size_t s = 0; s < statics_.size(); ++s)
    if (!plan.filled_halo(StaticId(s)).is_core())
      body += fmt::format("  {}({});\n", fills_[s],
                          row_ends(s) != RowEnds::chosen                     ? ""
                          : reads_row_ends(plan, s) && !plan.own_row_ends[s] ? "true"
                                                                             : "false");

  Names names = names_of_variables();
  ScalarNames scalars(machine_, graph, names);
  const plan::Prediction alone = plan::predict_alone(machine_, plan);
  for (const auto& step : plan.steps) {
    if (step.scalar) {
      if (auto declared = scalars.declare(*step.scalar))
        body += print_cpp({{*declared}}, 2, in_method_);
      continue;
    }
    if (step.fill >= 0) {
      body += fill_between_steps(plan.fills[step.fill], scalars);
      continue;
    }
    const plan::Group& group = plan.groups[step.group];
    const GroupNames& name = groups_[k][step.group];
    const auto [tile, lowered] = lower_group(plan_, plan, group, name);
    functions += print_cpp(tile, machine_.dimension) + "\n";
    functions += print_cpp(lowered.function, machine_.dimension) + "\n";
    for (const auto& stage : group.stages)
      for (const auto& reduction : stage.reductions)
        body += fmt::format("  {} {};\n", cpp_type(graph.type(reduction.result).element),
                            scalars.declare_result(reduction.result));
    const std::string threads = fmt::format("threads_.for_cells(grid_.cells(), {:.2g})",
                                            alone.groups[step.group].nanoseconds);
    std::string arguments;
    for (const auto& a : lowered.arguments) {
      const auto* scalar = std::get_if<ValueId>(&a);
      arguments += arguments.empty() ? "" : ", ";
      arguments += scalar ? print_cpp(scalars.expression(*scalar), in_method_)
                   : std::holds_alternative<ThreadsArgument>(a) ? threads
                                                                : argument(a);
    }
    body += wrap_line(fmt::format("  {}({});", name.all, arguments)) + "\n";
  }
  for (const auto& swap : plan.swaps)
    body += swap.with.front
                ? fmt::format("  std::swap({}, {});\n", member(swap.target.index),
                              member(swap.with.front->index))
                : fmt::format("  support::swap_in({}, {}[{}]);\n", member(swap.target.index),
                              spare(size_of(swap.with.element)), swap.with.spare);
  const passes::StepChain chain(graph);
  for (NodeId id : graph.stores()) {
    const auto& store = std::get<Store>(graph.node(id).instruction);
    ValueId value = graph.node(id).operands[0];
    if (graph.type(value).realm == Realm::global && chain.is_last(store))
      body += fmt::format("  {} = {};\n", member(store.target.index),
                          print_cpp(scalars.expression(value), in_method_));
  }
  return in_namespace(functions) +
         fmt::format("void {}::{}() {{\n{}}}\n\n", class_name_, kernels_[k], body);
}

std::string ClassWriter::source() const {
  std::string text = banner();
  text += fmt::format(
      "#include \"{}.hpp\"\n\n#include <limits>\n\nnamespace paraiso_solver {{\n\n"
      "namespace support = paraiso_support;\n\n",
      class_name_);
  text += constructor();
  text += bytes_method();
  text += boundary_functions();
  text += fill_methods();
  for (std::size_t k = 0; k < kernels_.size(); ++k) text += kernel(k);
  text += files_methods();
  return text + "}  // namespace paraiso_solver\n";
}

std::string ClassWriter::plugin() const {
  std::string fields, scalars, kernels, copy;
  for (std::size_t s = 0; s < statics_.size(); ++s)
    (is_local(s) ? fields : scalars) +=
        is_local(s) ? fmt::format("    case {}: return solver->{}();\n", s, statics_[s])
                    : fmt::format("    case {}: return &solver->{}();\n", s, statics_[s]);
  for (std::size_t k = 0; k < kernels_.size(); ++k)
    kernels += fmt::format("    case {}: solver->{}(); break;\n", k, kernels_[k]);
  for (int a = 0; a < machine_.dimension; ++a) copy += fmt::format("{}size[{}]", a ? ", " : "", a);
  return fmt::format(R"(
// The entry points that Paraiso's own runtime loads.
namespace plugin_{0} {{
namespace {{

using Solver = paraiso_solver::{0};

double plugin_bytes(const std::int64_t* size) {{
  const std::int64_t cells[] = {{{2}}};
  return Solver::bytes(cells);
}}

void* plugin_create(const std::int64_t* size, int threads, double least_shared) {{
  const std::int64_t cells[] = {{{2}}};
  try {{
    auto* solver = new Solver(cells, threads);
    solver->set_threads(threads, least_shared);
    return solver;
  }} catch (const std::bad_alloc&) {{
    return nullptr;
  }}
}}

void plugin_destroy(void* self) {{ delete static_cast<Solver*>(self); }}

void plugin_run(void* self, int kernel) {{
  [[maybe_unused]] auto* solver = static_cast<Solver*>(self);
  switch (kernel) {{
{5}    default: break;
  }}
}}

void* plugin_field(void* self, int number) {{
  [[maybe_unused]] auto* solver = static_cast<Solver*>(self);
  switch (number) {{
{3}    default: return nullptr;
  }}
}}

void* plugin_scalar(void* self, int number) {{
  [[maybe_unused]] auto* solver = static_cast<Solver*>(self);
  switch (number) {{
{4}    default: return nullptr;
  }}
}}

void plugin_strides(void* self, std::int64_t* strides) {{
  for (int a = 0; a < {1}; ++a) strides[a] = static_cast<Solver*>(self)->stride(a);
}}

struct Table {{
  int version = {6};
  double (*bytes)(const std::int64_t*) = plugin_bytes;
  void* (*create)(const std::int64_t*, int, double) = plugin_create;
  void (*destroy)(void*) = plugin_destroy;
  void (*run)(void*, int) = plugin_run;
  void* (*field)(void*, int) = plugin_field;
  void* (*scalar)(void*, int) = plugin_scalar;
  void (*strides)(void*, std::int64_t*) = plugin_strides;
}};

}}  // namespace
}}  // namespace plugin_{0}

extern "C" const void* paraiso_plugin_{0}() {{
  static const plugin_{0}::Table table;
  return &table;
}}
)",
                     class_name_, machine_.dimension, copy, fields, scalars, kernels,
                     kPluginVersion);
}

}  // namespace paraiso::codegen
