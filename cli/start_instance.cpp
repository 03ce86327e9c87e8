#include "cli/start_instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "cli/hardware_choice.hpp"
#include "paraiso/codegen/solver_bytes.hpp"
#include "paraiso/hardware/rank_places.hpp"
#include "paraiso/hardware/simulate/shell_work.hpp"
#include "paraiso/om/wide_halo.hpp"
#include "paraiso/plan/make/part_margin.hpp"
#include "paraiso/runtime/balance/balanced_instance.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/process/resident.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/runtime/transport/function_bits.hpp"
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

/// What processes that compute one grid must have alike.
runtime::Identity identity_of(const Prepared& prepared) {
  std::string tree = om::print(*prepared.tree);
  std::ranges::replace(tree, '\n', ' ');
  return {{"version of Paraiso", runtime::kVersion},
          {"mode of numbers", prepared.record.numbers},
          {"program", prepared.chosen.name + " " + prepared.record.program_hash},
          {"grid", runtime::size_text(prepared.size)},
          {"division", tree},
          {"number of fused steps", std::to_string(prepared.fusion.steps)},
          {"schedule", prepared.record.schedule_hash},
          {"result of elementary functions",
           runtime::function_bits(prepared.record.numbers == passes::name(passes::Numbers::fast))},
          {"version", prepared.version},
          {"", runtime::fingerprint(runtime::host())}};
}

void say_unlike(const runtime::World& world) {
  if (world.rank() > 0 || world.unlike_hosts().empty()) return;
  say_aside(fmt::format("note: {} compiled the schedule of {} for another processor\n",
                        fmt::join(world.unlike_hosts(), ", "), runtime::host().name));
}

void say_move(const runtime::BalanceMove& move) {
  say_aside(
      fmt::format("balanced after {} steps: the slowest rank took {:.0f} % longer than all on "
                  "average; moving took {:.3g} s\n",
                  move.run, 100 * move.imbalance, move.seconds));
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

// Of the program and of MPI, what is not in memory before messages are sent and files written:
// 4 to 7 MB with Open MPI 4.1.
constexpr double kLoadedLater = 5e6;

/// Of each rank: the cells that its storage has room for, by what its part takes now; at most those
/// that this host has, if it has all ranks. Other hosts are asked before cuts move.
std::vector<double> most_cells(const Prepared& prepared, bool all_here) {
  const double here =
      all_here ? runtime::available_memory().bytes : std::numeric_limits<double>::infinity();
  std::vector<double> cells;
  for (const om::Box& box : prepared.tree->leaves(prepared.size)) {
    const double room =
        prepared.rank_memory.empty() ? here : std::min(here, prepared.rank_memory[cells.size()]);
    const auto count = static_cast<double>(box.cell_count());
    cells.push_back(room * count /
                    codegen::part_bytes(*prepared.plan, om::minus(box.upper, box.lower)));
  }
  return cells;
}

/// The most that a rank packs at once of what is written; rank 0 receives it and joins it.
double slab_bytes(const Prepared& prepared) {
  double most = 0;
  for (const om::Static& s : prepared.program.statics) {
    if (!s.type.is_local()) continue;
    const std::size_t cell = om::size_of(s.type.element);
    const auto cells = runtime::slabs_of(prepared.size, cell).front().cell_count();
    most = std::max(most, static_cast<double>(cells * cell));
  }
  return most;
}

/// What each kernel reads of other parts.
std::vector<std::vector<om::Want>> wants_of(const plan::Plan& plan) {
  std::vector<std::vector<om::Want>> wants;
  for (const plan::KernelPlan& kernel : plan.kernels) wants.push_back(plan::part_wants(kernel));
  return wants;
}

/// Steps for which one exchange is to be enough, where ranks can't take them in one kernel.
int steps_at_once(const Prepared& prepared) {
  return prepared.tree ? runtime::steps_for_one_exchange(prepared.program, prepared.fusion) : 1;
}

/// Of each rank, the most that it has of messages at once: all that it sends before a kernel, and
/// the longest that it receives, or all of them where it computes until they have come.
std::vector<double> message_bytes(const Prepared& prepared) {
  const plan::Plan& plan = *prepared.plan;
  runtime::MessagePlan messages(plan.machine, *prepared.tree, prepared.size, wants_of(plan),
                                steps_at_once(prepared));
  std::vector<double> most(messages.boxes().size());
  for (std::size_t kernel = 0; kernel < plan.kernels.size(); ++kernel) {
    const bool keeps_all = std::ranges::any_of(plan.kernels[kernel].groups, [](const auto& group) {
      return group.cpu.overlapped.has_value();
    });
    runtime::Sent nothing = messages.nothing_sent();
    const auto& ranks = messages.before(kernel, nothing).ranks;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      std::size_t sent = 0, received = 0;
      for (const runtime::Message& one : ranks[rank].sends) sent += one.bytes;
      for (const runtime::Message& one : ranks[rank].receives)
        received = keeps_all ? received + one.bytes : std::max(received, one.bytes);
      most[rank] = std::max(most[rank], static_cast<double>(sent + received));
    }
  }
  return most;
}

}  // namespace

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

std::vector<double> process_bytes(const Prepared& prepared, const MoreBytes& more_bytes) {
  const double own = runtime::resident_bytes() + kLoadedLater;
  const double slab = slab_bytes(prepared);
  std::vector<double> list = message_bytes(prepared);
  const std::vector<om::Box> boxes = computed_boxes(prepared);
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    const om::Cell cells = om::minus(boxes[rank].upper, boxes[rank].lower);
    list[rank] += own + codegen::part_bytes(*prepared.plan, cells) +
                  more_bytes(prepared.program, cells) + slab;
  }
  list.front() += 2 * slab;
  return list;
}

std::unique_ptr<runtime::Instance> start_instance(const Prepared& prepared, bool balance,
                                                  const runtime::Library& library,
                                                  runtime::World* world) {
  if (!prepared.tree) return library.instance(prepared.size);
  const int steps = steps_at_once(prepared);
  runtime::BalanceRules rules;
  if (balance) rules.most_cells = most_cells(prepared, world == nullptr);
  auto ranks =
      world == nullptr
          ? runtime::divided_instance(library, prepared.size, *prepared.tree, prepared.threads,
                                      runtime::Library::Sharing::worthwhile, {}, steps)
          : runtime::divided_instance(
                library, prepared.size, *prepared.tree, prepared.threads, world->transport(),
                [&] {
                  world->agree(identity_of(prepared));
                  say_unlike(*world);
                },
                steps);
  if (ranks == nullptr || !balance) return ranks;
  return std::make_unique<runtime::BalancedInstance>(std::move(ranks), std::move(rules), say_move);
}

}  // namespace paraiso::cli
