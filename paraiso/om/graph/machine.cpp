#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

std::shared_ptr<const Signature> Machine::signature() const {
  auto signature = std::make_shared<Signature>();
  signature->dimension = dimension;
  for (const auto& s : statics) signature->statics.push_back({s.name, s.type});
  return signature;
}

std::optional<StaticId> Machine::find_static(std::string_view wanted) const {
  for (std::size_t i = 0; i < statics.size(); ++i)
    if (statics[i].name == wanted) return StaticId(i);
  return std::nullopt;
}

const Kernel* Machine::find_kernel(std::string_view wanted) const {
  for (const auto& kernel : kernels)
    if (kernel.name == wanted) return &kernel;
  return nullptr;
}

const Kernel* Machine::step_kernel() const {
  for (const auto& kernel : kernels)
    if (kernel.role == KernelRole::step) return &kernel;
  return nullptr;
}

std::vector<const Kernel*> Machine::initial_kernels() const {
  std::vector<const Kernel*> found;
  for (const auto& kernel : kernels)
    if (kernel.role == KernelRole::initial) found.push_back(&kernel);
  return found;
}

std::optional<StaticId> Machine::find_role(StaticRole role, int axis) const {
  for (std::size_t i = 0; i < statics.size(); ++i)
    if (statics[i].role == role && statics[i].axis == axis) return StaticId(i);
  return std::nullopt;
}

bool Machine::is_parameter(StaticId id) const {
  StaticRole role = at(id).role;
  return role == StaticRole::parameter || role == StaticRole::domain_lower ||
         role == StaticRole::domain_upper;
}

const Node* Machine::libm_call() const {
  const auto in_graph = [](const Graph& graph) -> const Node* {
    for (std::size_t n = 0; n < graph.node_count(); ++n) {
      const auto* arith = std::get_if<Arith>(&graph.node(NodeId(n)).instruction);
      if (arith && arith->libm) return &graph.node(NodeId(n));
    }
    return nullptr;
  };
  for (const auto& kernel : kernels)
    if (const Node* found = in_graph(kernel.graph)) return found;
  for (const auto& kernel : boundary_kernels)
    if (const Node* found = in_graph(kernel.graph)) return found;
  return nullptr;
}

const char* name(StaticRole role) {
  switch (role) {
    case StaticRole::plain: return "plain";
    case StaticRole::time: return "time";
    case StaticRole::time_step: return "time_step";
    case StaticRole::time_limit: return "time_limit";
    case StaticRole::parameter: return "parameter";
    case StaticRole::domain_lower: return "domain_lower";
    case StaticRole::domain_upper: return "domain_upper";
  }
  return "";
}

const char* name(KernelRole role) {
  switch (role) {
    case KernelRole::plain: return "plain";
    case KernelRole::initial: return "initial";
    case KernelRole::step: return "step";
  }
  return "";
}

}  // namespace paraiso::om
