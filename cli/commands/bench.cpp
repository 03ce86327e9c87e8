// `paraiso bench`: cell updates per second, the median of some repeats after a warm-up.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/options.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/call/turns.hpp"
#include "cli/execution/execution.hpp"
#include "cli/execution/measuring.hpp"
#include "cli/prepared/divided_grid.hpp"
#include "cli/prepared/prepared_json.hpp"
#include "cli/prepared/tuning_problem.hpp"
#include "paraiso/base/median.hpp"
#include "paraiso/hardware/simulate/shell_work.hpp"
#include "paraiso/passes/analysis/cost.hpp"
#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/runtime/calibrate/machine_file.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/run/progress.hpp"
#include "paraiso/runtime/run/stepper.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

// By default a repeat takes about this long, so that the clock's resolution does not matter.
constexpr double kRepeatSeconds = 0.5;

struct BenchOptions {
  Execution execution;
  bool predict_only = false;
  std::int64_t steps = 0;  // in a repeat; 0: measured
  int repeats = 5;
};

struct BenchMeasurement {
  std::int64_t steps = 0;
  std::vector<double> seconds;  // one per repeat
  double updates_per_second = 0;
  runtime::MessageCount traffic;  // of a repeat, between ranks
  // Of each, processor seconds of all ranks, without waiting, and what of them messages took.
  std::vector<double> busy, messages;
  std::int64_t graphs = 0;  // of a repeat, launched on a device
};

/// Of all ranks together.
runtime::BusySeconds busy_seconds(runtime::RankedInstance* ranks) {
  runtime::BusySeconds sum;
  if (ranks == nullptr) return sum;
  for (const runtime::BusySeconds& one : ranks->busy()) sum.add(one);
  return sum;
}

/// Every repeat does the same work: the same steps from the problem's beginning.
BenchMeasurement measure(const Prepared& prepared, const BenchOptions& options) {
  runtime::Instance& instance = *prepared.instance;
  auto* const ranks = dynamic_cast<runtime::RankedInstance*>(&instance);
  runtime::Stepper stepper(instance, prepared.fusion);
  BenchMeasurement measured;
  start_problem(prepared);
  measured.steps = options.steps > 0 ? options.steps : find_steps(stepper, kRepeatSeconds);
  if (options.steps > 0) stepper.take(0, stepper.stride());
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    start_problem(prepared);
    const runtime::MessageCount before = instance.traffic();
    const std::int64_t graphs = instance.graph_launches();
    const runtime::BusySeconds before_busy = busy_seconds(ranks);
    measured.seconds.push_back(seconds_of([&] { stepper.take(0, measured.steps); }));
    measured.traffic = instance.traffic().since(before);
    if (ranks != nullptr) {
      const runtime::BusySeconds busy = busy_seconds(ranks).since(before_busy);
      measured.messages.push_back(busy.messages);
      measured.busy.push_back(busy.kernels + busy.messages);
    }
    measured.graphs = instance.graph_launches() - graphs;
  }
  measured.updates_per_second = runtime::cell_count(instance.size()) *
                                static_cast<double>(measured.steps) / median(measured.seconds);
  return measured;
}

/// The speed of NaN arithmetic means nothing.
void require_sound(runtime::Instance& instance) {
  if (const auto place = runtime::find_nan(instance))
    throw Error(
        fmt::format("`{}` is NaN after the measured steps: the measurement is void", place->name));
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// The cost model's forecast for a step, per cell, on the machine that is planned for.
plan::Prediction predict_step(const Prepared& prepared, const plan::MachineModel& machine) {
  const plan::Plan& planned = *prepared.plan;
  const om::Kernel* step = planned.machine.step_kernel();
  const std::string& name = prepared.fusion.kernel.empty() ? step->name : prepared.fusion.kernel;
  const plan::KernelPlan* kernel = planned.find_kernel(name);
  plan::Prediction prediction = backend_of(prepared.record.backend)
                                    .predict(planned.machine, *kernel, {prepared.size, machine});
  prediction.nanoseconds /= prepared.fusion.steps;
  for (double& part : prediction.parts) part /= prepared.fusion.steps;
  return prediction;
}

plan::Prediction predict_step(const Prepared& prepared, const Building& building) {
  return predict_step(prepared, machine_with(building, prepared.threads));
}

Json to_json(const plan::Prediction& prediction) {
  Json parts;
  for (std::size_t limit = 0; limit < prediction.limits.size(); ++limit)
    parts[prediction.limits[limit]] = prediction.parts[limit];
  Json json = {{"machine", prediction.machine},
               {"nanoseconds", prediction.nanoseconds},
               {"bound", prediction.bound()},
               {"graph", prediction.graph},
               {"parts", parts}};
  for (const plan::PredictedTime& group : prediction.groups)
    if (group.block)
      json["blocks"].push_back({{"registers", group.block->registers},
                                {"spilled", group.block->spilled},
                                {"shared_bytes", group.block->shared_bytes},
                                {"occupancy", group.block->occupancy}});
  return json;
}

/// Nothing is predicted for the interpreter, and for ranks.
bool is_predicted(const Prepared& prepared) {
  return prepared.plan.has_value() && !prepared.tree.has_value();
}

double per_step(std::int64_t count, const BenchMeasurement& measured) {
  return static_cast<double>(count) / static_cast<double>(measured.steps);
}

Json to_json(const Prepared& prepared, const Building& building, const BenchMeasurement& measured) {
  const passes::Cost cost = passes::cost_of(prepared.program.step_kernel()->graph);
  const runtime::Host& host = runtime::host();
  const bool generated = prepared.plan.has_value();
  const std::vector<plan::Gene> genes = all_genes(prepared);
  Json json = prepared_json(prepared);
  json.update(
      {{"compiler_version", prepared.record.compiler},
       {"steps", measured.steps},
       {"seconds", measured.seconds},
       {"busy_seconds", measured.busy},
       {"message_seconds", measured.messages},
       {"cell_updates_per_second", measured.updates_per_second},
       {"predicted", is_predicted(prepared) ? to_json(predict_step(prepared, building)) : Json()},
       {"graph_launches", measured.graphs},
       {"messages_per_step", per_step(measured.traffic.messages, measured)},
       {"bytes_sent_per_step", per_step(measured.traffic.bytes, measured)},
       {"shell_work", shell_work(prepared)},
       {"program_hash", prepared.record.program_hash},
       {"genome",
        generated ? plan::letters_of(genes, plan::genome_of(genes, prepared.plan->schedule)) : ""},
       {"gene_table_hash", plan::gene_table_hash(genes)},
       {"bytes_per_update", cost.bytes},
       {"flops_per_update", cost.operations},
       {"peak_bytes", peak_bytes()},
       {"host",
        {{"name", host.name},
         {"cpu", host.cpu},
         {"threads", host.threads},
         {"fingerprint", runtime::fingerprint(host)}}}});
  return json;
}

void print_text(const Prepared& prepared, const Building& building,
                const BenchMeasurement& measured) {
  fmt::print("{} repeats of {} steps:", measured.seconds.size(), measured.steps);
  for (const double seconds : measured.seconds) fmt::print(" {:.4f}", seconds);
  const std::size_t ranks = ranks_of(prepared);
  fmt::print(" s\n{}{}, {}{} thread{}: {} (median)\n", prepared.record.backend,
             prepared.compiler.empty() ? "" : " by " + prepared.compiler,
             ranks > 1 ? fmt::format("{} ranks of ", ranks) : "", prepared.threads,
             prepared.threads == 1 ? "" : "s", runtime::speed_text(measured.updates_per_second));
  if (ranks > 1)
    fmt::print("sent: {:.4g} messages of together {} in a step\n",
               per_step(measured.traffic.messages, measured),
               runtime::bytes_text(per_step(measured.traffic.bytes, measured)));
  if (ranks > 1) fmt::print("{}", hardware::shell_work_text(shell_work(prepared)));
  if (!is_predicted(prepared)) return;
  const plan::Prediction prediction = predict_step(prepared, building);
  fmt::print("predicted: {}, bound by {} ({})\n", runtime::speed_text(1e9 / prediction.nanoseconds),
             prediction.bound(), prediction.machine);
}

/// For each line of standard input, what a machine file holds, prints the predicted time of a step
/// per cell. Nothing is compiled; the schedule is planned for the machine as always.
int answer_predictions(const Session& session, const BenchOptions& options) {
  const Prepared prepared = choose_without_building(session, options.execution);
  int number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const std::string place = fmt::format("standard input, line {}", ++number);
    plan::MachineModel machine = runtime::parse_machine(line, place).machine;
    machine.threads = prepared.threads;
    fmt::print("{}\n", json_text(to_json(predict_step(prepared, machine)), -1));
    std::fflush(stdout);
  }
  return kSuccess;
}

int bench(const Session& session, const BenchOptions& options) {
  if (options.predict_only) return answer_predictions(session, options);
  const Prepared prepared =
      prepare_execution(session, options.execution, [](const auto&, const auto&) { return 0.0; });
  if (!prepared.instance) return kSuccess;  // another process measured
  auto turn = take_host_and_device(prepared.record.backend);
  const BenchMeasurement measured = measure(prepared, options);
  turn.reset();
  require_sound(*prepared.instance);
  if (options.execution.json)
    fmt::print("{}\n", json_text(to_json(prepared, options.execution.building, measured)));
  else
    print_text(prepared, options.execution.building, measured);
  return kSuccess;
}

}  // namespace

void declare_bench(CLI::App& command, Session& session) {
  const auto options = std::make_shared<BenchOptions>();
  declare_execution(command, options->execution, true);
  declare_division(command, options->execution.division);
  declare_database(command, options->execution);
  declare_versions(command, options->execution.building.versions, true);
  command.add_flag("--log-thresholds", options->execution.building.versions.log,
                   "print what thresholds are compared with");
  add_count(command, "--steps", options->steps, "steps of a repeat; default: for half a second", 1,
            kMostMeasuredSteps);
  add_count(command, "--repeat", options->repeats, "repeats; the median counts; default 5", 1, 1000)
      ->type_name("R");
  command.add_flag("--predict-only", options->predict_only,
                   "compile nothing: print the predicted time for each\nmachine, a machine file's "
                   "JSON object in a line\nof standard input");
  command.callback(
      [&session, options] { session.chosen = [&, options] { return bench(session, *options); }; });
}

}  // namespace paraiso::cli
