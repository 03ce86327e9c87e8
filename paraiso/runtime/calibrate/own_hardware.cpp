#include "paraiso/runtime/calibrate/own_hardware.hpp"

#include <algorithm>

#include "paraiso/base/rounded.hpp"

namespace paraiso::runtime {
namespace {

using hardware::Component;
using hardware::Kind;

/// To three digits: the measurement has no more.
double three_digits(double value) { return rounded(value, 3); }

/// The same of a time, as that many micro- or nanoseconds, which a label says then.
double three_digits_of_time(double seconds) {
  double per_second = 1e9;
  for (const double larger : {1e6, 1e3, 1.0})
    if (seconds * larger >= 1) per_second = larger;
  return three_digits(seconds * per_second) / per_second;
}

/// Without the signs that a label's parts are divided by.
std::string tag(std::string text) {
  std::ranges::replace(text, ':', ' ');
  return text;
}

Component with_messages(Component component, const MessageTime& messages) {
  component.latency = three_digits_of_time(messages.latency);
  component.overhead = three_digits_of_time(messages.overhead);
  return component;
}

}  // namespace

hardware::Hardware own_hardware(const MachineFile& measured, const std::string& file,
                                const Host& host, std::int64_t nodes, const MessageTime& messages) {
  const plan::MachineModel& machine = measured.machine;
  const double operations =
      2 * machine.vector_bytes / sizeof(double) * machine.operations_per_second * machine.threads;
  hardware::Hardware graph;
  graph.name = tag(host.name);
  const std::size_t node = nodes > 1 ? 1 : 0;
  if (nodes > 1) graph.blocks.push_back({"node", nodes, 0});
  Component cpu{"cpu", Kind::processor, tag(machine.processor), three_digits(operations)};
  cpu.threads = machine.threads;
  cpu.machine = file;
  Component bus{"bus", Kind::interconnect, "memory bus", three_digits(machine.memory_all)};
  if (nodes == 1) {
    bus.performance = three_digits(std::min(machine.memory_all, messages.bandwidth));
    bus = with_messages(bus, messages);
  }
  const Component memory{"memory", Kind::storage, "main memory", three_digits(host.memory_bytes)};
  graph.components = {cpu, bus, memory};
  for (Component& component : graph.components) component.block = node;
  graph.links = {{0, 1}, {1, 2}};
  if (nodes == 1) return graph;
  graph.components.push_back(
      with_messages({"net", Kind::interconnect, "network",
                     three_digits(messages.bandwidth * static_cast<double>(nodes))},
                    messages));
  graph.links.push_back({1, 3});
  return graph;
}

}  // namespace paraiso::runtime
