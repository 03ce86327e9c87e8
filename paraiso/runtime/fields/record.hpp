// Record: how an artefact was made, and from what; stored in every file that a run writes.
// Gives: Record, program_hash, kVersion. Needs: Machine, choices.
#pragma once

#include <string>

#include "paraiso/om/graph/machine.hpp"
#include "paraiso/runtime/choices.hpp"

namespace paraiso::runtime {

inline constexpr const char* kVersion = "0.1.0";

struct Record {
  std::string command;        // as the user typed it, or the program's own description
  std::string numbers;        // "strict", "fma", "fast"
  std::string backend;        // "openmp", "interpreter"
  std::string compiler;       // first line of its --version; empty for the interpreter
  std::string schedule_hash;  // empty for the interpreter
  // The program whose steps were fused; empty: the machine's own.
  std::string program_hash = {};
  Choices choices = {};      // the ones that made the program; none without an app
  std::string problem = {};  // that it was made for; may be empty
};

/// The identity of an artefact's program. Fused steps do not change it, so that a run may be
/// continued with steps fused or not.
[[nodiscard]] std::string program_hash(const om::Machine& machine, const Record& record);

}  // namespace paraiso::runtime
