// TunedProgram: what stays the same while a program is tuned, and its schedules as genomes.
// Gives: TunedProgram, timed_kernel, starts_of. Needs: backend, database,
// space.
#pragma once

#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/tune/database/database.hpp"
#include "paraiso/tune/space.hpp"

namespace paraiso::tune {

/// The kernel that takes the steps: the fused one, if there is one. Only its genes are tuned,
/// because no other kernel is timed.
[[nodiscard]] const om::Kernel& timed_kernel(const om::Machine& program,
                                             const passes::Fusion& fusion);

struct TunedProgram {
  const runtime::Backend* backend = &runtime::default_backend();
  om::Machine program;  // after all passes
  passes::Fusion fusion;
  std::vector<plan::Gene> genes;  // of all its kernels, and of ranks if its grid is divided
  TuningProblem problem;          // its genes are those of the timed kernel, and so are all genomes
  std::vector<std::int64_t> size;  // of the whole grid
  std::vector<std::int64_t> part;  // on ranks: the largest part; else empty
  plan::MachineModel machine;      // that plans and forecasts are for
  std::function<plan::Genome(const plan::Genome&)> canonical;  // of that kernel, by the back end
  plan::Schedule untuned;  // the default one of the whole program
  plan::Genome default_genome;
  plan::Genome first;  // where the search begins

  [[nodiscard]] bool on_ranks() const { return !part.empty(); }
  [[nodiscard]] const om::Kernel& kernel() const { return timed_kernel(program, fusion); }
  /// A schedule of the whole program: other kernels keep the default schedule.
  [[nodiscard]] plan::Schedule schedule(const plan::Genome& genome) const;
  /// The inverse: the canonical genome of the timed kernel.
  [[nodiscard]] plan::Genome genome(const plan::Schedule& schedule) const;
  /// The genome of these letters over the problem's genes.
  [[nodiscard]] plan::Genome genome_from(const std::string& letters) const;
  /// "genome:HASH:LETTERS" over the genes of the whole program, as `--schedule` takes it.
  [[nodiscard]] std::string schedule_text(const plan::Genome& genome) const;
};

/// The schedule `named`, if there is one, the default one, then `predicted` ones; each once.
[[nodiscard]] std::vector<plan::Genome> tried_first(const TunedProgram& tuned,
                                                    const std::optional<plan::Schedule>& named,
                                                    const std::vector<plan::Genome>& predicted);

/// Where a search begins: with those, one from the program's annotations if it has any, then
/// `similar` ones; each once.
[[nodiscard]] std::vector<plan::Genome> starts_of(const TunedProgram& tuned,
                                                  const std::optional<plan::Schedule>& named,
                                                  const std::vector<plan::Genome>& predicted,
                                                  const std::vector<plan::Schedule>& similar);

}  // namespace paraiso::tune
