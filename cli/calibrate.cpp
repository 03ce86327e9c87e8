// `paraiso calibrate`: this machine measures itself again.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/execution.hpp"
#include "cli/planned_machine.hpp"
#include "cli/subcommands.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::cli {
namespace {

struct CalibrateCall {
  Building building;
  std::string output;
};

int measure(const CalibrateCall& call) {
  const plan::Target target = runnable_target(call.building);
  const auto toolchain = usable_toolchain(call.building);
  const std::string text = runtime::machine_text(own_machine(toolchain, target, true).file);
  if (!call.output.empty()) runtime::write_file(call.output, text);
  fmt::print("{}", text);
  return kSuccess;
}

}  // namespace

void declare_calibrate(CLI::App& command, Session& session) {
  const auto call = std::make_shared<CalibrateCall>();
  command.add_option("--compiler", call->building.compiler, "g++ or clang++")->type_name("C");
  declare_target(command, call->building);
  command.add_option("--output", call->output, "write the values there, too")->type_name("FILE");
  command.footer(
      "Measures the machine that plans are made for, and keeps the values in the\n"
      "compile cache. The first command that plans does so by itself. To plan for\n"
      "another machine, give its file by --machine FILE or in $PARAISO_MACHINE.");
  command.callback([&session, call] { session.chosen = [call] { return measure(*call); }; });
}

}  // namespace paraiso::cli
