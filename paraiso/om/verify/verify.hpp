// The verifier: the rules that every machine obeys, checked after every pass in every build.
// Gives: verify, VerifierRule, verifier_rules, kLargestDimension. Needs: Machine.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

inline constexpr int kLargestDimension = 16;
inline constexpr int kLargestStep = 1023;  // of `load s @k` and `store s @k`

/// Throws Error (the user's line, names, what was seen, the rule) for the first rule broken.
void verify(const Machine& machine);

struct VerifierRule {
  const char* name;
  const char* statement;          // what holds for every machine
  void (*check)(const Machine&);  // throws Error where it does not
};

/// All rules, in the order of their checks: a rule may rely on the ones before it.
[[nodiscard]] std::span<const VerifierRule> verifier_rules();

}  // namespace paraiso::om
