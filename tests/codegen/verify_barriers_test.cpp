// A barrier that not all threads of a block pass is found, however its condition comes by the
// number of a thread.
#include "paraiso/codegen/claris/verify_barriers.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace paraiso::codegen::claris {
namespace {

const Statement kBarrier{DeviceStatement{Barrier{}}};

ExprPtr thread() { return make({DeviceExpr{ThreadOfBlock{0}}}); }
ExprPtr block() { return make({DeviceExpr{BlockOfLaunch{0}}}); }
ExprPtr positive(ExprPtr value) { return make({Within{std::move(value), integer(1), integer(9)}}); }

Function with(Block body) {
  Function function;
  function.name = "f";
  function.body = std::move(body);
  return function;
}

TEST(Barriers, MayStandWhereAllThreadsComeAlike) {
  EXPECT_NO_THROW(verify_barriers(with({kBarrier})));
  EXPECT_NO_THROW(verify_barriers(with({{For{"k", block(), name("last"), {kBarrier}}}})));
  EXPECT_NO_THROW(verify_barriers(with({{If{positive(block()), {kBarrier}}}})));
}

TEST(Barriers, AreRefusedInAKernelThatReturns) {
  const Statement leaves{DeviceStatement{ReturnIfStopped{}}};
  EXPECT_NO_THROW(verify_barriers(with({leaves})));
  EXPECT_THROW(verify_barriers(with({leaves, kBarrier})), std::logic_error);
}

TEST(Barriers, AreRefusedWhereSomeThreadsMayNotCome) {
  EXPECT_THROW(verify_barriers(with({{If{positive(thread()), {kBarrier}}}})), std::logic_error);
  EXPECT_THROW(verify_barriers(with({{For{"k", integer(0), thread(), {kBarrier}}}})),
               std::logic_error);
  EXPECT_THROW(
      verify_barriers(
          with({{DeviceStatement{ForThreads{{{0, "i", integer(0), integer(9)}}, {kBarrier}}}}})),
      std::logic_error);
}

TEST(Barriers, FollowVariables) {
  const Statement x{Declare{om::Element::i32, "x", thread()}};
  const Statement y{Declare{om::Element::i32, "y", plus(name("x"), integer(1))}};
  EXPECT_THROW(verify_barriers(with({x, y, {If{positive(name("y")), {kBarrier}}}})),
               std::logic_error);
  EXPECT_NO_THROW(verify_barriers(with({x, y, {If{positive(name("z")), {kBarrier}}}})));
}

/// What is assigned in a branch that only some threads take, or later in the same loop.
TEST(Barriers, FollowAssignments) {
  const Statement n{DeviceStatement{DeclareVariable{om::Element::i32, "n", integer(0)}}};
  const Statement set{If{positive(thread()), {{Assign{name("n"), integer(1)}}}}};
  const Statement wait{If{positive(name("n")), {kBarrier}}};
  EXPECT_NO_THROW(verify_barriers(with({n, wait})));
  EXPECT_THROW(verify_barriers(with({n, set, wait})), std::logic_error);
  EXPECT_THROW(verify_barriers(with({n, {For{"k", integer(0), integer(9), {wait, set}}}})),
               std::logic_error);
}

}  // namespace
}  // namespace paraiso::codegen::claris
