#include "cli/execution/shared_choice.hpp"

#include <nlohmann/json.hpp>

#include "cli/choices/schedule_choice.hpp"
#include "paraiso/runtime/transport/world.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void share_choice(const Session& session, const Prepared& prepared) {
  if (session.world == nullptr || session.world->rank() > 0) return;
  session.world->share(
      Json{{"fuse", prepared.fusion.steps}, {"schedule", prepared.schedule.schedule.choices}}
          .dump());
}

Execution with_shared_choice(const Session& session, const Execution& execution) {
  Execution with = execution;
  Building& building = with.building;
  if (session.world == nullptr || session.world->rank() == 0 || building.backend == kInterpreter ||
      !building.versions.file.empty())
    return with;
  const Json choice = Json::parse(session.world->shared());
  if (!building.fuse) building.fuse = choice["fuse"].get<int>();
  if (!names_schedule(building.schedule))
    building.given.emplace().choices = choice["schedule"].get<decltype(plan::Schedule::choices)>();
  return with;
}

}  // namespace paraiso::cli
