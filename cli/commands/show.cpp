// `paraiso show`: a machine at any stage on its way to code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/call/values.hpp"
#include "cli/choices/division_choice.hpp"
#include "cli/prepared/building.hpp"
#include "cli/prepared/divided_grid.hpp"
#include "cli/prepared/machine_choice.hpp"
#include "paraiso/hardware/simulate/shell_work.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/plan/choices/threshold_tree.hpp"
#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/exchanges.hpp"
#include "paraiso/tune/predict/features.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::cli {
namespace {

struct ShowOptions {
  MachineChoice machine;
  Building building;
  std::string after;   // a pass's name; empty: before all passes
  std::string source;  // a backend's name; empty: no source
  std::string size;    // as typed; empty: large
  DivisionChoice division;
  bool plan = false, genes = false, dot = false, features = false, thresholds = false;
};

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const passes::Pass& pass : passes::passes()) names.push_back(pass.name);
  return names;
}

/// On two lines: one would be too long for a screen.
std::string pass_lines() {
  const auto names = pass_names();
  const auto middle = names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2);
  return fmt::format("PASS: {},\n      {}", fmt::join(names.begin(), middle, ", "),
                     fmt::join(middle, names.end(), ", "));
}

void check_pass(const std::string& name) {
  const auto names = pass_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) unknown_name("pass", name, names);
}

/// The class's two files; the support files are the same for every machine.
std::string source_text(const plan::Plan& plan, const runtime::Backend& backend) {
  std::string text;
  for (const codegen::SourceFile& file : backend.generate(plan, {})) {
    if (file.name.starts_with("paraiso_")) continue;
    text += fmt::format("// ==== {} ====\n{}", file.name, file.text);
  }
  return text;
}

/// As written, unless passes are requested. Passes that fuse steps need at least two steps.
om::Machine after_passes(const om::Machine& machine, const ShowOptions& options) {
  Building building = options.building;
  if (options.after.empty())
    return building.fuse == 1 ? machine : build_program(machine, building).machine;
  if (passes::find_pass(options.after).phase == passes::Phase::prepare)
    return passes::prepare(machine, building.numbers, options.after);
  if (building.fuse == 1) building.fuse = 2;
  return build_program(machine, building, {}, options.after).machine;
}

/// Empty if none is given.
om::Cell size_of(const om::Machine& machine, const ShowOptions& options) {
  return options.size.empty() ? om::Cell() : parse_size(options.size, machine.dimension);
}

/// The grid and the machine of the plan's times.
plan::Setting setting_of(const om::Machine& program, const ShowOptions& options) {
  plan::Setting setting = plan::large_grid(program.dimension);
  setting.machine = machine_lookup(options.building)();
  if (!options.size.empty()) setting.size = size_of(program, options);
  return setting;
}

/// Of the kernel that a run calls again and again.
std::string division_text(const om::Machine& program, const passes::Fusion& fusion,
                          const ShowOptions& options, const om::Cell& size) {
  if (program.step_kernel() == nullptr)
    throw WrongCall(fmt::format("machine `{}` has no step kernel, so no part needs another's cells",
                                program.name));
  const om::Orthotree tree =
      choose_division(options.division, size, 0, options.building.planned_for);
  return plan::describe_division(program, tune::timed_kernel(program, fusion), tree, size) + "  " +
         hardware::shell_work_text(shell_work(program, fusion, tree, size));
}

std::string shown(const Session& session, const ShowOptions& options) {
  const om::Machine machine = choose_machine(session, options.machine, options.size).machine;
  (void)target_of(options.building);
  if (options.plan || options.genes || options.thresholds || !options.source.empty()) {
    const om::Cell size = size_of(machine, options);
    const passes::Fused built = build_program(machine, options.building, size);
    const om::Machine& program = built.machine;
    const plan::Plan plan = plan_of(built, options.building, size);
    const runtime::Backend& backend = backend_of(options.building);
    if (options.thresholds) return plan::threshold_tree(plan, !backend.chooses_device);
    if (options.genes)
      return plan::print(plan.schedule, plan.machine) +
             plan::genes_help(plan.schedule, program, backend.options);
    if (!options.plan) return source_text(plan, backend);
    if (is_divided(options.division)) check_divides(backend);
    const plan::Setting setting = setting_of(program, options);
    std::string text = plan::describe(plan, setting, backend.predict, backend.loops);
    if (is_divided(options.division))
      text += "\n" + division_text(program, built.fusion, options, setting.size);
    return text;
  }
  const om::Machine passed = after_passes(machine, options);
  return options.dot ? om::print_dot(passed) : om::print(passed);
}

/// What predictions are made from.
std::string features_text(const Session& session, const ShowOptions& options) {
  const ChosenMachine chosen = choose_machine(session, options.machine, options.size);
  const passes::Fused built =
      build_program(chosen.machine, options.building, size_of(chosen.machine, options));
  const plan::Setting setting = setting_of(built.machine, options);
  const om::Kernel& kernel = tune::timed_kernel(built.machine, built.fusion);
  const auto toolchain = usable_toolchain(options.building);
  return json_text(tune::features_json(tune::features_of(
      {backend_of(options.building), built.machine, kernel, setting.size, setting.machine,
       toolchain.version, target_of(options.building).name, chosen.steps})));
}

int show(const Session& session, ShowOptions options) {
  if (!options.source.empty()) options.building.backend = options.source;
  const bool of_device = backend_of(options.building).chooses_device && !options.source.empty();
  const bool planned = options.plan || options.genes || options.features || of_device;
  if (!options.size.empty() && !planned)
    throw WrongCall(
        "`--size` is for `--plan`, `--genes`, `--features` and devices' `--source`: the program "
        "knows no grid");
  if (!options.after.empty()) check_pass(options.after);
  const std::string text =
      options.features ? features_text(session, options) : shown(session, options);
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
  command.add_option("--size", options->size, "of the grid, for --plan, --genes, --features")
      ->type_name("NxM");
  declare_division(command, options->division, plan);
  CLI::Option* genes =
      command.add_flag("--genes", options->genes, "the schedule as a file for --schedule");
  CLI::Option* features = command.add_flag("--features", options->features,
                                           "numbers that a schedule is predicted from, as JSON");
  features->excludes(plan)->excludes(after)->excludes(genes);
  CLI::Option* source = command.add_option(
      "--source", options->source,
      fmt::format("generated code: {}", fmt::join(runtime::backend_names(), ", ")));
  source->type_name("B");
  command.add_option("--backend", options->building.backend, "that --plan and --genes are for")
      ->type_name("B");
  CLI::Option* dot = command.add_flag("--dot", options->dot, "the dataflow for Graphviz");
  CLI::Option* thresholds =
      command.add_flag("--thresholds", options->thresholds, "all thresholds, and which come first");
  thresholds->excludes(after)->excludes(dot)->excludes(features)->excludes(plan)->excludes(genes);
  plan->excludes(after)->excludes(source)->excludes(dot)->excludes(genes);
  genes->excludes(after)->excludes(source)->excludes(dot);
  source->excludes(after)->excludes(dot)->excludes(features);
  dot->excludes(features);
  declare_schedule(command, options->building);
  declare_numbers(command, options->building);
  declare_target(command, options->building);
  declare_fusion(command, options->building);
  declare_versions(command, options->building.versions);
  command.footer("Without an option: the machine as .om text, which every command accepts.\n" +
                 pass_lines());
  command.callback(
      [&session, options] { session.chosen = [&, options] { return show(session, *options); }; });
}

}  // namespace paraiso::cli
