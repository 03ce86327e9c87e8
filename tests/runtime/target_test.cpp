// Targets: the table, what a host can run of it, and what is said where it can't.
#include "paraiso/runtime/system/target.hpp"

#include <set>

#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::Environment;
using test::error_text;

using Words = std::vector<std::string>;

const Words kLevel2 = {"sse2", "cx16", "lahf_lm", "popcnt", "pni", "ssse3", "sse4_1", "sse4_2"};

Host host_with(Words more, const char* architecture = "x86_64") {
  Host host;
  host.architecture = architecture;
  host.features = kLevel2;
  host.features.insert(host.features.end(), more.begin(), more.end());
  host.simd = host.features;
  return host;
}

const Words kLevel3 = {"avx", "avx2", "fma", "f16c", "bmi1", "bmi2", "abm", "movbe", "xsave"};

Host avx2_host() { return host_with(kLevel3); }

TEST(Target, TheTableTellsVectorsAndFlags) {
  struct Row {
    const char *name, *march;
    int bytes, registers;
    bool fma;
  };
  for (const Row& row : {Row{"x86-64-v2", "-march=x86-64-v2", 16, 16, false},
                         Row{"x86-64-v3", "-march=x86-64-v3", 32, 16, true},
                         Row{"x86-64-v4", "-march=x86-64-v4", 64, 32, true},
                         Row{"aarch64", "-march=armv8-a", 16, 32, true}}) {
    const plan::Target target = find_target(row.name);
    EXPECT_EQ(target.name, row.name);
    EXPECT_EQ(target.level, row.name);
    EXPECT_EQ(target.march, row.march);
    EXPECT_EQ(target.vector_bytes, row.bytes) << row.name;
    EXPECT_EQ(target.vector_registers, row.registers) << row.name;
    EXPECT_EQ(target.has_fma, row.fma) << row.name;
    EXPECT_EQ(target.compiler, "g++");
  }
}

TEST(Target, NativeIsAllThatTheHostHas) {
  const plan::Target avx2 = native_target(avx2_host());
  EXPECT_EQ(avx2.name, "native");
  EXPECT_EQ(avx2.level, "x86-64-v3");
  EXPECT_EQ(avx2.march, "-march=native");
  EXPECT_EQ(avx2.vector_bytes, 32);
  EXPECT_EQ(avx2.vector_registers, 16);
  EXPECT_TRUE(avx2.has_fma);
  // A Sandy Bridge, between the levels.
  const plan::Target avx = native_target(host_with({"avx"}));
  EXPECT_EQ(avx.level, "x86-64-v2");
  EXPECT_EQ(avx.vector_bytes, 32);
  EXPECT_FALSE(avx.has_fma);
  // A Knights Landing: some of AVX-512.
  Words knl = kLevel3;
  knl.push_back("avx512f");
  EXPECT_EQ(native_target(host_with(knl)).level, "x86-64-v3");
  EXPECT_EQ(native_target(host_with(knl)).vector_bytes, 64);
  EXPECT_EQ(native_target(host_with(knl)).vector_registers, 32);
  const plan::Target arm = native_target(host_with({"asimd"}, "aarch64"));
  EXPECT_EQ(arm.level, "aarch64");
  EXPECT_EQ(arm.march, "-mcpu=native");
  EXPECT_EQ(native_target(host_with({}, "riscv64")).vector_bytes, 16);
  EXPECT_EQ(native_target(host_with({}, "riscv64")).march, "-march=native");
}

TEST(Target, WhatAHostLacksIsNamed) {
  EXPECT_EQ(missing_features(find_target("x86-64-v2"), avx2_host()), Words{});
  EXPECT_EQ(missing_features(find_target("x86-64-v3"), avx2_host()), Words{});
  EXPECT_EQ(missing_features(find_target("x86-64-v4"), avx2_host()),
            (Words{"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}));
  Host old;
  old.architecture = "x86_64";
  old.features = {"sse2", "pni"};
  EXPECT_EQ(missing_features(find_target("x86-64-v2"), old),
            (Words{"cx16", "lahf_lm", "popcnt", "ssse3", "sse4_1", "sse4_2"}));
  EXPECT_EQ(native_target(old).level, "");
  EXPECT_EQ(missing_features(find_target("aarch64"), avx2_host()), Words{"aarch64"});
  EXPECT_EQ(missing_features(native_target(avx2_host()), avx2_host()), Words{});
}

TEST(Target, AnUnknownOneNamesTheNearest) {
  EXPECT_EQ(error_text([] { (void)find_target("x86-64-3"); }),
            "error: no target `x86-64-3`: did you mean `x86-64-v3`?\n"
            "hint: there is native, x86-64-v2, x86-64-v3, x86-64-v4, aarch64");
}

TEST(Target, OfTheEnvironmentIsTheDefault) {
  {
    Environment none("PARAISO_TARGET", std::nullopt);
    EXPECT_EQ(default_target(), "native");
  }
  Environment chosen("PARAISO_TARGET", "x86-64-v2");
  EXPECT_EQ(default_target(), "x86-64-v2");
  EXPECT_EQ(find_target("").vector_bytes, 16);
  EXPECT_EQ(find_target("native").name, "native");
}

TEST(Target, WhatThisHostCannotRunIsRefused) {
  require_runnable(find_target("native"));
  const std::string foreign = host().architecture == "aarch64" ? "x86-64-v3" : "aarch64";
  EXPECT_EQ(error_text([&] { require_runnable(find_target(foreign)); }),
            "error: this machine can't run code for `" + foreign + "`: its architecture is " +
                host().architecture);
  for (const TargetReport& report : survey_targets(host())) {
    if (report.missing.empty()) continue;
    EXPECT_EQ(error_text([&] { require_runnable(report.target); })
                  .rfind("error: this machine can't run code for `" + report.target.name +
                             "`: its processor lacks ",
                         0),
              0u);
  }
}

TEST(Target, TheSurveyTellsWhatEachLevelLacks) {
  const auto reports = survey_targets(avx2_host());
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[0].target.name, "x86-64-v2");
  EXPECT_EQ(reports[0].note, "no fused multiply-add: right, but slow");
  EXPECT_TRUE(reports[0].missing.empty());
  EXPECT_EQ(reports[1].note, "");
  EXPECT_EQ(reports[2].missing.size(), 5u);
}

}  // namespace
}  // namespace paraiso::runtime
