// `paraiso verify`: a schedule and random ones against the interpreter, bit for bit.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/options.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/call/turns.hpp"
#include "cli/call/values.hpp"
#include "cli/choices/schedule_choice.hpp"
#include "cli/prepared/building.hpp"
#include "cli/prepared/machine_choice.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "paraiso/verify/verify_versions.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

struct VerifyCall {
  MachineChoice machine;
  Building building;
  verify::VerifyOptions options;
  std::string size;  // as typed; empty: odd, tiny and long ones
  bool json = false;
};

/// A count that is rewritten in place, on a terminal only.
void show_progress(int done, int of) {
  if (isatty(STDERR_FILENO))
    say_aside(fmt::format("\r{} of {} libraries{}", done, of, done == of ? "\n" : ""));
}

Json to_json(const verify::Difference& difference) {
  return {{"static", difference.name},
          {"cell", difference.cell},
          {"expected", difference.expected.text()},
          {"got", difference.got.text()},
          {"allowed", difference.allowed},
          {"kernel", difference.kernel},
          {"call", difference.call},
          {"start", difference.start},
          {"size", difference.size},
          {"compiler", difference.compiler},
          {"target", difference.target},
          {"threads", difference.threads},
          {"schedule", difference.schedule},
          {"seed", difference.seed},
          {"schedule_text", difference.schedule_text}};
}

Json to_json(const VerifyCall& call, const ChosenMachine& chosen,
             const verify::VerifyReport& report) {
  return {{"app", chosen.name},
          {"choices", choices_json(chosen.choices)},
          {"backend", call.building.backend},
          {"numbers", passes::name(call.building.numbers)},
          {"targets", call.options.targets},
          {"seed", call.options.seed},
          {"passed", !report.difference.has_value()},
          {"exact", report.exact},
          {"schedules_asked_for", call.options.schedules},
          {"schedules", report.schedules},
          {"libraries", report.libraries},
          {"kernels", report.kernels},
          {"cells", report.cells},
          {"difference", report.difference ? to_json(*report.difference) : Json()}};
}

void print_text(const VerifyCall& call, const ChosenMachine& chosen,
                const verify::VerifyReport& report) {
  if (!report.difference) {
    fmt::print(
        "{}, {}: {} in {} cells and scalars, {} kernel runs, {} schedules, "
        "{} libraries for {}; seed {}\n",
        chosen.name, passes::name(call.building.numbers),
        report.exact ? "the same bits" : "the same but for the C library's last digits",
        report.cells, report.kernels, report.schedules, report.libraries,
        list_text(call.options.targets), call.options.seed);
    if (call.building.versions.file.empty() && report.schedules < call.options.schedules)
      fmt::print("{} of {} schedules requested: {} random ones in a row gave no new source\n",
                 report.schedules, call.options.schedules, verify::kFruitlessDraws);
    return;
  }
  const bool forced = !call.building.versions.file.empty();
  const std::string path = fmt::format("{}-{}-{}.{}", chosen.name, call.options.seed,
                                       report.difference->schedule, forced ? "tuning" : "schedule");
  runtime::write_file(path, report.difference->schedule_text);
  fmt::print("{}, {}: DIFFERENT: {}\nthe {} is kept in `{}`\n", chosen.name,
             passes::name(call.building.numbers), report.difference->text(),
             forced ? "tuning that forces the version" : "schedule", path);
}

/// `all`: the levels that this machine can run (or `native` if there is none); else a
/// comma-separated list.
std::vector<std::string> targets_of(const Building& building) {
  std::vector<std::string> names = split(building.target, ',');
  if (building.target == "all") names = runtime::runnable_levels();
  if (names.empty()) names = {plan::kNative};
  std::vector<std::string> targets;
  for (const std::string& name : names) {
    if (name.empty() && names.size() > 1)
      throw WrongCall(fmt::format("`--target {}` names none", building.target));
    Building one = building;
    one.target = name;
    const std::string target = runnable_target(one).name;
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  }
  return targets;
}

/// Of the versions of the kernel that takes the steps, or of random schedules.
verify::VerifyReport report_on(const passes::Fused& fused, VerifyCall& call) {
  const om::Machine& program = fused.machine;
  call.options.fusion = fused.fusion;
  if (!call.building.versions.file.empty())
    return verify::verify_versions(plan_versions(fused, call.building), call.options,
                                   show_progress);
  call.options.genes = plan::genes(program, call.options.backend->options);
  call.options.first = choose_schedule(
      {*call.options.backend, program, machine_lookup(call.building), call.options.genes},
      call.building.schedule);
  return verify::verify_schedules(program, call.options, show_progress);
}

int verify(const Session& session, VerifyCall call) {
  call.options.backend = &backend_of(call.building);
  call.options.take_device = [&] { return take_device(call.building.backend); };
  const ChosenMachine chosen = choose_machine(session, call.machine, call.size);
  if (!call.size.empty()) call.options.sizes = {parse_size(call.size, chosen.machine.dimension)};
  call.options.targets = targets_of(call.building);
  call.building.target = call.options.targets.back();  // that the default schedule is for
  if (!call.building.compiler.empty()) call.options.compilers = {call.building.compiler};
  if (!call.machine.problem.empty()) call.options.problems = {chosen.problem};
  const passes::Fused fused = build_program(chosen.machine, call.building);
  for (const auto& size : call.options.sizes)
    runtime::require_memory(size, [&](const auto& cells) {
      return 2 * runtime::interpreter_bytes(fused.machine, cells);  // one more for the reference
    });
  const verify::VerifyReport report = report_on(fused, call);
  if (call.json)
    fmt::print("{}\n", json_text(to_json(call, chosen, report)));
  else
    print_text(call, chosen, report);
  return report.difference ? kFailure : kSuccess;
}

}  // namespace

void declare_verify(CLI::App& command, Session& session) {
  const auto call = std::make_shared<VerifyCall>();
  declare_machine(command, call->machine);
  command
      .add_option("--backend", call->building.backend,
                  fmt::format("{}", fmt::join(runtime::backend_names(), ", ")))
      ->type_name("B");
  declare_device(command, call->building);
  add_count(command, "--schedules", call->options.schedules,
            "how many, that of --schedule first; default 10", 1, 100000)
      ->type_name("K");
  add_count(command, "--seed", call->options.seed, "of schedules and states; default 1", 0)
      ->type_name("S");
  command.add_option("--size", call->size, "default: odd, tiny and long grids")->type_name("NxM");
  declare_schedule(command, call->building);
  declare_numbers(command, call->building);
  command
      .add_option("--target", call->building.target, "default native; x86-64-v2,x86-64-v3; or all")
      ->type_name("T");
  declare_fusion(command, call->building);
  declare_versions(command, call->building.versions);
  command.add_option("--compiler", call->building.compiler, "default: all that work here")
      ->type_name("C");
  command.add_flag("--json", call->json, "one JSON object on standard output");
  command.callback(
      [&session, call] { session.chosen = [&, call] { return verify(session, *call); }; });
}

}  // namespace paraiso::cli
