#include "paraiso/codegen/generate.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "paraiso/om/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::codegen {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "paraiso_generate_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }
  void write(const std::vector<SourceFile>& files) const {
    for (const auto& file : files) std::ofstream(path_ / file.name) << file.text;
  }

 private:
  fs::path path_;
};

int status_of(const std::string& command) {
  int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

om::Machine random_program(std::uint64_t seed) {
  Rng rng(seed);
  return passes::prepare(test::random_machine(rng), passes::Numbers::fma);
}

/// Every name, literal and shape that random programs have compiles without a word of complaint.
TEST(Generate, IsCleanUnderWallWextra) {
  Folder folder;
  std::string all;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    auto program = random_program(seed);
    Rng rng(seed);
    GenerateOptions options;
    options.class_name = "solver_" + std::to_string(seed);
    options.plugin = true;
    folder.write(generate_openmp(program, plan::random_schedule(program, rng), options));
    all += "#include \"" + options.class_name + ".cpp\"\n";
  }
  std::ofstream(folder.path() / "all.cpp") << all;
  for (const char* compiler : {"g++", "clang++"}) {
    if (status_of(std::string("command -v ") + compiler + " >/dev/null") != 0)
      GTEST_SKIP() << compiler << " is not installed";
    EXPECT_EQ(status_of("cd " + folder.path().string() + " && " + compiler +
                        " -std=c++17 -fsyntax-only -fopenmp -Wall -Wextra -Werror "
                        "-Wno-pass-failed all.cpp"),
              0)
        << compiler;
  }
}

TEST(Generate, IsTheSameTextForTheSameProgramAndSchedule) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    auto program = random_program(seed);
    auto again = passes::prepare(om::parse(om::print(program)), passes::Numbers::strict);
    auto first = generate_openmp(program, plan::default_schedule(program));
    auto second = generate_openmp(again, plan::default_schedule(again));
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
  for (const auto& file : generate_openmp(program, plan::default_schedule(program)))
    all += file.text;
  EXPECT_NE(all.find("double& min, double& min_2, double& min_3)"), std::string::npos);
}

TEST(Generate, FitsTheColumns) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto program = random_program(seed);
    for (const auto& file : generate_openmp(program, plan::default_schedule(program))) {
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
          "paraiso 1\nmachine double dimension 2\nstatic register local f64\n"
          "  boundary 0 cyclic cyclic\n  boundary 1 reflect - outflow\n"
          "static time global f64 time\n"
          "kernel delete initial\n  %0 = load_index 0\n  %1 = cast %0 f64\n  store register %1\n"
          "  %2 = imm f64 0\n  store time %2\nend\n"
          "kernel while step\n  %0 = load register\n  %1 = shift %0 (1, 1)\n  %2 = sin %1\n"
          "  store register %2\n  %3 = load time\n  %4 = imm f64 0.5\n  %5 = add %3 %4\n"
          "  store time %5\nend\nend machine\n"),
      passes::Numbers::fma);
  folder.write(generate_openmp(program, plan::default_schedule(program), options));
  std::string build = "cd " + folder.path().string() +
                      " && cmake -S . -B build > log 2>&1 && cmake --build build >> log 2>&1 && "
                      "build/example > out";
  ASSERT_EQ(status_of(build), 0);
  std::ifstream out(folder.path() / "out");
  std::string text((std::istreambuf_iterator<char>(out)), {});
  EXPECT_NE(text.find("time = 5\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace paraiso::codegen
