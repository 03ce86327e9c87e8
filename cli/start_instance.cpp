#include "cli/start_instance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/runtime/balance/balanced_instance.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/runtime/transport/world.hpp"

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
          {"version", prepared.version}};
}

void say_move(const runtime::BalanceMove& move) {
  say_aside(
      fmt::format("balanced after {} steps: the slowest rank took {:.0f} % longer than all on "
                  "average; moving took {:.3g} s\n",
                  move.run, 100 * move.imbalance, move.seconds));
}

}  // namespace

void check_balance(const Session& session, const Execution& execution) {
  if (execution.division.balance && !is_divided(execution.division) && session.world == nullptr)
    throw WrongCall("`--balance` needs `--ranks N`, `--divide`, or several processes of MPI");
  if (execution.division.balance && runtime::find_backend(execution.building.backend) == nullptr)
    throw WrongCall(fmt::format("`--balance` needs generated code, which `{}` is not",
                                execution.building.backend));
}

std::unique_ptr<runtime::Instance> start_instance(const Prepared& prepared, bool balance,
                                                  const runtime::Library& library,
                                                  runtime::World* world) {
  if (!prepared.tree) return library.instance(prepared.size);
  auto ranks =
      world == nullptr
          ? runtime::divided_instance(library, prepared.size, *prepared.tree, prepared.threads)
          : runtime::divided_instance(library, prepared.size, *prepared.tree, prepared.threads,
                                      world->transport(),
                                      [&] { world->agree(identity_of(prepared)); });
  if (ranks == nullptr || !balance) return ranks;
  return std::make_unique<runtime::BalancedInstance>(std::move(ranks), runtime::BalanceRules{},
                                                     say_move);
}

}  // namespace paraiso::cli
