// Printing is canonical and the inverse of parsing.
#include "paraiso/om/text/print.hpp"

#include <gtest/gtest.h>

#include "tests/om/text_samples.hpp"

namespace paraiso::om {
namespace {

using test::files_in;
using test::read_text;

std::shared_ptr<const Signature> one_field() {
  auto signature = std::make_shared<Signature>();
  signature->statics = {{"f", {Realm::local, Element::f64}}, {"g", {Realm::local, Element::f64}}};
  return signature;
}

Machine one_field_machine(Graph graph) {
  Machine machine{"example", 1, {}, {}, {}};
  for (const auto& entry : graph.signature().statics) {
    Static s;
    s.name = entry.name;
    s.type = entry.type;
    s.boundary = {{Cyclic{}, Cyclic{}}};
    machine.statics.push_back(s);
  }
  machine.kernels.push_back({"proceed", KernelRole::step, std::move(graph), {}});
  return machine;
}

TEST(Print, RoundTripsEverySample) {
  auto files = files_in("om/samples");
  ASSERT_GE(files.size(), 5u);
  for (const auto& file : files) {
    std::string printed = print(parse(read_text(file), file.string()));
    EXPECT_EQ(print(parse(printed)), printed) << file;
  }
}

TEST(Print, KeepsEveryPartOfAMachine) {
  const std::string text = R"(paraiso 1
machine example dimension 2

static f local f64
  boundary 0 kernel inflow outflow
  boundary 1 reflect - fixed 0.1
static flag local bool
  boundary 0 cyclic cyclic
  boundary 1 reflect + fixed true
static gamma global f64 parameter = 1.4 from 1 to 3
static low global i32 parameter = -3 from -5
static high global f32 parameter = -0 to 1e-30
static now global f64 time = 0
static dt global f64 time_step = inf
static until global f32 time_limit = nan
static x_min global f64 domain_lower 1 = 0
static x_max global f64 domain_upper 1 = 1
static total global i64 = -9223372036854775808

boundary_kernel inflow
  %0: local i64 = load_index 1
  %1: local f64 = cast %0 f64
  result %1
end

kernel start initial
  in "start/noise"
  %0: global f64 = imm f64 0.5
  %1 noise: local f64 = broadcast %0
  store f %1
end

kernel proceed step
  %0 f.old: local f64 manifest = load f
  %1: local f64 = shift %0 (-1, 2)
  in "flux/x"
  %2 sine: local f64, %3 cosine: local f64 delayed = sincos %1
  %4: local f64 = add %2 %3
  store f %4
  in ""
  %5: local f64 = load f @1
  %6: local bool = lt %5 %0
  %7: local f64 = select %6 %5 %0
  store f @1 %7
end

kernel report
  %0: local f64 = load f
  %1: local i64 = cast %0 i64
  %2: global i64 = reduce product %1
  store total %2
end

end machine
)";
  EXPECT_EQ(print(parse(text)), text);
}

TEST(Print, ShowsNoConstructionOrder) {
  Graph one(one_field()), other(one_field());
  {
    ValueId f = one.add(Load{StaticId(0)}), g = one.add(Load{StaticId(1)});
    ValueId sum = one.add(Arith{Op::add}, {f, g});
    ValueId left = one.add(Shift{{1}}, {sum}), right = one.add(Shift{{-1}}, {g});
    one.add(Store{StaticId(0)}, {left});
    one.add(Store{StaticId(1)}, {right});
  }
  {
    ValueId g = other.add(Load{StaticId(1)});
    ValueId right = other.add(Shift{{-1}}, {g});
    other.add(Store{StaticId(1)}, {right});
    ValueId f = other.add(Load{StaticId(0)});
    ValueId sum = other.add(Arith{Op::add}, {f, g});
    other.add(Arith{Op::mul}, {f, sum});  // dead
    ValueId left = other.add(Shift{{1}}, {sum});
    other.add(Store{StaticId(0)}, {left});
  }
  auto first = one_field_machine(std::move(one)), second = one_field_machine(std::move(other));
  EXPECT_EQ(print(first), print(second));
  EXPECT_EQ(program_hash(first), program_hash(second));
}

TEST(Print, HashDiffersWhereTheProgramDiffers) {
  auto with = [](double value) {
    Graph graph(one_field());
    graph.add(Store{StaticId(0)}, {graph.add(Broadcast{}, {graph.add(Imm{Constant(value)})})});
    return program_hash(one_field_machine(std::move(graph)));
  };
  EXPECT_EQ(with(0.0).size(), 16u);
  EXPECT_EQ(with(0.0), with(0.0));
  EXPECT_NE(with(0.0), with(-0.0));
}

TEST(PrintDot, DrawsInstructionsAsBoxesAndGlobalsDashed) {
  Graph graph(one_field());
  ValueId one = graph.add(Imm{Constant(1.0)});
  ValueId all = graph.add(Broadcast{}, {one});
  graph.set_name(all, "unit");
  graph.add(Store{StaticId(0)}, {all});
  EXPECT_EQ(print_dot(one_field_machine(std::move(graph))), R"(digraph "example" {
  rankdir=TB;
  subgraph cluster_k0 {
    label="kernel proceed";
    k0_i0 [shape=box, label="imm f64 1"];
    k0_v0 [label="%0\nglobal f64", style=dashed];
    k0_i0 -> k0_v0;
    k0_i1 [shape=box, label="broadcast %0"];
    k0_v0 -> k0_i1;
    k0_v1 [label="%1 unit\nlocal f64"];
    k0_i1 -> k0_v1;
    k0_i2 [shape=box, label="store f %1"];
    k0_v1 -> k0_i2;
  }
}
)");
}

TEST(PrintDot, DrawsEverySample) {
  for (const auto& text : test::samples()) {
    Machine machine = parse(text);
    std::string dot = print_dot(machine);
    for (const auto& kernel : machine.kernels)
      EXPECT_NE(dot.find("label=\"kernel " + kernel.name + "\""), std::string::npos);
    for (const auto& kernel : machine.boundary_kernels)
      EXPECT_NE(dot.find("label=\"boundary kernel " + kernel.name + "\""), std::string::npos);
  }
}

}  // namespace
}  // namespace paraiso::om
