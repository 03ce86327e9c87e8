// Blocks reduce what they make (gene `sums`): the bits of the fixed tree, for each operator and
// element, in blocks of several shapes and in sweeps, and no array has what is reduced. Without any
// of their barriers the results are wrong. PARAISO_CASES sets how many cases, PARAISO_SEED
// which shapes are drawn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/codegen/device/host/generate_device.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/device/cost/launches.hpp"
#include "paraiso/plan/schedule/random_schedule.hpp"
#include "tests/device/compared.hpp"
#include "tests/device/emulated.hpp"
#include "tests/device/reducing.hpp"
#include "tests/device/shapes.hpp"

namespace paraiso {
namespace {

/// How a program runs: genes of its step kernel, and how many of its reductions blocks compute.
struct SumCase {
  int dimension;
  std::vector<std::pair<const char*, const char*>> genes;
  std::size_t fused;
  Shapes sizes;
};

/// Of four reductions two are of floats in order, which need rows of 256.
const std::vector<SumCase>& sum_cases() {
  static const std::vector<SumCase> all = {
      {1, {{"block_x", "512"}}, 4, {{511}, {513}, {1281}}},
      {2, {{"block_x", "64"}, {"block_y", "8"}, {"cells", "4"}}, 2, {{1, 2}, {67, 39}}},
      {2, {{"block_x", "64"}, {"block_y", "8"}, {"march", "on"}}, 4, {{3, 4}, {600, 5}}},
      {3, {{"block_x", "256"}, {"block_y", "2"}, {"march", "on"}}, 4, {{3, 4, 5}, {270, 3, 4}}},
      {1, {{"block_x", "256"}}, 4, {{1}, {255}, {256}, {257}, {4500}}},
      {1, {{"block_x", "64"}}, 2, {{1}, {64}, {65}, {1000}}},
      {2, {{"block_x", "256"}, {"block_y", "2"}}, 4, {{3, 4}, {300, 5}}},
      {2, {{"block_x", "64"}, {"march", "on"}, {"chunk", "16"}}, 4, {{300, 37}}},
      {3, {{"block_x", "256"}, {"block_y", "1"}, {"chunk", "16"}}, 4, {{5, 3, 35}}},
  };
  return all;
}

plan::Plan planned(const SumCase& one, const runtime::Backend& backend, const char* sums = "fused",
                   const Reductions& reductions = kOfFourKinds) {
  const om::Machine program = reducing(one.dimension, reductions);
  plan::Schedule schedule;
  schedule.choices["proceed/sums"] = sums;
  for (const auto& [gene, allele] : one.genes)
    schedule.choices[fmt::format("proceed/{}", gene)] = allele;
  return backend.make_plan(program, schedule);
}

std::size_t fused_in(const plan::KernelPlan& kernel) {
  std::size_t fused = 0;
  for (const plan::Group& group : kernel.groups)
    for (const plan::Stage& stage : group.stages)
      for (const plan::Reduction& reduction : stage.reductions) fused += !reduction.array;
  return fused;
}

TEST(FusedSums, AreOfBlocksThatHaveWholeChunks) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  for (const SumCase& one : sum_cases())
    EXPECT_EQ(fused_in(*planned(one, cuda).find_kernel("proceed")), one.fused)
        << one.dimension << "d " << one.genes[0].second;
  EXPECT_EQ(fused_in(*planned(sum_cases()[0], cuda, "array").find_kernel("proceed")), 0u);
}

/// Neither an array nor a launch of its own.
TEST(FusedSums, TakeNoArray) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  const plan::Plan fused = planned(sum_cases()[6], cuda),
                   array = planned(sum_cases()[6], cuda, "array");
  const auto arrays = [](const plan::Plan& plan) {
    int count = 0;
    for (const auto& [bytes, spares] : plan.spares) count += spares;
    return count;
  };
  EXPECT_LT(arrays(fused), arrays(array));
  EXPECT_EQ(plan::launches_of(*fused.find_kernel("proceed")).count + 4,
            plan::launches_of(*array.find_kernel("proceed")).count);
}

class FusedSumsOn : public testing::TestWithParam<DeviceBackend> {};

TEST_P(FusedSumsOn, EqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  const auto tried =
      std::min(sum_cases().size(), static_cast<std::size_t>(test::setting("PARAISO_CASES", 4)));
  std::vector<Compared> all;
  for (std::size_t i = 0; i < tried; ++i)
    all.push_back({planned(sum_cases()[i], backend), sum_cases()[i].sizes, "sums"});
  expect_equal_interpreter(backend, std::move(all));
}

/// The other operators and elements, by blocks of some shapes and of any, and from an array.
struct ShapeCase {
  SumCase one;
  const char* sums = "fused";
  bool drawn = false;  // all other genes
};

const std::vector<ShapeCase>& shape_cases() {
  static const std::vector<ShapeCase> all = {
      {{2, {{"block_x", "256"}, {"block_y", "2"}}, 4, {}}},
      {{3, {}, 0, {}}, "fused", true},
      {{2, {{"block_x", "64"}, {"block_y", "8"}, {"march", "on"}, {"chunk", "16"}}, 4, {}}},
      {{3, {{"block_x", "256"}, {"block_y", "2"}, {"march", "on"}}, 3, {}}},
      {{3, {}, 0, {}}, "array"},
      {{2, {}, 0, {}}, "fused", true},
  };
  return all;
}

plan::Plan planned(const ShapeCase& test, const runtime::Backend& backend,
                   const Reductions& reductions, Rng& rng) {
  if (!test.drawn) {
    plan::Plan plan = planned(test.one, backend, test.sums, reductions);
    EXPECT_EQ(fused_in(*plan.find_kernel("proceed")), test.one.fused) << reductions[0].name;
    return plan;
  }
  const om::Machine program = reducing(test.one.dimension, reductions);
  plan::Schedule schedule = plan::random_schedule(plan::genes(program, backend.options), rng);
  schedule.choices["proceed/sums"] = test.sums;
  return backend.make_plan(program, schedule);
}

/// Each shape takes the interpreter a while, so that some are for one case and some for another.
Shapes every_third(const Shapes& shapes, std::size_t first) {
  Shapes some;
  for (std::size_t i = first % 3; i < shapes.size(); i += 3) some.push_back(shapes[i]);
  return some;
}

TEST_P(FusedSumsOn, EqualTheInterpreterInShapesOfAnyKind) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  Rng rng(told_seed());
  std::vector<Compared> all;
  // PoCL takes some seconds for each.
  const bool pocl = backend.name == std::string_view("opencl");
  const auto cases = static_cast<std::size_t>(test::setting("PARAISO_CASES", pocl ? 2 : 6));
  for (std::size_t i = 0; i < std::min(cases, shape_cases().size()); ++i) {
    const ShapeCase& test = shape_cases()[i];
    Shapes shapes = every_third(edge_shapes(test.one.dimension), i / 2);
    std::ranges::move(random_shapes(test.one.dimension, rng, 4, 5000), std::back_inserter(shapes));
    all.push_back({planned(test, backend, kReductions[i % kReductions.size()], rng),
                   std::move(shapes), "shapes"});
  }
  expect_equal_interpreter(backend, std::move(all));
}

INSTANTIATE_TEST_SUITE_P(Of, FusedSumsOn, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

// --- without a barrier ---

constexpr const char* kSkipped =
    "#include <stdlib.h>\n"
    "static int skipped() { const char* text = getenv(\"PARAISO_SKIPPED\"); return text ? "
    "atoi(text) : -1; }\n";

/// Each barrier of the step kernel can be left out when it runs.
std::vector<codegen::SourceFile> with_skips(const plan::Plan& plan,
                                            const codegen::GenerateOptions& options) {
  std::vector<codegen::SourceFile> files = codegen::generate_cuda(plan, options);
  const std::string barrier = std::string(codegen::find_dialect("cuda").barrier) + ";";
  for (codegen::SourceFile& file : files) {
    if (!file.name.ends_with(".cu")) continue;
    int number = 0;
    for (std::size_t at = file.text.find("_proceed_1("); at != std::string::npos;) {
      at = file.text.find(barrier, at);
      if (at == std::string::npos) break;
      const std::string guarded = fmt::format("if (skipped() != {}) {}", number++, barrier);
      file.text.replace(at, barrier.size(), guarded);
      at += guarded.size();
    }
    file.text.insert(0, kSkipped);
  }
  return files;
}

bool right_in_all_orders(const runtime::Library& library, const Shapes& sizes) {
  verify::VerifyOptions options;
  options.steps = 2;
  options.sizes = sizes;
  for (const char* order : {"ascending", "descending", "random:1"}) {
    const SetOrder set(order);
    if (verify::verify_library(library, options)) return false;
  }
  return true;
}

TEST(FusedSums, NeedEachOfTheirBarriers) {
  setenv("PARAISO_DEVICE", "emulated", 1);
  std::vector<plan::Plan> plans;
  plans.push_back(planned(sum_cases()[7], *runtime::find_backend("cuda"), "fused", kSumsAlone));
  const auto library =
      runtime::compile_together(plans, with_skips, test_build(), runtime::emulation()).front();
  const Shapes sizes{{300, 4}};
  EXPECT_TRUE(right_in_all_orders(library, sizes));
  constexpr int kBarriers = 2 * 2 + 8;  // of two sums, and of two others in pairs, together
  for (int number = 0; number < kBarriers; ++number) {
    setenv("PARAISO_SKIPPED", std::to_string(number).c_str(), 1);
    EXPECT_FALSE(right_in_all_orders(library, sizes)) << "without barrier " << number;
  }
  setenv("PARAISO_SKIPPED", std::to_string(kBarriers).c_str(), 1);
  EXPECT_TRUE(right_in_all_orders(library, sizes));
  unsetenv("PARAISO_SKIPPED");
}

}  // namespace
}  // namespace paraiso
