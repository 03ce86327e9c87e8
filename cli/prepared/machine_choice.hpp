// MachineChoice: MACHINE, --dim, --precision, --problem, --choose: which program the user means.
// Gives: MachineChoice, ChosenMachine, declare_machine, choose_machine, choices_json. Needs:
// Session, App, om.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "cli/call/session.hpp"

namespace paraiso::cli {

struct MachineChoice {
  std::string machine;                        // an app's name or a `.om` file
  std::string dimension, precision, problem;  // as typed; empty: the app's default
  std::vector<std::string> choose;            // "option=value"
};

struct ChosenMachine {
  om::Machine machine;  // as written, before any pass
  std::string name;
  std::string problem;  // the initial kernel; empty if there is none
  Choices choices;      // of all options that the problem has; none for a file
  om::Element precision = om::Element::f64;
  double until = 0;  // where a run stops by default; 0: after `steps`
  std::int64_t steps = 100;
  std::vector<std::int64_t> size;  // the default
};

void declare_machine(CLI::App& command, MachineChoice& choice);

/// Without `--dim`, an app that has the choice has as many dimensions as `size`, as typed, has
/// axes. Throws WrongCall for a name or choice that does not exist, Error for an invalid `.om`
/// file.
[[nodiscard]] ChosenMachine choose_machine(const Session& session, const MachineChoice& choice,
                                           const std::string& size = {});

/// An object {option: value}.
[[nodiscard]] nlohmann::ordered_json choices_json(const Choices& choices);

}  // namespace paraiso::cli
