// Record: who made an artefact and from what; stored in every file that a run writes.
// Gives: Record, kVersion. Needs: nothing.
#pragma once

#include <string>

namespace paraiso::runtime {

inline constexpr const char* kVersion = "0.1.0";

struct Record {
  std::string command;  // the command line as the user typed it, or what the program says of itself
  std::string numbers;  // "strict", "fma", "fast"
  std::string backend;  // "openmp", "interpreter"
  std::string compiler;       // first line of its --version; empty for the interpreter
  std::string schedule_hash;  // empty for the interpreter
};

}  // namespace paraiso::runtime
