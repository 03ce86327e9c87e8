// Versions of a kernel: names, guards, texts in Futhark's formats, and complaints.
#include "paraiso/plan/dispatch/dispatch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "paraiso/plan/dispatch/loop_thresholds.hpp"
#include "paraiso/plan/dispatch/versions_text.hpp"
#include "paraiso/plan/schedule/cpu_options.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/support/thresholds.hpp"
#include "plan_program.hpp"
#include "tests/support/complaint.hpp"

namespace paraiso::plan {
namespace {

using test::complaint;

om::Machine steps() { return program("%0 = load f\n%1 = add %0 %0\nstore f %1\n", 2); }

Dispatch three() {
  return make_dispatch(steps(), "proceed", "base",
                       {{"memory", Measure::state_bytes, 1000}, {"rows", Measure::row_bytes, 64}});
}

TEST(Measures, GrowWithEachLengthAndShrinkWithThreads) {
  const MeasuredGrid grid{{6, 5, 4}, 2, 16, {4, 0, -1}, 56};
  const std::map<std::string, std::int64_t> expected{
      {"cells", 120},    {"cells_per_thread", 60}, {"tiles_per_thread", 2}, {"state_bytes", 1920},
      {"row_bytes", 96}, {"plane_bytes", 480},     {"live_bytes", 1680}};
  EXPECT_EQ(measures().size(), expected.size());
  for (const Measure measure : measures()) {
    EXPECT_EQ(value_of(measure, grid), expected.at(name(measure)));
    EXPECT_EQ(find_measure(name(measure)), measure);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      MeasuredGrid longer = grid;
      ++longer.size[axis];
      EXPECT_GE(value_of(measure, longer), value_of(measure, grid)) << name(measure);
    }
  }
  EXPECT_EQ(find_measure("planes"), std::nullopt);
  EXPECT_EQ(value_of(Measure::plane_bytes, {{7}, 1, 8}), 56);
  EXPECT_EQ(value_of(Measure::tiles_per_thread, {{7, 9}, 1, 8, {2, 3}}), 12);
  EXPECT_EQ(value_of(Measure::tiles_per_thread, {{7, 9}, 3, 8}), 0);  // one tile of all cells
  EXPECT_EQ(value_of(Measure::live_bytes, {{7}, 1, 8, {}, 24}), 24);  // a row is a cell
}

TEST(Measures, LiveBytesAreOfTheRowsBetweenReadsAndOfStores) {
  const om::Machine machine = program(
      "%0 = load f\n%1 = shift %0 (0, -2)\n%2 = shift %0 (3, 1)\n%3 = add %1 %2\nstore f %3\n", 2);
  // Rows y - 1 to y + 2 of `f` and the row that is stored.
  EXPECT_EQ(live_cell_bytes_of(machine.kernels[0]), 8u * (4 + 1));
  EXPECT_EQ(live_cell_bytes_of(steps().kernels[0]), 8u * (1 + 1));
}

TEST(Versions, AreKernelsWithGenesOfTheirOwn) {
  const Dispatch dispatch = three();
  const om::Machine machine = add_versions(steps(), dispatch);
  ASSERT_EQ(machine.kernels.size(), 3u);
  EXPECT_EQ(machine.kernels[1].name, "proceed_memory");
  EXPECT_EQ(machine.step_kernel(), &machine.kernels[0]);
  const Schedule schedule = with({{"proceed/vectors", "2"}, {"other/vectors", "4"}});
  EXPECT_EQ(for_copy(schedule, "proceed", "proceed_rows"), with({{"proceed_rows/vectors", "2"}}));
  EXPECT_EQ(genes(machine, cpu_options).size(), 3 * genes(steps(), cpu_options).size());
}

TEST(Versions, AreTriedInOrder) {
  const Dispatch dispatch = three();
  const auto runs = [&](const Dispatch& one, std::vector<std::int64_t> size) {
    return version_name(one, chosen_version(one, {std::move(size), 1, 16}));
  };
  EXPECT_EQ(runs(dispatch, {3, 3}), "base");
  EXPECT_EQ(runs(dispatch, {4, 1}), "rows");      // 64 bytes in a row
  EXPECT_EQ(runs(dispatch, {100, 1}), "memory");  // though its rows are long, too
  EXPECT_EQ(runs(tuned(dispatch, {{"test.proceed.memory", 1601}}), {100, 1}), "rows");
  for (std::size_t version = 0; version < 3; ++version)
    for (const std::int64_t side : {1, 7, 100000})
      EXPECT_EQ(chosen_version(tuned(dispatch, forcing(dispatch, version)), {{side, side}, 1, 16}),
                version);
}

TEST(Versions, ThatDoNotFitADeviceArePassedOver) {
  Dispatch dispatch = three();
  dispatch.versions[0].shared_bytes = 100'000;
  const auto runs = [&](std::vector<std::int64_t> size, double has) {
    return version_name(dispatch, chosen_version(dispatch, {std::move(size), 1, 16}, has));
  };
  EXPECT_EQ(runs({100, 1}, 0), "memory");  // it does not say
  EXPECT_EQ(runs({100, 1}, 100'000), "memory");
  EXPECT_EQ(runs({100, 1}, 99'999), "rows");
  EXPECT_EQ(runs({3, 3}, 99'999), "base");
  dispatch.shared_bytes = 60'000;
  EXPECT_EQ(runs({3, 3}, 60'000), "base");
  EXPECT_EQ(runs({3, 3}, 59'999), "rows");  // the last that fits
  dispatch.versions[1].shared_bytes = 60'000;
  EXPECT_EQ(runs({3, 3}, 59'999), "base");  // none does
}

TEST(Versions, AreChosenAsGeneratedCodeChooses) {
  for (unsigned bits = 0; bits < 32; ++bits) {
    const auto bit = [&](unsigned place) { return (bits >> place & 1) != 0; };
    Dispatch dispatch = three();
    paraiso_support::Threshold thresholds[2];
    for (unsigned v = 0; v < 2; ++v) {
      dispatch.versions[v].shared_bytes = bit(v) ? 1 : 9;
      dispatch.versions[v].least = bit(2 + v) ? 0 : kLargestThreshold;
      thresholds[v] = {"", dispatch.versions[v].least, 5, bit(v)};
    }
    dispatch.shared_bytes = bit(4) ? 1 : 9;
    const int met = paraiso_support::first_met(thresholds, 2, bit(4));
    EXPECT_EQ(chosen_version(dispatch, {{3, 3}, 1, 16}, 5), met == 0 ? 2 : met - 1) << bits;
  }
}

TEST(Versions, AreShownAsFutharkShowsThem) {
  const Dispatch dispatch = three();
  EXPECT_EQ(thresholds_text(dispatch),
            "test.proceed.memory (threshold ())\n"
            "test.proceed.rows (threshold (!test.proceed.memory))\n");
}

TEST(Versions, HaveNamesThatAreFree) {
  const auto of = [](const std::vector<GuardedName>& guarded) {
    return complaint([&] { (void)make_dispatch(steps(), "proceed", "base", guarded); });
  };
  EXPECT_EQ(of({}), "error: one version of `proceed` alone is nothing to choose from");
  EXPECT_EQ(of({{"base"}}), "error: two versions are called `base`");
  EXPECT_EQ(of({{"a-b"}}),
            "error: `a-b` is no name of a version: it needs letters, digits and `_`");
  EXPECT_EQ(of({{"shared"}}),
            "error: a version can't be called `shared`: `test.proceed.shared` is a guard of the "
            "hardware's");
  EXPECT_EQ(of({{"split"}}),
            "error: a version can't be called `split`: `test.proceed.split` is a guard of the "
            "hardware's");
  EXPECT_EQ(of({{"a"}, {"b"}, {"c"}, {"d"}}),
            "error: 5 versions of `proceed` are too many: a kernel has at most 4");
  const om::Machine twice = add_versions(steps(), three());
  EXPECT_EQ(complaint([&] { (void)make_dispatch(twice, "proceed", "base", {{"rows"}}); }),
            "error: a version of `proceed` can't be called `rows`: there is a kernel "
            "`proceed_rows`");
}

TEST(VersionsText, IsReadBack) {
  const std::string text =
      "# comment\nmemory default@512x512 when 1000 <= state_bytes\n\n"
      "rows genome:AB when 64 <= row_bytes # longer\nbase default\n";
  const auto lines = parse_versions(text, "a.versions");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].schedule, "genome:AB");
  EXPECT_EQ(lines[1].guard->least, 64);
  EXPECT_EQ(lines[2].guard.has_value(), false);
  EXPECT_EQ(print_versions(lines),
            "memory default@512x512 when 1000 <= state_bytes\n"
            "rows genome:AB when 64 <= row_bytes\nbase default\n");
  EXPECT_EQ(print_versions(parse_versions(print_versions(lines), "b")), print_versions(lines));
}

TEST(VersionsText, IsRefusedWithItsLine) {
  const auto of = [](const std::string& text) {
    return complaint([&] { (void)parse_versions(text, "a.versions"); });
  };
  EXPECT_EQ(of(""), "error: `a.versions` has 0 versions: expected 2 to 4");
  EXPECT_EQ(of("base default\n"), "error: `a.versions` has 1 version: expected 2 to 4");
  EXPECT_EQ(of("base\n"), "error: `a.versions`, line 1: expected a name and a schedule");
  EXPECT_EQ(of("base default\nmore default\n"),
            "error: `a.versions`, line 1: without a guard it always runs: nothing may come after "
            "it");
  EXPECT_EQ(of("a default when 1 <= cells\nb default when 2 <= cells\n"),
            "error: `a.versions`, line 2: the last version has no guard: it runs if none holds");
  EXPECT_EQ(of("a default if 1 <= cells\n"),
            "error: `a.versions`, line 1: expected `NAME SCHEDULE when THRESHOLD <= MEASURE`, or "
            "without `when` last");
  EXPECT_EQ(of("a default when -1 <= cells\n"),
            "error: `a.versions`, line 1: a threshold is a whole number from 0 to "
            "9223372036854775807, not `-1`");
  EXPECT_EQ(of("a default when 1 <= planes\n"),
            "error: `a.versions`, line 1: no measure `planes`: there are `cells`, "
            "`cells_per_thread`, `tiles_per_thread`, `state_bytes`, `row_bytes`, `plane_bytes`, "
            "`live_bytes`");
  EXPECT_EQ(of("a-b default\n"),
            "error: `a.versions`, line 1: `a-b` is no name of a version: it needs letters, digits "
            "and `_`");
  const std::string no_name = "is no name of a version: it ";
  EXPECT_EQ(of("2 default\n"),
            "error: `a.versions`, line 1: `2` " + no_name + "begins with a digit");
  EXPECT_EQ(of("__b default\n"),
            "error: `a.versions`, line 1: `__b` " + no_name + "has two `_` in a row");
  EXPECT_EQ(of(std::string(65, 'a') + " default\n"), "error: `a.versions`, line 1: `" +
                                                         std::string(60, 'a') + "...` " + no_name +
                                                         "is longer than 64 characters");
}

/// What is said of a `.tuning` file with that text.
std::string said_of(const std::string& text) {
  char path[] = "/tmp/paraiso-tuning-XXXXXX";
  const int file = mkstemp(path);
  EXPECT_GE(file, 0);
  close(file);
  std::ofstream(path) << text;
  std::string said = complaint([&] { (void)read_tuning(path, three(), "test"); });
  std::remove(path);
  for (auto at = said.find(path); at != std::string::npos; at = said.find(path))
    said.replace(at, sizeof path - 1, "FILE");
  return said;
}

TEST(TuningFiles, AreReadOrRefused) {
  EXPECT_EQ(said_of(""), "nothing is wrong");
  EXPECT_EQ(said_of("test.proceed.memory=7\r\n\ntest.proceed.rows=0\n"), "nothing is wrong");
  EXPECT_EQ(said_of(" test.proceed.memory = 7 \n \t\ntest.proceed.rows\t=0\r\n"),
            "nothing is wrong");
  EXPECT_EQ(said_of("test.proceed.memory = 7\ntest.proceed.memory=8\n"),
            "error: `FILE`, line 2: `test.proceed.memory` has a value already");
  EXPECT_EQ(said_of("test.proceed.memory"),
            "error: `FILE`, line 1: expected `name=value`, a threshold and its number");
  EXPECT_EQ(said_of("\n = 4\n"),
            "error: `FILE`, line 2: expected `name=value`, a threshold and its number");
  for (const char* value : {"-1", "", "1.5", "1 2", "9223372036854775808", "99999999999999999999"})
    EXPECT_EQ(said_of(std::string("test.proceed.rows=") + value),
              std::string("error: `FILE`, line 1: `test.proceed.rows` needs a whole number from 0 "
                          "to 9223372036854775807, not `") +
                  value + "`");
  EXPECT_EQ(said_of(std::string("test.proceed.rows=x\0\x1b[31m\xff", 26)),
            "error: `FILE`, line 1: `test.proceed.rows` needs a whole number from 0 to "
            "9223372036854775807, not `x??[31m?`");
  EXPECT_EQ(said_of("test.proceed.rows=1\ntest.proceed.rows=2\n"),
            "error: `FILE`, line 2: `test.proceed.rows` has a value already");
  EXPECT_EQ(said_of("wave.proceed.rows=1\n"),
            "error: `FILE` is not for `test`: it sets `wave.proceed.rows`");
  EXPECT_EQ(said_of("test.proceed.row=1\n"),
            "error: `FILE`: no threshold `test.proceed.row`: `proceed` has `test.proceed.memory`, "
            "`test.proceed.rows`");
  EXPECT_EQ(complaint([] { (void)read_tuning("/nowhere", three(), "test"); }),
            "error: can't read `/nowhere`: No such file or directory");
  EXPECT_EQ(print_tuning({{"test.proceed.rows", 64}, {"test.proceed.memory", 1000}}),
            "test.proceed.memory=1000\ntest.proceed.rows=64\n");
  EXPECT_EQ(complaint([] {
              check_tuning(three(), {{"test.proceed.rows", -4}});
            }),
            "error: the threshold `test.proceed.rows` can't be -4: it is at least 0");
}

TEST(TuningFiles, MayBeOfLoops) {
  const auto names = loop_thresholds(steps());
  EXPECT_EQ(names, (std::vector<std::string>{"test.least_shared", "test.streaming"}));
  EXPECT_EQ(said_of("test.streaming=7\n"),
            "error: `FILE`: no threshold `test.streaming`: `proceed` has `test.proceed.memory`, "
            "`test.proceed.rows`");  // on a device
  EXPECT_EQ(complaint([] {
              check_tuning(three(), {{"test.proceed.row", 4}}, {"test.streaming"});
            }),
            "error: no threshold `test.proceed.row`: `proceed` has `test.proceed.memory`, "
            "`test.proceed.rows`, and its loops have `test.streaming`");
  const auto [loops, versions] =
      of_loops_and_versions({{"test.streaming", 7}, {"test.proceed.rows", 1}}, steps());
  EXPECT_EQ(loops, (Thresholds{{"test.streaming", 7}}));
  EXPECT_EQ(versions, (Thresholds{{"test.proceed.rows", 1}}));
}

}  // namespace
}  // namespace paraiso::plan
