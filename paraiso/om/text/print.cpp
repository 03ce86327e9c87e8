#include "paraiso/om/text/print.hpp"

#include <fmt/format.h>

#include "paraiso/base/text.hpp"
#include "paraiso/om/graph/print_instruction.hpp"

namespace paraiso::om {
namespace {

std::string boundary_text(const Machine& machine, const Boundary& boundary) {
  return std::visit(
      Overload{
          [](const Cyclic&) { return std::string("cyclic"); },
          [](const Outflow&) { return std::string("outflow"); },
          [](const Reflect& b) { return std::string(b.sign < 0 ? "reflect -" : "reflect +"); },
          [](const Fixed& b) { return "fixed " + b.value.text(); },
          [&](const UserBoundary& b) {
            return "kernel " + machine.boundary_kernels[b.kernel.index].name;
          },
      },
      boundary);
}

std::string role_text(const Static& s) {
  if (s.role == StaticRole::plain) return {};
  bool has_axis = s.role == StaticRole::domain_lower || s.role == StaticRole::domain_upper;
  return fmt::format(" {}{}", name(s.role), has_axis ? fmt::format(" {}", s.axis) : "");
}

std::string static_text(const Machine& machine, const Static& s) {
  std::string text = fmt::format("static {} {}{}", s.name, name(s.type), role_text(s));
  if (s.type.realm == Realm::global) text += " = " + s.initial.text();
  if (s.minimum) text += " from " + s.minimum->text();
  if (s.maximum) text += " to " + s.maximum->text();
  text += "\n";
  for (std::size_t axis = 0; axis < s.boundary.size(); ++axis)
    text += fmt::format("  boundary {} {} {}\n", axis, boundary_text(machine, s.boundary[axis][0]),
                        boundary_text(machine, s.boundary[axis][1]));
  return text;
}

/// `%4 flux.x: local f64 manifest`
std::string result_text(const Graph& graph, ValueId id, const Labels& labels) {
  std::string text = fmt::format("%{}", labels[id.index]);
  if (!graph.name(id).empty()) text += " " + graph.name(id);
  text += ": " + name(graph.type(id));
  switch (graph.value(id).annotation.storing) {
    case Storing::free: break;
    case Storing::manifest: text += " manifest"; break;
    case Storing::delayed: text += " delayed"; break;
  }
  return text;
}

std::string node_text(const Graph& graph, const Node& node, const Labels& labels) {
  std::string text = "  ";
  for (int r = 0; r < node.result_count; ++r)
    text += (r == 0 ? "" : ", ") + result_text(graph, ValueId(node.first_result.index + r), labels);
  if (node.result_count > 0) text += " = ";
  return text + instruction_text(graph, node, labels) + "\n";
}

/// The nodes of `order`, and a line `in "scope"` wherever the scope changes.
std::string nodes_text(const Graph& graph, std::span<const NodeId> order, const Labels& labels) {
  std::string text, scope;
  for (NodeId id : order) {
    const Node& node = graph.node(id);
    if (node.result_count > 0 && graph.scope(node.first_result) != scope) {
      scope = graph.scope(node.first_result);
      text += fmt::format("  in \"{}\"\n", scope);
    }
    text += node_text(graph, node, labels);
  }
  return text;
}

std::string boundary_kernel_text(const BoundaryKernel& kernel) {
  auto order = canonical_order(kernel.graph, std::span(&kernel.result, 1));
  auto labels = number_values(kernel.graph, order);
  return fmt::format("\nboundary_kernel {}\n{}  result %{}\nend\n", kernel.name,
                     nodes_text(kernel.graph, order, labels), labels[kernel.result.index]);
}

std::string kernel_text(const Kernel& kernel) {
  auto order = canonical_order(kernel.graph);
  std::string role = kernel.role == KernelRole::plain ? "" : fmt::format(" {}", name(kernel.role));
  return fmt::format("\nkernel {}{}\n{}end\n", kernel.name, role,
                     nodes_text(kernel.graph, order, number_values(kernel.graph, order)));
}

}  // namespace

std::string print(const Machine& machine) {
  std::string text =
      fmt::format("paraiso 1\nmachine {} dimension {}\n\n", machine.name, machine.dimension);
  for (const auto& s : machine.statics) text += static_text(machine, s);
  for (const auto& kernel : machine.boundary_kernels) text += boundary_kernel_text(kernel);
  for (const auto& kernel : machine.kernels) text += kernel_text(kernel);
  return text + "\nend machine\n";
}

std::string program_hash(const Machine& machine) { return hex(fnv1a(print(machine))); }

}  // namespace paraiso::om
