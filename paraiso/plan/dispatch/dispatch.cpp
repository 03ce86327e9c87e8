#include "paraiso/plan/dispatch/dispatch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "paraiso/base/text.hpp"
#include "paraiso/om/verify/verify.hpp"
#include "paraiso/passes/analysis/footprint.hpp"

namespace paraiso::plan {

using om::Machine;

namespace {

void check_name(const std::string& name, std::set<std::string>& taken) {
  if (!is_identifier(name))
    throw Error(
        fmt::format("{} is no name of a version: it needs letters, digits and `_`", shown(name)));
  if (!taken.insert(name).second) throw Error(fmt::format("two versions are called `{}`", name));
}

std::vector<std::string> threshold_names(const Dispatch& dispatch) {
  std::vector<std::string> names;
  for (const Version& version : dispatch.versions) names.push_back(version.threshold);
  return names;
}

}  // namespace

Dispatch make_dispatch(const Machine& machine, const std::string& kernel, const std::string& base,
                       const std::vector<GuardedName>& guarded) {
  if (guarded.size() + 1 > kMostVersions)
    throw Error(fmt::format("{} versions of `{}` are too many: a kernel has at most {}",
                            guarded.size() + 1, kernel, kMostVersions));
  if (guarded.empty())
    throw Error(fmt::format("one version of `{}` alone is nothing to choose from", kernel));
  Dispatch dispatch{kernel, base, {}, live_cell_bytes_of(*machine.find_kernel(kernel))};
  std::set<std::string> taken;
  check_name(base, taken);
  for (const GuardedName& guard : guarded) {
    check_name(guard.name, taken);
    Version version{guard.name, fmt::format("{}_{}", kernel, guard.name),
                    fmt::format("{}.{}.{}", machine.name, kernel, guard.name), guard.measure,
                    guard.least};
    if (guard.name == kSplitGuard || guard.name == kSharedGuard)
      throw Error(fmt::format("a version can't be called `{}`: `{}` is a guard of the hardware's",
                              guard.name, version.threshold));
    if (machine.find_kernel(version.kernel))
      throw Error(fmt::format("a version of `{}` can't be called `{}`: there is a kernel `{}`",
                              kernel, guard.name, version.kernel));
    dispatch.versions.push_back(std::move(version));
  }
  return dispatch;
}

Machine add_versions(Machine machine, const Dispatch& dispatch) {
  for (const Version& version : dispatch.versions) {
    om::Kernel copy = *machine.find_kernel(dispatch.kernel);
    copy.name = version.kernel;
    copy.role = om::KernelRole::plain;
    machine.kernels.push_back(std::move(copy));
  }
  om::verify(machine);
  return machine;
}

Schedule for_copy(const Schedule& schedule, const std::string& kernel, const std::string& copy) {
  Schedule own;
  const std::string prefix = kernel + "/";
  for (const auto& [gene, allele] : schedule.choices)
    if (gene.starts_with(prefix)) own.choices[copy + "/" + gene.substr(prefix.size())] = allele;
  return own;
}

void check_tuning(const Dispatch& dispatch, const Thresholds& tuning,
                  const std::vector<std::string>& loops) {
  const auto names = threshold_names(dispatch);
  const std::string of_loops =
      loops.empty() ? "" : fmt::format(", and its loops have `{}`", fmt::join(loops, "`, `"));
  for (const auto& [name, value] : tuning) {
    if (std::ranges::find(names, name) == names.end())
      throw Error(fmt::format("no threshold `{}`: `{}` has `{}`{}", name, dispatch.kernel,
                              fmt::join(names, "`, `"), of_loops));
    if (value < 0)
      throw Error(fmt::format("the threshold `{}` can't be {}: it is at least 0", name, value));
  }
}

Dispatch tuned(Dispatch dispatch, const Thresholds& tuning) {
  check_tuning(dispatch, tuning);
  for (Version& version : dispatch.versions)
    if (const auto found = tuning.find(version.threshold); found != tuning.end())
      version.least = found->second;
  return dispatch;
}

Thresholds forcing(const Dispatch& dispatch, std::size_t version) {
  Thresholds tuning;
  for (std::size_t v = 0; v < dispatch.versions.size(); ++v)
    tuning[dispatch.versions[v].threshold] = v == version ? 0 : kLargestThreshold;
  return tuning;
}

std::size_t chosen_version(const Dispatch& dispatch, const MeasuredGrid& grid,
                           double block_shared_bytes) {
  const auto fits = [&](std::size_t bytes) {
    return block_shared_bytes <= 0 || static_cast<double>(bytes) <= block_shared_bytes;
  };
  const std::size_t base = dispatch.versions.size();
  std::size_t last = base;
  for (std::size_t v = 0; v < base; ++v) {
    const Version& version = dispatch.versions[v];
    if (!fits(version.shared_bytes)) continue;
    if (version.least <= compared(dispatch, version, grid)) return v;
    last = v;
  }
  return fits(dispatch.shared_bytes) ? base : last;
}

const std::string& version_name(const Dispatch& dispatch, std::size_t version) {
  return version < dispatch.versions.size() ? dispatch.versions[version].name : dispatch.base;
}

std::string thresholds_text(const Dispatch& dispatch) {
  std::string text, failed;
  for (const Version& version : dispatch.versions) {
    text += fmt::format("{} (threshold ({}))\n", version.threshold, failed);
    failed += (failed.empty() ? "!" : " !") + version.threshold;
  }
  return text;
}

std::int64_t compared(const Dispatch& dispatch, const Version& version, MeasuredGrid grid) {
  grid.tile = version.tile;
  grid.live_cell_bytes = dispatch.live_cell_bytes;
  return value_of(version.measure, grid);
}

std::size_t cell_bytes_of(const Machine& machine) {
  std::size_t sum = 0;
  for (const om::Static& s : machine.statics)
    if (s.type.is_local()) sum += om::size_of(s.type.element);
  return sum;
}

std::size_t live_cell_bytes_of(const om::Kernel& kernel) {
  const om::Graph& graph = kernel.graph;
  const auto bytes_of = [&](om::StaticId id) {
    return om::size_of(graph.signature().statics[id.index].type.element);
  };
  std::map<om::StaticId, passes::Extent> read;
  (void)passes::footprints(
      graph, [&](om::ValueId value, const passes::Extent& box) -> std::optional<om::ValueId> {
        const om::StaticId id = graph.producer_as<om::Load>(value)->source;
        if (box.lower.empty() || !graph.type(value).is_local()) return std::nullopt;
        const auto [entry, fresh] = read.try_emplace(id, box);
        if (!fresh) entry->second.include(box);
        return std::nullopt;
      });
  std::size_t sum = 0;
  for (const auto& [id, box] : read)
    sum += bytes_of(id) * static_cast<std::size_t>(box.lower.back() + box.upper.back() + 1);
  for (const om::NodeId id : graph.stores())
    if (graph.type(graph.node(id).operands[0]).is_local())
      sum += bytes_of(std::get<om::Store>(graph.node(id).instruction).target);
  return sum;
}

}  // namespace paraiso::plan
