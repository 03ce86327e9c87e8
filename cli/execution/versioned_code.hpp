// The code of a program whose kernel has versions, as `run`, `bench`, `verify` and `emit` make it.
// Gives: take_versions, choose_versioned_code, with_chosen_version, comparisons_of,
// refuse_schedules. Needs: prepared, version_choice.
#pragma once

#include "cli/prepared/prepared.hpp"

namespace paraiso::cli {

/// A program's versions, planned. It has them as kernels from then on.
void take_versions(Prepared& prepared, const Building& building, Versioned versioned);

/// Those that `--versions` names.
void choose_versioned_code(Prepared& prepared, const Building& building);

/// Notes which version will run, if the library has any. All parts of a divided grid run the one
/// that the largest of them chooses, since kernels of parts wait for each other: the library's
/// thresholds then force it.
[[nodiscard]] runtime::Library with_chosen_version(Prepared& prepared,
                                                   const runtime::Library& library);

/// `Compared NAME <= VALUE.`, a line for each threshold. On ranks, of versions what the largest
/// part compares, for all of them; of loops, which each part has its own of, what the first does.
[[nodiscard]] std::string comparisons_of(const Prepared& prepared);

/// Throws WrongCall where the interpreter, which has no schedule and one thread, is asked for a
/// schedule, for versions or for more threads.
void refuse_schedules(const Building& building, int threads);

}  // namespace paraiso::cli
