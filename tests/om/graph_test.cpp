// What Graph::add and Graph::set_name refuse that no text can ask of them.
#include "paraiso/om/graph/graph.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "paraiso/om/text/print.hpp"

namespace paraiso::om {
namespace {

/// %0 is a local f64, %1 a global i64.
Graph graph() {
  return parse(
             "paraiso 1\nmachine m dimension 1\nstatic f local f64\n  boundary 0 cyclic cyclic\n"
             "static n global i64\nkernel k\n  %0 = load f\n  store f %0\n  %1 = load_size 0\n"
             "  store n %1\nend\nend machine\n")
      .kernels[0]
      .graph;
}

std::string complaint(const std::function<void(Graph&)>& change) {
  Graph changed = graph();
  try {
    change(changed);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string complaint(Instruction instruction, std::vector<ValueId> operands) {
  return complaint([&](Graph& graph) {
    graph.add(std::move(instruction), std::span<const ValueId>(operands), {"x.cpp", 5}, "");
  });
}

TEST(Graph, TellsWhatItRefuses) {
  const ValueId local(0), global(1);
  EXPECT_EQ(complaint(Shift{{1025}}, {local}),
            "x.cpp:5: error: shift by 1025 is beyond 1024 cells");
  EXPECT_EQ(complaint(Shift{{-1025}}, {local}),
            "x.cpp:5: error: shift by -1025 is beyond 1024 cells");
  EXPECT_EQ(complaint(Shift{{1, 1}}, {local}),
            "x.cpp:5: error: shift has 2 components, the machine has 1 dimensions");
  EXPECT_EQ(complaint(Arith{Op::neg}, {ValueId(2)}),
            "x.cpp:5: error: `neg` has an unknown operand");
  EXPECT_EQ(complaint(Arith{Op::add}, {local, global}),
            "x.cpp:5: error: `add` mixes local and global operands");
  EXPECT_EQ(complaint(Broadcast{}, {local}),
            "x.cpp:5: error: `broadcast` takes a global value, got local f64");
  EXPECT_EQ(complaint(Load{StaticId(2)}, {}),
            "x.cpp:5: error: `load` names a static that does not exist");
  EXPECT_EQ(complaint(Store{StaticId(2)}, {local}),
            "x.cpp:5: error: `store` names a static that does not exist");
  EXPECT_EQ(complaint(LoadIndex{1}, {}),
            "x.cpp:5: error: `load_index` of axis 1, the machine has 1 dimensions");
  EXPECT_EQ(complaint([](Graph& graph) { graph.set_name(ValueId(0), "a..b"); }),
            "<text>:7: error: `a..b` is no name: letters, digits and single underscores, parts "
            "joined by dots");
}

}  // namespace
}  // namespace paraiso::om
