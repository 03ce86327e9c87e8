// `paraiso thresholds`: times the versions of a kernel on a ladder of sizes, and finds from which
// size on each of them runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/options.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/call/writable.hpp"
#include "cli/thresholds/find_thresholds.hpp"
#include "cli/thresholds/tuners_table.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const tune::VersionTimes& times) {
  Json sizes = Json::array();
  for (std::size_t s = 0; s < times.sizes.size(); ++s)
    sizes.push_back({{"size", times.sizes[s].name},
                     {"compared", times.sizes[s].values},
                     {"seconds", times.seconds[s]}});
  return sizes;
}

Json to_json(const tune::BesideFastest& beside) {
  return {{"mean", beside.mean}, {"worst", beside.worst}, {"size", beside.size}};
}

Json to_json(const LadderComparison& ladder) {
  return {{"runs", to_json(ladder.runs)},
          {"single", to_json(ladder.single)},
          {"best_single", ladder.best_single},
          {"usual", to_json(ladder.usual)}};
}

Json not_monotone_json(const FoundThresholds& result) {
  Json all = Json::array();
  for (const tune::NotMonotone& found : result.chosen.not_monotone) {
    const plan::Version& version = result.dispatch.versions[found.guard];
    all.push_back({{"threshold", version.threshold},
                   {"measure", plan::name(version.measure)},
                   {"size", result.tuned.sizes[found.data].name},
                   {"ratio", found.ratio}});
  }
  return all;
}

Json between_json(const FoundThresholds& result) {
  Json all = Json::array();
  for (std::size_t v = 0; v < result.dispatch.versions.size(); ++v) {
    const tune::Between& one = result.between[v];
    all.push_back({{"threshold", result.dispatch.versions[v].threshold},
                   {"below", one.below},
                   {"above", one.above},
                   {"added", one.added}});
  }
  return all;
}

/// What became of a proposed version, in words.
std::string text_of(const tune::Fate& fate, const std::string& usual) {
  std::vector<std::string> stretches;
  for (const auto& [first, last] : fate.stretches)
    stretches.push_back(first == last ? first : fmt::format("{} to {}", first, last));
  switch (fate.kind) {
    case tune::Fate::Kind::runs:
      return fmt::format("kept: runs at {}, {:.3f} times as fast as `{}` there",
                         fmt::join(stretches, " and "), fate.ratio, usual);
    case tune::Fate::Kind::stays:
      return "kept: as the base, which runs only where thresholds are set for it";
    case tune::Fate::Kind::slower:
      return fmt::format("left out: it would make {} take {:.3f} times as long as with `{}`",
                         fate.size, fate.ratio, usual);
    case tune::Fate::Kind::no_faster: break;
  }
  return fate.size.empty()
             ? "left out: it is best at no size"
             : fmt::format("left out: without it, {} takes {:.3f} times as long, and no size more",
                           fate.size, fate.ratio);
}

Json proposed_json(const FoundThresholds& result) {
  Json proposed = Json::array();
  const std::string usual = plan::version_name(result.dispatch, result.usual);
  for (std::size_t v = 0; v < result.proposed.size(); ++v) {
    const ProposedVersion& one = result.proposed[v];
    proposed.push_back({{"name", one.line.name},
                        {"schedule", one.line.schedule},
                        {"from", one.from},
                        {"fate", text_of(result.fates[v], usual)}});
  }
  return proposed;
}

Json to_json(const FoundThresholds& result) {
  Json versions = Json::array(), dropped = Json::array(), chosen = Json::array();
  const auto name = [&](std::size_t v) { return plan::version_name(result.dispatch, v); };
  for (std::size_t v = 0; v <= result.dispatch.versions.size(); ++v) versions.push_back(name(v));
  for (const std::size_t v : result.chosen.dropped) dropped.push_back(name(v));
  for (const std::size_t v : result.runs) chosen.push_back(name(v));
  return {{"versions", versions},
          {"usual", name(result.usual)},
          {"thresholds", result.thresholds()},
          {"exhaustive", result.chosen.exhaustive},
          {"not_monotone", not_monotone_json(result)},
          {"between", between_json(result)},
          {"taken_in", result.taken_in},
          {"dropped", dropped},
          {"tuned", to_json(result.tuned)},
          {"judged", to_json(result.judged)},
          {"chosen", chosen},
          {"best_single", result.best_single},
          {"gain", result.verdict.gain},
          {"gain_usual", result.verdict.gain_usual},
          {"worst", result.verdict.worst},
          {"worst_size", result.judged.sizes[result.verdict.worst_size].name},
          {"beside_fastest",
           {{"tuned", to_json(result.on_tuned)}, {"judged", to_json(result.on_judged)}}},
          {"proposed", proposed_json(result)},
          {"list", plan::print_versions(result.kept)}};
}

void print_proposed(const FoundThresholds& result) {
  for (std::size_t v = 0; v < result.proposed.size(); ++v) {
    const ProposedVersion& one = result.proposed[v];
    fmt::print("`{}`, {}\n  {}\n", one.line.name, one.from,
               text_of(result.fates[v], plan::version_name(result.dispatch, result.usual)));
  }
}

void print_times(const FoundThresholds& result) {
  const auto name = [&](std::size_t v) { return plan::version_name(result.dispatch, v); };
  const auto row = [&](const std::string& first, auto text, const std::string& last) {
    fmt::print("{:>16}", first);
    for (std::size_t v = 0; v <= result.dispatch.versions.size(); ++v)
      fmt::print(" {:>{}}", text(v), std::max<std::size_t>(9, name(v).size()));
    fmt::print("  {}\n", last);
  };
  fmt::print("times beside that of `{}`, on sizes that were not tuned on:\n", name(result.usual));
  row("size", name, "runs");
  for (std::size_t s = 0; s < result.judged.sizes.size(); ++s) {
    const auto& seconds = result.judged.seconds[s];
    row(
        result.judged.sizes[s].name,
        [&](std::size_t v) { return fmt::format("{:.3f}", seconds[v] / seconds[result.usual]); },
        name(result.runs[s]));
  }
}

void print_between(const FoundThresholds& result) {
  for (std::size_t v = 0; v < result.dispatch.versions.size(); ++v) {
    const tune::Between& one = result.between[v];
    const std::string& threshold = result.dispatch.versions[v].threshold;
    if (one.below.empty() || one.above.empty())
      fmt::print("`{}` lies beyond the sizes that were timed\n", threshold);
    else
      fmt::print("`{}` lies between {} and {}; {} size{} added for it\n", threshold, one.below,
                 one.above, one.added, one.added == 1 ? " was" : "s were");
  }
}

/// A version that was proposed runs in as many stretches as it needs.
std::string text_of(const tune::NotMonotone& found, const FoundThresholds& result) {
  const plan::Version& version = result.dispatch.versions[found.guard];
  const auto measure = plan::name(version.measure);
  if (result.proposed.empty())
    return tune::not_monotone_text(found, version.threshold, measure, result.tuned);
  const auto proposed =
      std::ranges::find(result.proposed, result.kept[found.guard].schedule,
                        [](const ProposedVersion& one) { return one.line.schedule; });
  return fmt::format("not monotone in {}: in one stretch, `{}` makes {} take {:.2f} times as long",
                     measure, proposed->line.name, result.tuned.sizes[found.data].name,
                     found.ratio);
}

void print_notes(const FoundThresholds& result) {
  print_between(result);
  for (const std::string& size : result.taken_in)
    fmt::print("{} was tuned on too: a version was more than 3 % slower there than `{}`\n", size,
               plan::version_name(result.dispatch, result.usual));
  for (const tune::NotMonotone& found : result.chosen.not_monotone)
    fmt::print("{}\n", text_of(found, result));
  for (const std::size_t v : result.chosen.dropped)
    fmt::print("dropped: `{}` would make a size more than 3 % slower than `{}`\n",
               plan::version_name(result.dispatch, v),
               plan::version_name(result.dispatch, result.usual));
}

void print_beside(const char* sizes, const LadderComparison& ladder, const std::string& usual) {
  const auto text = [](const tune::BesideFastest& one) {
    return fmt::format("{:.3f} of its time in the mean, {:.3f} at worst, {}", one.mean, one.worst,
                       one.size);
  };
  fmt::print("beside the fastest at each of {}: {}\n  `{}` alone: {}\n", sizes, text(ladder.runs),
             ladder.best_single, text(ladder.single));
  if (ladder.best_single != usual) fmt::print("  `{}` alone: {}\n", usual, text(ladder.usual));
}

void print_verdict(const FoundThresholds& result) {
  const auto name = [&](std::size_t v) { return plan::version_name(result.dispatch, v); };
  fmt::print(
      "{:.3f} times as fast as `{}`, the best single version on the sizes that were tuned on, and "
      "{:.3f} as `{}`; worst: "
      "{:.3f} of its time at {}\n",
      result.verdict.gain, result.best_single, result.verdict.gain_usual, name(result.usual),
      result.verdict.worst, result.judged.sizes[result.verdict.worst_size].name);
  print_beside("the sizes that were tuned on", result.on_tuned, name(result.usual));
  print_beside("the others", result.on_judged, name(result.usual));
}

void print_text(const FoundThresholds& result) {
  print_proposed(result);
  if (result.dispatch.versions.empty()) {
    fmt::print("one version is enough: none is worth having beside `{}`\n", result.dispatch.base);
    return;
  }
  print_times(result);
  print_notes(result);
  fmt::print("{}", result.proposed.empty() ? plan::print_tuning(result.thresholds())
                                           : plan::print_versions(result.kept));
  print_verdict(result);
}

void check(const ThresholdsCall& call) {
  const bool proposes = call.execution.building.versions.file.empty();
  if (proposes && !call.output.empty())
    throw WrongCall(
        "`--output` needs `--versions FILE`: what is proposed is written by `--list FILE`, with "
        "its thresholds");
  if (!proposes && !call.list.empty())
    throw WrongCall("`--list` is for versions that are proposed: leave out `--versions`");
}

int thresholds(const Session& session, const ThresholdsCall& call) {
  if (!call.tuners.empty()) {
    print_tuners(choose_machine(session, call.execution.machine).machine.name, call.tuners,
                 call.execution.json);
    return kSuccess;
  }
  check(call);
  require_writable(call.output);
  require_writable(call.list);
  const FoundThresholds result = find_thresholds(session, call);
  if (call.execution.json)
    fmt::print("{}\n", json_text(to_json(result)));
  else
    print_text(result);
  if (!call.output.empty())
    runtime::write_file(call.output, plan::print_tuning(result.thresholds()));
  if (!call.list.empty() && result.kept.size() > 1)
    runtime::write_file(call.list, plan::print_versions(result.kept));
  else if (!call.list.empty())
    say_aside(fmt::format("`{}` is not written: one version is no list\n", call.list));
  return kSuccess;
}

}  // namespace

void declare_thresholds(CLI::App& command, Session& session) {
  const auto call = std::make_shared<ThresholdsCall>();
  declare_execution(command, call->execution, false);
  command.remove_option(command.get_option("--schedule"));  // versions have theirs
  declare_versions(command, call->execution.building.versions);
  declare_database(command, call->execution);
  command.remove_option(command.get_option("--tuning"));
  add_count(command, "--sizes", call->sizes,
            "of the ladder, each of half the cells of\nthe next; --size is the largest; default 16",
            2, 40);
  command.add_flag(
      "--shapes", call->shapes,
      "instead, grids of as many cells, each with\nrows of half the length of the next");
  add_count(command, "--a-halving", call->a_halving,
            "so many sizes further down, half the cells; default 1", 1, 8);
  add_count(command, "--rounds", call->rounds, "in which versions take turns; default 31", 1, 1000);
  command.add_option("--output", call->output, "write the thresholds here, for --tuning")
      ->type_name("FILE");
  command.add_option("--list", call->list, "write the proposed versions that are kept here")
      ->type_name("FILE");
  command
      .add_option("--tuners", call->tuners,
                  "instead, how tuners of thresholds fare on the\ntimes that --json printed")
      ->type_name("FILE");
  command.footer("Without --versions it proposes some and says which are worth having.");
  command.callback(
      [&session, call] { session.chosen = [&, call] { return thresholds(session, *call); }; });
}

}  // namespace paraiso::cli
