// worker_answer: the file in which a worker answers, JSON, and what it means that there is none.
// Gives: kCannotAnswer, worker_answer, why_it_ended. Needs: run_program, files.
//
// Whatever a worker is asked for, it may answer one of these:
//
//     {"reason": "..."}           the individual fails
//     {"cannot_write": "..."}     no measurement: a full disk says nothing of an individual
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "paraiso/runtime/process/process.hpp"

namespace paraiso::tune {

/// The status of a worker that can't write its answer.
inline constexpr int kCannotAnswer = 74;

/// What a worker wrote to `file`: a discarded value where that is no JSON; nothing where it did not
/// come to its end, whatever lies there. Throws CannotWrite where it could not write.
[[nodiscard]] std::optional<nlohmann::ordered_json> worker_answer(
    const runtime::ProgramResult& result, const std::filesystem::path& file);

/// A worker that gave no answer; `check_seconds` was the alarm that it set itself.
[[nodiscard]] std::string why_it_ended(const runtime::ProgramResult& result, double seconds,
                                       double check_seconds);

}  // namespace paraiso::tune
