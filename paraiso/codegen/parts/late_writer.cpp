#include "paraiso/codegen/parts/late_writer.hpp"

#include <fmt/format.h>

#include <set>

#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/cpp/print_cpp.hpp"
#include "paraiso/codegen/lower/scalars.hpp"

namespace paraiso::codegen {

using namespace om;

namespace {

/// 0: the class; 1: functions.
constexpr const char* kHeader =
    R"(// What kernels of `{0}` store from sums over a grid that processes share: known after the kernel.
#pragma once

#include <functional>
#include <vector>

#include "{0}.hpp"

namespace paraiso_solver {{

// Of each kernel, before it runs: what computes its scalars later, from the addresses of the sums.
{1}
}}  // namespace paraiso_solver
)";

/// 0: the class; 1: functions.
constexpr const char* kSource = R"(// Compiled as `{0}.cpp` is, so that scalars have the same bits.
#include "{0}_late.hpp"

namespace paraiso_solver {{

namespace support = paraiso_support;

{1}}}  // namespace paraiso_solver
)";

/// 0: the function's name; 1: the class.
constexpr const char* kSignature =
    "std::function<void(const std::vector<const void*>&)> {0}(\n"
    "    [[maybe_unused]] {1}& solver, [[maybe_unused]] paraiso_support::Place place)";

/// One kernel's function.
class LateWriter {
 public:
  LateWriter(const Machine& machine, const Module& module, std::size_t kernel)
      : machine_(machine),
        module_(module),
        graph_(machine.kernels[kernel].graph),
        late_(late_reductions(graph_)),
        stored_(late_values(graph_, late_)),
        names_{"solver", "place", "results", "support", "std"},
        scalars_(machine, graph_, names_) {
    around_.dimension = module.dimension;
    around_.grid = "place";
    for (const Variable& s : module.statics)
      around_.held.push_back(fmt::format("solver.{}()", s.name));
  }

  [[nodiscard]] std::string function(const std::string& name) {
    std::string before, after;
    const std::set<ValueId> needed = behind_stores();
    for (std::size_t i = 0; i < late_.results.size(); ++i) after += result(late_.results[i], i);
    for (const NodeId id : canonical_order(graph_)) {
      const Node& node = graph_.node(id);
      for (int r = 0; r < node.result_count; ++r)
        if (const ValueId value(node.first_result.index + static_cast<std::size_t>(r));
            needed.contains(value))
          (std::holds_alternative<Load>(node.instruction) ? before : after) += scalar(value);
    }
    for (std::size_t i = 0; i < late_.targets.size(); ++i)
      after += fmt::format("    {} = {};\n", around_.held[late_.targets[i].index],
                           print_cpp(scalars_.expression(stored_[i]), around_));
    return fmt::format(fmt::runtime(std::string(kSignature) + " {{\n"), name, module_.name) +
           before + "  return [=, &solver](const std::vector<const void*>& results) {\n" + after +
           "  };\n}\n\n";
  }

 private:
  /// The values that stored ones are computed from, but for results of reductions.
  [[nodiscard]] std::set<ValueId> behind_stores() const {
    std::vector<ValueId> open = stored_;
    std::set<ValueId> found;
    while (!open.empty()) {
      const ValueId next = open.back();
      open.pop_back();
      if (graph_.producer_as<Reduce>(next) != nullptr || !found.insert(next).second) continue;
      const auto& operands = graph_.producer(next).operands;
      open.insert(open.end(), operands.begin(), operands.end());
    }
    return found;
  }
  [[nodiscard]] std::string result(ValueId value, std::size_t number) {
    const char* const type = cpp_type(graph_.type(value).element);
    return fmt::format("    const {0} {1} = *static_cast<const {0}*>(results[{2}]);\n", type,
                       scalars_.declare_result(value), number);
  }
  [[nodiscard]] std::string scalar(ValueId value) {
    const bool loaded = graph_.producer_as<Load>(value) != nullptr;
    const auto declared = scalars_.declare(value);
    return declared ? print_cpp({{*declared}}, loaded ? 2 : 4, around_) : "";
  }

  const Machine& machine_;
  const Module& module_;
  const Graph& graph_;
  const LateReductions late_;
  const std::vector<ValueId> stored_;
  Names names_;
  ScalarNames scalars_;
  Surroundings around_;
};

}  // namespace

std::string late_function(const Module& module, std::size_t kernel) {
  return fmt::format("{}_late_{}", module.name, module.kernels[kernel].name);
}

std::string write_late_header(const Module& module, const std::vector<std::size_t>& kernels) {
  std::string functions;
  for (const std::size_t k : kernels)
    functions += fmt::format(fmt::runtime(std::string(kSignature) + ";\n"),
                             late_function(module, k), module.name);
  return fmt::format(fmt::runtime(kHeader), module.name, functions);
}

std::string write_late_source(const Machine& machine, const Module& module,
                              const std::vector<std::size_t>& kernels) {
  std::string functions;
  for (const std::size_t k : kernels)
    functions += LateWriter(machine, module, k).function(late_function(module, k));
  return fmt::format(fmt::runtime(kSource), module.name, functions);
}

}  // namespace paraiso::codegen
