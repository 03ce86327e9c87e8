// canonical: genomes of repaired schedules. Gives: Canonical. Needs: genes, genome; inside repair.
#pragma once

#include <memory>

#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::plan {

/// From a genome of one kernel to that of its repaired schedule: equal results mean the same
/// program. Construct once, ask often.
class Canonical {
 public:
  /// The machine must have a kernel of that name.
  Canonical(const om::Machine& machine, std::string_view kernel, OptionTable options);

  /// The gene table of the genomes.
  [[nodiscard]] const std::vector<Gene>& genes() const;
  [[nodiscard]] Genome operator()(const Genome& genome) const;

 private:
  std::shared_ptr<const om::Machine> machine_;
  const om::Kernel* kernel_;
  std::shared_ptr<const GeneTable> table_;
};

}  // namespace paraiso::plan
