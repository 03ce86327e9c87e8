#include "paraiso/plan/make/canonical.hpp"

#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/make/repair.hpp"

namespace paraiso::plan {

Canonical::Canonical(const om::Machine& machine, std::string_view kernel, OptionTable options)
    : machine_(std::make_shared<const om::Machine>(machine)),
      kernel_(machine_->find_kernel(kernel)),
      table_(std::make_shared<const GeneTable>(gene_table(*kernel_, options))) {}

const std::vector<Gene>& Canonical::genes() const { return table_->genes; }

Genome Canonical::operator()(const Genome& genome) const {
  const Schedule schedule = schedule_of(genes(), genome);
  const auto choices = choices_of(*machine_, *kernel_, table_->values, schedule);
  if (is_plainly_legal(*kernel_, choices)) return genome;
  const Schedule changed{repairs(*machine_, *kernel_, table_->values, choices)};
  Genome canonical = genome;
  for (std::size_t g = 0; g < canonical.size(); ++g)
    if (changed.choices.contains(genes()[g].name))
      canonical[g] = genome_of({genes()[g]}, changed).front();
  return canonical;
}

}  // namespace paraiso::plan
