#include "paraiso/tune/predict/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/base/rounded.hpp"
#include "paraiso/passes/analysis/cost.hpp"
#include "paraiso/tune/predict/algorithm_features.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

/// Six digits: a sum must not depend on the order of its terms.
double six_digits(double value) { return rounded(value, 6); }

void add_architecture(const plan::MachineModel& machine, NumberList& numbers) {
  numbers.emplace_back("architecture.threads", machine.threads);
  for (const plan::MachineField& field : plan::machine_fields())
    if (!field.newer)  // else features of before would lack a number
      numbers.emplace_back(std::string("architecture.") + field.name, machine.*field.value);
  for (std::size_t level = 0; level < machine.caches.size(); ++level) {
    const std::string name = fmt::format("architecture.cache{}", level + 1);
    numbers.emplace_back(name + ".bytes", machine.caches[level].bytes);
    numbers.emplace_back(name + ".bytes_per_second", machine.caches[level].bytes_per_second);
  }
}

/// The grid; and against each cache, as a ratio, what it must hold: all arrays, and the rows, or
/// planes, that are read again while the next one is computed.
void add_input(const RunningInstance& instance, NumberList& numbers) {
  double cells = 1, plane = 1, most = 0;
  for (std::int64_t extent : instance.size) {
    cells *= static_cast<double>(extent);
    most = std::max(most, static_cast<double>(extent));
  }
  for (std::size_t a = 0; a + 1 < instance.size.size(); ++a)
    plane *= static_cast<double>(instance.size[a]);
  numbers.emplace_back("input.cells", cells);
  for (std::size_t a = 0; a < instance.size.size(); ++a) {
    const std::string axis = axis_name(static_cast<int>(a));
    const auto extent = static_cast<double>(instance.size[a]);
    numbers.emplace_back("input.extent." + axis, extent);
    numbers.emplace_back("input.shape." + axis, extent / most);
  }
  numbers.emplace_back("input.steps", static_cast<double>(instance.steps));
  const double bytes = passes::cost_of(instance.kernel.graph).bytes * cells;
  const LiveRows live = live_rows(instance.kernel);
  const double row = instance.size.empty() ? 0 : static_cast<double>(instance.size[0]);
  numbers.emplace_back("input.bytes", bytes);
  for (std::size_t level = 0; level < instance.machine.caches.size(); ++level) {
    const double cache = instance.machine.caches[level].bytes;
    const std::string name = fmt::format("_per_cache{}", level + 1);
    numbers.emplace_back("input.bytes" + name, bytes / cache);
    numbers.emplace_back("input.rows" + name, live.bytes * row / cache);
    if (instance.size.size() > 2)
      numbers.emplace_back("input.planes" + name, live.bytes * plane / cache);
  }
}

/// `schedule` with each value of the kernel stored as `allele` says, where its gene knows that.
plan::Schedule stored(const plan::KernelGenes& genes, plan::Schedule schedule, const char* allele) {
  for (const plan::StorageGene& gene : genes.storage)
    if (std::ranges::find(gene.alleles, allele) != gene.alleles.end())
      schedule.choices[gene.name] = allele;
  return schedule;
}

void add_plans(const RunningInstance& instance, NumberList& numbers) {
  const plan::KernelGenes genes = plan::kernel_genes(instance.kernel);
  const plan::Setting setting{instance.size, instance.machine};
  plan::Setting planning;
  planning.machine = plan::cautious(instance.machine);
  const plan::Schedule chosen = instance.backend.default_schedule(instance.program, planning);
  const std::pair<const char*, plan::Schedule> plans[] = {
      {"default", chosen},
      {"inline", stored(genes, chosen, plan::kInline)},
      {"array", stored(genes, chosen, plan::kArray)}};
  for (const auto& [name, schedule] : plans) {
    const plan::Plan plan = instance.backend.make_plan(instance.program, schedule);
    for (const plan::KernelPlan& kernel : plan.kernels) {
      if (kernel.kernel->name != instance.kernel.name) continue;
      const plan::Prediction time = instance.backend.predict(plan.machine, kernel, setting);
      for (std::size_t limit = 0; limit < time.limits.size(); ++limit)
        numbers.emplace_back(fmt::format("plan.{}.{}", name, time.limits[limit]),
                             time.parts[limit]);
      numbers.emplace_back(fmt::format("plan.{}.nanoseconds", name), time.nanoseconds);
    }
  }
}

template <class List>
auto find(const List& list, std::string_view name)
    -> std::optional<typename List::value_type::second_type> {
  for (const auto& [own, value] : list)
    if (own == name) return value;
  return std::nullopt;
}

}  // namespace

std::optional<double> Features::number(std::string_view name) const { return find(numbers, name); }
std::optional<std::string> Features::word(std::string_view name) const { return find(words, name); }

Features features_of(const RunningInstance& instance) {
  Features features;
  add_architecture(instance.machine, features.numbers);
  add_algorithm(instance.program, instance.kernel, features.numbers);
  add_input(instance, features.numbers);
  add_plans(instance, features.numbers);
  for (auto& [name, value] : features.numbers) value = six_digits(value);
  features.words = {{"algorithm.element", om::name(main_element(instance.kernel))},
                    {"instance.backend", instance.backend.name},
                    {"instance.compiler", instance.compiler},
                    {"instance.target", instance.target}};
  return features;
}

Json features_json(const Features& features) {
  Json numbers = Json::object(), words = Json::object();
  for (const auto& [name, value] : features.numbers) numbers[name] = value;
  for (const auto& [name, value] : features.words) words[name] = value;
  return {{"version", Features::kVersion}, {"numbers", numbers}, {"words", words}};
}

std::optional<Features> features_from(const Json& json) {
  if (json.at("version").get<int>() != Features::kVersion) return std::nullopt;
  Features features;
  for (const auto& [name, value] : json.at("numbers").items())
    features.numbers.emplace_back(name, value.get<double>());
  for (const auto& [name, value] : json.at("words").items())
    features.words.emplace_back(name, value.get<std::string>());
  return features;
}

}  // namespace paraiso::tune
