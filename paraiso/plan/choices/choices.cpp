#include "paraiso/plan/choices/choices.hpp"

#include <algorithm>
#include <charconv>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/plan/choices/inner_states.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

std::string chosen(const Schedule& schedule, const std::string& gene, const char* fallback) {
  auto found = schedule.choices.find(gene);
  return found == schedule.choices.end() ? fallback : found->second;
}

std::int64_t chosen_number(const Schedule& schedule, const Kernel& kernel, const char* option) {
  std::string allele = chosen(schedule, kernel.name + "/" + option, "");
  std::int64_t number = 0;
  std::from_chars(allele.data(), allele.data() + allele.size(), number);
  return number;  // 0 for what is no number
}

std::int64_t chosen_tile(const Schedule& schedule, const Kernel& kernel, int axis) {
  const bool outermost = axis == kernel.graph.dimension() - 1;
  const std::string option = std::string("tile_") + axis_name(axis);
  const std::string allele =
      chosen(schedule, kernel.name + "/" + option, outermost ? "threads" : "all");
  if (allele == "threads") return kPerThread;
  return allele == "all" ? kWholeAxis : chosen_number(schedule, kernel, option.c_str());
}

Storage storage_named(const std::string& allele) {
  if (allele == kScratch) return Storage::scratch;
  if (allele == kRolling) return Storage::rolling;
  return allele == kInline ? Storage::inlined : Storage::array;
}

}  // namespace

bool is_materialisable(const Graph& graph, ValueId value) {
  const auto* load = graph.producer_as<Load>(value);
  return graph.producer_as<Arith>(value) || (load && load->step > 0);
}

Choices choices_of(const Machine& machine, const Kernel& kernel, const KernelGenes& genes,
                   const Schedule& schedule) {
  Choices choices;
  choices.storage.resize(kernel.graph.value_count(), Storage::inlined);
  choices.cut.resize(kernel.graph.value_count());
  for (ValueId v : genes.forced) choices.storage[v.index] = Storage::array;
  for (const auto& gene : genes.storage) {
    const std::string allele = chosen(schedule, gene.name, gene.alleles[0].c_str());
    for (ValueId v : gene.values) {
      choices.storage[v.index] = storage_named(allele);
      choices.cut[v.index] = allele == kArrayAlone;
    }
  }
  choices.apart = chosen(schedule, kernel.name + "/grouping", kJoined) == kApart;
  choices.gather_divides = chosen(schedule, kernel.name + "/divides", "late") == "together";
  choices.split = chosen(schedule, kernel.name + "/form", kOverlapped) == kSplit;
  choices.vectors = std::max(1, static_cast<int>(chosen_number(schedule, kernel, "vectors")));
  choices.jam = std::max(1, static_cast<int>(chosen_number(schedule, kernel, "jam")));
  choices.streaming = chosen(schedule, kernel.name + "/streaming", "off") == "large";
  choices.prefetch = chosen(schedule, kernel.name + "/prefetch", "off") == "row";
  const int dimension = kernel.graph.dimension();
  for (int axis = 0; axis < dimension; ++axis)
    choices.tile.push_back(chosen_tile(schedule, kernel, axis));
  const std::string first = chosen(schedule, kernel.name + "/sweep", "");
  for (int axis = dimension - 1; axis > 0; --axis)
    choices.sweep.insert(first == axis_name(axis) ? choices.sweep.begin() : choices.sweep.end(),
                         axis);
  settle_inner_states(machine, kernel, choices);
  return choices;
}

}  // namespace paraiso::plan
