#include "paraiso/runtime/build/compile.hpp"

#include <set>
#include <thread>
#include <vector>

#include "machines.hpp"
#include "paraiso/codegen/solver_bytes.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/library.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/fields/summary.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/usable_compilers.hpp"

namespace paraiso::runtime {
namespace {

using test::Environment;
using test::error_text;
using test::Folder;

om::Machine program() { return passes::prepare(test::drift<double>(), passes::Numbers::fma); }

/// Of this process. OpenMP keeps those that it has started.
auto count_threads() {
  namespace fs = std::filesystem;
  return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
}

/// In the user's cache, which processes share, so that each program is compiled once; in one of its
/// own where that is what is tested.
class Compile : public testing::Test {
 protected:
  static CompileOptions options(const std::string& compiler = "g++") {
    CompileOptions options;
    options.compiler = compiler;
    options.optimization = "-O1";
    options.threads = 2;
    return options;
  }
  static Library library(const CompileOptions& with = options()) {
    return compile(plan::plan_program(program(), plan::default_schedule(program())), with);
  }
  CompileOptions options_of_its_own(const std::string& optimization) {
    auto with = options();
    with.optimization = optimization;
    with.cache = folder_ / "cache";
    return with;
  }
  Folder folder_;
};

TEST_F(Compile, GivesTheInterpretersBitsWithEachCompiler) {
  for (const std::string& compiler : test::usable_compilers()) {
    auto compiled = library(options(compiler)).instance({7, 5});
    auto reference = interpreter_instance(program(), {7, 5});
    for (const char* kernel : {"bump", "proceed", "proceed", "double_u", "proceed"}) {
      compiled->run(kernel);
      reference->run(kernel);
      EXPECT_EQ(save(*compiled).statics, save(*reference).statics) << compiler << ' ' << kernel;
    }
  }
}

TEST_F(Compile, GivesTheCompilerOnlySoMuchTextAtOnce) {
  std::vector<plan::Plan> plans;
  for (int i = 0; i < 3; ++i)
    plans.push_back(plan::plan_program(program(), plan::default_schedule(program())));
  auto with = options_of_its_own("-O0");
  const std::size_t bytes = library().source().size();
  for (const auto& [most, runs] : {std::pair{bytes / 2, 3}, {bytes * 9 / 4, 2}, {bytes * 4, 1}}) {
    with.most_bytes = most;
    const auto libraries = compile_together(plans, with);
    int sources = 0;
    for (const auto& file : std::filesystem::directory_iterator(libraries[0].folder()))
      sources += file.path().filename().string().starts_with("programs");
    EXPECT_EQ(sources, runs);
    auto reference = interpreter_instance(program(), {7, 5});
    reference->run("bump");
    for (const auto& library : libraries) {
      auto compiled = library.instance({7, 5});
      compiled->run("bump");
      EXPECT_EQ(save(*compiled).statics, save(*reference).statics);
    }
  }
}

TEST_F(Compile, SmallGridsAreSharedBetweenThreadsWhereThatIsAskedFor) {
  auto with = options();
  with.threads = 11;
  const Library threaded = library(with);
  const auto before = count_threads();
  threaded.instance({70, 5})->run("proceed");
  EXPECT_EQ(count_threads(), before);
  threaded.instance({70, 5}, Library::Sharing::always)->run("proceed");
  EXPECT_GE(count_threads(), 11);
}

TEST_F(Compile, ThreadsOfAProgramShareOtherWork) {
  const auto instance = library().instance({70, 5});
  std::vector<std::thread::id> by(3);
  instance->share(
      3, [&](int part) { by[static_cast<std::size_t>(part)] = std::this_thread::get_id(); });
  EXPECT_EQ(by[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(by.begin(), by.end()).size(), 3u);
}

TEST_F(Compile, GridsThatAreWorthItAreSharedBetweenThreads) {
  auto with = options();
  with.threads = 13;
  EXPECT_LT(count_threads(), 13);
  library(with).instance({1000, 500})->run("proceed");
  EXPECT_GE(count_threads(), 13);
}

TEST_F(Compile, TheSecondTimeComesFromTheCache) {
  const auto first = library();
  const auto second = library();
  EXPECT_EQ(second.compile_seconds(), 0);
  EXPECT_EQ(second.folder(), first.folder());
  EXPECT_EQ(second.source(), first.source());
  EXPECT_NE(first.source().find("drift"), std::string::npos);
  EXPECT_EQ(second.threads(), 2);
  EXPECT_EQ(second.compiler_version(), find_toolchain("g++").version);
  auto other = options();
  other.optimization = "-O0";
  EXPECT_NE(library(other).folder(), first.folder());
}

/// The third program that is compiled alike waits for that; it and those that follow have its use.
TEST_F(Compile, TheHeaderOfAllIsPrecompiledForWhoHasSeveralPrograms) {
  auto with = options_of_its_own("-O0");
  const auto precompiled = [&] {
    int count = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(with.cache))
      count += file.path().filename() == "paraiso_support.hpp.gch";
    return count;
  };
  int headers = 0;
  for (const std::string& compiler : test::usable_compilers()) {
    with.compiler = compiler;
    auto machine = program();
    for (int number = 1; number <= 4; ++number) {
      machine.name += "s";
      const auto own = compile(plan::plan_program(machine, plan::default_schedule(machine)), with);
      if (number == 3) ++headers;
      EXPECT_EQ(precompiled(), headers) << compiler;  // and no link to it is left
      auto compiled = own.instance({7, 5});
      auto reference = interpreter_instance(machine, {7, 5});
      compiled->run("bump");
      reference->run("bump");
      EXPECT_EQ(save(*compiled).statics, save(*reference).statics);
    }
  }
}

TEST_F(Compile, WhatTheLibraryDependsOnChangesTheEntry) {
  const auto with = options_of_its_own("-O0");
  const auto supports = [&] {  // compiled ones
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(with.cache))
      count += std::filesystem::exists(entry.path() / "support.o") ? 1 : 0;
    return count;
  };
  std::set<std::filesystem::path> entries;
  const auto is_new = [&](const Library& one) { return entries.insert(one.folder()).second; };
  EXPECT_TRUE(is_new(library(with)));
  plan::Schedule schedule = plan::default_schedule(program());
  schedule.choices["proceed/tile_x"] = "16";
  EXPECT_TRUE(is_new(compile(plan::plan_program(program(), schedule), with)));
  const auto strict = passes::prepare(test::drift<double>(), passes::Numbers::strict);
  EXPECT_TRUE(is_new(compile(plan::plan_program(strict, plan::default_schedule(strict)), with)));
  EXPECT_EQ(supports(), 1) << "it is the same for all programs";

  // The same compiler at the same place, but for what it says of itself.
  Folder bin;
  const auto install = [&](const std::string& version) {
    write_file(bin / "g++", "#!/bin/sh\n[ \"$1\" = --version ] && echo '" + version +
                                "' && exit 0\nexec /usr/bin/g++ \"$@\"\n");
    std::filesystem::permissions(bin / "g++", std::filesystem::perms::owner_all);
  };
  Environment path("PATH", bin.path().string() + ":/usr/bin:/bin");
  for (const char* version : {"g++ 12.2.0", "g++ 12.3.0"}) {
    install(version);
    EXPECT_TRUE(is_new(library(with)));
  }
  EXPECT_FALSE(is_new(library(with)));
  EXPECT_EQ(supports(), 3);
}

TEST_F(Compile, ADamagedLibraryIsBuiltAnew) {
  const auto with = options_of_its_own("-O0");
  const auto folder = library(with).folder();
  for (const auto& entry : std::filesystem::directory_iterator(with.cache))
    for (const char* product : {"library.so", "support.o"}) {
      const auto file = entry.path() / product;
      if (!std::filesystem::exists(file)) continue;
      const auto before = read_file(file);
      write_file(file, before.substr(0, before.size() / 2));
    }
  const auto again = library(with);
  EXPECT_GT(again.compile_seconds(), 0);
  EXPECT_EQ(again.folder(), folder);
  again.instance({3, 3})->run("bump");
}

TEST_F(Compile, InstancesAreIndependentAndOutliveTheLibrary) {
  std::unique_ptr<Instance> small, large;
  {
    const auto one = library();
    small = one.instance({2, 2});
    large = one.instance({30, 20});
  }
  small->run("flat");
  large->run("bump");
  EXPECT_EQ(small->field("u").size, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(summarise_fields(*small)[0].sum, 4);
  EXPECT_LT(summarise_fields(*large)[0].maximum, 1);
  small.reset();
  large->run("proceed");
  EXPECT_EQ(large->scalar("time"), 0.125);
}

TEST_F(Compile, SaysHowMuchMemoryAndRefuses) {
  const auto one = library();
  EXPECT_GE(one.bytes({1000, 1000}), 1e6 * (8 + 4 + 1));
  EXPECT_LE(one.bytes({1000, 1000}), 1e6 * 4 * (8 + 4 + 1));
  const auto text = error_text([&] { (void)one.instance({1 << 22, 1 << 22}); });
  EXPECT_EQ(text.rfind("error: a grid of 4194304x4194304 cells needs ", 0), 0u) << text;
  EXPECT_NE(text.find(" of memory, and "), std::string::npos) << text;
  EXPECT_NE(text.find("\nhint: a grid of "), std::string::npos) << text;
  EXPECT_EQ(error_text([&] { (void)one.instance({5}); }),
            "error: the size `5` has 1 axis, the machine has 2");
  EXPECT_EQ(error_text([&] {
              (void)one.bytes({5, 0});
            }),
            "error: the size `5x0` is impossible: every axis needs at least one cell");
}

TEST_F(Compile, TheMemoryIsKnownBeforeAnythingIsCompiled) {
  const auto one = library();
  const auto plan = plan::plan_program(program(), plan::default_schedule(program()));
  for (const auto& size : std::vector<std::vector<std::int64_t>>{{1, 1},
                                                                 {7, 5},
                                                                 {1000, 1000},
                                                                 {64, 4096},
                                                                 {1 << 22, 1 << 22},
                                                                 {3000000000, 1},
                                                                 {1, 5000000000}})
    EXPECT_EQ(codegen::solver_bytes(plan, size), one.bytes(size)) << size[0] << "x" << size[1];
  EXPECT_GE(one.bytes({3000000000, 1}), 3e9 * (8 + 4 + 1));
  EXPECT_GE(one.bytes({1, 5000000000}), 5e9 * (8 + 4 + 1));
}

TEST_F(Compile, UnknownNamesSuggestTheNearest) {
  auto instance = library().instance({3, 3});
  EXPECT_EQ(error_text([&] { instance->run("bumb"); }),
            "error: machine `drift` has no kernel `bumb`; did you mean `bump`?");
  EXPECT_EQ(error_text([&] {
              instance->set_scalar(*program().find_static("rate"), om::Constant(std::int32_t{1}));
            }),
            "error: scalar `rate` is f64, and can't hold a value of i32");
}

TEST_F(Compile, AFailingCompilerShowsItsLinesAndKeepsTheSources) {
  Folder bin;
  write_file(bin / "g++",
             "#!/bin/sh\n[ \"$1\" = --version ] && echo 'g++ broken' && exit 0\n"
             "for a in \"$@\"; do case $a in *probe.cpp) exit 0;; esac; done\n"
             "echo 'no good' >&2\nexit 1\n");
  std::filesystem::permissions(bin / "g++", std::filesystem::perms::owner_all);
  Environment path("PATH", bin.path().string() + ":/usr/bin:/bin");
  auto text = folder_.shown(error_text([&] { (void)library(options_of_its_own("-O1")); }));
  const auto kept = text.find("cache/failed/");
  ASSERT_NE(kept, std::string::npos) << text;
  const auto key = text.substr(kept + 13, 64);
  EXPECT_EQ(text,
            "error: `g++` fails on `drift.cpp` with status 1:\nno good\n"
            "note: the sources are kept in `FOLDER/cache/failed/" +
                key + "`");
  EXPECT_TRUE(std::filesystem::exists(folder_ / ("cache/failed/" + key + "/drift.cpp")));
}

TEST_F(Compile, ACacheThatIsNotOursIsRefused) {
  Folder open;
  std::filesystem::permissions(open.path(), std::filesystem::perms(0777));
  auto with = options();
  with.cache = open.path();
  EXPECT_EQ(open.shown(error_text([&] { (void)library(with); })),
            "error: the cache folder `FOLDER` can't be used: others can write to it (its mode is "
            "777, and must be 700)\nhint: set PARAISO_CACHE to a folder of your own");
}

class Loading : public testing::Test {
 protected:
  Folder folder;
  std::string complaint(const std::string& source) {
    write_file(folder / "k.cpp", source);
    write_file(folder / "s.cpp", "");
    build_library(find_toolchain("g++"), "-O0", find_target(""), folder.path(), "k.cpp", "s.cpp");
    Library::Loaded loaded;
    return folder.shown(error_text([&] { loaded.load(folder / "library.so", "ours"); }));
  }
};

TEST_F(Loading, WhatIsNoPluginIsRefused) {
  EXPECT_EQ(
      complaint("int other;\n"),
      "error: `FOLDER/library.so` is not a library of Paraiso: it has no `paraiso_plugin_ours`");
  EXPECT_EQ(complaint("static int version = 77;\n"
                      "extern \"C\" const void* paraiso_plugin_ours() { return &version; }\n"),
            "error: `FOLDER/library.so` has plugin interface 77, and this program has " +
                std::to_string(codegen::kPluginVersion));
}

TEST_F(Loading, WhatIsNoLibraryIsRefused) {
  write_file(folder / "library.so", "text");
  Library::Loaded loaded;
  EXPECT_EQ(folder.shown(error_text([&] { loaded.load(folder / "library.so", "ours"); })),
            "error: can't load `FOLDER/library.so`: FOLDER/library.so: file too short");
}

}  // namespace
}  // namespace paraiso::runtime
