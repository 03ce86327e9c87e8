#include "paraiso/runtime/backend/code_hash.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"

namespace paraiso::runtime {
namespace {

om::Machine program(const std::string& step, const std::string& other) {
  const auto kernel = [](const std::string& head, const std::string& operation) {
    return "kernel " + head + "\n  %0: local f64 = load a\n  %1: local f64 = " + operation +
           "\n  store a %1\nend\n";
  };
  return passes::prepare(
      om::parse("paraiso 1\nmachine m dimension 1\nstatic a local f64\n"
                "  boundary 0 cyclic cyclic\n" +
                    kernel("proceed step", step) + kernel("other", other) + "end machine\n",
                "m.om"),
      passes::Numbers::fma);
}

std::string hash_of(const om::Machine& machine) {
  return generator_hash(default_backend(), machine, *machine.step_kernel(),
                        plan::genes(*machine.step_kernel(), default_backend().options));
}

TEST(CodeHash, IsOfWhatTheCompilerSees) {
  const std::string hash = code_hash("int a;  // of schedule 1\nint b;\n");
  EXPECT_EQ(code_hash("int a;  // of schedule 2\nint b;\n"), hash);
  EXPECT_NE(code_hash("int a;  // of schedule 1\nint c;\n"), hash);
  EXPECT_EQ(hash.size(), 16u);
}

/// Two cost models that disagree give one program: measured results stay comparable.
TEST(CodeHash, DoesNotSeeForecasts) {
  plan::Plan plan = plan::plan_program(program("sqrt %0", "mul %0 %0"), {});
  const auto first = default_backend().generate(plan, {});
  int changed = 0;
  for (plan::KernelPlan& kernel : plan.kernels)
    for (plan::Group& group : kernel.groups) group.nanoseconds_alone *= 7, ++changed;
  ASSERT_EQ(changed, 2);
  const auto second = default_backend().generate(plan, {});
  ASSERT_EQ(first[1].name, "m.cpp");
  EXPECT_EQ(first[1].text, second[1].text);
  EXPECT_EQ(code_hash(first[1].text), code_hash(second[1].text));
  EXPECT_NE(first[0].text, second[0].text) << "the header has them";
}

TEST(GeneratorHash, IsOfOneKernelAndWhatItNeeds) {
  const std::string hash = hash_of(program("add %0 %0", "mul %0 %0"));
  EXPECT_EQ(hash_of(program("add %0 %0", "sqrt %0")), hash) << "another kernel";
  EXPECT_NE(hash_of(program("mul %0 %0", "mul %0 %0")), hash);
}

}  // namespace
}  // namespace paraiso::runtime
