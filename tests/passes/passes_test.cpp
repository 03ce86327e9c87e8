#include "paraiso/passes/passes.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/analysis/cost.hpp"
#include "paraiso/passes/analysis/footprint.hpp"
#include "paraiso/passes/rewrite/call_libm.hpp"
#include "paraiso/passes/rewrite/contract.hpp"
#include "paraiso/passes/rewrite/remove_dead.hpp"
#include "paraiso/passes/rewrite/rewrite.hpp"
#include "paraiso/passes/rewrite/simplify.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::passes {
namespace {

using om::parse;
using om::print;

/// A one-dimensional machine over f64 fields f, g, a scalar s and an integer field n.
om::Machine machine(const std::string& body) {
  return parse(
      "paraiso 1\nmachine test dimension 1\n"
      "static f local f64\n  boundary 0 cyclic cyclic\n"
      "static g local f64\n  boundary 0 cyclic cyclic\n"
      "static n local i32\n  boundary 0 cyclic cyclic\n"
      "static s global f64\n"
      "kernel proceed step\n" +
      body + "end\nend machine\n");
}

std::string kernel(const om::Machine& m) {
  std::string text = print(m);
  return text.substr(text.find("kernel proceed"));
}

/// `pass` turns one body into the other.
void expect_rewrite(om::Machine (*pass)(const om::Machine&), const std::string& before,
                    const std::string& after) {
  EXPECT_EQ(kernel(pass(machine(before))), kernel(machine(after)));
}

TEST(Simplify, DropsNeutralOperands) {
  expect_rewrite(simplify,
                 "%0 = load f\n%1 = imm f64 1\n%2 = broadcast %1\n%3 = mul %0 %2\n%4 = div %3 %2\n"
                 "%5 = imm f64 0\n%6 = broadcast %5\n%7 = sub %4 %6\nstore g %7\n",
                 "%0 = load f\nstore g %0\n");
}

TEST(Simplify, KeepsPlusZeroBecauseMinusZeroWouldChange) {
  const std::string body =
      "%0 = load f\n%1 = imm f64 0\n%2 = broadcast %1\n%3 = add %0 %2\nstore g %3\n";
  expect_rewrite(simplify, body, body);
  expect_rewrite(simplify,
                 "%0 = load f\n%1 = imm f64 -0\n%2 = broadcast %1\n%3 = add %0 %2\nstore g %3\n",
                 "%0 = load f\nstore g %0\n");
}

TEST(Simplify, DividesByAPowerOfTwoExactly) {
  expect_rewrite(simplify,
                 "%0 = load f\n%1 = imm f64 4\n%2 = broadcast %1\n%3 = div %0 %2\nstore g %3\n",
                 "%0 = load f\n%1 = imm f64 0.25\n%2 = broadcast %1\n%3 = mul %0 %2\nstore g %3\n");
  const std::string third =
      "%0 = load f\n%1 = imm f64 3\n%2 = broadcast %1\n%3 = div %0 %2\nstore g %3\n";
  expect_rewrite(simplify, third, third);
}

TEST(Simplify, ComputesOnScalarsOnce) {
  expect_rewrite(simplify,
                 "%0 = load s\n%1 = broadcast %0\n%2 = mul %1 %1\n%3 = load f\n%4 = mul %2 %3\n"
                 "store g %4\n",
                 "%0 = load s\n%1 = mul %0 %0\n%2 = broadcast %1\n%3 = load f\n%4 = mul %2 %3\n"
                 "store g %4\n");
}

TEST(Simplify, AddsUpShiftsAndExpandsSmallPowers) {
  expect_rewrite(simplify,
                 "%0 = load f\n%1 = shift %0 (1)\n%2 = shift %1 (-1)\n%3 = shift %1 (2)\n"
                 "%4 = add %2 %3\nstore g %4\n",
                 "%0 = load f\n%3 = shift %0 (3)\n%4 = add %0 %3\nstore g %4\n");
  expect_rewrite(simplify,
                 "%0 = load f\n%1 = imm i32 3\n%2 = broadcast %1\n%3 = ipow %0 %2\nstore g %3\n",
                 "%0 = load f\n%1 = mul %0 %0\n%2 = mul %0 %1\nstore g %2\n");
}

TEST(Simplify, ComparesIntegersWithThemselvesButNotFloats) {
  expect_rewrite(simplify, "%0 = load n\n%1 = le %0 %0\n%2 = cast %1 f64\nstore g %2\n",
                 "%0 = imm f64 1\n%1 = broadcast %0\nstore g %1\n");
  const std::string nan = "%0 = load f\n%1 = eq %0 %0\n%2 = cast %1 f64\nstore g %2\n";
  expect_rewrite(simplify, nan, nan);
}

// Which operand is NaN, and which of two zeros it is, decides what it becomes.
TEST(Simplify, MakesOneChoiceOfNestedOnes) {
  const std::string loads = "%x = load f\n%b = load g\n", inner = "%y = min %b %x\n";
  expect_rewrite(simplify, loads + inner + "%z = min %y %b\nstore g %z\n",
                 loads + "%z = min %x %b\nstore g %z\n");
  expect_rewrite(simplify, loads + inner + "%z = min %b %y\nstore g %z\n",
                 loads + inner + "store g %y\n");
  const std::string chosen = loads + "%2 = le %x %b\n%z = select %2 %x %b\nstore g %z\n";
  expect_rewrite(simplify, loads + inner + "%c = le %y %b\n%z = select %c %y %b\nstore g %z\n",
                 chosen);
  expect_rewrite(simplify,
                 loads + "%c = ge %b %x\n%y = select %c %x %b\n%z = min %b %y\nstore g %z\n",
                 chosen);
  const std::string clamped = loads + "%y = max %b %x\n%z = min %y %b\nstore g %z\n";
  expect_rewrite(simplify, clamped, clamped);
}

TEST(RemoveDead, KeepsWhatAStoreNeeds) {
  expect_rewrite(remove_dead, "%0 = load f\n%1 = neg %0\nstore g %0\n",
                 "%0 = load f\nstore g %0\n");
}

TEST(Contract, TakesSingleUseProductsTheLeftOneFirst) {
  expect_rewrite(contract,
                 "%0 = load f\n%1 = load g\n%2 = mul %0 %0\n%3 = mul %1 %1\n%4 = add %2 %3\n"
                 "store g %4\n",
                 "%0 = load f\n%1 = load g\n%3 = mul %1 %1\n%4 = madd %0 %0 %3\nstore g %4\n");
  expect_rewrite(contract, "%0 = load f\n%1 = load g\n%2 = mul %0 %0\n%3 = sub %1 %2\nstore g %3\n",
                 "%0 = load f\n%1 = load g\n%3 = nmadd %0 %0 %1\nstore g %3\n");
}

TEST(Contract, TakesASharedProductWhereAllItsUsesAreSums) {
  expect_rewrite(contract,
                 "%0 = load f\n%1 = load g\n%2 = mul %0 %0\n%3 = add %2 %1\n%4 = sub %1 %2\n"
                 "store g %3\nstore f %4\n",
                 "%0 = load f\n%1 = load g\n%3 = madd %0 %0 %1\n%4 = nmadd %0 %0 %1\nstore g %3\n"
                 "store f %4\n");
}

TEST(Contract, LeavesProductsThatWouldStayBesides) {
  const std::string beside_a_product =
      "%0 = load f\n%1 = load g\n%2 = mul %0 %0\n%3 = mul %1 %1\n%4 = add %2 %3\n"
      "%5 = sub %2 %3\nstore g %4\nstore f %5\n";
  expect_rewrite(contract, beside_a_product, beside_a_product);
  const std::string another_use =
      "%0 = load f\n%1 = load g\n%2 = mul %0 %0\n%3 = add %2 %1\n%4 = neg %2\nstore g %3\n"
      "store f %4\n";
  expect_rewrite(contract, another_use, another_use);
}

TEST(Contract, TakesAnnotatedProductsTooBecauseAnnotationsChangeNoBit) {
  for (const std::string annotation : {"manifest", "delayed"})
    expect_rewrite(contract,
                   "%0 = load f\n%1 = load g\n%2: " + annotation +
                       " = mul %0 %0\n%3 = add %2 %1\nstore g %3\n",
                   "%0 = load f\n%1 = load g\n%3 = madd %0 %0 %1\nstore g %3\n");
}

/// neg (neg x) is x, so that both negations of it are one value.
TEST(Passes, LetManifestOverruleDelayedWhereTheyMeet) {
  for (const bool manifest_first : {true, false}) {
    const std::string first = manifest_first ? "manifest" : "delayed";
    const std::string second = manifest_first ? "delayed" : "manifest";
    const auto prepared =
        prepare(machine("%0 = load f\n%1: " + first + " = neg %0\n%2 = neg %1\n%3: " + second +
                        " = neg %2\n%4 = sqrt %1\n%5 = sqrt %3\n" + "store g %4\nstore f %5\n"),
                Numbers::fma);
    EXPECT_NE(kernel(prepared).find("%1: local f64 manifest = neg %0"), std::string::npos)
        << kernel(prepared);
    std::vector<std::string> messages;
    for (const auto& note : settled_annotations(prepared)) messages.push_back(note.message);
    EXPECT_EQ(messages, (std::vector<std::string>{
                            "this `delayed` gives way to a `manifest`: both values are one",
                            "the `manifest` is here"}));
  }
}

om::Machine without_annotations(const om::Machine& annotated) {
  std::string text = print(annotated);
  for (const std::string word : {" manifest =", " delayed ="})
    for (auto place = text.find(word); place != text.npos; place = text.find(word, place))
      text.replace(place, word.size(), " =");
  return parse(text);
}

TEST(Passes, LetAnnotationsChangeNoBit) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed);
    test::RandomMachineOptions options;
    options.stencils = seed % 2 == 0;  // sums of products
    const auto annotated = test::random_machine(rng, options);
    const auto program = prepare(annotated, Numbers::fma);
    const auto plain = prepare(without_annotations(annotated), Numbers::fma);
    om::State expected =
        test::random_state(plain, test::random_size(rng, plain.dimension, 300), rng);
    om::State seen = expected;
    for (std::size_t k = 0; k < plain.kernels.size(); ++k) {
      om::interpret(plain, plain.kernels[k], expected);
      om::interpret(program, program.kernels[k], seen);
    }
    ASSERT_EQ(test::compare_states(plain, expected, seen), "") << "seed " << seed;
  }
}

TEST(Passes, StrictHasNoMultiplyAdd) {
  auto m = machine("%0 = load f\n%1 = load g\n%2 = mul %0 %0\n%3 = add %2 %1\nstore g %3\n");
  EXPECT_EQ(kernel(prepare(m, Numbers::strict)).find("madd"), std::string::npos);
  EXPECT_NE(kernel(prepare(m, Numbers::fma)).find("madd"), std::string::npos);
}

TEST(Passes, NamesTheNearestPass) {
  try {
    (void)prepare(machine("%0 = load f\nstore g %0\n"), Numbers::fma, "contrakt");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "error: there is no pass `contrakt`\nhint: did you mean `contract`?");
  }
}

/// Two steps of it read what one wrote.
om::Machine shifted_sum() {
  return machine("%0 = load f\n%1 = shift %0 (1)\n%2 = add %0 %1\nstore f %2\n");
}

/// As `show --after` prints it.
std::string text_after(const om::Machine& m, const Pass& pass) {
  if (pass.phase == Phase::prepare) return print(prepare(m, Numbers::fma, pass.name));
  return print(fuse(prepare(m, Numbers::fma), 2, false, pass.name).machine);
}

TEST(Passes, EachLeavesAProgramThatCanBeReadAgain) {
  for (const Pass& pass : passes()) {
    SCOPED_TRACE(pass.name);
    const std::string text = text_after(shifted_sum(), pass);
    EXPECT_EQ(print(parse(text)), text);
    EXPECT_EQ(text.find("kernel proceed_2") != std::string::npos, pass.phase == Phase::fuse);
  }
}

TEST(Passes, FusedStepsAreSeenBeforeTheyAreJoined) {
  EXPECT_NE(text_after(shifted_sum(), find_pass("fuse_steps")).find("load f @1"),
            std::string::npos);
  EXPECT_EQ(text_after(shifted_sum(), find_pass("join_steps")).find("load f @1"),
            std::string::npos);
}

TEST(Passes, OneStepIsNotFused) {
  const auto program = prepare(shifted_sum(), Numbers::fma);
  const Fused fused = fuse(program, 1);
  EXPECT_EQ(print(fused.machine), print(program));
  EXPECT_EQ(fused.fusion.steps, 1);
}

const char* const kFunctions =
    "%0 = load f\n%1, %2 = sincos %0\n%3 = exp %1\n%4 = pow %3 %2\nstore g %4\n"
    "%5 = load s\n%6 = log %5\nstore s %6\n";

/// Scalars keep our own.
TEST(CallLibm, MarksFunctionsOfCells) {
  expect_rewrite(call_libm, kFunctions,
                 "%0 = load f\n%1, %2 = sincos %0 libm\n%3 = exp %1 libm\n"
                 "%4 = pow %3 %2 libm\nstore g %4\n%5 = load s\n%6 = log %5\nstore s %6\n");
}

TEST(CallLibm, ChangesNothingElse) {
  const std::string body = "%0 = load f\n%1 = sqrt %0\n%2 = mod %1 %0\nstore g %2\n";
  expect_rewrite(call_libm, body, body);
}

TEST(CallLibm, IsWhatFastHasBesideFma) {
  const om::Machine before = machine(kFunctions);
  EXPECT_EQ(print(prepare(before, Numbers::fast)), print(call_libm(prepare(before, Numbers::fma))));
  for (const auto numbers : {Numbers::strict, Numbers::fma})
    EXPECT_EQ(prepare(before, numbers).libm_call(), nullptr);
}

/// Steps of it may be fused, and it may be prepared and printed again.
TEST(CallLibm, MarksStay) {
  const om::Machine fast = prepare(machine(kFunctions), Numbers::fast);
  EXPECT_EQ(print(prepare(parse(print(fast)), Numbers::fast)), print(fast));
  const om::Machine fused = fuse(fast, 2).machine;
  const std::string text = print(fused);
  EXPECT_NE(text.find("libm", text.find("kernel proceed_2")), std::string::npos);
}

TEST(CallLibm, IsRefusedInOtherModes) {
  const om::Machine fast = prepare(machine(kFunctions), Numbers::fast);
  try {
    (void)prepare(parse(print(fast), "fast.om"), Numbers::fma);
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    const std::string told = error.what();
    EXPECT_NE(told.find("a function is `libm`, which `--numbers fma` does not allow\n"
                        "hint: `--numbers fast` does"),
              std::string::npos)
        << told;
  }
}

/// A value of every cell alike is computed once, by our own function.
TEST(CallLibm, SimplifyMakesScalarsOfMarkedBroadcasts) {
  expect_rewrite(simplify, "%0 = load s\n%1 = broadcast %0\n%2 = exp %1 libm\nstore f %2\n",
                 "%0 = load s\n%1 = exp %0\n%2 = broadcast %1\nstore f %2\n");
}

TEST(Footprint, KeepsSidesApart) {
  auto m =
      machine("%0 = load f\n%1 = shift %0 (-2)\n%2 = mul %1 %0\n%3 = shift %2 (-1)\nstore g %3\n");
  const auto boxes = footprints(m.kernels[0].graph);
  EXPECT_EQ(boxes[0].lower[0], 0);
  EXPECT_EQ(boxes[0].upper[0], 3);
  EXPECT_EQ(boxes[0].text(), "[0, N+3)");
  EXPECT_EQ(boxes[2].text(), "[0, N+1)");
  EXPECT_TRUE(boxes[3].is_core());
}

TEST(Cost, CountsOperationsLoadsAndBytes) {
  auto m = machine("%0 = load f\n%1 = load g\n%2 = mul %0 %1\n%3 = div %2 %1\nstore g %3\n");
  auto cost = cost_of(m.kernels[0].graph);
  EXPECT_EQ(cost.instructions, 2);
  EXPECT_EQ(cost.divides, 1);
  EXPECT_EQ(cost.loads, 2);
  EXPECT_EQ(cost.stores, 1);
  EXPECT_EQ(cost.bytes, 24);
}

TEST(Cost, OfFusedStepsIsWhatTheyReadFirstAndLeaveLast) {
  const auto fused = fuse(prepare(shifted_sum(), Numbers::fma), 3, false, "fuse_steps").machine;
  const auto cost = cost_of(fused.find_kernel("proceed_3")->graph);
  EXPECT_EQ(cost.operations, 3);
  EXPECT_EQ(cost.loads, 1);
  EXPECT_EQ(cost.stores, 1);
  EXPECT_EQ(cost.bytes, 16);
}

/// remove_dead and simplify change no bit: any program means the same after them.
TEST(Passes, KeepTheMeaningOfRandomPrograms) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Rng rng(seed);
    auto before = test::random_machine(rng);
    auto after = prepare(before, Numbers::strict);
    auto size = test::random_size(rng, before.dimension, 300);
    auto expected = test::random_state(before, size, rng);
    auto seen = expected;
    for (std::size_t k = 0; k < before.kernels.size(); ++k) {
      om::interpret(before, before.kernels[k], expected);
      om::interpret(after, after.kernels[k], seen);
    }
    ASSERT_EQ(test::compare_states(before, expected, seen), "") << "seed " << seed << "\n"
                                                                << print(before);
  }
}

}  // namespace
}  // namespace paraiso::passes
