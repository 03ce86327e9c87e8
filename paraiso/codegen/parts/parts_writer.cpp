#include "paraiso/codegen/parts/parts_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/cpp/project_writer.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/codegen/parts/late_writer.hpp"
#include "paraiso/om/cells/fill_order.hpp"
#include "paraiso/passes/analysis/diagnostics.hpp"
#include "paraiso/plan/exchanges.hpp"
#include "paraiso/plan/make/part_margin.hpp"

namespace paraiso::codegen {

using namespace om;

namespace {

/// The table of one machine's rules, as statements.
class RulesWriter {
 public:
  RulesWriter(const plan::Plan& plan, const Module& module)
      : plan_(plan), machine_(plan.machine), module_(module), numbers_(machine_.statics.size()) {
    int fields = 0, scalars = 0;
    for (std::size_t s = 0; s < numbers_.size(); ++s)
      numbers_[s] = module.statics[s].is_field ? fields++ : scalars++;
    for (const auto& boundary : machine_.boundary_kernels)
      at_sides_.merge(scalars_loaded(boundary.graph));
  }

  /// Of a static, among the fields or among the scalars.
  [[nodiscard]] int number(std::size_t s) const { return numbers_[s]; }
  [[nodiscard]] std::string variable(std::size_t s) const {
    const Variable& one = module_.statics[s];
    if (one.is_field)
      return field(s) + fmt::format("    rules.statics.push_back({});\n", numbers_[s]);
    return fmt::format("    // {}: {}\n", numbers_[s], one.name) +
           line(
               "rules.scalars.push_back({{[](Solver& solver) -> void* {{ return &solver.{}(); }}, "
               "sizeof({})}});",
               one.name, cpp_type(one.element)) +
           fmt::format("    rules.statics.push_back({});\n", -1 - numbers_[s]);
  }

  [[nodiscard]] std::string kernel(std::size_t k) const {
    const plan::KernelPlan& planned = plan_.kernels[k];
    // A kernel with versions may run one that receives nothing.
    const bool receives =
        !plan_.dispatch && std::ranges::any_of(planned.groups, [](const plan::Group& group) {
          return group.cpu.overlapped.has_value();
        });
    std::set<int> changes;
    for (const StaticId id : plan::ghosts_changed_by(machine_, machine_.kernels[k]))
      changes.insert(numbers_[id.index]);
    return fmt::format("    rules.kernels.push_back({{&Solver::{}, {},\n        {{{}}},\n",
                       module_.kernels[k].name, receives,
                       in_lines(readings(plan::part_wants(planned)))) +
           fmt::format("        {{{}}}", fmt::join(changes, ", ")) + scalars_of(k) + "});\n";
  }
  /// What one exchange for several steps needs of a kernel.
  [[nodiscard]] std::string wide_kernel(std::size_t k) const {
    const Kernel& kernel = machine_.kernels[k];
    std::set<int> stores, axes;
    for (const StaticId id : stored_by(machine_, kernel)) stores.insert(numbers_[id.index]);
    add_index_axes(kernel.graph, axes);
    for (const auto& boundary : machine_.boundary_kernels) add_index_axes(boundary.graph, axes);
    return line("rules.wide.push_back({{{}, {{{}}}, {{{}}}}});", &kernel == machine_.step_kernel(),
                fmt::join(stores, ", "), fmt::join(axes, ", "));
  }

 private:
  [[nodiscard]] std::string field(std::size_t s) const {
    const Variable& field = module_.statics[s];
    std::vector<std::string> axes;
    for (const auto& [lower, upper] : machine_.statics[s].boundary)
      axes.push_back(fmt::format("{{{}, {}}}", side(lower), side(upper)));
    return fmt::format("    // {}: {}\n", numbers_[s], field.name) +
           line(
               "rules.fields.push_back({{[](Solver& solver) -> void* {{ return solver.{}(); }}, "
               "sizeof({})}});",
               field.name, cpp_type(field.element)) +
           line("rules.sides.push_back({{{{{}}}}});", fmt::join(axes, ", "));
  }

  [[nodiscard]] std::set<int> scalars_loaded(const Graph& graph) const {
    std::set<int> loaded;
    for (std::size_t n = 0; n < graph.node_count(); ++n) {
      const Node& node = graph.node(NodeId(n));
      const auto* load = std::get_if<Load>(&node.instruction);
      if (load != nullptr && !graph.type(node.first_result).is_local())
        loaded.insert(numbers_[load->source.index]);
    }
    return loaded;
  }

  static void add_index_axes(const Graph& graph, std::set<int>& axes) {
    for (std::size_t n = 0; n < graph.node_count(); ++n)
      if (const auto* load = std::get_if<LoadIndex>(&graph.node(NodeId(n)).instruction))
        axes.insert(load->axis);
  }

  /// What a kernel loads and stores, and what of it is late.
  [[nodiscard]] std::string scalars_of(std::size_t k) const {
    const Graph& graph = machine_.kernels[k].graph;
    std::set<int> loads = scalars_loaded(graph), stores, late;
    loads.insert(at_sides_.begin(), at_sides_.end());
    for (const NodeId id : graph.stores())
      if (const Node& node = graph.node(id); !graph.type(node.operands[0]).is_local())
        stores.insert(numbers_[std::get<Store>(node.instruction).target.index]);
    const LateReductions reductions = late_reductions(graph);
    for (const StaticId id : reductions.targets) late.insert(numbers_[id.index]);
    std::string text =
        fmt::format(", {{{}}}, {{{}}}", fmt::join(loads, ", "), fmt::join(stores, ", "));
    if (late.empty()) return text;
    return text +
           fmt::format(", {{{}}},\n        {}", fmt::join(late, ", "), late_function(module_, k));
  }

  template <class... Arguments>
  static std::string line(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    return wrap_line("    " + fmt::format(text, std::forward<Arguments>(arguments)...)) + "\n";
  }

  [[nodiscard]] std::vector<std::string> readings(const std::vector<Want>& wants) const {
    std::vector<std::string> list;
    for (const Want& want : wants)
      for (const Reach& reach : want.reaches)
        list.push_back(fmt::format("{{{}, {}, {}}}", numbers_[want.what.index],
                                   cpp_list(reach.least), cpp_list(reach.most)));
    return list;
  }

  /// As many in a line as there is room for.
  static std::string in_lines(const std::vector<std::string>& items) {
    constexpr std::size_t kColumns = 84;  // from the first item on
    std::string text;
    std::size_t length = 0;
    for (const std::string& item : items) {
      const bool fits = length + item.size() <= kColumns;
      if (!text.empty()) text += fits ? ", " : ",\n         ";
      length = (fits ? length : 0) + item.size() + 2;
      text += item;
    }
    return text;
  }

  [[nodiscard]] std::string side(const Boundary& boundary) const {
    const std::string rule = side_name(boundary).substr(std::string("support::").size());
    const auto* user = std::get_if<UserBoundary>(&boundary);
    if (user == nullptr) return fmt::format("{{{}}}", rule);
    const BoundaryKernel& kernel = machine_.boundary_kernels[user->kernel.index];
    const auto wants = exact_wants(reads_of(kernel.graph, kernel.result)[0]);
    if (wants.empty()) return fmt::format("{{{}}}", rule);
    return fmt::format("{{{}, {{{}}}}}", rule, fmt::join(readings(wants), ", "));
  }

  const plan::Plan& plan_;
  const Machine& machine_;
  const Module& module_;
  std::vector<int> numbers_;  // of each static, its number among the fields or among the scalars
  std::set<int> at_sides_;    // scalars that boundary kernels load
};

/// What the class of a part calls statics, what sets its scalars, and kernels.
struct PartNames {
  std::vector<std::string> statics, setters, kernels;

  explicit PartNames(const Module& module) {
    Names names{"Solver", "Rules", "Part",    "solver", "core",   "whole",   "stride",
                "rank",   "ranks", "changed", "any",    "gather", "scatter", "save",
                "load",   "hash",  "settle",  "run",    "rules",  "Side",    "set_threads"};
    names.take(module.name + "_part");
    for (const Variable& s : module.statics) statics.push_back(names.unique(s.name));
    for (const Variable& s : module.statics)
      setters.push_back(s.is_field ? "" : names.unique("set_" + s.name));
    for (const KernelMethod& kernel : module.kernels) kernels.push_back(names.unique(kernel.name));
  }
};

/// The accessors of a static.
std::string accessor(const Variable& s, const std::string& name, const std::string& setter,
                     int number) {
  const char* const type = cpp_type(s.element);
  if (s.is_field)
    return fmt::format("  {}* {}() {{ return own(solver().{}()); }}\n", type, name, s.name);
  return fmt::format(
      "  {0} {1}() {{ return settle({4}), solver().{3}(); }}\n"
      "  void {2}({0} value) {{ settle({4}), solver().{3}() = value; }}\n",
      type, name, setter, s.name, number);
}

/// Those that run in parts, by number.
std::vector<std::size_t> kernels_in_parts(const Machine& machine) {
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < machine.kernels.size(); ++k)
    if (!reads_between_steps(machine.kernels[k].graph)) list.push_back(k);
  return list;
}
std::vector<std::size_t> late_kernels(const Machine& machine) {
  std::vector<std::size_t> list = kernels_in_parts(machine);
  std::erase_if(list, [&](std::size_t k) {
    return late_reductions(machine.kernels[k].graph).targets.empty();
  });
  return list;
}

/// 0: the class; 1: the dimension; 2: accessors; 3: methods; 4: rules; 5: its headers.
constexpr const char* kPartClass = R"(// `{0}` on a grid that the processes of MPI share.
#pragma once

{5}
namespace paraiso_solver {{

/// One process's part of the grid; results have the bits of a whole one. Each process makes one, and
/// all call the same in the same order, on the thread that has initialised MPI.
class {0}_part : public paraiso_mpi::Part<{0}, {1}> {{
 public:
  /// `whole`: cells of the whole grid along each axis. Throws std::invalid_argument, on all
  /// processes, if there are fewer cells than processes.
  explicit {0}_part(const std::int64_t (&whole)[{1}], int threads = 1,
      MPI_Comm world = MPI_COMM_WORLD)
      : Part(rules(), whole, threads, world) {{}}

  // State. An array's pointer is that of this part's first cell; a kernel may change it. Who writes
  // cells calls `changed()`. Scalars are the same on all processes: all ask for them, because sums
  // may be added up only then, and all set them alike.
{2}
  // Kernels: what others need is sent before they run.
{3}
 private:
  /// Of each field its sides, and how scalars are found. Of each kernel what it reads, {{field, from,
  /// to}} beside a cell, of which fields it changes ghost cells, and which scalars it loads and
  /// stores; those that are stored from sums are known later.
  static Rules rules() {{
    using paraiso_support::Side;
    Rules rules;
{4}    return rules;
  }}
}};

}}  // namespace paraiso_solver
)";

}  // namespace

std::string write_part(const plan::Plan& plan, const Module& module, int steps) {
  om::check_fills_in_parts(plan.machine);
  const RulesWriter writer(plan, module);
  const PartNames names(module);
  std::string accessors, methods, rules;
  for (std::size_t s = 0; s < module.statics.size(); ++s) {
    accessors += accessor(module.statics[s], names.statics[s], names.setters[s], writer.number(s));
    rules += writer.variable(s);
  }
  std::size_t number = 0;
  for (const std::size_t k : kernels_in_parts(plan.machine)) {
    methods += fmt::format("  void {}() {{ run({}); }}\n", names.kernels[k], number++);
    rules += writer.kernel(k);
  }
  if (steps > 1) {
    rules += fmt::format(
        "    // One exchange for {0} steps: whether a kernel is one, the fields that it stores, "
        "the axes\n"
        "    // of which it or a side reads indices.\n    rules.steps = {0};\n",
        steps);
    for (const std::size_t k : kernels_in_parts(plan.machine)) rules += writer.wide_kernel(k);
  }
  const bool late = !late_kernels(plan.machine).empty();
  const std::string includes = fmt::format(
      "#include \"{}{}.hpp\"\n#include \"paraiso_share.hpp\"\n", module.name, late ? "_late" : "");
  return fmt::format(fmt::runtime(kPartClass), module.name, module.dimension, accessors, methods,
                     rules, includes);
}

std::vector<SourceFile> write_late(const plan::Plan& plan, const Module& module) {
  const std::vector<std::size_t> kernels = late_kernels(plan.machine);
  if (kernels.empty()) return {};
  return {{module.name + "_late.hpp", write_late_header(module, kernels)},
          {module.name + "_late.cpp", write_late_source(plan.machine, module, kernels)}};
}

namespace {

/// 0: the class; 1, 2: how arguments are read; 3, 4: kernels before and after the steps; 5: the
/// step; 6: what is printed.
constexpr const char* kPartsExample =
    R"(// An example: some steps of `{0}` on a grid that any number of processes share.
//
//     mpirun -n 4 build/example_mpi [STEPS [CELLS ALONG EACH AXIS ...]]
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>

#include "{0}_part.hpp"

namespace {{

volatile std::sig_atomic_t told_to_stop = 0;

{2}
void run(int argc, char** argv) {{
{1}  paraiso_solver::{0}_part part(size);
{3}  const double start = MPI_Wtime();
  std::int64_t step = 0;
{5}  const double seconds = MPI_Wtime() - start;
{4}  std::ostream nowhere(nullptr);
  std::ostream& out = part.rank() == 0 ? std::cout : nowhere;
  out << step << " steps by " << part.ranks() << " processes in " << seconds << " s\n";
  out << std::setprecision(std::numeric_limits<double>::max_digits10);
{6}}}

}}  // namespace

int main(int argc, char** argv) {{
  int given = 0, rank = 0, status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (given < MPI_THREAD_FUNNELED) {{
    if (rank == 0) std::cerr << "error: this MPI can't be used by programs with threads\n";
    MPI_Finalize();
    return 1;
  }}
  std::signal(SIGINT, [](int) {{ told_to_stop = 1; }});
  std::signal(SIGTERM, [](int) {{ told_to_stop = 1; }});
  try {{
    run(argc, argv);
  }} catch (const std::invalid_argument& error) {{  // which all processes throw
    if (rank == 0) std::cerr << "error: " << error.what() << '\n';
    status = 2;
  }} catch (const std::exception& error) {{
    std::cerr << "error: process " << rank << ": " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);
  }}
  MPI_Finalize();
  return status;
}}
)";

/// 0: the step.
constexpr const char* kPartsSteps = R"(  while (step < steps) {{
    part.{}();
    // All stop after the same step, or none does.
    if (++step % 16 == 0 && part.any(told_to_stop != 0)) break;
  }}
)";

constexpr const char* kPartsBuild = R"(
# The same on a grid that the processes of MPI share: mpirun -n 4 build/example_mpi
{1}find_package(MPI COMPONENTS CXX)
if(MPI_CXX_FOUND)
  find_package(Threads REQUIRED)
  add_executable({0}_example_mpi main_mpi.cpp)
  set_target_properties({0}_example_mpi PROPERTIES OUTPUT_NAME example_mpi)
  target_link_libraries({0}_example_mpi PRIVATE {0} MPI::MPI_CXX Threads::Threads)
else()
  message(STATUS "no MPI: example_mpi is not built")
endif()
)";

/// 0: the steps.
constexpr const char* kWideReadme = R"(
Processes exchange ghost cells once for {0} steps, where that can be enough, and each computes in between some cells of others,
too: `rules.steps` in that file.
)";

constexpr const char* kPartsReadme = R"(
With MPI, any number of processes share a grid:

    mpirun -n 4 build/example_mpi 100

The class `paraiso_solver::{0}_part` (`{0}_part.hpp`) is one process's part. It has the same kernels, which send and
receive what they need, and the same state: the fields' cells of that part, and `gather`, `scatter`, `save`, `load` for
those of all. Results have the same bits on any number of processes; `hash(part.FIELD())` tells. Of several MPIs,
`-DMPI_CXX_COMPILER=mpicxx.mpich` chooses one.
)";

}  // namespace

std::string write_parts_example(const Machine& machine, const Module& module) {
  const PartNames names(module);
  const auto call = [&](std::size_t kernel) {
    return fmt::format("  part.{}();\n", names.kernels[kernel]);
  };
  std::string before, steps, after, printed;
  for (std::size_t k = 0; k < machine.kernels.size(); ++k) {
    if (machine.kernels[k].role == KernelRole::initial && before.empty()) before = call(k);
    if (machine.kernels[k].role == KernelRole::step && steps.empty())
      steps = fmt::format(fmt::runtime(kPartsSteps), names.kernels[k]);
  }
  for (const om::Kernel* kernel : passes::diagnostics(machine))
    after += call(static_cast<std::size_t>(kernel - machine.kernels.data()));
  for (std::size_t s = 0; s < module.statics.size(); ++s)
    printed += fmt::format(
        fmt::runtime(module.statics[s].is_field
                         ? "  out << \"{0}: hash \" << part.hash(part.{1}()) << '\\n';\n"
                         : "  out << \"{0}: \" << part.{1}() << '\\n';\n"),
        module.statics[s].name, names.statics[s]);
  return fmt::format(fmt::runtime(kPartsExample), module.name, read_arguments(machine.dimension),
                     number_function(), before, after, steps, printed);
}

std::string write_parts_build(const Machine& machine, const Module& module) {
  const std::string library = name_of_target(module.name);
  const std::string late =
      late_kernels(machine).empty()
          ? ""
          : fmt::format("target_sources({} PRIVATE {}_late.cpp)\n", library, module.name);
  return fmt::format(fmt::runtime(kPartsBuild), library, late);
}

std::string write_parts_readme(const Module& module, int steps) {
  const std::string text = fmt::format(fmt::runtime(kPartsReadme), module.name);
  return steps > 1 ? text + fmt::format(fmt::runtime(kWideReadme), steps) : text;
}

}  // namespace paraiso::codegen
