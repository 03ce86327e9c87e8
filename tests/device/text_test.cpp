// Device code as text: the words of dialects, what is defined, and constants that stand twice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "apps/apps.hpp"
#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/codegen/device/elementary_text.hpp"
#include "paraiso/codegen/device/operators.hpp"
#include "paraiso/codegen/device/reduction_text.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::codegen {
namespace {

using om::Constant;
using om::Element;
using om::Op;

TEST(Dialect, SpellsItsOwnWords) {
  const std::string text = "KERNEL void f(GLOBAL const LONG* RESTRICT x, LONG y) { x[THREAD_1]; }";
  EXPECT_EQ(spell(find_dialect("opencl"), text),
            "__kernel void f(__global const long* restrict x, long y) { x[get_local_id(1)]; }");
  EXPECT_EQ(spell(find_dialect("cuda"), text),
            "extern \"C\" __global__ void f(const long long* __restrict__ x, long long y) { "
            "x[threadIdx.y]; }");
}

TEST(Dialect, LeavesOtherNamesAlone) {
  const std::string text = "GLOBALS A_0 THREAD_7 KERNEL_1 my_GLOBAL 0";
  for (const Dialect& dialect : dialects()) EXPECT_EQ(spell(dialect, text), text);
}

TEST(Dialect, WritesLiteralsWithTheirBits) {
  const Dialect& opencl = find_dialect("opencl");
  const auto literal = [&](auto value) { return device_literal(opencl, Constant(value)); };
  EXPECT_EQ(literal(0.1), "0.1");
  EXPECT_EQ(literal(-0.0), "-0.0");
  EXPECT_EQ(literal(2.0F), "2.0f");
  EXPECT_EQ(literal(1e300), "1e+300");
  EXPECT_EQ(literal(-HUGE_VAL), "-as_double(0x7ff0000000000000)");
  EXPECT_EQ(literal(std::nanf("")), "as_float(0x7fc00000)");
  EXPECT_EQ(literal(std::int32_t{-5}), "-5");
  EXPECT_EQ(literal(INT64_MIN), "(-9223372036854775807 - 1)");
  EXPECT_EQ(literal(true), "true");
}

TEST(DeviceFunctions, AreNamedByOperatorAndElement) {
  EXPECT_EQ(device_function(Op::add, Element::f64, Element::f64, 0), "add_f64");
  EXPECT_EQ(device_function(Op::not_, Element::boolean, Element::boolean, 0), "not_bool");
  EXPECT_EQ(device_function(Op::cast, Element::f64, Element::i32, 0), "cast_f64_i32");
  EXPECT_EQ(device_function(Op::divmod, Element::f32, Element::f32, 0), "quotient_f32");
  EXPECT_EQ(device_function(Op::divmod, Element::f32, Element::f32, 1), "mod_f32");
  EXPECT_EQ(device_function(Op::sincos, Element::f64, Element::f64, 1), "cos_f64");
}

TEST(DeviceFunctions, ComeWithWhatTheyCall) {
  EXPECT_EQ(device_functions(find_dialect("cuda"), {"neg_i64", "no such"}),
            "static __device__ inline long long sub_i64(long long x, long long y) {\n"
            "  return (long long)((unsigned long long)x - (unsigned long long)y);\n"
            "}\n\n"
            "static __device__ inline long long neg_i64(long long x) {\n"
            "  return sub_i64(0, x);\n"
            "}\n\n");
  EXPECT_EQ(device_functions(find_dialect("opencl"), {"cast_f32_i32"}),
            "static int cast_f32_i32(float x) {\n"
            "  const bool inside = x >= -2147483648.0f && x < -(-2147483648.0f);\n"
            "  return inside ? (int)x : x >= -(-2147483648.0f) ? 2147483647 : x < "
            "-2147483648.0f ? (-2147483647 - 1) : 0;\n"
            "}\n\n");
  const std::string exp = device_functions(find_dialect("opencl"), {"exp_f32"});
  EXPECT_NE(exp.find("static double exp_f64(double x)"), exp.npos);
  EXPECT_EQ(exp.find("sine"), exp.npos);
}

TEST(DeviceFunctions, HaveNamesOfTheirOwn) {
  const auto names = device_names();
  for (const char* name : {"add_f64", "power_i32", "Pair", "kTwoOverPi", "min_or_nan_f32"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(ReductionText, DefinesEachKernelOnce) {
  const std::set<DeviceReduction> two = {{om::ReduceOp::any, Element::boolean, 2},
                                         {om::ReduceOp::any, Element::boolean, 3}};
  const std::string text = reduction_kernels(find_dialect("hip"), "heat", two);
  const std::regex kernel("__global__ void (\\w+)");
  std::vector<std::string> kernels;
  for (std::sregex_iterator it(text.begin(), text.end(), kernel), end; it != end; ++it)
    kernels.push_back((*it)[1]);
  EXPECT_EQ(kernels,
            (std::vector<std::string>{"heat_reduce_any_bool_2d", "heat_reduce_any_bool_tree",
                                      "heat_reduce_any_bool_3d"}));
  EXPECT_EQ(reduction_functions(two), std::set<std::string>{"or_bool"});
}

// --- elementary functions ---

/// The numbers with a point of a text, in order, without comments.
std::vector<std::string> numbers_of(const std::string& text) {
  const std::string code = std::regex_replace(text, std::regex("//[^\n]*"), "");
  const std::regex number("0x[0-9a-f'.]+(p-?[0-9]+)?|[0-9]+\\.[0-9]+(e[-+]?[0-9]+)?|1e-300");
  std::vector<std::string> numbers;
  for (std::sregex_iterator it(code.begin(), code.end(), number), end; it != end; ++it)
    numbers.push_back(std::regex_replace(it->str(), std::regex("'"), ""));
  return numbers;
}

/// And those that the source has from std::numeric_limits: infinity, NaN, the largest i64 and the
/// smallest normal number.
TEST(ElementaryText, HasTheNumbersOfItsSource) {
  std::stringstream source;
  for (const char* part : {"pairs", "powers", "angles"}) {
    std::ifstream file(std::string(PARAISO_SOURCE_DIR "/paraiso/support/elementary/") + part +
                       ".hpp");
    source << file.rdbuf();
  }
  const auto in_source = numbers_of(source.str()),
             in_text = numbers_of(std::string(elementary_text()));
  std::set<std::string> expected{"0x7ff0000000000000", "0x7ff8000000000000", "0x7fffffffffffffff",
                                 "2.2250738585072014e-308"};
  expected.insert(in_source.begin(), in_source.end());
  EXPECT_EQ(std::set<std::string>(in_text.begin(), in_text.end()), expected);
}

// --- as many fused operations as the plan has, of which nvcc_test.py finds each in PTX ---

bool is_fused(const om::Graph& graph, const plan::Term& term) {
  const auto* arith =
      term.kind == plan::Term::Kind::compute ? graph.producer_as<om::Arith>(term.value) : nullptr;
  return arith && om::info(arith->op).unit == om::Unit::fused;
}

/// Of the loops of a group, each written out once.
std::ptrdiff_t fused_in(const om::Graph& graph, const plan::Group& group) {
  std::ptrdiff_t count = 0;
  for (const plan::Stage& stage : group.stages)
    count += std::ranges::count_if(stage.expansion.terms,
                                   [&](const plan::Term& term) { return is_fused(graph, term); });
  return count;
}

std::ptrdiff_t fused_in(const std::string& text, const std::string& kernel) {
  const std::string from = text.substr(text.find("void " + kernel + "("));
  const std::string body = from.substr(0, from.find("\n}\n"));
  const std::regex call(R"(\bn?m(add|sub)_f(32|64)\()");
  return std::distance(std::sregex_iterator(body.begin(), body.end(), call),
                       std::sregex_iterator());
}

TEST(DeviceText, HasTheFusedOperationsOfThePlan) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  std::ptrdiff_t all = 0;
  for (const auto& [name, dimension] : {std::pair("heat", 3), {"acoustic", 2}, {"hydro", 1}})
    for (const passes::Numbers numbers : {passes::Numbers::strict, passes::Numbers::fma}) {
      const App& app = *std::ranges::find(apps::built_in(), name, &App::name);
      const om::Machine program =
          passes::prepare(app.build({dimension, app.precisions[0], app.problems[0].name}), numbers);
      const plan::Plan plan = cuda.make_plan(program, {});
      std::string text;
      for (const SourceFile& file : cuda.generate(plan, {}))
        if (file.name.ends_with(".cu")) text = file.text;
      const plan::KernelPlan& step = *plan.find_kernel("proceed");
      for (std::size_t g = 0; g < step.groups.size(); ++g) {
        const std::ptrdiff_t planned = fused_in(step.kernel->graph, step.groups[g]);
        EXPECT_EQ(fused_in(text, fmt::format("{}_proceed_{}", name, g + 1)), planned) << name;
        if (numbers == passes::Numbers::strict) {
          EXPECT_EQ(planned, 0) << name;
        }
        all += planned;
      }
    }
  EXPECT_GT(all, 30);
}

}  // namespace
}  // namespace paraiso::codegen
