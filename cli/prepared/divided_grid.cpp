#include "cli/prepared/divided_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/choices/hardware_choice.hpp"
#include "paraiso/hardware/rank_places.hpp"
#include "paraiso/hardware/simulate/shell_work.hpp"
#include "paraiso/om/divide/wide_halo.hpp"
#include "paraiso/plan/make/part_margin.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/transport/world.hpp"
#include "paraiso/support/memory.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::cli {
namespace {

constexpr std::size_t kMostRanksHere = 1024;  // of a process

/// Each of so many ranks has that many processors of this host.
int processors_of_a_rank(const Session& session, std::size_t ranks) {
  if (session.world != nullptr) return session.world->threads_of_a_rank();
  return std::max(1, runtime::host().threads / static_cast<int>(ranks));
}

/// Throws WrongCall if cuts are to move where they can't.
void check_balance(const Session& session, const Execution& execution) {
  if (execution.division.balance && !is_divided(execution.division) && session.world == nullptr)
    throw WrongCall("`--balance` needs `--ranks N`, `--divide`, or several processes of MPI");
  if (execution.division.balance && runtime::find_backend(execution.building.backend) == nullptr)
    throw WrongCall(fmt::format("`--balance` needs generated code, which `{}` is not",
                                execution.building.backend));
}

/// Throws WrongCall for a back end of which there is one a process, or one that has whole grids.
void check_backend_of_ranks(std::size_t ranks, int processes, const Building& building) {
  const bool interprets = building.backend == kInterpreter;
  if (processes > 0 && interprets)
    throw WrongCall(
        fmt::format("`--backend {}` works in one process: `--ranks {}` without a launcher",
                    kInterpreter, ranks));
  if (!interprets)
    check_divides(backend_of(building),
                  processes > 0 ? "several processes need" : "a divided grid needs");
}

}  // namespace

std::vector<std::vector<om::Want>> wants_of(const plan::Plan& plan) {
  std::vector<std::vector<om::Want>> wants;
  for (const plan::KernelPlan& kernel : plan.kernels) wants.push_back(plan::part_wants(kernel));
  return wants;
}

int steps_at_once(const Prepared& prepared) {
  return prepared.tree ? runtime::steps_for_one_exchange(prepared.program, prepared.fusion) : 1;
}

bool takes_single_steps(const Prepared& prepared) { return steps_at_once(prepared) > 1; }

std::string why_exchanged_singly(const Prepared& prepared) {
  std::vector<std::vector<om::Want>> wants;
  for (const om::Kernel& kernel : prepared.program.kernels)
    wants.push_back(om::exact_wants(om::reads_of(kernel.graph)[0]));
  std::string why;
  (void)om::WideHalo::of(prepared.program, om::with_warps(prepared.program, *prepared.tree),
                         prepared.size, wants, steps_at_once(prepared), &why);
  return why;
}

std::optional<om::Orthotree> division_of(const om::Cell& size, const Session& session,
                                         const Execution& execution) {
  if (!is_divided(execution.division) && session.world == nullptr) return std::nullopt;
  const int processes = session.world == nullptr ? 0 : session.world->ranks();
  return choose_division(execution.division, size, processes, execution.building.planned_for);
}

void divide_grid(Prepared& prepared, const Session& session, const Execution& execution) {
  check_balance(session, execution);
  prepared.tree = division_of(prepared.size, session, execution);
  if (!prepared.tree) return;
  const int processes = session.world == nullptr ? 0 : session.world->ranks();
  const std::size_t ranks = prepared.tree->leaf_count();
  prepared.sharing = paraiso_support::sharing_a_cache(
      static_cast<int>(processes > 0 ? session.world->ranks_here().size() : ranks));
  if (processes == 0 && ranks > kMostRanksHere)
    throw WrongCall(fmt::format("a process has at most {} ranks, not {}", kMostRanksHere, ranks));
  check_backend_of_ranks(ranks, processes, execution.building);
  if (execution.division.balance && is_hardware(execution.building.planned_for))
    prepared.rank_memory =
        hardware::rank_memories(choose_hardware(execution.building.planned_for).hardware, ranks);
  if (execution.building.backend == kInterpreter || execution.threads > 0) return;
  prepared.threads = processors_of_a_rank(session, ranks);
}

void say_crowded(const Prepared& prepared, const Session& session) {
  if (!prepared.tree || prepared.threads == 1) return;
  const int processors = processors_of_a_rank(session, prepared.tree->leaf_count());
  if (prepared.threads > processors)
    say_aside(fmt::format("note: each rank has {} threads, but {} processor{} here\n",
                          prepared.threads, processors, processors == 1 ? "" : "s"));
}

std::vector<om::Box> computed_boxes(const Prepared& prepared) {
  const auto wide =
      om::WideHalo::of(prepared.program, om::with_warps(prepared.program, *prepared.tree),
                       prepared.size, wants_of(*prepared.plan), steps_at_once(prepared));
  return wide ? wide->computed() : prepared.tree->leaves(prepared.size);
}

double shell_work(const om::Machine& program, const passes::Fusion& fusion,
                  const om::Orthotree& tree, const om::Cell& size) {
  if (program.step_kernel() == nullptr) return 0;
  return hardware::shell_work(program, tune::timed_kernel(program, fusion),
                              runtime::steps_for_one_exchange(program, fusion), tree, size);
}

double shell_work(const Prepared& prepared) {
  if (!prepared.tree) return 0;
  return shell_work(prepared.program, prepared.fusion, *prepared.tree, prepared.size);
}

}  // namespace paraiso::cli
