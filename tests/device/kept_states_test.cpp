// States between fused steps that lie on the chip: their ghost cells are filled there, beside,
// below and above the grid, by sides that repeat and mirror cells.
#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "tests/device/compared.hpp"
#include "tests/device/mixtures.hpp"

namespace paraiso {
namespace {

// With the third, PoCL 3.1 lost stores of a branch (FillKept).
const Mixture kMixtures[] = {
    {{kOut, kOut}, 1, 2},          {{kTurn, kMixed}, 2, 2},
    {{kMixed, kTurn}, 1, 3},       {{kOut, kTurn, kMixed}, 1, 2},
    {{kRound, kTurn, kOut}, 1, 2}, {{kTurn, kOut, kRound}, 1, 3, "16"},
};

TEST(KeptStates, PayWhereMemoryBounds) {
  const passes::Fused fused = passes::fuse(
      passes::prepare(om::parse(text_of(kMixtures[3]), "mix.om"), passes::Numbers::fma), 2);
  const plan::Schedule found = runtime::find_backend("cuda")->default_schedule(fused.machine, {});
  EXPECT_EQ(found.choices.at("proceed_2/u.state"), "rolling");
}

class KeptStatesOn : public testing::TestWithParam<DeviceBackend> {};

TEST_P(KeptStatesOn, EqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const std::vector<std::vector<std::int64_t>> planes = {{1, 1}, {2, 3}, {67, 33}},
                                               spaces = {{1, 2, 3}, {33, 9, 2}, {6, 7, 17}};
  const runtime::Backend& backend = GetParam().row();
  std::vector<Compared> all;
  for (const Mixture& one : kMixtures) {
    Planned made = planned(one, backend);
    EXPECT_EQ(made.kept, one.steps - 1) << all.size();
    all.push_back({std::move(made.plan),
                   one.sides.size() == 2 ? planes : spaces,
                   "mix",
                   std::move(made.fusion),
                   {"ramp"}});
  }
  expect_equal_interpreter(backend, std::move(all));
}

// `twice` is computed beyond the grid: a block that begins there has none of the cells that the
// ghost cells of `u` mirror.
constexpr const char* kBeyond = R"(paraiso 1
machine beyond dimension 3
static v local f64
  boundary 0 cyclic cyclic
  boundary 1 cyclic cyclic
  boundary 2 cyclic cyclic
static u local f64
  boundary 0 cyclic cyclic
  boundary 1 reflect + reflect +
  boundary 2 cyclic cyclic
kernel go
  %0: local f64 = load u
  store u %0
  %1: local f64 = load u @1
  %2 twice: local f64 = add %1 %1
  %3: local f64 = shift %2 (0, -4, 1)
  store v @1 %3
  store u @1 %1
end
end machine
)";

TEST_P(KeptStatesOn, EqualTheInterpreterInBlocksBeyondTheGrid) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  const om::Machine machine =
      passes::prepare(om::parse(kBeyond, "beyond.om"), passes::Numbers::fma);
  const plan::Schedule schedule{
      {{"go/u.state", "rolling"}, {"go/twice.storage", "array_alone"}, {"go/sweep", "z"}}};
  std::vector<Compared> all;
  all.push_back({backend.make_plan(machine, schedule), {{4, 6, 4}, {3, 13, 2}}, "beyond"});
  expect_equal_interpreter(backend, std::move(all));
}

INSTANTIATE_TEST_SUITE_P(Of, KeptStatesOn, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace paraiso
