#include "paraiso/runtime/system/target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/system/user_folder.hpp"

namespace paraiso::runtime {

namespace {

/// The highest level that the host has; for a processor below all of them, a nameless one without
/// requirements.
plan::Target highest_level(const Host& host) {
  plan::Target highest{"", "", host.architecture, "", 16, 16, false, "g++"};
  for (const plan::Target& level : plan::targets())
    if (missing_features(level, host).empty()) highest = level;
  return highest;
}

}  // namespace

plan::Target native_target(const Host& host) {
  plan::Target target = highest_level(host);
  target.name = plan::kNative;
  target.march = plan::native_flag(host.architecture);
  // Some processors lie between the levels.
  if (host.has("avx")) target.vector_bytes = std::max(target.vector_bytes, 32);
  if (host.has("avx512f")) target.vector_bytes = 64, target.vector_registers = 32;
  if (host.has("fma")) target.has_fma = true;
  return target;
}

plan::Target find_target(const std::string& name) {
  const std::string wanted = name.empty() ? default_target() : name;
  if (wanted == plan::kNative) return native_target(host());
  for (const plan::Target& level : plan::targets())
    if (level.name == wanted) return level;
  const auto names = target_names();
  const std::string near = nearest(wanted, names);
  throw Error(fmt::format("no target `{}`{}", wanted,
                          near.empty() ? "" : fmt::format(": did you mean `{}`?", near)))
      .with_hint(fmt::format("there is {}", fmt::join(names, ", ")));
}

std::vector<std::string> target_names() {
  std::vector<std::string> names{plan::kNative};
  for (const plan::Target& level : plan::targets()) names.push_back(level.name);
  return names;
}

std::vector<std::string> runnable_levels() {
  std::vector<std::string> names;
  for (const TargetReport& report : survey_targets(host()))
    if (report.missing.empty()) names.push_back(report.target.name);
  return names;
}

std::string default_target() {
  const std::string name = environment("PARAISO_TARGET");
  return name.empty() ? plan::kNative : name;
}

std::vector<std::string> missing_features(const plan::Target& target, const Host& host) {
  if (target.name == plan::kNative) return {};
  if (target.architecture != host.architecture) return {target.architecture};
  std::vector<std::string> missing;
  for (const plan::Target& level : plan::targets()) {
    if (level.architecture != target.architecture) continue;
    for (const std::string& feature : level.features)
      if (!std::ranges::count(host.features, feature)) missing.push_back(feature);
    if (level.name == target.name) break;
  }
  return missing;
}

void require_runnable(const plan::Target& target) {
  const auto missing = missing_features(target, host());
  if (missing.empty()) return;
  if (target.architecture != host().architecture)
    throw Error(fmt::format("this machine can't run code for `{}`: its architecture is {}",
                            target.name, host().architecture));
  throw Error(fmt::format("this machine can't run code for `{}`: its processor lacks {}",
                          target.name, fmt::join(missing, ", ")));
}

std::vector<TargetReport> survey_targets(const Host& host) {
  std::vector<TargetReport> reports;
  for (const plan::Target& level : plan::targets()) {
    if (level.architecture != host.architecture) continue;
    reports.push_back({level, missing_features(level, host),
                       level.has_fma ? "" : "no fused multiply-add: right, but slow"});
  }
  return reports;
}

}  // namespace paraiso::runtime
