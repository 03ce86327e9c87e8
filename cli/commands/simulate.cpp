// `paraiso simulate`: how long steps would take on many processors that need not be here.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/options.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/choices/hardware_choice.hpp"
#include "cli/prepared/prepared.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/hardware/simulate/forecast.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/runtime/plot/scaling_plot.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/run/progress.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostSteps = 1'000'000;

struct SimulateCall {
  MachineChoice machine;
  Building building;
  std::string size, hardware, collectives = "star", exchange, slow, plot;
  DivisionChoice division;
  std::int64_t steps = 100;
  std::uint64_t seed = 1;
  double jitter = 0;
  bool weak = false, strong = false, json = false;
};

/// A program, and what it is planned for.
struct Planned {
  ChosenMachine chosen;
  om::Machine program;
  om::Cell size;
  HardwareChoice hardware;
  passes::Fusion fusion;
  om::Cell part;       // the largest of the last forecast
  double sharing = 1;  // its parts on each processor
  plan::Plan plan;     // for that

  [[nodiscard]] hardware::StepsTogether together() const {
    return {fusion.steps, runtime::steps_for_one_exchange(program, fusion) > 1};
  }
  /// That ranks call.
  [[nodiscard]] const om::Kernel& called() const {
    return fusion.steps > 1 && !together().one_by_one ? *program.find_kernel(fusion.kernel)
                                                      : *program.step_kernel();
  }
  [[nodiscard]] const plan::KernelPlan& kernel() const { return *plan.find_kernel(called().name); }
};

/// What the schedule chooses of messages, unless `--exchange` does.
void choose_exchange(const SimulateCall& call, const om::Kernel& called, plan::Schedule& schedule) {
  if (call.exchange.empty()) return;
  const plan::Gene gene = plan::exchange_gene(called);
  if (std::ranges::find(gene.alleles, call.exchange) == gene.alleles.end())
    unknown_name("way of exchange", call.exchange, gene.alleles);
  schedule.choices[gene.name] = call.exchange;
}

std::unique_ptr<Planned> program_of(const Session& session, const SimulateCall& call) {
  auto planned = std::make_unique<Planned>();
  planned->chosen = choose_machine(session, call.machine, call.size);
  if (!planned->chosen.machine.step_kernel())
    throw WrongCall(fmt::format("`{}` has no step kernel to simulate", planned->chosen.name));
  planned->size = call.size.empty() ? planned->chosen.size
                                    : parse_size(call.size, planned->chosen.machine.dimension);
  planned->hardware = choose_hardware(call.hardware);
  if (!call.building.fuse) throw WrongCall("`--fuse` needs a number here: forecasts choose none");
  passes::Fused fused = build_program(planned->chosen.machine, call.building);
  planned->program = std::move(fused.machine);
  planned->fusion = std::move(fused.fusion);
  return planned;
}

void require_representable(const om::Cell& size, std::int64_t ranks) {
  double cells = static_cast<double>(ranks);
  for (const std::int64_t extent : size) cells *= static_cast<double>(extent);
  if (cells > kMostCells)
    throw WrongCall(fmt::format("`--weak`: {:.2g} cells on {} ranks are more than any memory holds",
                                cells, ranks));
}

/// As `run` plans for parts of which `part` is the largest, `sharing` of them on each processor.
void plan_for(Planned& planned, const SimulateCall& call, const om::Cell& part, double sharing) {
  if (part == planned.part && sharing == planned.sharing) return;  // as on a weak curve
  planned.part = part;
  planned.sharing = sharing;
  const runtime::Backend& backend = runtime::default_backend();
  const auto genes = plan::genes(planned.program, backend.options);
  const ScheduledProgram scheduled{
      backend, planned.program, [&] { return planned.hardware.first(); }, genes, part, sharing};
  plan::Schedule schedule = choose_schedule(scheduled, call.building.schedule);
  choose_exchange(call, planned.called(), schedule);
  planned.plan = backend.make_plan(planned.program, std::move(schedule));
}

/// `N:FACTOR`: so many processors, drawn by lot, take FACTOR times as long.
std::vector<double> slowness_of(const SimulateCall& call, std::size_t processors) {
  std::vector<double> slowness(processors, 1);
  if (call.slow.empty()) return slowness;
  const auto parts = split(call.slow, ':');
  if (parts.size() != 2)
    throw WrongCall(fmt::format("`--slow {}` is not N:FACTOR, as in 3:2", call.slow));
  const auto count = parse_count("--slow", parts[0], 1, static_cast<std::int64_t>(processors));
  const double factor = parse_positive("--slow", parts[1]);
  Rng rng(call.seed);
  for (std::int64_t left = count; left > 0;) {
    double& one = slowness[rng.below(processors)];
    if (one != 1 && factor != 1) continue;
    one = factor;
    --left;
  }
  return slowness;
}

hardware::Collectives collectives_of(const std::string& name) {
  if (name == "star") return hardware::Collectives::star;
  if (name == "tree") return hardware::Collectives::tree;
  if (name == "emitted") return hardware::Collectives::emitted;
  unknown_name("way of collectives", name, {"star", "tree", "emitted"});
}

/// So many parts as numbers along each axis: prime factors, the largest first, each to the axis
/// with the fewest parts; axis 0, along which rows lie in memory, comes last.
om::Cell parts_of(std::int64_t count, std::size_t axes) {
  std::vector<std::int64_t> primes;
  for (std::int64_t p = 2; p * p <= count; ++p)
    for (; count % p == 0; count /= p) primes.push_back(p);
  if (count > 1) primes.push_back(count);
  om::Cell parts(axes, 1);
  for (auto p = primes.rbegin(); p != primes.rend(); ++p) {
    std::size_t least = axes - 1;
    for (std::size_t a = axes; a-- > 0;)
      if (parts[a] < parts[least]) least = a;
    parts[least] *= *p;
  }
  return parts;
}

/// 1, 2, 4, ... and the last.
std::vector<std::int64_t> counts_to(std::int64_t last) {
  std::vector<std::int64_t> counts;
  for (std::int64_t n = 1; n < last; n *= 2) counts.push_back(n);
  counts.push_back(last);
  return counts;
}

/// Of a number of ranks, which have a plan for their part.
struct CurvePoint : hardware::Forecast {
  std::string schedule;        // its hash
  bool is_overlapped = false;  // messages travel while ranks compute
};

CurvePoint forecast(Planned& planned, const SimulateCall& call, hardware::Network& network,
                    const hardware::Question& question) {
  const auto ranks = static_cast<double>(question.tree.leaf_count());
  plan_for(planned, call, largest_part(question.size, question.tree),
           std::ceil(ranks / static_cast<double>(network.sites().size())));
  hardware::Forecaster forecaster(network, planned.hardware.machines, planned.plan.machine,
                                  planned.kernel(), runtime::default_backend().predict,
                                  planned.together());
  const plan::Schedule& schedule = planned.plan.schedule;
  return {forecaster.forecast(question), plan::schedule_hash(schedule),
          plan::is_overlapped(planned.called(), schedule)};
}

std::vector<CurvePoint> forecasts(Planned& planned, const SimulateCall& call) {
  hardware::Network network(planned.hardware.hardware);
  const std::size_t processors = network.sites().size();
  hardware::Question question{{},
                              planned.size,
                              call.steps,
                              collectives_of(call.collectives),
                              {call.jitter, call.seed, slowness_of(call, processors)}};
  DivisionChoice division = call.division;
  if (!is_divided(division)) division.ranks = std::to_string(processors);
  const auto divided = [&] {
    return choose_division(division, planned.size, planned.hardware.hardware);
  };
  if (!call.weak && !call.strong) {
    question.tree = divided();
    return {forecast(planned, call, network, question)};
  }
  std::vector<CurvePoint> found;
  for (const std::int64_t ranks :
       counts_to(parse_count("--ranks", division.ranks, 1, kMostParts))) {
    question.size = planned.size;
    if (call.weak) {
      const om::Cell parts = parts_of(ranks, planned.size.size());
      require_representable(question.size, ranks);
      for (std::size_t a = 0; a < parts.size(); ++a) question.size[a] *= parts[a];
      question.tree = om::regular_division(question.size, parts);
    } else {
      division.ranks = std::to_string(ranks);
      question.tree = divided();
    }
    found.push_back(forecast(planned, call, network, question));
  }
  return found;
}

double speed_of(const CurvePoint& forecast) { return forecast.cells() / forecast.seconds; }

/// Speed of a rank against that of a rank of the first forecast.
double efficiency_of(const CurvePoint& one, const CurvePoint& first) {
  return speed_of(one) / static_cast<double>(one.ranks) /
         (speed_of(first) / static_cast<double>(first.ranks));
}

Json to_json(const Planned& planned, const SimulateCall& call, const std::vector<CurvePoint>& all) {
  Json points = Json::array();
  for (const CurvePoint& one : all)
    points.push_back({{"ranks", one.ranks},
                      {"size", one.size},
                      {"seconds_per_step", one.seconds},
                      {"shortest_step", one.least},
                      {"longest_step", one.most},
                      {"seconds_computing", one.computing},
                      {"working", one.working},
                      {"cell_updates_per_second", speed_of(one)},
                      {"efficiency", efficiency_of(one, all.front())},
                      {"messages_per_step", one.messages},
                      {"bytes_sent_per_step", one.bytes},
                      {"exchange", one.is_overlapped ? plan::kOverlapped : plan::kBlocking},
                      {"schedule", one.schedule}});
  return {{"forecast", true},
          {"note", hardware::kValidated},
          {"app", planned.chosen.name},
          {"problem", planned.chosen.problem},
          {"precision", om::name(planned.chosen.precision)},
          {"hardware", call.hardware},
          {"scaling", call.weak     ? "weak"
                      : call.strong ? "strong"
                                    : "none"},
          {"collectives", call.collectives},
          {"fuse", planned.fusion.steps},
          {"steps", call.steps},
          {"jitter", call.jitter},
          {"slow", call.slow},
          {"seed", call.seed},
          {"points", points}};
}

void print_text(const Planned& planned, const SimulateCall& call,
                const std::vector<CurvePoint>& all) {
  fmt::print("forecast of {}{}, {}, on `{}`: not measured\n", planned.chosen.name,
             planned.chosen.problem.empty() ? "" : " " + planned.chosen.problem,
             om::name(planned.chosen.precision), call.hardware);
  fmt::print("{:>8} {:>20} {:>11} {:>11} {:>7} {:>15} {:>10}\n", "ranks", "cells", "step",
             "computing", "working", "updates/s", "efficiency");
  for (const CurvePoint& one : all)
    fmt::print("{:>8} {:>20} {:>11.4g} {:>11.4g} {:>7.3f} {:>15.4g} {:>10}\n", one.ranks,
               runtime::size_text(one.size), one.seconds, one.computing, one.working, speed_of(one),
               all.size() > 1 ? fmt::format("{:.3f}", efficiency_of(one, all.front())) : "-");
  const CurvePoint& last = all.back();
  fmt::print("seconds; of {} steps the shortest takes {:.4g}, the longest {:.4g}\n", call.steps,
             last.least, last.most);
  fmt::print("{:.0f} messages of together {} in a step of {} ranks\n", last.messages,
             runtime::bytes_text(last.bytes), last.ranks);
  fmt::print("{}\n", hardware::kValidated);
}

void plot(const Planned& planned, const SimulateCall& call, const std::vector<CurvePoint>& all) {
  runtime::ScalingPlot picture;
  picture.title = fmt::format("forecast: {}{}, {} scaling", planned.chosen.name,
                              planned.chosen.problem.empty() ? "" : " " + planned.chosen.problem,
                              call.weak ? "weak" : "strong");
  picture.y_name = "efficiency";
  for (const CurvePoint& one : all) {
    const double efficiency = efficiency_of(one, all.front());
    picture.points.push_back({static_cast<double>(one.ranks), efficiency,
                              efficiency * one.seconds / one.most,
                              efficiency * one.seconds / one.least});
  }
  runtime::write_scaling_plot(call.plot, picture);
}

int simulate(const Session& session, const SimulateCall& call) {
  (void)collectives_of(call.collectives);
  if (!call.plot.empty() && !call.weak && !call.strong)
    throw WrongCall("`--plot` draws a curve: it needs `--weak` or `--strong`");
  if ((call.weak || call.strong) && !call.division.divide.empty())
    throw WrongCall("`--divide` is for one forecast: leave out `--weak` and `--strong`");
  const auto planned = program_of(session, call);
  const std::vector<CurvePoint> all = forecasts(*planned, call);
  if (!call.plot.empty()) plot(*planned, call, all);
  if (call.json)
    fmt::print("{}\n", json_text(to_json(*planned, call, all)));
  else
    print_text(*planned, call, all);
  return kSuccess;
}

}  // namespace

void declare_simulate(CLI::App& command, Session& session) {
  const auto call = std::make_shared<SimulateCall>();
  declare_machine(command, call->machine);
  command.add_option("--size", call->size, "cells per axis; with --weak: of each rank")
      ->type_name("NxM");
  command.add_option("--machine", call->hardware, "the hardware graph")
      ->required()
      ->type_name("FILE.dot");
  declare_division(command, call->division);
  add_count(command, "--steps", call->steps, "default 100", 1, kMostSteps);
  CLI::Option* weak = command.add_flag("--weak", call->weak, "1, 2, 4, ... ranks of --size each");
  command.add_flag("--strong", call->strong, "1, 2, 4, ... ranks share --size")->excludes(weak);
  command
      .add_option("--collectives", call->collectives,
                  "how ranks agree: star (default), tree, emitted")
      ->type_name("WAY");
  declare_fusion(command, call->building);
  command
      .add_option("--exchange", call->exchange,
                  "messages are awaited (blocking) or travel while ranks\n"
                  "compute (overlapped); default: the schedule's")
      ->type_name("WAY");
  add_positive(command, "--jitter", call->jitter, "part by which computing is delayed, on average");
  command.add_option("--slow", call->slow, "N processors take FACTOR times as long")
      ->type_name("N:FACTOR");
  add_count(command, "--seed", call->seed, "of jitter, and of which are slow; default 1", 0);
  command.add_option("--schedule", call->building.schedule, "default, a file, genome:LETTERS")
      ->type_name("S");
  declare_numbers(command, call->building);
  command.add_option("--plot", call->plot, "the curve as a picture")->type_name("FILE.png");
  command.add_flag("--json", call->json, "one JSON object on standard output");
  command.footer(
      "It runs nothing: what it prints is a forecast. docs/simulate.md has the\n"
      "language of hardware graphs; `calibrate --hardware` writes this machine's.");
  command.callback(
      [&session, call] { session.chosen = [&session, call] { return simulate(session, *call); }; });
}

}  // namespace paraiso::cli
