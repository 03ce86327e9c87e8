// `paraiso calibrate`: this machine measures itself again.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <set>

#include "cli/call/subcommands.hpp"
#include "cli/call/writable.hpp"
#include "cli/choices/planned_machine.hpp"
#include "cli/prepared/building.hpp"
#include "paraiso/runtime/calibrate/own_hardware.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/transport/world.hpp"

namespace paraiso::cli {
namespace {

struct CalibrateCall {
  Building building;
  std::string output, hardware;
};

/// The process that measures messages with the first one: on another host, if there is any.
int partner(const runtime::Transport& transport) {
  return runtime::far_rank(transport).value_or(1);
}

/// Hosts of all processes, and what a message between two of them takes; or of two ranks of this
/// process.
struct Net {
  std::int64_t nodes = 1;
  runtime::MessageTime messages;
};
Net measured_net(runtime::World* world) {
  if (world == nullptr || world->ranks() == 1) return {1, runtime::ping_pong_here()};
  runtime::Transport& transport = world->transport();
  std::set<std::string> hosts;
  for (int rank = 0; rank < world->ranks(); ++rank) hosts.insert(transport.host(rank));
  if (hosts.size() == 1)
    say_aside(fmt::format("note: all {} processes are on `{}`: messages are measured within it\n",
                          world->ranks(), *hosts.begin()));
  return {static_cast<std::int64_t>(hosts.size()),
          runtime::ping_pong(transport, partner(transport))};
}

/// The graph, and the measurements of its processor beside it.
void write_hardware(const CalibrateCall& call, const runtime::MachineFile& measured,
                    const Net& net) {
  const std::filesystem::path file = call.hardware;
  std::filesystem::path values = file;
  values.replace_extension(".json");
  runtime::write_file(values, runtime::machine_text(measured));
  runtime::write_file(
      file, hardware::print(runtime::own_hardware(measured, values.filename().string(),
                                                  runtime::host(), net.nodes, net.messages)));
  say_aside(fmt::format("hardware: `{}`, its processor: `{}`\n", file.string(), values.string()));
}

int measure(const Session& session, const CalibrateCall& call) {
  if (!call.hardware.empty() && !call.hardware.ends_with(".dot"))
    throw WrongCall(fmt::format("`--hardware {}` is no name of a .dot file", call.hardware));
  if (session.world != nullptr && session.world->rank() > 0) {
    runtime::Transport& transport = session.world->transport();
    if (!call.hardware.empty() && transport.rank() == partner(transport))
      runtime::echo(transport, 0);
    return kSuccess;
  }
  const Net net = call.hardware.empty() ? Net() : measured_net(session.world);
  const plan::Target target = runnable_target(call.building);
  const auto toolchain = usable_toolchain(call.building);
  require_writable(call.output);
  const runtime::MachineFile measured = own_machine(toolchain, target, true).file;
  const std::string text = runtime::machine_text(measured);
  if (!call.output.empty()) runtime::write_file(call.output, text);
  if (!call.hardware.empty()) write_hardware(call, measured, net);
  fmt::print("{}", text);
  return kSuccess;
}

}  // namespace

void declare_calibrate(CLI::App& command, Session& session) {
  const auto call = std::make_shared<CalibrateCall>();
  command.add_option("--compiler", call->building.compiler, "g++ or clang++")->type_name("C");
  declare_target(command, call->building);
  command.add_option("--output", call->output, "write the values there, too")->type_name("FILE");
  command
      .add_option(
          "--hardware", call->hardware,
          "write a hardware graph for `simulate`,\nwith what messages take between two ranks")
      ->type_name("FILE.dot");
  command.footer(
      "Measures the machine that plans are made for, and keeps the values in the\n"
      "compile cache. The first command that plans does so by itself. To plan for\n"
      "another machine, give its file by --machine FILE or in $PARAISO_MACHINE.");
  command.callback(
      [&session, call] { session.chosen = [&session, call] { return measure(session, *call); }; });
}

}  // namespace paraiso::cli
