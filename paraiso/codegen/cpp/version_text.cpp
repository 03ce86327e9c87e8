#include "paraiso/codegen/cpp/version_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "paraiso/base/text.hpp"
#include "paraiso/codegen/cpp/cpp_words.hpp"

namespace paraiso::codegen {
namespace {

using VersionGuard = VersionSwitch::Guard;

constexpr const char* kMethods = R"(
  // Thresholds, each of which is compared with something that grows with the grid: what it is for
  // happens if it is at most that. They may change between any two calls.

  /// Throws std::invalid_argument where there is no such threshold, or `value` is negative.
  void set_threshold(const std::string& name, std::int64_t value);
  /// Sets thresholds by a file of `name=value` lines, all of them or none. Throws
  /// std::runtime_error, with the line, and std::invalid_argument like set_threshold.
  void load_tuning(const std::string& path);
  /// `Compared NAME <= VALUE.`, a line for each threshold, reached or not.
  std::string comparisons() const { return paraiso_support::comparisons(thresholds_); }
  /// `NAME (threshold (!A !B))`, a line for each: those that are too large before it is reached.
  /// `NAME (fits)`: no threshold, but whether something fits the grid or the device.
  static const char* threshold_tree();
)";

/// 0: the class, 1: what becomes of them, 2: the lines of the tree.
constexpr const char* kDefinitions = R"(void {0}::take_thresholds() {{
{1}}}

void {0}::set_threshold(const std::string& name, std::int64_t value) {{
  support::set_thresholds(thresholds_, {{{{name, value}}}});
  take_thresholds();
}}

void {0}::load_tuning(const std::string& path) {{
  support::set_thresholds(thresholds_, support::read_tuning(path));
  take_thresholds();
}}

const char* {0}::threshold_tree() {{
  return {2};
}}

)";

/// The measure of a guard as an expression.
std::string measure_text(const Module& module, const VersionGuard& guard,
                         const std::string& threads) {
  const std::size_t bytes = module.versions->cell_bytes;
  const auto product = [&](std::size_t cell, int axes) {
    std::string text = std::to_string(cell);
    for (int a = 0; a < axes; ++a) text += fmt::format(" * grid_.size[{}]", a);
    return text;
  };
  switch (guard.measure) {
    case plan::Measure::cells: return "grid_.cells()";
    case plan::Measure::cells_per_thread: return fmt::format("grid_.cells() / {}", threads);
    case plan::Measure::tiles_per_thread: {
      std::vector<std::int64_t> tile = guard.tile;
      tile.resize(static_cast<std::size_t>(module.dimension), 0);
      return fmt::format("support::count_tiles(grid_.size, {{{}}}, {}) / {}", fmt::join(tile, ", "),
                         threads, threads);
    }
    case plan::Measure::state_bytes: return fmt::format("{} * grid_.cells()", bytes);
    case plan::Measure::row_bytes: return product(bytes, 1);
    case plan::Measure::plane_bytes: return product(bytes, std::min(2, module.dimension));
    case plan::Measure::live_bytes:
      return product(module.versions->live_cell_bytes, module.dimension - 1);
  }
  return {};
}

}  // namespace

bool has_thresholds(const Module& module) { return module.versions || module.loops; }

bool has_versions(const Module& module, const KernelMethod& kernel) {
  return module.versions && &kernel == &module.kernels[module.versions->kernel];
}

bool is_of_version(const Module& module, const std::string& function) {
  if (!module.versions) return false;
  const auto has = [&](std::size_t kernel) {
    const auto& own = module.kernels[kernel].functions;
    return std::ranges::find(own, function, &claris::Function::name) != own.end();
  };
  return has(module.versions->kernel) ||
         std::ranges::any_of(module.versions->guards, has, &VersionGuard::kernel);
}

std::string version_methods(const Module& module) { return has_thresholds(module) ? kMethods : ""; }

namespace {

std::size_t guard_count(const Module& module) {
  return module.versions ? module.versions->guards.size() : 0;
}

/// Whether a device gives a block so much, as an expression.
std::string is_given(std::size_t shared_bytes) {
  return fmt::format("support::gives_shared(device_.report(), {})", shared_bytes);
}

/// The function of the base whose blocks have the most shared memory.
std::string roomiest(const Module& module) {
  const auto& functions = module.kernels[module.versions->kernel].functions;
  const auto bytes = [](const claris::Function& function) {
    return function.kernel ? function.kernel->shared_bytes : 0;
  };
  return std::ranges::max_element(functions, {}, bytes)->name;
}

/// The base is left where no guard holds; or where nothing fits, which is an error.
std::string choose_version(const Module& module) {
  std::string text;
  for (std::size_t g = 0; g < guard_count(module); ++g)
    if (const std::size_t bytes = module.versions->guards[g].shared_bytes)
      text += fmt::format("  thresholds_[{}].fits = {};\n", g, is_given(bytes));
  const std::size_t bytes = module.versions->shared_bytes;
  text += wrap_line(fmt::format("  version_ = support::first_met(thresholds_, {}{});",
                                guard_count(module), bytes ? ", " + is_given(bytes) : "")) +
          "\n";
  if (bytes == 0) return text;
  return text +
         wrap_line(fmt::format(
             "  if (version_ == 0) support::require_shared(device_.report(), \"{}\", {});",
             roomiest(module), bytes)) +
         "\n";
}

/// A threshold of loops, as the user set it, or what it is otherwise.
std::string loop_row(const Module& module, const char* name, std::optional<std::int64_t> value,
                     const char* otherwise, const char* help) {
  return fmt::format("      // {}\n      {{\"{}.{}\", {}, 0}},\n", help, module.machine, name,
                     value ? std::to_string(*value) : otherwise);
}

/// A literal a line.
std::string literals(const std::string& text) {
  std::string all;
  for (const std::string& line : split(text, '\n'))
    if (!line.empty()) all += fmt::format("{}\"{}\\n\"", all.empty() ? "" : "\n         ", line);
  return all;
}

/// What loops compare, and what becomes of their thresholds.
std::string take_loop_thresholds(const Module& module) {
  if (!module.loops) return {};
  const std::size_t first = guard_count(module);
  std::string tables = "grid_.cells()";
  for (const KernelMethod& kernel : module.kernels)
    if (!kernel.forecasts.empty()) tables += ", " + kernel.forecast_table;
  return wrap_line(
             fmt::format("  thresholds_[{}].measure = support::longest_work({});", first, tables)) +
         "\n" +
         wrap_line(fmt::format("  thresholds_[{}].measure = "
                               "support::threshold_of(support::touched_bytes({}.0, grid_));",
                               first + 1, module.loops->touched_bytes)) +
         "\n" +
         wrap_line(fmt::format("  threads_ = support::Threads(threads_.all(), "
                               "static_cast<double>(thresholds_[{}].value));",
                               first)) +
         "\n" + fmt::format("  grid_.least_streamed = thresholds_[{}].value;\n", first + 1);
}

}  // namespace

std::string version_members(const Module& module) {
  if (!has_thresholds(module)) return {};
  std::string text =
      fmt::format("  void take_thresholds();\n  paraiso_support::Threshold thresholds_[{}] = {{\n",
                  guard_count(module) + (module.loops ? 2 : 0));
  for (std::size_t g = 0; g < guard_count(module); ++g) {
    const VersionGuard& guard = module.versions->guards[g];
    text += fmt::format("      {{\"{}\", {}, 0}},  // of {}\n", guard.threshold, guard.least,
                        plan::help(guard.measure));
  }
  if (module.loops) {
    text += loop_row(module, "least_shared", module.loops->least_shared,
                     "static_cast<std::int64_t>(paraiso_support::least_shared)",
                     "nanoseconds of the longest loops on one thread");
    text += loop_row(module, "streaming", module.loops->streaming,
                     "paraiso_support::least_streamed()", "bytes of the arrays that loops touch");
  }
  text += "  };\n";
  if (!module.versions) return text;
  return text + fmt::format(
                    "  int version_ = 0;  // 0: none of these, but\n"
                    "  [[gnu::noinline]] void {}();\n",
                    kBaseVersion);
}

std::string version_definitions(const Module& module, const std::string& threads) {
  if (!has_thresholds(module)) return {};
  std::string taken;
  for (std::size_t g = 0; g < guard_count(module); ++g)
    taken += fmt::format("  thresholds_[{}].measure = {};\n", g,
                         measure_text(module, module.versions->guards[g], threads));
  if (module.versions) taken += choose_version(module);
  return fmt::format(fmt::runtime(kDefinitions), module.name, taken + take_loop_thresholds(module),
                     literals(module.threshold_tree));
}

std::string version_switch(const Module& module, const KernelMethod& kernel) {
  if (!has_versions(module, kernel)) return {};
  std::string text =
      fmt::format("void {}::{}() {{\n  switch (version_) {{\n", module.name, kernel.name);
  for (std::size_t g = 0; g < module.versions->guards.size(); ++g)
    text += fmt::format("    case {}: return {}();\n", g + 1,
                        module.kernels[module.versions->guards[g].kernel].name);
  return text + fmt::format("    default: return {}();\n  }}\n}}\n\n", kBaseVersion);
}

std::string declare_tuning(const Module& module) {
  return has_thresholds(module) ? ",\n      const paraiso_support::Tuning& tuning = {}" : "";
}

std::string tuning_parameter(const Module& module) {
  return has_thresholds(module) ? ", const support::Tuning& tuning" : "";
}

std::string take_tuning(const Module& module) {
  return has_thresholds(module)
             ? "  support::set_thresholds(thresholds_, tuning);\n  take_thresholds();\n"
             : "";
}

std::string set_least_shared(const Module& module) {
  return fmt::format("    thresholds_[{}].value = paraiso_support::threshold_of(least_shared);\n",
                     guard_count(module));
}

}  // namespace paraiso::codegen
