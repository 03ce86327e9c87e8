#include "paraiso/runtime/backend/code_hash.hpp"

#include <algorithm>

#include "paraiso/base/text.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::runtime {
namespace {

// In so many schedules most of what the generator can do shows.
constexpr std::size_t kShownAlleles = 3;

/// The schedule in which each gene takes its allele of that number, or its last: repaired, it needs
/// no cost model.
plan::Schedule all_take(const om::Machine& machine, std::size_t allele) {
  plan::Schedule schedule;
  for (const plan::Gene& gene : plan::genes(machine))
    schedule.choices[gene.name] = gene.alleles[std::min(allele, gene.alleles.size() - 1)];
  return schedule;
}

}  // namespace

std::string code_hash(const std::string& source) {
  return paraiso::hex(fnv1a(without_comments(source)));
}

std::string generator_hash(const Backend& backend, const om::Machine& program,
                           const om::Kernel& kernel) {
  om::Machine alone = program;
  std::erase_if(alone.kernels, [&](const om::Kernel& k) { return k.name != kernel.name; });
  std::uint64_t hash = fnv1a("");
  for (std::size_t allele = 0; allele < kShownAlleles; ++allele) {
    const plan::Plan plan = plan::make_plan(alone, all_take(alone, allele));
    for (const auto& file : backend.generate(plan, {}))
      hash = fnv1a(without_comments(file.text), hash);
  }
  return paraiso::hex(hash);
}

}  // namespace paraiso::runtime
