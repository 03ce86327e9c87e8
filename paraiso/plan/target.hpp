// Target: a kind of processor that code is made for, as one plain value.
// Gives: Target, targets, kNative, native_flag. Needs: nothing.
//
// One table has all that differs from level to level: compiler flags, required features, vectors,
// and which compiler is the faster one. `native` is the host's own level, which only the runtime
// knows (runtime::find_target).
#pragma once

#include <string>
#include <vector>

namespace paraiso::plan {

struct Target {
  std::string name;          // as `--target` takes it: "x86-64-v3"; "native"
  std::string level;         // the row of the table: for `native` the highest that the host has
  std::string architecture;  // as `uname -m` says it
  std::string march;         // the compiler flag: "-march=x86-64-v3"
  int vector_bytes = 16;     // of a machine vector
  int vector_registers = 16;
  bool has_fma = false;                    // multiply-add with one rounding, in one instruction
  std::string compiler;                    // the faster one, used unless another is given
  std::vector<std::string> features = {};  // what it adds to the level before, as Linux names it

  /// "x86-64-v3"; "native (x86-64-v4)"
  [[nodiscard]] std::string text() const;
  /// Further flags that choose among instructions and change no value. Not every compiler has them.
  [[nodiscard]] std::vector<std::string> more_flags() const;
};

inline constexpr const char* kNative = "native";

/// The compiler flag for all that the processor at hand has, of that architecture.
[[nodiscard]] std::string native_flag(const std::string& architecture);

/// The levels, those of one architecture one after the other, each with all of the one before.
[[nodiscard]] const std::vector<Target>& targets();

}  // namespace paraiso::plan
