// RecordingChoice: a file that holds what a tuning measured, a database or an exported recording.
// Gives: read_recorded, read_complete. Needs: session, tune's report.
#pragma once

#include "cli/call/session.hpp"
#include "paraiso/tune/report/report.hpp"

namespace paraiso::cli {

/// From a database, problem number `problem`, or for 0 the one with most individuals; with
/// `predict`, also what its other problems let expect of it. Throws WrongCall for a number that it
/// does not have, and for any of a recording, Error for a file or problem without individuals, and
/// for any other file.
[[nodiscard]] tune::ReportRun read_recorded(const std::string& file, std::int64_t problem,
                                            bool predict = false);

/// The same, as a recording that compares searches. Throws Error if a search chose its individuals.
[[nodiscard]] tune::Recording read_complete(const std::string& file, std::int64_t problem);

}  // namespace paraiso::cli
