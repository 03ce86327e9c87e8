// `paraiso report`: a tuning as one HTML page.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/execution.hpp"
#include "cli/options.hpp"
#include "cli/recording_choice.hpp"
#include "cli/subcommands.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::cli {
namespace {

struct ReportCall {
  std::vector<std::string> files;
  std::string output;
  std::int64_t problem = 0;
};

int write_report(const ReportCall& call) {
  std::vector<tune::ReportRun> runs;
  for (const std::string& file : call.files)
    runs.push_back(read_recorded(file, runs.empty() ? call.problem : 0));
  if (runs.front().recording.problem.host_fingerprint == runtime::fingerprint(runtime::host()))
    runs.front().machine = machine_with({}, runtime::host().threads);
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
  add_count(command, "--problem", call->problem, "in the first database; default: the largest");
  command.callback([&session, call] { session.chosen = [call] { return write_report(*call); }; });
}

}  // namespace paraiso::cli
