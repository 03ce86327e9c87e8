#include "cli/execution/start_instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "cli/choices/hardware_choice.hpp"
#include "cli/prepared/divided_grid.hpp"
#include "paraiso/codegen/solver_bytes.hpp"
#include "paraiso/hardware/rank_places.hpp"
#include "paraiso/hardware/simulate/shell_work.hpp"
#include "paraiso/om/divide/wide_halo.hpp"
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
