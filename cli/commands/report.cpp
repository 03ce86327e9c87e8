// `paraiso report`: a tuning as one HTML page.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/call/options.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/call/writable.hpp"
#include "cli/choices/recording_choice.hpp"
#include "cli/prepared/building.hpp"
#include "paraiso/base/extents.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::cli {
namespace {

struct ReportCall {
  std::vector<std::string> files;
  std::string output, thresholds;
  std::int64_t problem = 0;
};

std::size_t axes_of(const std::string& size) { return extents_of(om::grid_of(size)).size(); }

/// Of the solver whose tuning is reported, in as many dimensions.
tune::VersionMap read_versions(const std::string& file, const tune::TuningProblem& problem) {
  tune::VersionMap map = tune::version_map_from(runtime::read_file(file), file);
  const std::string &name = map.guards.front().name, &size = map.tuned.sizes.front().name;
  if (!name.starts_with(problem.machine + "."))
    throw Error(fmt::format("`{}` is not for `{}`: it has the threshold `{}`", file,
                            problem.machine, name));
  if (axes_of(size) != axes_of(problem.size))
    throw Error(fmt::format("`{}` is not for `{}` {}: it has the size {}", file, problem.machine,
                            problem.size, size));
  return map;
}

int write_report(const ReportCall& call) {
  require_writable(call.output);
  std::vector<tune::ReportRun> runs;
  for (const std::string& file : call.files)
    runs.push_back(read_recorded(file, runs.empty() ? call.problem : 0, runs.empty()));
  if (runs.front().recording.problem.host_fingerprint == runtime::fingerprint(runtime::host()))
    runs.front().machine = machine_with({}, runtime::host().threads);
  if (!call.thresholds.empty())
    runs.front().versions = read_versions(call.thresholds, runs.front().recording.problem);
  runtime::write_file(call.output, tune::report(runs));
  fmt::print("{}\n", call.output);
  return kSuccess;
}

}  // namespace

void declare_report(CLI::App& command, Session& session) {
  const auto call = std::make_shared<ReportCall>();
  command
      .add_option("DATABASE", call->files,
                  "a tuning database or a recording;\nfurther ones: only the best so far")
      ->required();
  command.add_option("--output", call->output, "the page to write")
      ->required()
      ->type_name("FILE.html");
  command
      .add_option("--thresholds", call->thresholds,
                  "what `thresholds --json` printed:\ndraws which version runs at which size")
      ->type_name("FILE.json");
  add_count(command, "--problem", call->problem, "in the first database; default: the largest");
  command.callback([&session, call] { session.chosen = [call] { return write_report(*call); }; });
}

}  // namespace paraiso::cli
