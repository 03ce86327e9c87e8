#include "paraiso/codegen/cpp/plugin_writer.hpp"

#include <fmt/format.h>

#include "paraiso/codegen/cpp/version_text.hpp"
#include "paraiso/codegen/plugin.hpp"

namespace paraiso::codegen {
namespace {

/// 0: the class; 1: the dimension; 2: the entries of `size`; 3 to 5: cases of fields, scalars and
/// kernels; 6: the version; 7, 8: the other parameters of `create` and how it makes a solver; 9,
/// 10: the function that makes a part's solver, and its name; 11 to 13: the functions of
/// thresholds, and their names; 14: the function that shares work.
constexpr const char* kText = R"(
// The entry points that Paraiso's own runtime loads.
namespace plugin_{0} {{
namespace {{

using Solver = paraiso_solver::{0};

double plugin_bytes(const std::int64_t* size) {{
  const std::int64_t cells[] = {{{2}}};
  return Solver::bytes(cells);
}}

void* plugin_create(const std::int64_t* size, {7}) {{
  const std::int64_t cells[] = {{{2}}};
  try {{
{8}  }} catch (const std::bad_alloc&) {{
    return nullptr;
  }}
}}

{9}void plugin_destroy(void* self) {{ delete static_cast<Solver*>(self); }}

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

{11}struct Table {{
  int version = {6};
  double (*bytes)(const std::int64_t*) = plugin_bytes;
  void* (*create)(const std::int64_t*, int, double) = plugin_create;
  void* (*create_part)(const paraiso_support::Place*, int, double) = {10};
  void (*destroy)(void*) = plugin_destroy;
  void (*run)(void*, int) = plugin_run;
  void* (*field)(void*, int) = plugin_field;
  void* (*scalar)(void*, int) = plugin_scalar;
  void (*strides)(void*, std::int64_t*) = plugin_strides;
  void (*set_threshold)(void*, const char*, std::int64_t) = {12};
  const char* (*comparisons)(void*) = {13};
  void (*share)(int, void (*)(void*, int), void*) = {14};
}};

}}  // namespace
}}  // namespace plugin_{0}

extern "C" const void* paraiso_plugin_{0}() {{
  static const plugin_{0}::Table table;
  return &table;
}}
)";

constexpr const char* kOnThreads = R"(    auto* solver = new Solver(cells, threads);
    solver->set_threads(threads, least_shared);
    return solver;
)";
constexpr const char* kPart =
    R"(void* plugin_create_part(const paraiso_support::Place* place, int threads, double least_shared) {
  try {
    auto* solver = new Solver(*place, threads);
    solver->set_threads(threads, least_shared);
    return solver;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void plugin_share(int parts, void (*work)(void*, int), void* context) {
#pragma omp parallel for num_threads(parts) schedule(static)
  for (int part = 0; part < parts; ++part) work(context, part);
}

)";
constexpr const char* kThresholds =
    R"(void plugin_set_threshold(void* self, const char* name, std::int64_t value) {
  static_cast<Solver*>(self)->set_threshold(name, value);
}

const char* plugin_comparisons(void* self) {
  thread_local std::string text;
  text = static_cast<Solver*>(self)->comparisons();
  return text.c_str();
}

)";
/// 0: the class; 1: `plugin_take_steps`, or nullptr; 2: the version; 3: cases of fields; 4: the
/// function; 5: what counts graphs, or nullptr.
constexpr const char* kDevice = R"(
// The entry points that only devices have.
namespace plugin_{0} {{
namespace {{

void plugin_finish(void* self) {{ static_cast<Solver*>(self)->finish(); }}

const void* plugin_look(void* self, int number) {{
  [[maybe_unused]] const auto* solver = static_cast<const Solver*>(self);
  switch (number) {{
{3}    default: return nullptr;
  }}
}}

bool plugin_has_nan(void* self, int number) {{ return static_cast<Solver*>(self)->has_nan(number); }}

void plugin_free_copy(void* self, int number) {{ static_cast<Solver*>(self)->free_copy(number); }}

bool plugin_keep_fields(void* self) {{ return static_cast<Solver*>(self)->keep_fields(); }}

void plugin_restore_fields(void* self) {{ static_cast<Solver*>(self)->restore_fields(); }}

{4}struct DeviceTable {{
  int version = {2};
  void (*finish)(void*) = plugin_finish;
  std::int64_t (*take_steps)(void*, int, std::int64_t, double, int*) = {1};
  const void* (*look)(void*, int) = plugin_look;
  bool (*has_nan)(void*, int) = plugin_has_nan;
  void (*free_copy)(void*, int) = plugin_free_copy;
  bool (*keep_fields)(void*) = plugin_keep_fields;
  void (*restore_fields)(void*) = plugin_restore_fields;
  std::int64_t (*graph_launches)(void*) = {5};
}};

}}  // namespace
}}  // namespace plugin_{0}

extern "C" const void* paraiso_device_{0}() {{
  static const plugin_{0}::DeviceTable table;
  return &table;
}}
)";
/// 0: cases of kernels.
constexpr const char* kTakeSteps =
    R"(std::int64_t plugin_take_steps(void* self, int kernel, std::int64_t count, double until,
                               int* stop) {{
  auto* solver = static_cast<Solver*>(self);
  switch (kernel) {{
{0}    default: return -1;
  }}
}}

)";
constexpr const char* kGraphs =
    "[](void* self) { return static_cast<Solver*>(self)->graph_launches(); }";
constexpr const char* kOnDevice = "    return new Solver(cells);\n";

}  // namespace

std::string print_plugin(const Module& module, RunsOn runs_on,
                         const std::set<std::size_t>& counted) {
  const bool device = runs_on != RunsOn::threads;
  std::string fields, scalars, kernels, copy;
  for (std::size_t s = 0; s < module.statics.size(); ++s) {
    const Variable& variable = module.statics[s];
    (variable.is_field ? fields : scalars) += fmt::format(
        "    case {}: return {}solver->{}();\n", s, variable.is_field ? "" : "&", variable.name);
  }
  for (std::size_t k = 0; k < module.kernels.size(); ++k)
    kernels += fmt::format("    case {}: solver->{}(); break;\n", k, module.kernels[k].name);
  for (int a = 0; a < module.dimension; ++a) copy += fmt::format("{}size[{}]", a ? ", " : "", a);
  const std::string text = fmt::format(
      fmt::runtime(kText), module.name, module.dimension, copy, fields, scalars, kernels,
      kPluginVersion, device ? "int, double" : "int threads, double least_shared",
      device ? kOnDevice : kOnThreads, device ? "" : kPart,
      device ? "nullptr" : "plugin_create_part", has_thresholds(module) ? kThresholds : "",
      has_thresholds(module) ? "plugin_set_threshold" : "nullptr",
      has_thresholds(module) ? "plugin_comparisons" : "nullptr",
      device ? "nullptr" : "plugin_share");
  if (!device) return text;
  std::string steps;
  for (const std::size_t k : counted)
    steps +=
        fmt::format("    case {}: return solver->take_steps(&Solver::{}, count, until, *stop);\n",
                    k, module.kernels[k].name);
  return text + fmt::format(fmt::runtime(kDevice), module.name,
                            counted.empty() ? "nullptr" : "plugin_take_steps", kDevicePluginVersion,
                            fields,
                            counted.empty() ? "" : fmt::format(fmt::runtime(kTakeSteps), steps),
                            runs_on == RunsOn::opencl ? "nullptr" : kGraphs);
}

}  // namespace paraiso::codegen
