#include "cli/execution/execution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/execution/card_memory.hpp"
#include "cli/execution/shared_choice.hpp"
#include "cli/execution/tuned_depth.hpp"
#include "cli/execution/versioned_code.hpp"
#include "cli/prepared/divided_grid.hpp"
#include "cli/prepared/tuning_problem.hpp"
#include "paraiso/codegen/solver_bytes.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "paraiso/runtime/transport/world.hpp"

namespace paraiso::cli {
namespace {

void start_interpreter(Prepared& prepared, const std::vector<std::int64_t>& size) {
  prepared.instance = runtime::interpreter_instance(prepared.program, size, prepared.tree);
  prepared.threads = 1;
}

void choose_code(Prepared& prepared, const Execution& execution) {
  const Building& building = execution.building;
  const runtime::Backend& backend = backend_of(building);
  if (!building.versions.file.empty()) return choose_versioned_code(prepared, building);
  if (building.given) {
    prepared.schedule = {*building.given, "given", "as ordered"};
  } else {
    const ScheduledProgram scheduled{
        backend,        prepared.program,       machine_lookup(building),
        prepared.genes, largest_part(prepared), prepared.sharing};
    prepared.schedule = choose_for_grid(
        scheduled, building.schedule, problems_of(prepared, building),
        [&] { return untuned_of(prepared, building); }, execution.database);
  }
  prepared.plan = backend.make_plan(prepared.program, prepared.schedule.schedule);
  prepared.tuning = tuning_of_loops(backend, prepared.program, building.versions);
}

runtime::Library build(Prepared& prepared) {
  runtime::CompileOptions options;
  options.compiler = prepared.compiler;
  options.target = prepared.target.name;
  options.threads = prepared.threads;
  const auto& backend = backend_of(prepared.record.backend);
  runtime::Library library = backend.compile({&*prepared.plan, 1}, options).front();
  prepared.compile_seconds = library.compile_seconds();
  prepared.record.compiler = library.compiler_version();
  prepared.record.schedule_hash = library.schedule_hash();
  return prepared.tuning.empty() ? library : library.with_thresholds(prepared.tuning);
}

/// To standard output, which with `--json` is reserved for the one object.
void say(const Execution& execution, const std::string& text) {
  if (execution.json)
    say_aside(text);
  else
    fmt::print("{}", text);
}

void say_memory(const Prepared& prepared, const Execution& execution,
                const std::vector<MemoryNeed>& needs) {
  std::string name = prepared.chosen.name;
  if (!prepared.chosen.problem.empty()) name += " " + prepared.chosen.problem;
  if (const std::string changes = prepared.chosen.choices.changes(); !changes.empty())
    name += ", " + changes;
  say(execution,
      fmt::format("{}: {} cells, {}; {}\n", name, runtime::size_text(prepared.size),
                  om::name(prepared.chosen.precision), memory_text(needs, prepared.size)));
}

}  // namespace

Prepared choose_without_building(const Session& session, const Execution& execution) {
  (void)backend_of(execution.building);
  Prepared prepared = read_names(session, execution, "run");
  choose_code(prepared, execution);
  return prepared;
}

namespace {

/// Of what an instance allocates where it computes; of ranks, the sum.
codegen::BytesOfSize bytes_of_code(const Prepared& prepared, const runtime::Backend& backend) {
  return [&prepared, whole = bytes_of(backend, *prepared.plan)](const auto& size) {
    if (!prepared.tree || size != prepared.size) return whole(size);
    double sum = 0;
    for (const om::Box& box : computed_boxes(prepared))
      sum += codegen::part_bytes(*prepared.plan, om::minus(box.upper, box.lower));
    return sum;
  };
}

/// Of what all ranks have, those of this host.
double share_here(const runtime::World* world) {
  if (world == nullptr) return 1;
  return static_cast<double>(world->ranks_here().size()) / world->ranks();
}

void say_processes(const Execution& execution, const std::vector<double>& bytes) {
  if (bytes.empty()) return;
  say(execution, fmt::format("processes: at most {} each, the program itself included\n",
                             runtime::bytes_text(*std::ranges::max_element(bytes))));
}

/// All before the instance; no library: the interpreter runs the program.
std::optional<runtime::Library> prepare_code(Prepared& prepared, const Session& session,
                                             const Execution& asked, const MoreBytes& more_bytes) {
  const Execution execution = with_shared_choice(session, asked);
  prepared = read_names(session, execution, "run");
  divide_grid(prepared, session, execution);
  say_crowded(prepared, session);
  take_tuned_depth(prepared, session, execution);
  const std::vector<std::int64_t>& size = prepared.size;
  const double share = share_here(session.world);
  const codegen::BytesOfSize more = [&](const auto& cells) {
    return share * more_bytes(prepared.program, cells);
  };
  const auto fit = [&](const std::vector<MemoryNeed>& needs) {
    for (const MemoryNeed& need : needs) runtime::require_memory(size, need.bytes, need.limit);
    say_memory(prepared, execution, needs);
  };
  if (execution.building.backend == kInterpreter) {
    refuse_schedules(execution.building, execution.threads);
    const auto own = [&](const auto& cells) {
      return runtime::interpreter_bytes(prepared.program, cells);
    };
    fit({{[&](const auto& cells) { return share * own(cells) + more(cells); },
          runtime::available_memory()}});
    prepared.bytes = own(size);
    return std::nullopt;
  }
  choose_code(prepared, execution);
  share_choice(session, prepared);
  // Before the compiler runs: a grid that does not fit needs no code.
  const runtime::Backend& backend = backend_of(execution.building);
  const codegen::BytesOfSize own = bytes_of_code(prepared, backend);
  fit(memory_needs(
      backend, *prepared.plan, [&](const auto& cells) { return share * own(cells); }, more));
  prepared.bytes = own(size);
  if (session.world != nullptr) prepared.process_bytes = process_bytes(prepared, more_bytes);
  say_processes(execution, prepared.process_bytes);
  const runtime::Library library = with_chosen_version(prepared, build(prepared));
  if (const auto device = runtime::chosen_device(backend)) prepared.device = device->name;
  say(execution, fmt::format("schedule: {}, {}\ncode: by {} for {}{}\n", prepared.schedule.kind,
                             prepared.schedule.source, prepared.compiler, prepared.target.text(),
                             prepared.device.empty()
                                 ? ""
                                 : fmt::format("; {} on `{}`", backend.name, prepared.device)));
  if (!prepared.version.empty()) say(execution, fmt::format("version: `{}`\n", prepared.version));
  return library;
}

}  // namespace

Prepared prepare_execution(const Session& session, const Execution& execution,
                           const MoreBytes& more_bytes) {
  auto have = runtime::backend_names();
  have.emplace_back(kInterpreter);
  check_backend(execution.building.backend, have);
  (void)target_of(execution.building);  // throws if there is none of that name
  Prepared prepared;
  std::optional<runtime::Library> library;
  const auto prepare = [&] { library = prepare_code(prepared, session, execution, more_bytes); };
  if (session.world != nullptr)
    session.world->in_turns(prepare);
  else
    prepare();
  if (library)
    prepared.instance =
        start_instance(prepared, execution.division.balance, *library, session.world);
  else
    start_interpreter(prepared, prepared.size);
  if (execution.building.versions.log && prepared.instance) say_aside(comparisons_of(prepared));
  return prepared;
}

}  // namespace paraiso::cli
