#include "paraiso/codegen/cpu/openmp.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "folder.hpp"
#include "paraiso/codegen/device/host/generate_device.hpp"
#include "paraiso/codegen/support_text.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/device/device_plan.hpp"
#include "paraiso/plan/device/search/device_search.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::codegen {
namespace {

using test::Folder;
using test::installed;

om::Machine random_program(std::uint64_t seed) {
  Rng rng(seed);
  return passes::prepare(test::random_machine(rng), passes::Numbers::fma);
}

/// Its loop reads neighbours alone.
om::Machine sum_of_neighbours() {
  return passes::prepare(om::parse("paraiso 1\nmachine sums dimension 1\nstatic f local f64\n"
                                   "  boundary 0 cyclic cyclic\nkernel proceed step\n"
                                   "%0 = load f\n%1 = shift %0 (1)\n%2 = shift %0 (-1)\n"
                                   "%3 = add %1 %2\nstore f %3\nend\nend machine\n"),
                         passes::Numbers::fma);
}

TEST(Generate, RefusesThePlanOfAnotherBackEnd) {
  const om::Machine program = sum_of_neighbours();
  const auto refusal = [](const auto& generate) -> std::string {
    try {
      (void)generate();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  const std::string hint =
      "hint: the function `make_plan` of a back end makes those that it compiles";
  EXPECT_EQ(refusal([&] { return generate_cuda(plan::plan_program(program, {}), {}); }),
            "error: this plan was made for a processor, and `cuda` needs another one\n" + hint);
  EXPECT_EQ(
      refusal([&] {
        return generate_openmp(plan::device_plan(program, plan::device_schedule(program, {})));
      }),
      "error: this plan was made for a device, and processors need another one\n" + hint);
}

/// Every name, literal and shape that random programs have compiles without a word of complaint.
TEST(Generate, IsCleanUnderWallWextra) {
  Folder folder;
  std::string all = "#include \"sums.cpp\"\n";
  folder.write(generate_openmp(plan::plan_program(sum_of_neighbours(), {})));
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    auto program = random_program(seed);
    Rng rng(seed);
    GenerateOptions options;
    options.class_name = "solver_" + std::to_string(seed);
    options.plugin = true;
    folder.write(
        generate_openmp(plan::plan_program(program, plan::random_schedule(program, rng)), options));
    all += "#include \"" + options.class_name + ".cpp\"\n";
  }
  folder.write("all.cpp", all);
  for (const std::string compiler : {"g++", "clang++"}) {
    if (!installed(compiler)) GTEST_SKIP() << compiler << " is not installed";
    EXPECT_EQ(folder.output_of(compiler + " -std=c++17 -fsyntax-only -fopenmp -Wall -Wextra "
                                          "-Werror -Wno-pass-failed all.cpp"),
              "")
        << compiler;
  }
}

TEST(Generate, IsTheSameTextForTheSameProgramAndSchedule) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    auto program = random_program(seed);
    auto again = passes::prepare(om::parse(om::print(program)), passes::Numbers::strict);
    auto first = generate_openmp(plan::plan_program(program, plan::default_schedule(program)));
    auto second = generate_openmp(plan::plan_program(again, plan::default_schedule(again)));
    for (std::size_t f = 0; f < first.size(); ++f)
      ASSERT_EQ(first[f].text, second[f].text) << "seed " << seed;
  }
}

/// Three minima once had parameters of two names.
TEST(Generate, ResultsHaveNamesOfTheirOwn) {
  std::string text =
      "paraiso 1\nmachine minima dimension 1\nstatic f local f64\n"
      "  boundary 0 cyclic cyclic\n";
  for (const char* name : {"a", "b", "c"}) text += std::string("static ") + name + " global f64\n";
  text +=
      "kernel proceed step\n%0 = load f\n%1 = mul %0 %0\n%2 = mul %1 %0\n"
      "%3 = reduce min %0\n%4 = reduce min %1\n%5 = reduce min %2\n%6 = add %3 %4\n"
      "%7 = add %4 %5\n%8 = add %5 %3\nstore a %6\nstore b %7\nstore c %8\n"
      "end\nend machine\n";
  const auto program = passes::prepare(om::parse(text), passes::Numbers::strict);
  std::string all;
  for (const auto& file :
       generate_openmp(plan::plan_program(program, plan::default_schedule(program))))
    all += file.text;
  EXPECT_NE(all.find("double& min, double& min_2, double& min_3)"), std::string::npos);
}

TEST(Generate, FitsTheColumns) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto program = random_program(seed);
    for (const auto& file :
         generate_openmp(plan::plan_program(program, plan::default_schedule(program)))) {
      if (file.name.starts_with("paraiso_support")) continue;
      std::istringstream text(file.text);
      for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 110u) << line;
    }
  }
}

TEST(Generate, StandaloneProjectBuildsAndRunsWithoutParaiso) {
  Folder folder;
  GenerateOptions options;
  options.standalone = true;
  auto program = passes::prepare(
      om::parse(
          "paraiso 1\nmachine example dimension 2\nstatic register local f64\n"
          "  boundary 0 cyclic cyclic\n  boundary 1 reflect - outflow\n"
          "static time global f64 time\n"
          "kernel delete initial\n  %0 = load_index 0\n  %1 = cast %0 f64\n  store register %1\n"
          "  %2 = imm f64 0\n  store time %2\nend\n"
          "kernel while step\n  %0 = load register\n  %1 = shift %0 (1, 1)\n  %2 = sin %1\n"
          "  store register %2\n  %3 = load time\n  %4 = imm f64 0.5\n  %5 = add %3 %4\n"
          "  store time %5\nend\nend machine\n"),
      passes::Numbers::fma);
  folder.write(
      generate_openmp(plan::plan_program(program, plan::default_schedule(program)), options));
  EXPECT_EQ(folder.output_of("cmake -S . -B build > log_of_cmake 2>&1 && "
                             "cmake --build build >> log_of_cmake 2>&1 && build/example"),
            "register_2[0] = -0.397042\ntime = 5\n");
  EXPECT_EQ(folder.output_of("build/example 2 3 1"), "register_2[0] = 0.745624\ntime = 1\n");
}

/// Libraries whose names CMake keeps for itself, or that mean something else, parts of one project.
TEST(Generate, ProjectsGoIntoOthersWhateverTheirNames) {
  Folder folder;
  GenerateOptions options;
  options.standalone = true;
  const auto program = random_program(1);
  std::string all = "cmake_minimum_required(VERSION 3.16)\nproject(parts LANGUAGES CXX)\n";
  for (const char* name : {"ALL_BUILD", "PRIVATE", "all", "clean", "debug", "depend", "edit_cache",
                           "example", "help", "install", "optimized", "package", "test"}) {
    options.class_name = name;
    const auto files =
        generate_openmp(plan::plan_program(program, plan::default_schedule(program)), options);
    folder.write(files, std::string("of_") + name);
    all += std::string("add_subdirectory(of_") + name + ")\n";
  }
  folder.write("CMakeLists.txt", all);
  EXPECT_EQ(folder.output_of("cmake -S . -B build > log_of_cmake"), "");
}

/// Each with its own copy of the support header.
TEST(Generate, SolversOfSeveralFoldersGoIntoOneSource) {
  Folder folder;
  folder.write(generate_openmp(plan::plan_program(sum_of_neighbours(), {})), "one");
  folder.write(generate_openmp(plan::plan_program(random_program(1), {}), {.class_name = "other"}),
               "two");
  folder.write("both.cpp",
               "#include \"one/sums.hpp\"\n#include \"two/other.hpp\"\n"
               "double bytes(paraiso_solver::sums&, paraiso_solver::other&) {\n"
               "  return paraiso_solver::sums::bytes({8});\n}\n");
  for (const std::string compiler : {"g++", "clang++"})
    EXPECT_EQ(folder.output_of(compiler + " -std=c++17 -fsyntax-only -fopenmp both.cpp"), "")
        << compiler;
  folder.write("two/paraiso_support.hpp", "#undef PARAISO_SUPPORT\n#define PARAISO_SUPPORT 1\n" +
                                              std::string(support_header()));
  EXPECT_NE(folder.output_of("g++ -std=c++17 -fsyntax-only -fopenmp both.cpp")
                .find("solvers of different versions of Paraiso in one source"),
            std::string::npos);
}

/// Graphs may be deeper than the machine's stack.
TEST(Generate, TakesABoundaryKernelOfAnyDepth) {
  constexpr int kDepth = 30000;
  std::string kernel = "%0 = load c\n";
  for (int i = 0; i < kDepth; ++i)
    kernel += "%" + std::to_string(i + 1) + " = mul %" + std::to_string(i) + " %0\n";
  const std::string last = std::to_string(kDepth);
  const auto machine = passes::prepare(
      om::parse("paraiso 1\nmachine deep dimension 1\nstatic c global f64 = 1\n"
                "static f local f64\n  boundary 0 kernel edge outflow\nboundary_kernel edge\n" +
                kernel + "%b = broadcast %" + last +
                "\nresult %b\nend\nkernel proceed step\n%0 = load f\n%1 = shift %0 (1)\n"
                "store f %1\nend\nend machine\n"),
      passes::Numbers::strict);
  EXPECT_GT(generate_openmp(plan::plan_program(machine, {}))[1].text.size(), 20u * kDepth);
}

/// Sizes and numbers of threads that are none, or that no machine has.
TEST(Generate, ClassesRefuseWhatCannotBe) {
  constexpr const char* kUser = R"(#include <climits>
#include <iostream>

#include "minima.cpp"
#include "paraiso_support.cpp"

template <class Exception>
void expect(std::int64_t first, std::int64_t second) {
  const std::int64_t size[] = {first, second};
  try {
    paraiso_solver::minima solver(size);
    std::cout << first << 'x' << second << " is taken\n";
  } catch (const Exception&) {
  }
  if (second > 0 && !(paraiso_solver::minima::bytes(size) > 1e18)) std::cout << "bytes overflow\n";
}

double least(int threads, int later) {
  paraiso_solver::minima solver({70, 50}, threads);
  solver.ramp();
  solver.set_threads(later);
  solver.proceed();
  return solver.least();
}

int main() {
  const std::int64_t much = std::int64_t{1} << 58, most = INT64_MAX;
  for (const std::int64_t n : {much, much + 1, most / 8, most - 7, most}) {
    expect<std::bad_alloc>(n, 8);
    expect<std::bad_alloc>(8, n);
    expect<std::bad_alloc>(n, n);
  }
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN})
    expect<std::invalid_argument>(8, n);
  for (const int threads : {0, -1, INT_MIN})
    if (least(threads, 1) != 3 || least(2, threads) != 3) std::cout << threads << " threads\n";
}
)";
  const auto program = passes::prepare(
      om::parse("paraiso 1\nmachine minima dimension 2\nstatic f local f64\n"
                "  boundary 0 outflow outflow\n  boundary 1 outflow outflow\n"
                "static least global f64\n"
                "kernel ramp initial\n%0 = load_index 1\n%1 = cast %0 f64\nstore f %1\nend\n"
                "kernel proceed step\n%0 = load f\n%1 = shift %0 (0, -1)\n%2 = imm f64 2\n"
                "%3 = broadcast %2\n%4 = add %1 %3\nstore f %4\n%5 = reduce min %4\n"
                "store least %5\nend\nend machine\n"),
      passes::Numbers::strict);
  const Folder folder;
  folder.write(generate_openmp(plan::plan_program(program, plan::default_schedule(program))));
  folder.write("user.cpp", kUser);
  EXPECT_EQ(folder.output_of("g++ -std=c++17 -O0 -fopenmp -fsanitize=undefined "
                             "-fno-sanitize-recover=all -o user user.cpp && ./user"),
            "");
}

}  // namespace
}  // namespace paraiso::codegen
