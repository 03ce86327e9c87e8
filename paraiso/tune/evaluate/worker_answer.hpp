// worker_answer: the JSON file in which a worker answers, and the meaning of a missing one.
// Gives: kCannotAnswer, worker_answer, why_it_ended. Needs: run_program, files.
//
// Whatever its order, a worker may answer one of these:
//
//     {"reason": "..."}           the individual fails
//     {"cannot_write": "..."}     no measurement: a full disk is not the individual's fault
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "paraiso/runtime/process/process.hpp"

namespace paraiso::tune {

/// The status of a worker that can't write its answer.
inline constexpr int kCannotAnswer = 74;

/// What a worker wrote to `file`: a discarded value if that is no JSON; nothing if the worker did
/// not finish, whatever the file holds. Throws CannotWrite if it could not write.
[[nodiscard]] std::optional<nlohmann::ordered_json> worker_answer(
    const runtime::ProgramResult& result, const std::filesystem::path& file);

/// Why a worker gave no answer; `check_seconds` was the alarm that it set itself.
[[nodiscard]] std::string why_it_ended(const runtime::ProgramResult& result, double seconds,
                                       double check_seconds);

}  // namespace paraiso::tune
