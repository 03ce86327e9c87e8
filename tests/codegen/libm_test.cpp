// The mode `fast`: cells call the C library's functions, whole vectors where it has these.
#include <gtest/gtest.h>

#include <fstream>

#include "folder.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/codegen/device/host/generate_device.hpp"
#include "paraiso/codegen/support_text.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/device/device_plan.hpp"
#include "paraiso/plan/device/search/device_search.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::codegen {
namespace {

using passes::Numbers;

om::Machine growth(const std::string& element, Numbers numbers) {
  return passes::prepare(
      om::parse("paraiso 1\nmachine growth dimension 1\nstatic f local " + element +
                "\n  boundary 0 cyclic cyclic\nstatic rate global " + element +
                " parameter = 0.5\nkernel proceed step\n%0 = load f\n%1 = load rate\n%2 = exp %1\n"
                "%3 = broadcast %2\n%4 = pow %0 %3\n%5, %6 = sincos %4\n%7 = exp %5\n"
                "%8 = add %6 %7\nstore f %8\nend\nend machine\n"),
      numbers);
}

std::vector<SourceFile> sources(const std::string& element, Numbers numbers) {
  const om::Machine program = growth(element, numbers);
  return generate_openmp(plan::plan_program(program, plan::default_schedule(program)));
}

std::string text_of(const std::vector<SourceFile>& files, const std::string& name) {
  for (const SourceFile& file : files)
    if (file.name == name) return file.text;
  return {};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(Libm, IsCalledForCellsInFastAlone) {
  const auto fast = sources("f64", Numbers::fast);
  const std::string text = text_of(fast, "growth.cpp");
  for (const char* call : {"libm_pow(", "libm_sin(", "libm_cos(", "libm_exp("})
    EXPECT_TRUE(has(text, call)) << text;
  EXPECT_TRUE(has(text, "support::exp(")) << text;  // of a scalar
  EXPECT_TRUE(has(text_of(fast, "growth.hpp"), "#include \"paraiso_libm.hpp\"\n"));
  EXPECT_EQ(text_of(fast, "paraiso_libm.hpp"), libm_header());
  for (const Numbers numbers : {Numbers::strict, Numbers::fma})
    for (const SourceFile& file : sources("f64", numbers))
      EXPECT_FALSE(has(file.text, "libm")) << file.name;
}

/// Which have no C library: the text is that of `fma`.
TEST(Libm, IsNotCalledOnDevices) {
  const auto kernels = [](Numbers numbers) {
    const om::Machine program = growth("f64", numbers);
    const auto files =
        generate_cuda(plan::device_plan(program, plan::device_schedule(program, {})), {});
    return text_of(files, "growth.cu");
  };
  const auto after_banner = [](const std::string& text) { return text.substr(text.find("\n\n")); };
  EXPECT_NE(kernels(Numbers::fast), "");
  EXPECT_EQ(after_banner(kernels(Numbers::fast)), after_banner(kernels(Numbers::fma)));
}

struct VectorLevel {
  const char *name, *compiler, *flags;
  friend std::ostream& operator<<(std::ostream& out, const VectorLevel& l) { return out << l.name; }
};

class LibmLevel : public testing::TestWithParam<VectorLevel> {
 protected:
  /// The assembly of a program of `element`s.
  std::string assembly(const std::string& element) const {
    const test::Folder folder;
    folder.write(sources(element, Numbers::fast));
    EXPECT_EQ(folder.output_of(std::string(GetParam().compiler) +
                               " -std=c++17 -O1 -ffp-contract=off -fno-math-errno "
                               "-fno-trapping-math -fopenmp -Wall -Wextra -Werror -S -o growth.s " +
                               GetParam().flags + " growth.cpp"),
              "");
    std::ifstream file(folder.path() / "growth.s");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Whether the C library has functions of vectors, as paraiso_libm.hpp finds it.
  static bool has_vectors() {
    const test::Folder folder;
    folder.write("paraiso_support.hpp", std::string(support_header()));
    folder.write("libm.cpp", "#include \"paraiso_support.hpp\"\n" + std::string(libm_header()));
    return has(folder.output_of("g++ -std=c++17 -E -dM libm.cpp"), "#define PARAISO_LIBMVEC");
  }
};

TEST_P(LibmLevel, CallsFunctionsOfWholeVectors) {
  if (!test::installed(GetParam().compiler))
    GTEST_SKIP() << GetParam().compiler << " is not installed";
  if (!has_vectors()) GTEST_SKIP() << "the C library has no functions of vectors";
  for (const std::string element : {"f64", "f32"}) {
    const std::string text = assembly(element);
    const std::string last = element == "f32" ? "f" : "";
    const bool wide = has(text, "zmm"), half = !wide && has(text, "ymm");
    const int lanes = (wide ? 64 : half ? 32 : 16) / (element == "f32" ? 4 : 8);
    const std::string before = std::string("_ZGV") +
                               (wide   ? "e"
                                : half ? "d"
                                       : "b") +
                               "N" + std::to_string(lanes);
    for (const char* name : {"v_exp", "v_sin", "v_cos", "vv_pow"})
      EXPECT_TRUE(has(text, before + name + last)) << before << name << last;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, LibmLevel,
                         testing::Values(VectorLevel{"gcc_v3", "g++", "-march=x86-64-v3"},
                                         VectorLevel{"gcc_native", "g++",
                                                     "-march=native -mprefer-vector-width=512"},
                                         VectorLevel{"clang_v3", "clang++", "-march=x86-64-v3"}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace paraiso::codegen
