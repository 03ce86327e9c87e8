// `paraiso show`: a machine at any stage of its way to code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "cli/execution.hpp"
#include "cli/subcommands.hpp"
#include "cli/values.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/plan/cost/describe.hpp"

namespace paraiso::cli {
namespace {

struct ShowOptions {
  MachineChoice machine;
  Building building;
  std::string after;   // a pass's name; empty: before all passes
  std::string source;  // a backend's name; empty: no source
  std::string size;    // as typed; empty: large
  bool plan = false, genes = false, dot = false;
};

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const passes::Pass& pass : passes::passes()) names.push_back(pass.name);
  return names;
}

void check_pass(const std::string& name) {
  const auto names = pass_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) unknown_name("pass", name, names);
}

/// The class's two files; the support files are the same for every machine.
std::string source_text(const plan::Plan& plan, const runtime::Backend& backend) {
  std::string text;
  for (const codegen::SourceFile& file : backend.generate(plan, {})) {
    if (file.name.starts_with("paraiso_support")) continue;
    text += fmt::format("// ==== {} ====\n{}", file.name, file.text);
  }
  return text;
}

/// As written, unless passes were asked for. Those that fuse steps need at least two.
om::Machine after_passes(const om::Machine& machine, const ShowOptions& options) {
  Building building = options.building;
  if (options.after.empty())
    return building.fuse == 1 ? machine : build_program(machine, building).machine;
  if (passes::find_pass(options.after).phase == passes::Phase::prepare)
    return passes::prepare(machine, building.numbers, options.after);
  if (building.fuse == 1) building.fuse = 2;
  return build_program(machine, building, options.after).machine;
}

/// What the plan's times are about.
plan::Setting setting_of(const om::Machine& program, const ShowOptions& options) {
  plan::Setting setting = plan::large_grid(program.dimension);
  setting.machine = machine_lookup(options.building)();
  if (!options.size.empty()) setting.size = parse_size(options.size, program.dimension);
  return setting;
}

std::string shown(const Session& session, const ShowOptions& options) {
  const om::Machine machine = choose_machine(session, options.machine).machine;
  (void)target_of(options.building);
  if (options.plan || options.genes || !options.source.empty()) {
    const om::Machine program = build_program(machine, options.building).machine;
    const plan::Plan plan = plan_without_grid(program, options.building);
    if (options.genes) return plan::print(plan.schedule, program);
    return options.plan ? plan::describe(plan, setting_of(program, options))
                        : source_text(plan, backend_of(options.source));
  }
  const om::Machine passed = after_passes(machine, options);
  return options.dot ? om::print_dot(passed) : om::print(passed);
}

int show(const Session& session, const ShowOptions& options) {
  if (!options.source.empty()) (void)backend_of(options.source);
  if (!options.after.empty()) check_pass(options.after);
  const std::string text = shown(session, options);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!text.ends_with('\n')) std::fputc('\n', stdout);
  return kSuccess;
}

}  // namespace

void declare_show(CLI::App& command, Session& session) {
  const auto options = std::make_shared<ShowOptions>();
  declare_machine(command, options->machine);
  CLI::Option* after = command.add_option("--after", options->after, "the program after that pass");
  after->type_name("PASS");
  CLI::Option* plan =
      command.add_flag("--plan", options->plan, "how the program will run: arrays, groups, loops");
  command.add_option("--size", options->size, "of the grid, for the times in --plan")
      ->type_name("NxM")
      ->needs(plan);
  CLI::Option* genes =
      command.add_flag("--genes", options->genes, "the schedule as a file for --schedule");
  CLI::Option* source = command.add_option(
      "--source", options->source,
      fmt::format("generated code: {}", fmt::join(runtime::backend_names(), ", ")));
  source->type_name("B");
  CLI::Option* dot = command.add_flag("--dot", options->dot, "the dataflow for Graphviz");
  plan->excludes(after)->excludes(source)->excludes(dot)->excludes(genes);
  genes->excludes(after)->excludes(source)->excludes(dot);
  source->excludes(after)->excludes(dot);
  declare_schedule(command, options->building);
  declare_numbers(command, options->building);
  declare_target(command, options->building);
  declare_fusion(command, options->building);
  command.footer(
      "Without an option: the machine as .om text, which every command accepts.\nPASS: " +
      list_text(pass_names()));
  command.callback(
      [&session, options] { session.chosen = [&, options] { return show(session, *options); }; });
}

}  // namespace paraiso::cli
