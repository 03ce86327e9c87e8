#include "cli/prepared/prepared_json.hpp"

#include <nlohmann/json.hpp>

namespace paraiso::cli {

nlohmann::ordered_json prepared_json(const Prepared& prepared) {
  return {{"app", prepared.chosen.name},
          {"problem", prepared.chosen.problem},
          {"choices", choices_json(prepared.chosen.choices)},
          {"dim", prepared.program.dimension},
          {"size", prepared.instance->size()},
          {"precision", om::name(prepared.chosen.precision)},
          {"backend", prepared.record.backend},
          {"device", prepared.device},
          {"numbers", prepared.record.numbers},
          {"compiler", prepared.compiler},
          {"target", prepared.target.name},
          {"level", prepared.target.level},
          {"ranks", ranks_of(prepared)},
          {"threads", prepared.threads},
          {"schedule", prepared.schedule.kind},
          {"schedule_source", prepared.schedule.source},
          {"schedule_hash", prepared.record.schedule_hash},
          {"version", prepared.version},
          {"fuse", prepared.fusion.steps},
          {"bytes", prepared.bytes},
          {"compile_seconds", prepared.compile_seconds}};
}

}  // namespace paraiso::cli
