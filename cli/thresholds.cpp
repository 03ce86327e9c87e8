// `paraiso thresholds`: times the versions of a kernel on a ladder of sizes, and finds from which
// size on each of them runs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/ladder.hpp"
#include "cli/options.hpp"
#include "cli/subcommands.hpp"
#include "cli/turns.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ThresholdsCall {
  Execution execution;
  int sizes = 16, rounds = 31;
  std::string output;
};

/// Everything that was found.
struct Result {
  plan::Dispatch dispatch;
  std::size_t usual = 0;  // the version that runs untuned
  tune::VersionTimes tuned, judged;
  tune::ChosenThresholds chosen;
  tune::Verdict verdict;

  [[nodiscard]] plan::Thresholds thresholds() const {
    plan::Thresholds thresholds;
    for (std::size_t v = 0; v < dispatch.versions.size(); ++v)
      thresholds[dispatch.versions[v].threshold] = chosen.thresholds[v];
    return thresholds;
  }
};

/// The version of the default schedule, else the base.
std::size_t usual_version(const std::vector<plan::VersionLine>& lines) {
  const auto found = std::ranges::find(lines, "default", &plan::VersionLine::schedule);
  return found == lines.end() ? lines.size() - 1 : static_cast<std::size_t>(found - lines.begin());
}

runtime::Library build(const Prepared& prepared) {
  runtime::CompileOptions options;
  options.compiler = prepared.compiler;
  options.target = prepared.target.name;
  options.threads = prepared.threads;
  return backend_of(prepared.record.backend).compile({&*prepared.plan, 1}, options).front();
}

Result find(const Session& session, const ThresholdsCall& call) {
  (void)backend_of(call.execution.building);
  Prepared prepared = read_names(session, call.execution, "time");
  const ScheduledProgram scheduled{backend_of(call.execution.building), prepared.program,
                                   machine_lookup(call.execution.building), prepared.genes};
  const om::Kernel& kernel = prepared.fusion.kernel.empty()
                                 ? *prepared.program.step_kernel()
                                 : *prepared.program.find_kernel(prepared.fusion.kernel);
  Result result;
  result.usual =
      usual_version(versions_asked(scheduled, kernel, call.execution.building.versions.file));
  choose_versioned_code(prepared, call.execution.building);
  if (!prepared.plan->dispatch)
    throw Error("all versions have the same schedule here: there is nothing to choose from");
  const runtime::Library library = build(prepared);
  runtime::require_memory(prepared.size, [&](const auto& size) { return library.bytes(size); });
  result.dispatch = *library.dispatch();
  const tune::GuardTree guards = tune::parse_guards(plan::thresholds_text(result.dispatch));
  const auto time = [&](double fraction, int done) {
    return time_versions(
        prepared, library, guards, ladder(prepared.size, call.sizes, fraction), call.rounds,
        [&](int size) {
          if (isatty(STDERR_FILENO))
            say_aside(fmt::format("\r{} of {} sizes", done + size, 2 * call.sizes));
        });
  };
  const auto device = take_device(prepared.record.backend);
  result.tuned = time(1, 0);
  result.judged = time(std::sqrt(0.5), call.sizes);
  if (isatty(STDERR_FILENO)) say_aside("\n");
  result.chosen = tune::choose_thresholds(guards, result.tuned, result.judged, result.usual);
  result.verdict =
      tune::judge(guards, result.chosen.thresholds, result.tuned, result.judged, result.usual);
  return result;
}

Json to_json(const tune::VersionTimes& times) {
  Json sizes = Json::array();
  for (std::size_t s = 0; s < times.sizes.size(); ++s)
    sizes.push_back({{"size", times.sizes[s].name},
                     {"compared", times.sizes[s].values},
                     {"seconds", times.seconds[s]}});
  return sizes;
}

Json to_json(const Result& result) {
  Json versions = Json::array(), dropped = Json::array(), chosen = Json::array();
  const auto name = [&](std::size_t v) { return plan::version_name(result.dispatch, v); };
  for (std::size_t v = 0; v <= result.dispatch.versions.size(); ++v) versions.push_back(name(v));
  for (const std::size_t v : result.chosen.dropped) dropped.push_back(name(v));
  for (const std::size_t v : result.verdict.versions) chosen.push_back(name(v));
  return {{"versions", versions},
          {"usual", name(result.usual)},
          {"thresholds", result.thresholds()},
          {"exhaustive", result.chosen.exhaustive},
          {"dropped", dropped},
          {"tuned", to_json(result.tuned)},
          {"judged", to_json(result.judged)},
          {"chosen", chosen},
          {"best_single", name(result.verdict.best_single)},
          {"gain", result.verdict.gain},
          {"gain_usual", result.verdict.gain_usual},
          {"worst", result.verdict.worst},
          {"worst_size", result.judged.sizes[result.verdict.worst_size].name}};
}

void print_text(const Result& result) {
  const auto name = [&](std::size_t v) { return plan::version_name(result.dispatch, v); };
  fmt::print("times beside that of `{}`, on sizes that were not tuned on:\n{:>16}",
             name(result.usual), "size");
  for (std::size_t v = 0; v <= result.dispatch.versions.size(); ++v) fmt::print("{:>10}", name(v));
  fmt::print("  runs\n");
  for (std::size_t s = 0; s < result.judged.sizes.size(); ++s) {
    fmt::print("{:>16}", result.judged.sizes[s].name);
    for (const double seconds : result.judged.seconds[s])
      fmt::print("{:>10.3f}", seconds / result.judged.seconds[s][result.usual]);
    fmt::print("  {}\n", name(result.verdict.versions[s]));
  }
  for (const tune::NotMonotone& found : result.chosen.not_monotone)
    fmt::print("not monotone: one split by `{}` makes {} take {:.2f} times as long\n",
               result.dispatch.versions[found.guard].threshold, result.tuned.sizes[found.data].name,
               found.ratio);
  for (const std::size_t v : result.chosen.dropped)
    fmt::print("dropped: `{}` would make a size more than 3 % slower than `{}`\n", name(v),
               name(result.usual));
  fmt::print("{}", plan::print_tuning(result.thresholds()));
  fmt::print(
      "{:.3f} times as fast as `{}`, the best single version, and {:.3f} as `{}`; worst: "
      "{:.3f} of its time at {}\n",
      result.verdict.gain, name(result.verdict.best_single), result.verdict.gain_usual,
      name(result.usual), result.verdict.worst,
      result.judged.sizes[result.verdict.worst_size].name);
}

int thresholds(const Session& session, const ThresholdsCall& call) {
  const Result result = find(session, call);
  if (call.execution.json)
    fmt::print("{}\n", to_json(result).dump(2));
  else
    print_text(result);
  if (!call.output.empty())
    runtime::write_file(call.output, plan::print_tuning(result.thresholds()));
  return kSuccess;
}

}  // namespace

void declare_thresholds(CLI::App& command, Session& session) {
  const auto call = std::make_shared<ThresholdsCall>();
  declare_execution(command, call->execution);
  declare_versions(command, call->execution.building.versions);
  command.get_option("--versions")->required();
  command.remove_option(command.get_option("--tuning"));
  add_count(command, "--sizes", call->sizes,
            "of the ladder, each of half the cells of\nthe next; --size is the largest; default 16",
            2, 40);
  add_count(command, "--rounds", call->rounds, "in which versions take turns; default 31", 1, 1000);
  command.add_option("--output", call->output, "write the thresholds here, for --tuning")
      ->type_name("FILE");
  command.callback(
      [&session, call] { session.chosen = [&, call] { return thresholds(session, *call); }; });
}

}  // namespace paraiso::cli
