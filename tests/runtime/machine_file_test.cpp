// What a machine's file keeps, and how each kind of damage is told.
#include "paraiso/runtime/calibrate/machine_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "paraiso/base/error.hpp"

namespace paraiso::runtime {
namespace {

MachineFile example() { return {plan::documented_machine(), "x86-64-v4", "g++ 12", "a host"}; }

std::string complaint(const std::string& text) {
  try {
    (void)parse_machine(text, "m.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

/// The example's text with one part of it replaced.
std::string damaged(const std::string& part, const std::string& by) {
  std::string text = machine_text(example());
  const auto place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), by);
}

/// The example's text without the line of a field.
std::string without(const std::string& field) {
  return std::regex_replace(machine_text(example()),
                            std::regex(fmt::format("  \"{}\": .*\n", field)), "");
}

TEST(MachineFile, KeepsAllThatIsMeasured) {
  const MachineFile file = parse_machine(machine_text(example()), "m.json");
  EXPECT_EQ(file.target, "x86-64-v4");
  EXPECT_EQ(file.compiler, "g++ 12");
  EXPECT_EQ(file.host, "a host");
  EXPECT_EQ(file.machine.processor, plan::documented_machine().processor);
  EXPECT_EQ(file.machine.threads, 2);
  for (const plan::MachineField& field : plan::machine_fields())
    EXPECT_DOUBLE_EQ(file.machine.*field.value, plan::documented_machine().*field.value)
        << field.name;
  ASSERT_EQ(file.machine.caches.size(), 3U);
  EXPECT_DOUBLE_EQ(file.machine.caches[1].bytes, plan::documented_machine().caches[1].bytes);
  EXPECT_DOUBLE_EQ(file.machine.caches[2].bytes_per_second,
                   plan::documented_machine().caches[2].bytes_per_second);
  EXPECT_EQ(machine_text(file), machine_text(example()));
}

TEST(MachineFile, OfAnEarlierVersionLacksOnlyWhatIsNewer) {
  for (const plan::MachineField& field : plan::machine_fields()) {
    const std::string text = without(field.name);
    if (!field.newer)
      EXPECT_NE(complaint(text).find(field.name), std::string::npos) << field.name;
    else
      EXPECT_EQ(parse_machine(text, "m.json").machine.*field.value,
                plan::MachineModel().*field.value);
  }
}

/// The files of earlier versions do not say it.
TEST(MachineFile, SaysWhetherOtherProgramsRan) {
  MachineFile busy = example();
  busy.busy = true;
  EXPECT_TRUE(parse_machine(machine_text(busy), "m.json").busy);
  EXPECT_FALSE(parse_machine(machine_text(example()), "m.json").busy);
  EXPECT_FALSE(parse_machine(without("busy"), "m.json").busy);
}

TEST(MachineFile, TellsWhatIsWrong) {
  const std::string text = machine_text(example());
  const std::string hint = "\nhint: `paraiso calibrate --output FILE` writes one";
  EXPECT_EQ(complaint("nothing"), "error: `m.json` is not a machine file" + hint);
  EXPECT_EQ(complaint("{}"), "error: `m.json` is not a machine file" + hint);
  EXPECT_EQ(complaint(damaged("\"paraiso_machine\": 1", "\"paraiso_machine\": 2")),
            "error: `m.json` is a machine file of another version of Paraiso" + hint);
  EXPECT_EQ(complaint(damaged("\"hertz\"", "\"herz\"")),
            "error: `m.json` is not a machine file: `herz` is no field of one" + hint);
  EXPECT_EQ(complaint(without("hertz")),
            "error: `m.json` is not a machine file: `hertz` is missing or not a number" + hint);
  EXPECT_EQ(complaint(damaged("\"busy\": false", "\"constants\": {\"windows\": 1}")),
            "error: `m.json` is not a machine file: `windows` is no field of one" + hint);
  EXPECT_EQ(complaint(damaged("\"busy\": false", "\"constants\": 1")),
            "error: `m.json` is not a machine file: `constants` is not an object" + hint);
  EXPECT_EQ(
      complaint(damaged("\"hertz\": 3", "\"hertz\": -3")),
      "error: `m.json` is not a machine file: `hertz` is -3e+09, and must be between 2e+08 and "
      "2e+10" +
          hint);
  EXPECT_EQ(complaint(damaged("\"threads\": 2", "\"threads\": \"two\"")),
            "error: `m.json` is not a machine file: `threads` is missing or not a number" + hint);
  EXPECT_EQ(complaint(damaged("\"threads\": 2", "\"threads\": 2.5")),
            "error: `m.json` is not a machine file: `threads` is not a whole number" + hint);
  EXPECT_EQ(complaint(damaged("\"caches\"", "\"cashes\"")),
            "error: `m.json` is not a machine file: `cashes` is no field of one" + hint);
  EXPECT_EQ(complaint(text.substr(0, text.find("\"caches\"")) + "\"caches\": 1}"),
            "error: `m.json` is not a machine file: `caches` is not a list of at least two" + hint);
  EXPECT_EQ(complaint(damaged("\"target\": \"x86-64-v4\"", "\"target\": 4")),
            "error: `m.json` is not a machine file: `target` is missing or not a text" + hint);
  EXPECT_EQ(complaint(damaged("\"busy\": false", "\"busy\": 0")),
            "error: `m.json` is not a machine file: `busy` is not true or false" + hint);
}

}  // namespace
}  // namespace paraiso::runtime
