// Record: who made an artefact and from what; stored in every file that a run writes.
// Gives: Record, program_hash, kVersion. Needs: Machine, choices.
#pragma once

#include <string>

#include "paraiso/om/machine.hpp"
#include "paraiso/runtime/choices.hpp"

namespace paraiso::runtime {

inline constexpr const char* kVersion = "0.1.0";

struct Record {
  std::string command;  // the command line as the user typed it, or what the program says of itself
  std::string numbers;  // "strict", "fma", "fast"
  std::string backend;  // "openmp", "interpreter"
  std::string compiler;       // first line of its --version; empty for the interpreter
  std::string schedule_hash;  // empty for the interpreter
  // Of the program whose steps were fused; empty: the machine's own.
  std::string program_hash = {};
  Choices choices = {};  // that made the program; none where no app did
};

/// Which program an artefact is of. Fusing steps makes no other program of it, so that a run may go
/// on with steps fused or not.
[[nodiscard]] std::string program_hash(const om::Machine& machine, const Record& record);

}  // namespace paraiso::runtime
