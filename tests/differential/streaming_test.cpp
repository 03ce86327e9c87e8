// Stores past the caches, which arrays of a test's size are otherwise too small for: generated code
// that takes them equals the interpreter bit for bit, with one thread and two.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <regex>

#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/verify/references.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/differential/programs.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/usable_compilers.hpp"

namespace paraiso {
namespace {

/// Every kernel writes past the caches.
plan::Schedule with_streaming(const om::Machine& program, plan::Schedule schedule) {
  for (const plan::Gene& gene : plan::genes(program))
    if (gene.name.ends_with("/streaming")) schedule.choices[gene.name] = "large";
  return plan::repair(program, schedule);
}

runtime::CompileOptions compile_options(const std::string& compiler, int threads) {
  runtime::CompileOptions options;
  options.compiler = compiler;
  options.threads = threads;
  options.optimization =
      "-O1 -include " PARAISO_SOURCE_DIR "/tests/differential/count_streamed.hpp";
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  return options;
}

/// Vectors that a library, and all that was compiled together with it, has stored past the caches.
long streamed(const runtime::Library& library) {
  const auto file = library.folder() / "library.so";
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  const auto* count = static_cast<std::atomic<long>*>(dlsym(handle, "paraiso_streamed"));
  const long value = count == nullptr ? -1 : count->load();
  dlclose(handle);
  return value;
}

void expect_streaming(const runtime::Library& library) {
#if defined(__x86_64__)
  EXPECT_GT(streamed(library), 0);
#else
  (void)library;
#endif
}

struct StreamedCase {
  const char *name, *program;
  std::string element;                  // that stands for f64
  std::optional<plan::Form> form = {};  // that some group has
  int steps = 1;                        // fused
  std::map<std::string, std::string> choices = {};
};

void PrintTo(const StreamedCase& test, std::ostream* out) {
  *out << test.name << ", " << test.element;
}

om::Machine read(const StreamedCase& test) {
  const std::string path = std::string(PARAISO_SOURCE_DIR "/tests/differential/programs/");
  const std::string text = runtime::read_file(path + test.program);
  return passes::prepare(om::parse(std::regex_replace(text, std::regex("f64"), test.element)),
                         passes::Numbers::fma);
}

class Streaming : public testing::TestWithParam<StreamedCase> {};

TEST_P(Streaming, KeepsTheBits) {
  const StreamedCase& test = GetParam();
  om::Machine program = read(test);
  verify::VerifyOptions options;
  if (test.steps > 1) {
    auto fused = passes::fuse(program, test.steps);
    options.fusion = std::move(fused.fusion);
    program = std::move(fused.machine);
  }
  plan::Schedule schedule =
      test.choices.empty() ? plan::default_schedule(program) : plan::Schedule{test.choices};
  schedule = with_streaming(program, schedule);
  for (const auto& [gene, allele] : test.choices)
    ASSERT_EQ(schedule.choices.at(gene), allele) << gene << ": repaired";
  const auto groups = plan::plan_program(program, schedule).kernels.back().groups;
  ASSERT_TRUE(std::ranges::any_of(
      groups, [&](const plan::Group& group) { return !test.form || group.form == *test.form; }));
  for (const int threads : {1, 2}) {
    options.sizes = verify::usual_sizes(program.dimension, threads);
    const auto library = runtime::compile(plan::plan_program(program, schedule),
                                          compile_options(test::usable_compilers().at(0), threads));
    const auto difference = verify::verify_library(library, options);
    ASSERT_FALSE(difference) << difference->text();
    expect_streaming(library);
  }
}

std::vector<StreamedCase> cases() {
  const std::map<std::string, std::string> rolling = {{"proceed_2/u.state", "rolling"},
                                                      {"proceed_2/v.state", "rolling"},
                                                      {"proceed_2/w.state", "rolling"}};
  auto split = rolling;  // its groups read soon what they write, and don't stream; `proceed` does
  split["proceed_2/form"] = "split";
  split["proceed_2/tile_y"] = "4";
  std::vector<StreamedCase> list;
  for (const char* element : {"f64", "f32"})
    for (const StreamedCase& test : std::initializer_list<StreamedCase>{
             {"hydro_1d", "hydro_1d.om", element},
             {"hydro_2d", "hydro_2d.om", element},
             {"tiled",
              "stored_2d.om",
              element,
              plan::Form::tiled,
              1,
              {{"proceed/tile_x", "16"}, {"proceed/tile_y", "4"}, {"proceed/vectors", "2"}}},
             {"swept", "edges_2d.om", element, plan::Form::swept, 2, rolling},
             {"split", "edges_2d.om", element, plan::Form::split, 2, split},
         })
      list.push_back(test);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Programs, Streaming, testing::ValuesIn(cases()), [](const auto& info) {
  return std::string(info.param.name) + "_" + info.param.element;
});

/// Of elements of every size, under schedules of every kind, with each compiler.
TEST(Streaming, RandomProgramsKeepTheirBits) {
  std::uint64_t seed = 1;
  for (const std::string& compiler : test::usable_compilers()) {
    std::vector<plan::Plan> programs;
    for (; programs.size() < 8; ++seed) {
      Rng rng(seed);
      const auto program = passes::prepare(test::random_machine(rng), passes::Numbers::fma);
      programs.push_back(plan::plan_program(
          program, with_streaming(program, plan::random_schedule(program, rng))));
    }
    const auto libraries = runtime::compile_together(programs, compile_options(compiler, 2));
    for (const auto& library : libraries) {
      const auto difference = verify::verify_library(library, {});
      ASSERT_FALSE(difference) << "before seed " << seed << "\n" << difference->text();
    }
    expect_streaming(libraries.front());
  }
}

}  // namespace
}  // namespace paraiso
