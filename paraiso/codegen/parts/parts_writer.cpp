#include "paraiso/codegen/parts/parts_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/cpp/project_writer.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/passes/diagnostics.hpp"
#include "paraiso/plan/exchanges.hpp"
#include "paraiso/plan/make/part_margin.hpp"

namespace paraiso::codegen {

using namespace om;

namespace {

/// All that is read is of the state at entry.
bool runs_in_parts(const Kernel& kernel) {
  return std::ranges::all_of(reads_of(kernel.graph), [](const auto& of) { return of.first == 0; });
}

/// The table of one machine's rules, as statements.
class RulesWriter {
 public:
  RulesWriter(const plan::Plan& plan, const Module& module)
      : plan_(plan), machine_(plan.machine), module_(module), fields_(machine_.statics.size()) {
    for (std::size_t s = 0; s < fields_.size(); ++s)
      if (module.statics[s].is_field) fields_[s] = field_count_++;
  }

  [[nodiscard]] std::string field(std::size_t s) const {
    const Variable& field = module_.statics[s];
    std::vector<std::string> axes;
    for (const auto& [lower, upper] : machine_.statics[s].boundary)
      axes.push_back(fmt::format("{{{}, {}}}", side(lower), side(upper)));
    return fmt::format("    // {}: {}\n", fields_[s], field.name) +
           line(
               "rules.fields.push_back({{[](Solver& solver) -> void* {{ return solver.{}(); }}, "
               "sizeof({})}});",
               field.name, cpp_type(field.element)) +
           line("rules.sides.push_back({{{{{}}}}});", fmt::join(axes, ", "));
  }

  [[nodiscard]] std::string kernel(std::size_t k) const {
    const plan::KernelPlan& planned = plan_.kernels[k];
    // A kernel with versions may run one that receives nothing.
    const bool receives =
        !plan_.dispatch && std::ranges::any_of(planned.groups, [](const plan::Group& group) {
          return group.cpu.overlapped.has_value();
        });
    std::vector<int> changes;
    for (const StaticId id : plan::ghosts_changed_by(machine_, machine_.kernels[k]))
      changes.push_back(fields_[id.index]);
    return fmt::format("    rules.kernels.push_back({{&Solver::{}, {},\n        {{{}}},\n",
                       module_.kernels[k].name, receives,
                       in_lines(readings(plan::part_wants(planned)))) +
           fmt::format("        {{{}}}}});\n", fmt::join(changes, ", "));
  }

 private:
  template <class... Arguments>
  static std::string line(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    return wrap_line("    " + fmt::format(text, std::forward<Arguments>(arguments)...)) + "\n";
  }

  [[nodiscard]] std::vector<std::string> readings(const std::vector<Want>& wants) const {
    std::vector<std::string> list;
    for (const Want& want : wants)
      for (const Reach& reach : want.reaches)
        list.push_back(fmt::format("{{{}, {}, {}}}", fields_[want.what.index],
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
  std::vector<int> fields_;  // of each static, its number among the fields
  int field_count_ = 0;
};

/// The names of kernels in the class of a part.
std::vector<std::string> names_in_part(const Module& module) {
  Names names{"Solver", "Rules", "Part", "solver", "core",    "rank", "ranks",
              "any",    "hash",  "run",  "rules",  "changed", "Side"};
  names.take(module.name + "_part");
  std::vector<std::string> list;
  for (const KernelMethod& kernel : module.kernels) list.push_back(names.unique(kernel.name));
  return list;
}

/// 0: the class; 1: the dimension; 2: methods; 3: rules; 4: the header of all parts.
constexpr const char* kPartClass = R"(// `{0}` on a grid that the processes of MPI share.
#pragma once

#include "{0}.hpp"
#include "{4}"

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

  // Kernels: what others need is sent before they run.
{2}
 private:
  /// Of each field its sides. Of each kernel what it reads, {{field, from, to}} beside a cell, and of
  /// which fields it changes ghost cells.
  static Rules rules() {{
    using paraiso_support::Side;
    Rules rules;
{3}    return rules;
  }}
}};

}}  // namespace paraiso_solver
)";

}  // namespace

std::string write_part(const plan::Plan& plan, const Module& module) {
  const RulesWriter writer(plan, module);
  const auto names = names_in_part(module);
  std::string methods, rules;
  for (std::size_t s = 0; s < module.statics.size(); ++s)
    if (module.statics[s].is_field) rules += writer.field(s);
  for (std::size_t k = 0, number = 0; k < module.kernels.size(); ++k) {
    if (!runs_in_parts(plan.machine.kernels[k])) continue;
    methods += fmt::format("  void {}() {{ run({}); }}\n", names[k], number++);
    rules += writer.kernel(k);
  }
  return fmt::format(fmt::runtime(kPartClass), module.name, module.dimension, methods, rules,
                     "paraiso_mpi.hpp");
}

namespace {

/// 0: the class; 1: the dimension; 2: the size; 3, 4: kernels before and after the steps; 5: the
/// step; 6: what is printed.
constexpr const char* kPartsExample =
    R"(// An example: some steps of `{0}` on a grid that any number of processes share.
//
//     mpirun -n 4 build/example_mpi [STEPS [CELLS ALONG EACH AXIS ...]]
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

std::int64_t number(const std::string& text) {{
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < 0)
    throw std::invalid_argument("`" + text + "` is no number of steps or cells");
  return value;
}}

void run(int argc, char** argv) {{
  [[maybe_unused]] const std::int64_t steps = argc > 1 ? number(argv[1]) : 10;
  std::int64_t size[] = {{{2}}};
  for (int a = 0; a < {1} && a + 2 < argc; ++a) size[a] = number(argv[a + 2]);
  paraiso_solver::{0}_part part(size);
  [[maybe_unused]] auto& solver = part.solver();
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
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
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
find_package(MPI COMPONENTS CXX)
if(MPI_CXX_FOUND)
  add_executable({0}_example_mpi main_mpi.cpp)
  set_target_properties({0}_example_mpi PROPERTIES OUTPUT_NAME example_mpi)
  target_link_libraries({0}_example_mpi PRIVATE {0} MPI::MPI_CXX)
else()
  message(STATUS "no MPI: example_mpi is not built")
endif()
)";

constexpr const char* kPartsReadme = R"(
With MPI, any number of processes share a grid:

    mpirun -n 4 build/example_mpi 100

The class `paraiso_solver::{0}_part` (`{0}_part.hpp`) is one process's part. It has the same kernels, which send and
receive what they need, and `solver()`, the part's solver. Results have the same bits on any number of processes;
`hash(solver.FIELD())` tells. Of several MPIs, `-DMPI_CXX_COMPILER=mpicxx.mpich` chooses one.
)";

}  // namespace

std::string write_parts_example(const Machine& machine, const Module& module) {
  const auto names = names_in_part(module);
  const auto call = [&](std::size_t kernel) {
    return fmt::format("  part.{}();\n", names[kernel]);
  };
  std::string before, steps, after, printed;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (machine.kernels[k].role == KernelRole::initial && before.empty()) before = call(k);
    if (machine.kernels[k].role == KernelRole::step && steps.empty())
      steps = fmt::format(fmt::runtime(kPartsSteps), names[k]);
  }
  for (const om::Kernel* kernel : passes::diagnostics(machine))
    after += call(static_cast<std::size_t>(kernel - machine.kernels.data()));
  for (const Variable& s : module.statics)
    printed += fmt::format(
        fmt::runtime(s.is_field ? "  out << \"{0}: hash \" << part.hash(solver.{0}()) << '\\n';\n"
                                : "  out << \"{0}: \" << solver.{0}() << '\\n';\n"),
        s.name);
  return fmt::format(fmt::runtime(kPartsExample), module.name, module.dimension,
                     example_size(machine.dimension), before, after, steps, printed);
}

std::string write_parts_build(const std::string& class_name) {
  return fmt::format(fmt::runtime(kPartsBuild), name_of_target(class_name));
}

std::string write_parts_readme(const Module& module) {
  return fmt::format(fmt::runtime(kPartsReadme), module.name);
}

}  // namespace paraiso::codegen
