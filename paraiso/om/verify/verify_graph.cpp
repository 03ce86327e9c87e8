// The rules of the graphs. They do not trust Graph::add: a pass that spoils a graph is caught here.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "paraiso/base/text.hpp"
#include "paraiso/om/graph/print_instruction.hpp"
#include "paraiso/om/verify/verify.hpp"
#include "paraiso/om/verify/verify_rules.hpp"

namespace paraiso::om::rule {
namespace {

/// Calls `check(graph, node, id)` for every instruction; an Error gets a note that names the
/// kernel.
template <class Check>
void for_each_node(const Machine& machine, Check check) {
  auto walk = [&](const char* kind, const auto& kernel) {
    try {
      for (std::size_t i = 0; i < kernel.graph.node_count(); ++i)
        check(kernel.graph, kernel.graph.node(NodeId(i)), NodeId(i));
    } catch (const Error& error) {
      throw error.with_note({}, fmt::format("in {} `{}`", kind, kernel.name));
    }
  };
  for (const auto& kernel : machine.boundary_kernels) walk("boundary kernel", kernel);
  for (const auto& kernel : machine.kernels) walk("kernel", kernel);
}

struct Arity {
  int operands;
  int results;
};

Arity arity(const Instruction& instruction) {
  return std::visit(Overload{
                        [](const Imm&) {
                          return Arity{0, 1};
                        },
                        [](const Load&) {
                          return Arity{0, 1};
                        },
                        [](const Store&) {
                          return Arity{1, 0};
                        },
                        [](const Reduce&) {
                          return Arity{1, 1};
                        },
                        [](const Broadcast&) {
                          return Arity{1, 1};
                        },
                        [](const Shift&) {
                          return Arity{1, 1};
                        },
                        [](const LoadIndex&) {
                          return Arity{0, 1};
                        },
                        [](const LoadSize&) {
                          return Arity{0, 1};
                        },
                        [](const Arith& i) {
                          return Arity{info(i.op).arity, info(i.op).results};
                        },
                    },
                    instruction);
}

/// The types of an instruction's operands and results, or a complaint.
struct Typing {
  std::vector<Type> operands, results;
  std::string complaint = {};
};

Typing arith_typing(const Arith& arith, std::span<const Type> operands) {
  std::vector<Element> elements;
  for (Type t : operands) {
    if (t.realm != operands[0].realm) return {{}, {}, "local and global operands are mixed"};
    elements.push_back(t.element);
  }
  auto typed = result_types(arith.op, elements, arith.target);
  if (!typed.complaint.empty()) return {{}, {}, typed.complaint};
  const std::string complaint = libm_complaint(arith, operands[0].realm);
  if (!complaint.empty()) return {{}, {}, complaint};
  Typing typing{{operands.begin(), operands.end()}, {}};
  for (Element e : typed.results) typing.results.push_back({operands[0].realm, e});
  return typing;
}

bool reduces(ReduceOp op, Element element) {
  bool logical = op == ReduceOp::any || op == ReduceOp::all;
  return logical == (element == Element::boolean);
}

/// The typing of `node`, given its operands' elements.
Typing typing(const Graph& graph, const Node& node) {
  std::vector<Type> operands;
  for (ValueId v : node.operands) operands.push_back(graph.type(v));
  auto static_type = [&](StaticId id) { return graph.signature().statics[id.index].type; };
  auto from = [&](Realm realm) { return Type{realm, operands[0].element}; };
  return std::visit(
      Overload{
          [](const Imm& i) {
            return Typing{{}, {{Realm::global, i.value.element()}}};
          },
          [&](const Load& i) {
            return Typing{{}, {static_type(i.source)}};
          },
          [&](const Store& i) {
            return Typing{{static_type(i.target)}, {}};
          },
          [&](const Reduce& i) {
            if (!reduces(i.op, operands[0].element))
              return Typing{{}, {}, fmt::format("reduce {} of {}", name(i.op), name(operands[0]))};
            return Typing{{from(Realm::local)}, {from(Realm::global)}};
          },
          [&](const Broadcast&) {
            return Typing{{from(Realm::global)}, {from(Realm::local)}};
          },
          [&](const Shift&) {
            return Typing{{from(Realm::local)}, {from(Realm::local)}};
          },
          [](const LoadIndex&) {
            return Typing{{}, {{Realm::local, Element::i64}}};
          },
          [](const LoadSize&) {
            return Typing{{}, {{Realm::global, Element::i64}}};
          },
          [&](const Arith& i) { return arith_typing(i, operands); },
      },
      node.instruction);
}

bool printable(std::string_view text) {
  constexpr std::string_view kForbidden = "\"\\*?#";
  return text.size() <= 256 && std::ranges::all_of(text, [&](char c) {
           return c >= ' ' && c <= '~' && kForbidden.find(c) == std::string_view::npos;
         });
}

void expect_axis(const Graph& graph, const Node& node, int axis) {
  if (axis < 0 || axis >= graph.dimension())
    throw Error(node.location, fmt::format("`{}` of axis {}, the machine has {}",
                                           word(node.instruction), axis, graph.dimension()));
}

void expect_static(const Graph& graph, const Node& node, StaticId id) {
  if (id.index >= graph.signature().statics.size())
    throw Error(node.location,
                fmt::format("`{}` of static number {}, the machine has {}", word(node.instruction),
                            id.index, graph.signature().statics.size()));
}

void expect_offset(const Graph& graph, const Node& node, const Offset& offset) {
  if (static_cast<int>(offset.size()) != graph.dimension())
    throw Error(node.location, fmt::format("`shift` along {} axes, the machine has {}",
                                           offset.size(), graph.dimension()));
  for (auto v : offset)
    if (v < -kLargestShift || v > kLargestShift)
      throw Error(node.location,
                  fmt::format("`shift` by {} cells, expected at most {}", v, kLargestShift));
}

/// The steps of a kernel's Stores by static.
std::map<StaticId, std::vector<int>> store_steps(const Graph& graph) {
  std::map<StaticId, std::vector<int>> steps;
  for (NodeId id : graph.stores()) {
    const auto& store = std::get<Store>(graph.node(id).instruction);
    steps[store.target].push_back(store.step);
  }
  return steps;
}

bool stores_at(const std::map<StaticId, std::vector<int>>& steps, StaticId id, int step) {
  auto found = steps.find(id);
  return found != steps.end() && std::ranges::binary_search(found->second, step);
}

}  // namespace

void signature(const Machine& machine) {
  auto expected = machine.signature();
  auto check = [&](const char* kind, const auto& kernel) {
    const Signature& seen = kernel.graph.signature();
    bool equal = seen.dimension == expected->dimension &&
                 std::ranges::equal(seen.statics, expected->statics, [](auto& a, auto& b) {
                   return a.name == b.name && a.type == b.type;
                 });
    if (!equal)
      throw Error(kernel.location,
                  fmt::format("{} `{}` was built for other statics or another dimension than those "
                              "of machine `{}`",
                              kind, kernel.name, machine.name));
  };
  for (const auto& kernel : machine.boundary_kernels) check("boundary kernel", kernel);
  for (const auto& kernel : machine.kernels) check("kernel", kernel);
}

void producers(const Machine& machine) {
  for_each_node(machine, [](const Graph& graph, const Node& node, NodeId id) {
    for (int r = 0; r < node.result_count; ++r) {
      ValueId v(node.first_result.index + r);
      bool known = v.index < graph.value_count() && graph.value(v).producer == id &&
                   graph.value(v).result == r;
      if (!known)
        throw Error(node.location, fmt::format("result {} of `{}` is not a value that it produces",
                                               r, word(node.instruction)));
    }
  });
}

void operands_first(const Machine& machine) {
  for_each_node(machine, [](const Graph& graph, const Node& node, NodeId id) {
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      ValueId v = node.operands[k];
      if (v.index >= graph.value_count() || graph.value(v).producer >= id)
        throw Error(node.location, fmt::format("operand {} of `{}` does not come before it", k,
                                               word(node.instruction)));
    }
  });
}

void operand_count(const Machine& machine) {
  for_each_node(machine, [](const Graph&, const Node& node, NodeId) {
    auto [operands, results] = arity(node.instruction);
    if (static_cast<int>(node.operands.size()) != operands || node.result_count != results)
      throw Error(node.location,
                  fmt::format("`{}` has {} operands and {} results, expected {} and {}",
                              word(node.instruction), node.operands.size(), node.result_count,
                              operands, results));
  });
}

void references(const Machine& machine) {
  for_each_node(machine, [](const Graph& graph, const Node& node, NodeId) {
    std::visit(Overload{
                   [&](const Load& i) { expect_static(graph, node, i.source); },
                   [&](const Store& i) { expect_static(graph, node, i.target); },
                   [&](const Shift& i) { expect_offset(graph, node, i.offset); },
                   [&](const LoadIndex& i) { expect_axis(graph, node, i.axis); },
                   [&](const LoadSize& i) { expect_axis(graph, node, i.axis); },
                   [](const Imm&) {},
                   [](const Reduce&) {},
                   [](const Broadcast&) {},
                   [](const Arith&) {},
               },
               node.instruction);
  });
}

void types(const Machine& machine) {
  for_each_node(machine, [](const Graph& graph, const Node& node, NodeId) {
    auto wanted = typing(graph, node);
    if (!wanted.complaint.empty()) throw Error(node.location, wanted.complaint);
    auto check = [&](const char* kind, std::size_t k, Type seen, Type expected) {
      if (seen != expected)
        throw Error(node.location, fmt::format("{} {} of `{}` is {}, expected {}", kind, k,
                                               word(node.instruction), name(seen), name(expected)));
    };
    for (std::size_t k = 0; k < node.operands.size(); ++k)
      check("operand", k, graph.type(node.operands[k]), wanted.operands[k]);
    for (std::size_t r = 0; r < wanted.results.size(); ++r)
      check("result", r, graph.type(ValueId(node.first_result.index + r)), wanted.results[r]);
  });
}

void value_names(const Machine& machine) {
  for_each_node(machine, [](const Graph& graph, const Node& node, NodeId) {
    for (int r = 0; r < node.result_count; ++r) {
      const auto& name = graph.name(ValueId(node.first_result.index + r));
      if (!name.empty() && !is_dotted_name(name))
        throw Error(node.location, fmt::format("a value is named {}", shown(name)));
    }
  });
}

void scope_text(const Machine& machine) {
  for_each_node(machine, [](const Graph& graph, const Node& node, NodeId) {
    for (int r = 0; r < node.result_count; ++r) {
      const auto& scope = graph.scope(ValueId(node.first_result.index + r));
      if (!printable(scope))
        throw Error(node.location,
                    fmt::format("the scope {} has {} characters or one that is not allowed",
                                shown(scope), scope.size()));
    }
  });
}

void steps(const Machine& machine) {
  for_each_node(machine, [](const Graph&, const Node& node, NodeId) {
    const auto* load = std::get_if<Load>(&node.instruction);
    const auto* store = std::get_if<Store>(&node.instruction);
    int step = load ? load->step : store ? store->step : 0;
    if (step < 0 || step > kLargestStep)
      throw Error(node.location, fmt::format("`{}` at step {}, expected 0 to {}",
                                             word(node.instruction), step, kLargestStep));
  });
}

void single_store(const Machine& machine) {
  for (const auto& kernel : machine.kernels) {
    std::map<std::pair<StaticId, int>, Location> seen;
    for (NodeId id : kernel.graph.stores()) {
      const Node& node = kernel.graph.node(id);
      const auto& store = std::get<Store>(node.instruction);
      auto [known, added] = seen.emplace(std::pair(store.target, store.step), node.location);
      if (!added)
        throw Error(node.location, fmt::format("`{}` is stored twice in kernel `{}`",
                                               machine.at(store.target).name, kernel.name))
            .with_note(known->second, "the first store is here");
    }
  }
}

void kernel_stores(const Machine& machine) {
  for (const auto& kernel : machine.kernels)
    if (kernel.graph.stores().empty())
      throw Error(kernel.location, fmt::format("kernel `{}` stores nothing", kernel.name));
}

void parameter_stores(const Machine& machine) {
  for_each_node(machine, [&](const Graph&, const Node& node, NodeId) {
    const auto* store = std::get_if<Store>(&node.instruction);
    if (!store || !machine.is_parameter(store->target)) return;
    const Static& target = machine.at(store->target);
    throw Error(node.location,
                fmt::format("`{}` is stored, it has the role {}", target.name, name(target.role)))
        .with_note(target.location, fmt::format("`{}` declared here", target.name));
  });
}

void chained_load(const Machine& machine) {
  for (const auto& kernel : machine.kernels) {
    auto steps = store_steps(kernel.graph);
    for (std::size_t i = 0; i < kernel.graph.node_count(); ++i) {
      const Node& node = kernel.graph.node(NodeId(i));
      const auto* load = std::get_if<Load>(&node.instruction);
      if (load && load->step > 0 && !stores_at(steps, load->source, load->step - 1))
        throw Error(
            node.location,
            fmt::format("`load {0} @{1}` in kernel `{2}`, which has no `store {0} @{3}`",
                        machine.at(load->source).name, load->step, kernel.name, load->step - 1));
    }
  }
}

void chained_store(const Machine& machine) {
  for (const auto& kernel : machine.kernels) {
    std::vector<int> latest(kernel.graph.node_count(), 0);  // step of the loads that a node uses
    for (std::size_t i = 0; i < latest.size(); ++i) {
      const Node& node = kernel.graph.node(NodeId(i));
      if (const auto* load = std::get_if<Load>(&node.instruction)) latest[i] = load->step;
      for (ValueId v : node.operands)
        latest[i] = std::max(latest[i], latest[kernel.graph.value(v).producer.index]);
      const auto* store = std::get_if<Store>(&node.instruction);
      if (store && latest[i] > store->step)
        throw Error(
            node.location,
            fmt::format("`store {} @{}` in kernel `{}` uses a load of step {}",
                        machine.at(store->target).name, store->step, kernel.name, latest[i]));
    }
  }
}

void last_step(const Machine& machine) {
  for (const auto& kernel : machine.kernels) {
    auto steps = store_steps(kernel.graph);
    int last = 0;
    for (const auto& [id, stored] : steps) last = std::max(last, stored.back());
    for (const auto& [id, stored] : steps)
      if (stored.back() != last)
        throw Error(kernel.location,
                    fmt::format("kernel `{}` has {} steps and stores `{}` last at step {}, "
                                "expected step {}",
                                kernel.name, last + 1, machine.at(id).name, stored.back(), last));
  }
}

void boundary_kernel_pure(const Machine& machine) {
  for (const auto& kernel : machine.boundary_kernels)
    for (std::size_t i = 0; i < kernel.graph.node_count(); ++i) {
      const Node& node = kernel.graph.node(NodeId(i));
      if (std::holds_alternative<Store>(node.instruction) ||
          std::holds_alternative<Reduce>(node.instruction))
        throw Error(node.location, fmt::format("`{}` in boundary kernel `{}`",
                                               word(node.instruction), kernel.name));
    }
}

void boundary_kernel_step(const Machine& machine) {
  for (const auto& kernel : machine.boundary_kernels)
    for (std::size_t i = 0; i < kernel.graph.node_count(); ++i) {
      const Node& node = kernel.graph.node(NodeId(i));
      const auto* load = std::get_if<Load>(&node.instruction);
      if (load && load->step != 0)
        throw Error(node.location,
                    fmt::format("`load {} @{}` in boundary kernel `{}`",
                                machine.at(load->source).name, load->step, kernel.name));
    }
}

void boundary_kernel_result(const Machine& machine) {
  for (const auto& kernel : machine.boundary_kernels) {
    if (kernel.result.index >= kernel.graph.value_count())
      throw Error(kernel.location, fmt::format("boundary kernel `{}` has no result", kernel.name));
    if (Type type = kernel.graph.type(kernel.result); type.realm != Realm::local)
      throw Error(kernel.graph.value(kernel.result).location,
                  fmt::format("boundary kernel `{}` gives {}, expected local {}", kernel.name,
                              name(type), name(type.element)));
  }
}

}  // namespace paraiso::om::rule
