#include "paraiso/runtime/backend/code_hash.hpp"

#include <algorithm>

#include "paraiso/base/text.hpp"
#include "paraiso/plan/cost/forecast.hpp"

namespace paraiso::runtime {
namespace {

// This many schedules exercise most of the generator.
constexpr std::size_t kShownAlleles = 3;

/// The schedule in which each gene has its allele of that number, or its last one. It needs no cost
/// model.
plan::Schedule all_take(const std::vector<plan::Gene>& genes, std::size_t allele) {
  plan::Schedule schedule;
  for (const plan::Gene& gene : genes)
    schedule.choices[gene.name] = gene.alleles[std::min(allele, gene.alleles.size() - 1)];
  return schedule;
}

}  // namespace

std::string code_hash(const std::string& source) {
  return paraiso::hex(fnv1a(without_comments(source)));
}

std::string generator_hash(const Backend& backend, const om::Machine& program,
                           const om::Kernel& kernel, const std::vector<plan::Gene>& genes) {
  om::Machine alone = program;
  std::erase_if(alone.kernels, [&](const om::Kernel& k) { return k.name != kernel.name; });
  std::uint64_t hash = fnv1a("");
  for (std::size_t allele = 0; allele < kShownAlleles; ++allele) {
    plan::Plan plan = backend.make_plan(alone, all_take(genes, allele));
    plan::remove_forecast(plan);
    for (const auto& file : backend.generate(plan, {}))
      hash = fnv1a(without_comments(file.text), hash);
  }
  return paraiso::hex(hash);
}

}  // namespace paraiso::runtime
