#include "paraiso/hardware/simulate/forecast.hpp"

#include <algorithm>
#include <numeric>

#include "paraiso/hardware/rank_places.hpp"
#include "paraiso/plan/cpu/overlap.hpp"
#include "paraiso/support/mpi/copy.hpp"

namespace paraiso::hardware {
const char* const kValidated =
    "a forecast: exact on closed forms, within 5 % of ranks with delayed messages; what a part\n"
    "computes is predicted by the cost model, and real runs may differ more (docs/simulate.md)";

double memory_bandwidth(const Hardware& hardware, std::size_t component) {
  Network network(hardware);
  const auto& sites = network.sites();
  const auto site = static_cast<std::size_t>(
      std::ranges::find(sites, component, &Processor::component) - sites.begin());
  const auto to_storage = network.route(site, site);
  double slowest = 0;
  for (const Hop& hop : to_storage->hops) slowest = std::max(slowest, hop.seconds_per_byte);
  return 1 / slowest;
}

plan::MachineModel assumed_machine(const Hardware& hardware, std::size_t component) {
  const Component& processor = hardware.components[component];
  plan::MachineModel machine = plan::documented_machine();
  const double operations = 2 * machine.vector_bytes / sizeof(double) *
                            machine.operations_per_second;  // of a thread: fused multiply-adds
  const double faster = processor.performance / processor.threads / operations;
  machine.processor = processor.tag;
  machine.threads = processor.threads;
  for (double* rate : {&machine.hertz, &machine.operations_per_second, &machine.divides_f64,
                       &machine.divides_f32, &machine.roots_f64, &machine.roots_f32})
    *rate *= faster;
  for (plan::CacheModel& cache : machine.caches) cache.bytes_per_second *= faster;
  machine.memory_all = memory_bandwidth(hardware, component);
  machine.memory_fetch = std::min(
      std::max(machine.memory_fetch, machine.memory_all / machine.threads), machine.memory_all);
  return machine;
}

double Forecast::cells() const {
  return std::accumulate(size.begin(), size.end(), 1.0, std::multiplies<>());
}

double seconds_of_packing(const plan::MachineModel& machine, double rows, double bytes,
                          std::size_t sharing) {
  constexpr double kLine = 64;  // bytes
  const double alone =
      rows * machine.constants.row_cycles / machine.hertz + bytes / machine.memory_fetch;
  const auto parts = static_cast<double>(sharing);
  const int threads =
      paraiso_mpi::copying_threads(1e9 * alone, static_cast<int>(machine.threads / parts));
  if (threads == 1) return alone;
  const double moved = std::max(bytes, kLine * rows) + bytes;
  return std::max(alone / threads, moved / (machine.memory_all / parts)) + machine.parallel_region;
}

Forecaster::Forecaster(Network& network, const std::vector<plan::MachineModel>& machines,
                       const om::Machine& program, const plan::KernelPlan& kernel,
                       plan::Predictor predict, StepsTogether together)
    : machines_(machines),
      program_(program),
      kernel_(kernel),
      predict_(predict),
      together_(together),
      network_(network) {}

/// `sharing` parts are computed at the same time.
double Forecaster::seconds_of(std::size_t component, const om::Cell& cells, std::size_t sharing) {
  const auto [known, added] = known_.try_emplace({component, cells, sharing});
  if (!added) return known->second;
  plan::Setting setting{cells, machines_[component]};
  plan::MachineModel& machine = setting.machine;
  const auto parts = static_cast<double>(sharing);
  const double turns = std::max(1.0, parts / machine.threads);  // more parts than threads
  machine.threads = std::max(1, static_cast<int>(machine.threads / parts));
  machine.memory_all /= parts / turns;
  machine.last_level_bytes /= parts / turns;
  setting.sharing = turns;
  const double count = std::accumulate(cells.begin(), cells.end(), 1.0, std::multiplies<>());
  return known->second = 1e-9 * turns * count * predict_(program_, kernel_, setting).nanoseconds;
}

/// By the cells that read nothing of others, and the time that the first group takes of all.
double Forecaster::share_ahead(const om::Box& part,
                               const std::vector<std::array<bool, 2>>& received) const {
  const plan::Group& first = plan::first_group(kernel_);
  const plan::Extent& reach = *first.cpu.overlapped;
  double cells = 1;
  for (std::size_t a = 0; a < received.size(); ++a) {
    const auto own = static_cast<double>(part.upper[a] - part.lower[a]);
    const double rim =
        (received[a][0] ? reach.lower[a] : 0) + (received[a][1] ? reach.upper[a] : 0);
    cells *= std::max(0.0, own - rim) / own;
  }
  const plan::Setting setting{om::minus(part.upper, part.lower),
                              machines_[network_.sites()[0].component]};
  const plan::Prediction predicted = predict_(program_, kernel_, setting);
  double all = 0;
  for (const plan::PredictedTime& group : predicted.groups) all += group.nanoseconds;
  const auto number = static_cast<std::size_t>(&first - kernel_.groups.data());
  return all > 0 ? cells * predicted.groups[number].nanoseconds / all : 0;
}

Forecast Forecaster::forecast(const Question& question) {
  const std::size_t ranks = question.tree.leaf_count();
  const std::vector<std::size_t> places = rank_places(ranks, network_.sites().size());
  std::vector<std::size_t> sharing(network_.sites().size());
  for (const std::size_t place : places) ++sharing[place];
  const plan::MachineModel& first = machines_[network_.sites()[0].component];
  PartCost cost = {[&](std::size_t part, const om::Cell& cells) {
                     const std::size_t place = places[part];
                     return seconds_of(network_.sites()[place].component, cells, sharing[place]);
                   },
                   [&](std::size_t part, double rows, double bytes) {
                     return seconds_of_packing(first, rows, bytes, sharing[places[part]]);
                   }};
  if (plan::first_group(kernel_).cpu.overlapped)
    cost.ahead = [&](const om::Box& part, const auto& received) {
      return share_ahead(part, received);
    };
  const StepWork work =
      step_work(program_, *kernel_.kernel, question.tree, question.size, cost,
                together_.one_by_one ? together_.steps : 1, reducing_groups(kernel_));
  const int together = together_.one_by_one ? work.calls : together_.steps;
  const std::int64_t rounds = (question.steps + together - 1) / together;
  const Simulated outcome =
      simulate(network_, places, programs_of(work, question.collectives), rounds, question.noise);
  Forecast forecast{ranks, question.size};
  const auto steps = static_cast<double>(rounds * together);
  forecast.seconds = outcome.ends.back() / steps;
  forecast.least = forecast.most = outcome.ends[0];
  for (std::size_t s = 1; s < outcome.ends.size(); ++s) {
    forecast.least = std::min(forecast.least, outcome.ends[s] - outcome.ends[s - 1]);
    forecast.most = std::max(forecast.most, outcome.ends[s] - outcome.ends[s - 1]);
  }
  forecast.least /= together;
  forecast.most /= together;
  forecast.working = std::accumulate(outcome.working.begin(), outcome.working.end(), 0.0) /
                     (static_cast<double>(ranks) * outcome.ends.back());
  forecast.computing = *std::ranges::max_element(work.seconds) * work.calls / together;
  forecast.messages = outcome.messages / steps;
  forecast.bytes = outcome.bytes / steps;
  return forecast;
}

}  // namespace paraiso::hardware
