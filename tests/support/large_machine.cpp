#include "tests/support/large_machine.hpp"

#include <fmt/format.h>

namespace paraiso::test {

using namespace om;

namespace {

constexpr std::size_t kFields = 4;

Machine machine_of_fields(int dimension) {
  Machine machine;
  machine.name = "large";
  machine.dimension = dimension;
  for (std::size_t f = 0; f < kFields; ++f) {
    Static& field = machine.statics.emplace_back();
    field.name = fmt::format("f{}", f);
    field.type = {Realm::local, Element::f64};
    field.boundary.assign(static_cast<std::size_t>(dimension), {Cyclic{}, Cyclic{}});
  }
  return machine;
}

ValueId neighbour(Rng& rng, Graph& graph, ValueId value) {
  Offset offset(static_cast<std::size_t>(graph.dimension()), 0);
  offset[rng.below(offset.size())] = rng.chance(0.5) ? 1 : -1;
  return graph.add(Shift{std::move(offset)}, {value});
}

ValueId combine(Rng& rng, Graph& graph, ValueId a, ValueId b) {
  constexpr Op kOps[] = {Op::add, Op::sub, Op::mul, Op::div, Op::min, Op::max};
  return graph.add(Arith{kOps[rng.below(std::size(kOps))], Element::f64}, {a, b});
}

}  // namespace

Machine large_machine(Rng& rng, int dimension, std::size_t instructions) {
  Machine machine = machine_of_fields(dimension);
  Graph graph(machine.signature());
  std::vector<ValueId> fields;
  for (std::size_t f = 0; f < kFields; ++f) fields.push_back(graph.add(Load{StaticId(f)}));
  while (graph.node_count() < instructions) {
    std::vector<ValueId> next;
    for (const ValueId field : fields) {
      const ValueId other = fields[rng.below(kFields)];
      const ValueId beside = combine(rng, graph, field, neighbour(rng, graph, other));
      next.push_back(combine(rng, graph, beside, neighbour(rng, graph, field)));
    }
    fields = std::move(next);
  }
  for (std::size_t f = 0; f < kFields; ++f) graph.add(Store{StaticId(f)}, {fields[f]});
  machine.kernels.push_back({"proceed", KernelRole::step, std::move(graph), {}});
  return machine;
}

}  // namespace paraiso::test
