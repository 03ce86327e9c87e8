#include "paraiso/codegen/cpp/version_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace paraiso::codegen {
namespace {

using VersionGuard = VersionSwitch::Guard;

/// 0: the kernel.
constexpr const char* kMethods = R"(
  // Versions of `{0}`, kernels that do the same in other loops: it runs the first whose threshold is
  // at most its measure. They may change between any two calls.

  /// Throws std::invalid_argument where there is no such threshold, or `value` is negative.
  void set_threshold(const std::string& name, std::int64_t value);
  /// Sets thresholds by a file of `name=value` lines, all of them or none. Throws
  /// std::runtime_error, with the line, and std::invalid_argument like set_threshold.
  void load_tuning(const std::string& path);
  /// `Compared NAME <= VALUE.`, a line for each threshold, reached or not.
  std::string comparisons() const {{ return paraiso_support::comparisons(thresholds_); }}
  /// `NAME (threshold (!A !B))`, a line for each: those that are too large before it is reached.
  static const char* threshold_tree();
)";

/// 0: the class, 1: the measures, 2: the lines of the tree.
constexpr const char* kDefinitions = R"(void {0}::choose_version() {{
{1}  version_ = support::first_met(thresholds_);
}}

void {0}::set_threshold(const std::string& name, std::int64_t value) {{
  support::set_thresholds(thresholds_, {{{{name, value}}}});
  choose_version();
}}

void {0}::load_tuning(const std::string& path) {{
  support::set_thresholds(thresholds_, support::read_tuning(path));
  choose_version();
}}

const char* {0}::threshold_tree() {{
  return {2};
}}

)";

/// The measure of a guard as an expression.
std::string measure_text(plan::Measure measure, std::size_t cell_bytes, int dimension,
                         const std::string& threads) {
  switch (measure) {
    case plan::Measure::cells: return "grid_.cells()";
    case plan::Measure::cells_per_thread: return fmt::format("grid_.cells() / {}", threads);
    case plan::Measure::state_bytes: return fmt::format("{} * grid_.cells()", cell_bytes);
    case plan::Measure::row_bytes: return fmt::format("{} * grid_.size[0]", cell_bytes);
    case plan::Measure::plane_bytes:
      return fmt::format("{} * grid_.size[0]{}", cell_bytes,
                         dimension > 1 ? " * grid_.size[1]" : "");
  }
  return {};
}

}  // namespace

bool has_versions(const Module& module, const KernelMethod& kernel) {
  return module.versions && &kernel == &module.kernels[module.versions->kernel];
}

std::string version_include(const Module& module) {
  return module.versions ? "#include \"paraiso_thresholds.hpp\"\n" : "";
}

std::string version_methods(const Module& module) {
  if (!module.versions) return {};
  return fmt::format(fmt::runtime(kMethods), module.kernels[module.versions->kernel].name);
}

std::string version_members(const Module& module) {
  if (!module.versions) return {};
  std::string text = "  void choose_version();\n  paraiso_support::Threshold thresholds_[" +
                     std::to_string(module.versions->guards.size()) + "] = {\n";
  for (const VersionGuard& guard : module.versions->guards)
    text += fmt::format("      {{\"{}\", {}, 0}},  // of {}\n", guard.threshold, guard.least,
                        plan::help(guard.measure));
  return text + fmt::format(
                    "  }};\n  int version_ = 0;  // 0: none of these, but\n"
                    "  [[gnu::noinline]] void {}();\n",
                    kBaseVersion);
}

std::string version_definitions(const Module& module, const std::string& threads) {
  if (!module.versions) return {};
  std::string measures, tree, failed;
  for (std::size_t g = 0; g < module.versions->guards.size(); ++g) {
    const VersionGuard& guard = module.versions->guards[g];
    measures += fmt::format(
        "  thresholds_[{}].measure = {};\n", g,
        measure_text(guard.measure, module.versions->cell_bytes, module.dimension, threads));
    tree += fmt::format("{}\"{} (threshold ({}))\\n\"", tree.empty() ? "" : "\n         ",
                        guard.threshold, failed);
    failed += (failed.empty() ? "!" : " !") + guard.threshold;
  }
  return fmt::format(fmt::runtime(kDefinitions), module.name, measures, tree);
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
  return module.versions ? ",\n      const paraiso_support::Tuning& tuning = {}" : "";
}

std::string tuning_parameter(const Module& module) {
  return module.versions ? ", const support::Tuning& tuning" : "";
}

std::string take_tuning(const Module& module) {
  return module.versions ? "  support::set_thresholds(thresholds_, tuning);\n  choose_version();\n"
                         : "";
}

}  // namespace paraiso::codegen
