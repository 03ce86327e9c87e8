#include "paraiso/runtime/build/toolchain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "support.hpp"
#include "tests/support/usable_compilers.hpp"

namespace paraiso::runtime {
namespace {

using test::Environment;
using test::error_text;
using test::Folder;

void write_program(const std::filesystem::path& path, const std::string& script) {
  write_file(path, "#!/bin/sh\n" + script);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

/// A compiler that answers `--version` and nothing else.
constexpr const char* kBroken =
    "if [ \"$1\" = --version ]; then echo 'fake 1.0 clang'; exit 0; fi\n"
    "echo \"first complaint\" >&2; seq 2 30 >&2; exit 4\n";

bool has(const std::vector<std::string>& flags, const std::string& flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

TEST(Toolchain, FindsGcc) {
  const auto toolchain = find_toolchain("g++");
  EXPECT_TRUE(toolchain.path.is_absolute());
  EXPECT_EQ(toolchain.version.rfind("g++", 0), 0u) << toolchain.version;
  EXPECT_FALSE(toolchain.clang);
  EXPECT_EQ(openmp_problem(toolchain), "");
}

TEST(Toolchain, NoCompilerNamesThePackage) {
  Folder empty;
  Environment path("PATH", empty.path().string());
  EXPECT_EQ(error_text([] { (void)find_toolchain("g++"); }),
            "error: no compiler `g++` is on PATH\nhint: `apt install g++` has it");
  EXPECT_EQ(error_text([] { (void)find_toolchain("clang++"); }),
            "error: no compiler `clang++` is on PATH\nhint: `apt install clang` has it");
  EXPECT_EQ(error_text([] { (void)find_toolchain("icpc"); }),
            "error: no compiler `icpc` is on PATH\nhint: Paraiso knows `g++` and `clang++`");
  const auto reports = survey_toolchains();
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].name, "g++");
  EXPECT_FALSE(reports[0].usable);
  EXPECT_EQ(reports[0].problem,
            "error: no compiler `g++` is on PATH\nhint: `apt install g++` has it");
}

TEST(Toolchain, WhatIsNoCompilerIsRefused) {
  Folder folder;
  write_program(folder / "g++", "exit 1\n");
  EXPECT_EQ(folder.shown(error_text([&] { (void)find_toolchain((folder / "g++").string()); })),
            "error: `FOLDER/g++ --version` fails: is it a C++ compiler?");
}

TEST(Toolchain, ACompilerWithoutOpenmpNamesThePackage) {
  Folder folder;
  write_program(folder / "clang++", kBroken);
  Environment path("PATH", folder.path().string() + ":/usr/bin:/bin");
  const auto toolchain = find_toolchain("clang++");
  EXPECT_TRUE(toolchain.clang);
  EXPECT_EQ(
      openmp_problem(toolchain),
      "`clang++` can't build OpenMP libraries here: `apt install clang libomp-dev` has what is "
      "missing");
}

TEST(Toolchain, AFailureShowsTheFirstLines) {
  Folder folder;
  write_program(folder / "clang++", kBroken);
  Environment path("PATH", folder.path().string() + ":/usr/bin:/bin");
  const auto toolchain = find_toolchain("clang++");
  write_file(folder / "k.cpp", "");
  write_file(folder / "s.cpp", "");
  EXPECT_EQ(error_text([&] {
              build_library(toolchain, "-O3", find_target("native"), folder.path(), "k.cpp",
                            "s.cpp");
            }),
            "error: `clang++` fails on `k.cpp` with status 4:\n"
            "first complaint\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n...\n"
            "hint: `clang++` can't build OpenMP libraries here: `apt install clang libomp-dev` has "
            "what is "
            "missing");
}

/// Each ends when the other one has begun.
TEST(Toolchain, KernelsOfDevicesAreCompiledSideBySide) {
  Folder folder;
  write_program(
      folder / "nvcc",
      "for made; do :; done\ntouch \"$made\"\n"
      "for tenth in $(seq 100); do [ -e one.fatbin -a -e two.fatbin ] && exit; sleep 0.1; "
      "done\nexit 1\n");
  write_file(folder / "k.cpp", "int half(int x) { return x / 2; }\n");
  write_file(folder / "s.cpp", "");
  const Toolchain toolchain = find_toolchain("g++");
  const plan::Target target = find_target("");
  build_library(toolchain, "-O0", target, folder.path(), {"k.cpp"},
                [&] { return compile_support(toolchain, target, folder.path(), "s.cpp"); }, 60,
                {{"one.cu", "two.cu"}, folder / "nvcc", {}, {}});
  EXPECT_TRUE(std::filesystem::exists(folder / "library.so"));
}

/// Wherever it was made, and although what it was made from is gone.
TEST(Toolchain, APrecompiledHeaderIsReadInsteadOfTheText) {
  const plan::Target target = find_target("");
  for (const std::string& compiler : test::usable_compilers()) {
    Folder folder;
    const Toolchain toolchain = find_toolchain(compiler);
    std::filesystem::create_directory(folder / "making");
    write_file(folder / "making/k.hpp", "#ifndef K\n#define K\nstruct Once {};\n#endif\n");
    precompile(toolchain, source_flags(toolchain, "-O0", target, {}), folder / "making", "k.hpp");
    std::filesystem::remove(folder / "making/k.hpp");
    std::filesystem::rename(folder / "making", folder / "cache");
    write_file(folder / "k.hpp", "#ifndef K\n#error read as text\n#endif\n");
    write_file(folder / "k.cpp", "#include \"k.hpp\"\nOnce once;\n");
    write_file(folder / "s.cpp", "");
    build_library(
        toolchain, "-O0", target, folder.path(), {"k.cpp"},
        [&] { return compile_support(toolchain, target, folder.path(), "s.cpp"); }, 60, {},
        folder / "cache" / precompiled_name("k.hpp"));
    EXPECT_TRUE(std::filesystem::exists(folder / "library.so"));
  }
}

/// The compiler reads the text instead, or fails on what it finds in place of it.
TEST(Toolchain, APrecompiledHeaderThatIsNoneDoesNoHarm) {
  const plan::Target target = find_target("");
  const std::string fails_on_one =
      "case \"$*\" in *-include*) echo 'had to relocate PCH' >&2; exit 1;; esac\nexec g++ \"$@\"\n";
  std::vector<std::string> compilers{fails_on_one};
  for (const std::string& one : test::usable_compilers())
    compilers.push_back("exec " + one + " \"$@\"\n");
  for (const std::string& compiler : compilers) {
    Folder folder;
    write_program(folder / "g++", compiler);
    std::filesystem::create_directory(folder / "cache");
    write_file(folder / "cache/k.hpp.gch", "no header");
    write_file(folder / "k.hpp", "#pragma once\nstruct Once {};\n");
    write_file(folder / "k.cpp", "#include \"k.hpp\"\nOnce once;\n");
    write_file(folder / "s.cpp", "");
    const Toolchain toolchain = find_toolchain((folder / "g++").string());
    build_library(
        toolchain, "-O0", target, folder.path(), {"k.cpp"},
        [&] { return compile_support(toolchain, target, folder.path(), "s.cpp"); }, 60, {},
        folder / "cache/k.hpp.gch");
    EXPECT_TRUE(std::filesystem::exists(folder / "library.so"));
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(folder / "k.hpp.gch")));
  }
}

TEST(Toolchain, AHangIsStopped) {
  Folder folder;
  write_program(folder / "g++", "[ \"$1\" = --version ] && echo g++ 1 && exit 0\nsleep 60\n");
  const auto toolchain = find_toolchain((folder / "g++").string());
  EXPECT_EQ(folder.shown(error_text([&] {
    build_library(toolchain, "-O3", find_target("native"), folder.path(), "k.cpp", "s.cpp", 0.25);
  })),
            "error: compiling took too long: `FOLDER/g++` was stopped on `k.cpp` after 0.25 s");
}

TEST(Toolchain, FlagsChangeNoValue) {
  for (const char* name : {"g++", "clang++"}) {
    Toolchain toolchain{name, name, "", std::string(name) == "clang++"};
    const auto flags = kernel_flags(toolchain, "-O3", find_target("native"));
    for (const char* wanted : {"-O3", "-march=native", "-ffp-contract=off", "-fopenmp", "-fPIC"})
      EXPECT_TRUE(has(flags, wanted)) << wanted;
    for (const char* unwanted : {"-ffast-math", "-Ofast", "-funsafe-math-optimizations"})
      EXPECT_FALSE(has(flags, unwanted)) << unwanted;
    const auto support = support_flags(toolchain, find_target("native"));
    EXPECT_TRUE(has(support, "-ffp-contract=off"));
    EXPECT_TRUE(has(support, "-march=native"));
  }
}

TEST(Toolchain, FlagsGoByTheTarget) {
  struct Case {
    const char* target;
    bool clang;
    int major;
    bool wide, moves;
  };
  for (const auto& [target, clang, major, wide, moves] :
       {Case{"x86-64-v2", false, 12, false, false}, Case{"x86-64-v3", false, 12, false, true},
        Case{"x86-64-v3", false, 11, false, false}, Case{"x86-64-v3", true, 14, false, false},
        Case{"x86-64-v4", false, 12, true, false}, Case{"x86-64-v4", true, 14, true, false}}) {
    const auto flags = kernel_flags({"c++", "c++", "", clang, major}, "-O3", find_target(target));
    EXPECT_TRUE(has(flags, std::string("-march=") + target));
    EXPECT_FALSE(has(flags, "-march=native")) << target;
    EXPECT_EQ(has(flags, "-mprefer-vector-width=512"), wide) << target;
    EXPECT_EQ(has(flags, "-mmove-max=256"), moves) << target << ' ' << major;
    EXPECT_EQ(has(flags, "-mstore-max=256"), moves) << target << ' ' << major;
  }
}

TEST(Toolchain, TellsItsVersion) {
  Folder folder;
  const std::pair<const char*, int> answers[] = {
      {"g++ (Debian 12.2.0-14+deb12u1) 12.2.0", 12},
      {"g++ (Ubuntu 13.2.0-23ubuntu4) 13.2.0", 13},
      {"g++ (GCC) 11.4.1 20230605 (Red Hat 11.4.1-2)", 11},
      {"Debian clang version 14.0.6", 14},
      {"Ubuntu clang version 18.1.3 (1ubuntu1)", 18},
      {"a compiler of our own", 0},
  };
  for (const auto& [answer, major] : answers) {
    write_program(folder / "c++", fmt::format("echo '{}'\n", answer));
    EXPECT_EQ(find_toolchain((folder / "c++").string()).major, major) << answer;
  }
}

class EachCompiler : public testing::TestWithParam<const char*> {};

TEST_P(EachCompiler, BuildsALibraryOfTwoUnits) {
  if (!find_program(GetParam())) GTEST_SKIP() << GetParam() << " is not here";
  Folder folder;
  write_file(
      folder / "k.cpp",
      "double half(double);\nextern \"C\" double quarter(double x) { return half(half(x)); }\n");
  write_file(folder / "s.cpp", "double half(double x) { return x / 2; }\n");
  build_library(find_toolchain(GetParam()), "-O1", find_target(""), folder.path(), "k.cpp",
                "s.cpp");
  EXPECT_TRUE(std::filesystem::exists(folder / "library.so"));
  EXPECT_EQ(folder.file_count(), 3);
}

INSTANTIATE_TEST_SUITE_P(Compilers, EachCompiler, testing::Values("g++", "clang++"),
                         [](const auto& info) {
                           return std::string(info.param) == "g++" ? "gcc" : "clang";
                         });

}  // namespace
}  // namespace paraiso::runtime
