// Random programs over special values mean the same before and after the passes, by the interpreter
// alone: what the test of special values can't see, which compares code with programs that are
// prepared. A multiply-add rounds once, by which the mode `fma` differs from what is written: it is
// compared with each multiply-add made a product and a sum again. PARAISO_SPECIAL sets how many
// programs (60), PARAISO_SPECIAL_SEED the first seed (1).
#include <gtest/gtest.h>

#include "paraiso/passes/rewrite/rewrite.hpp"
#include "tests/differential/special_cases.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/setting.hpp"

namespace paraiso {
namespace {

using om::Op;
using om::ValueId;

/// Where the states differ after all kernels; empty if nowhere.
std::string difference_in_meaning(const om::Machine& written, const om::Machine& prepared,
                                  const test::SpecialBuild& build) {
  Rng rng(build.seed + 1000000007);
  int round = 0;
  for (const auto& size : test::special_sizes(build.form)) {
    const om::State start = test::special_state(written, size, round++, rng);
    om::State expected = start, seen = start;
    for (std::size_t k = 0; k < written.kernels.size(); ++k) {
      om::interpret(written, written.kernels[k], expected);
      om::interpret(prepared, prepared.kernels[k], seen);
    }
    const auto difference = test::compare_states(written, expected, seen);
    if (!difference.empty()) return difference;
  }
  return {};
}

/// The multiply-adds as what they are short for, each of its parts rounded.
std::optional<ValueId> split_multiply_add(const passes::Site& site) {
  const auto* arith = std::get_if<om::Arith>(&site.node().instruction);
  if (!arith) return std::nullopt;
  const auto product = [&] { return site.arith(Op::mul, {site.operands[0], site.operands[1]}); };
  switch (arith->op) {
    case Op::madd: return site.arith(Op::add, {product(), site.operands[2]});
    case Op::msub: return site.arith(Op::sub, {product(), site.operands[2]});
    case Op::nmadd: return site.arith(Op::sub, {site.operands[2], product()});
    case Op::nmsub:
      return site.arith(Op::sub, {site.arith(Op::neg, {product()}), site.operands[2]});
    default: return std::nullopt;
  }
}

om::Machine without_multiply_adds(const om::Machine& machine) {
  return passes::rewrite_machine(
      machine, [](const om::Graph&) { return passes::RewriteRule(split_multiply_add); });
}

/// Of programs, each seen as `view` shows it before and after the passes.
void expect_kept_meaning(passes::Numbers numbers, om::Machine (*view)(const om::Machine&)) {
  const auto first_seed = static_cast<std::uint64_t>(test::setting("PARAISO_SPECIAL_SEED", 1));
  const auto end = first_seed + static_cast<std::uint64_t>(test::setting("PARAISO_SPECIAL", 60));
  for (std::uint64_t seed = first_seed; seed < end; ++seed) {
    const test::SpecialCase test = test::special_case(seed);
    const om::Machine written = view(test.written);
    const om::Machine prepared = view(passes::prepare(written, numbers));
    EXPECT_EQ(difference_in_meaning(written, prepared, test.build), "") << "seed " << seed << "\n"
                                                                        << om::print(written);
  }
}

om::Machine as_it_is(const om::Machine& machine) { return machine; }

TEST(SpecialPasses, KeepTheMeaningOfPrograms) {
  expect_kept_meaning(passes::Numbers::strict, as_it_is);
}

TEST(SpecialPasses, KeepItButForTheRoundingOfMultiplyAdds) {
  expect_kept_meaning(passes::Numbers::fma, without_multiply_adds);
}

}  // namespace
}  // namespace paraiso
