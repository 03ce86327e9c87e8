// Storage that lies shifted: generated code equals the interpreter bit for bit, and where a field
// lies is seen by its address, step after step.
#include <algorithm>

#include "paraiso/codegen/solver_bytes.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/support/memory.hpp"
#include "paraiso/verify/references.hpp"
#include "tests/differential/kept_bits.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso {
namespace {

/// Elements between where a small array lies and where one that is not shifted would: core cell 0
/// of array n is at stagger(n), modulo a page.
std::vector<std::int64_t> possible_skews(const runtime::FieldView& field, int arrays) {
  std::vector<std::int64_t> all;
  const auto address = reinterpret_cast<std::uintptr_t>(field.data);
  for (int n = 0; n < arrays; ++n)
    all.push_back(static_cast<std::int64_t>((address - paraiso_support::stagger(n)) %
                                            paraiso_support::small_page / sizeof(double)));
  return all;
}

/// The field `u` is read beside the cell, so that it changes to another array each step.
constexpr const char* kProgram =
    "paraiso 1\nmachine m dimension 2\nstatic u local f64\n  boundary 0 cyclic cyclic\n"
    "  boundary 1 outflow outflow\nstatic v local f64\n  boundary 0 cyclic cyclic\n"
    "  boundary 1 outflow outflow\nkernel k step\n%0: local f64 = load u\n"
    "%1: local f64 = load v\n%2: local f64 = shift %0 (1, 0)\n%3: local f64 = shift %1 (0, 1)\n"
    "%4: local f64 = add %2 %3\n%5: local f64 = sub %2 %3\nstore u %4\nstore v %5\nend\n"
    "end machine\n";

TEST(Skew, MovesAddresses) {
  const om::Machine program = passes::prepare(om::parse(kProgram, "m.om"), passes::Numbers::fma);
  const plan::Schedule schedule{{{"u.skew_x", "1"}, {"u.skew_y", "2"}}};
  const plan::Plan plan = plan::plan_program(program, schedule);
  const auto library = runtime::compile(plan, {.optimization = "-O1"});
  const om::Cell large{1 << 20, 4};  // rows of 8 MiB: `u` and its spare lie two further
  EXPECT_EQ(codegen::solver_bytes(plan, large), library.bytes(large));
  EXPECT_NEAR(library.bytes(large) - codegen::solver_bytes(plan::plan_program(program, {}), large),
              2 * 2 * 0x1p23, 0x1p22);
  for (const std::vector<std::int64_t>& size : {std::vector<std::int64_t>{9, 5}, {17, 3}}) {
    const auto instance = library.instance(size);
    for (int step = 0; step < 3; ++step) {
      const runtime::FieldView u = instance->field(om::StaticId(0));
      const runtime::FieldView v = instance->field(om::StaticId(1));
      const std::int64_t skew = 1 + 2 * u.strides[1];
      const auto of_u = possible_skews(u, 4), of_v = possible_skews(v, 4);
      EXPECT_TRUE(std::ranges::count(of_u, skew)) << "step " << step;
      EXPECT_FALSE(std::ranges::count(of_u, 0)) << "step " << step;
      EXPECT_TRUE(std::ranges::count(of_v, 0)) << "step " << step;
      instance->run("k");
    }
  }
}

class SkewedBits : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(SkewedBits, AreThose) {
  auto kept = test::kept_program(GetParam().first, GetParam().second);
  const om::Machine& program = kept.machine;
  kept.options.sizes = verify::usual_sizes(program.dimension, 2);
  Rng rng(5);
  plan::Schedule schedule = plan::random_schedule(program, rng);
  for (const plan::Gene& gene : plan::skew_genes(program))
    schedule.choices[gene.name] = gene.alleles[1 + rng.below(gene.alleles.size() - 1)];
  test::expect_bits(kept, schedule, 2);
}

INSTANTIATE_TEST_SUITE_P(Programs, SkewedBits,
                         testing::Values(std::pair("leapfrog_2d.om", 1),
                                         std::pair("leapfrog_3d.om", 2),
                                         std::pair("layers_3d.om", 1)),
                         [](const auto& info) {
                           const std::string name = info.param.first;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace paraiso
