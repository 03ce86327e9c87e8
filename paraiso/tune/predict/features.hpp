// Features: what a running instance (a program, its grid, a machine, a compiler) is like, as named
// numbers and words: what FAST (2015) predicts from. Gives: Features, RunningInstance, features_of,
// features_json, features_from. Needs: backend.
//
// Names are `group.feature`; the groups:
//
//   architecture   what was measured of the machine (plan::MachineModel)
//   algorithm      what a cell costs and reads, by the program alone
//   input          the grid, alone and against the caches
//   plan           what the cost model says of three plans at this size, in nanoseconds a cell
//   instance       words that are equal or not: back end, compiler, target
//
// The same program has the same features whether it was built in C++ or read from `.om` text,
// whatever its names and the order of its statements.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::tune {

struct Features {
  /// Of the list of features and of what each means. Those of another version can't be compared.
  static constexpr int kVersion = 1;

  std::vector<std::pair<std::string, double>> numbers;  // in the order of the groups above
  std::vector<std::pair<std::string, std::string>> words;

  [[nodiscard]] std::optional<double> number(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> word(std::string_view name) const;
  friend bool operator==(const Features&, const Features&) = default;
};

/// What features are of. What it refers to outlives it.
struct RunningInstance {
  const runtime::Backend& backend;
  const om::Machine& program;  // after all passes
  const om::Kernel& kernel;    // that takes the steps
  std::vector<std::int64_t> size;
  plan::MachineModel machine;
  std::string compiler, target;
  std::int64_t steps = 0;  // of a run; 0: until a time
};

[[nodiscard]] Features features_of(const RunningInstance& instance);

/// {"version": 1, "numbers": {...}, "words": {...}}; numbers have six digits.
[[nodiscard]] nlohmann::ordered_json features_json(const Features& features);
/// None for another version. Throws Json::exception if it is no such object.
[[nodiscard]] std::optional<Features> features_from(const nlohmann::ordered_json& json);

}  // namespace paraiso::tune
