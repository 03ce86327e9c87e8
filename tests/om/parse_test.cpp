// What is wrong with a text is told at its line, in full; what is right may be written freely.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "paraiso/base/text.hpp"
#include "paraiso/om/text/print.hpp"
#include "tests/om/text_samples.hpp"
#include "tests/support/golden.hpp"

namespace paraiso::om {
namespace {

using test::files_in;
using test::read_text;

constexpr std::string_view kExpect = "# expect: ";

/// The error that parsing `text` throws, or "no error".
std::string error_of(std::string_view text, const std::string& file = "<text>") {
  try {
    (void)parse(text, file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The text behind `# expect: `, a line each.
std::string expectation(const std::string& text) {
  std::string expected;
  for (const auto& line : split(text, '\n'))
    if (line.starts_with(kExpect))
      expected += (expected.empty() ? "" : "\n") + line.substr(kExpect.size());
  return expected;
}

/// Writes what the parser says today at the top of a malformed file.
void rewrite(const std::filesystem::path& path) {
  std::string body = read_text(path), expected;
  while (body.starts_with(kExpect)) body.erase(0, body.find('\n') + 1);
  for (int round = 0; round < 2; ++round) {  // the second with the lines of the first above it
    std::string head;
    for (const auto& line : split(error_of(expected + body, path.string()), '\n'))
      head += std::string(kExpect) + line + "\n";
    expected = head;
  }
  std::ofstream(path, std::ios::binary) << expected << body;
}

// scripts/rewrite-goldens.sh writes the expectations anew.
TEST(Parse, MalformedFilesGiveTheirExactMessages) {
  auto files = files_in("om/malformed");
  ASSERT_GE(files.size(), 80u);
  for (const auto& file : files) {
    if (paraiso::test::rewrites_goldens()) rewrite(file);
    std::string text = read_text(file);
    ASSERT_NE(expectation(text), "") << file;
    EXPECT_EQ(error_of(text, file.string()), expectation(text)) << file;
  }
}

TEST(Parse, TakesFreeLayoutCommentsAndLineEnds) {
  const std::string tidy = R"(paraiso 1
machine example dimension 1

static f local f64
  boundary 0 cyclic cyclic

kernel proceed step
  %0 old: local f64 = load f
  %1: local f64 manifest = shift %0 (-1)
  %2: local f64, %3: local f64 = sincos %1
  %4: local f64 = add %2 %3
  store f %4
end

end machine
)";
  const std::string free =
      "# a comment\r\n\tparaiso 1# more\r\n\r\nmachine example dimension 1\n"
      "static   f local f64\nboundary 0 cyclic cyclic # both sides\n"
      "kernel proceed step\n%a old=load f\n%b7:manifest=shift %a(-1)\n"
      "%7:local f64,%8=sincos %b7\n%unused = load_index 0\n%9 =add %7 %8\n"
      "store f %9\nend\nend machine\n# the end";
  std::string named = tidy;
  named.replace(named.find("%1: local f64 manifest"), 3, "%1 b7:");
  EXPECT_EQ(print(parse(free)), named);
  EXPECT_EQ(print(parse(tidy)), tidy);
}

TEST(Parse, AWordBehindThePercentSignNamesTheValue) {
  auto machine = parse(
      "paraiso 1\nmachine m dimension 1\nstatic f local f64\nboundary 0 cyclic cyclic\n"
      "kernel k\n%flux = load f\n%other flux.x = shift %flux (1)\nstore f %other\nend\nend "
      "machine\n");
  EXPECT_EQ(machine.kernels[0].graph.name(ValueId(0)), "flux");
  EXPECT_EQ(machine.kernels[0].graph.name(ValueId(1)), "flux.x");
}

TEST(Parse, GivesEverythingItsLine) {
  auto machine = parse(
      "paraiso 1\nmachine m dimension 1\nstatic f local f64\nboundary 0 outflow kernel b\n"
      "boundary_kernel b\n%0 = load f\nresult %0\nend\n"
      "kernel k\n%0: manifest = load f\nstore f %0\nend\nend machine\n",
      "dir/x.om");
  const auto& graph = machine.kernels[0].graph;
  EXPECT_EQ(machine.statics[0].location.text(), "x.om:3");
  EXPECT_EQ(machine.boundary_kernels[0].location.text(), "x.om:5");
  EXPECT_EQ(machine.kernels[0].location.text(), "x.om:9");
  EXPECT_EQ(graph.value(ValueId(0)).location.text(), "x.om:10");
  EXPECT_EQ(graph.value(ValueId(0)).annotation.location.text(), "x.om:10");
  EXPECT_EQ(graph.node(graph.stores()[0]).location.text(), "x.om:11");
}

TEST(Parse, FoldsConstantsAsTheBuilderDoes) {
  auto machine = parse(
      "paraiso 1\nmachine m dimension 1\nstatic g global f64\nkernel k\n%0 = imm f64 2\n"
      "%1 = imm f64 0.5\n%2 = mul %0 %1\nstore g %2\nend\nend machine\n");
  EXPECT_EQ(print(machine), R"(paraiso 1
machine m dimension 1

static g global f64 = 0

kernel k
  %0: global f64 = imm f64 1
  store g %0
end

end machine
)");
}

TEST(Parse, RefusesEveryCutOfEverySample) {
  for (const auto& text : test::samples()) {
    std::string whole = print(parse(text));
    for (std::size_t cut = 0; cut + 1 < whole.size(); ++cut)  // the last line break may be missing
      ASSERT_NE(error_of(whole.substr(0, cut)), "no error") << "cut at " << cut;
    EXPECT_EQ(error_of(whole.substr(0, whole.size() - 1)), "no error");
  }
}

TEST(Parse, ShowsBytesThatATerminalWouldObeyAsText) {
  EXPECT_EQ(
      error_of(std::string_view("paraiso 1\nmachine \0\x1b[2J\xff dimension 1\n", 37), "x.om"),
      "x.om:2: error: `\\x00\\x1b[2J\\xff` is no identifier: expected the machine's name in "
      "letters, digits and single underscores, at most 64, not starting with a digit");
}

TEST(Parse, RefusesWhatIsTooLargeWithTheLimit) {
  const std::string head = "paraiso 1\nmachine m dimension 1\n";
  EXPECT_EQ(error_of(head + std::string(5000, ' ') + "\n", "x.om"),
            "x.om:3: error: a line of 5000 characters, expected at most 4096");
  std::string statics = head, kernels = head + "static f global f64\n";
  for (int i = 0; i <= 4096; ++i) {
    statics += "static s" + std::to_string(i) + " global f64\n";
    kernels += "kernel k" + std::to_string(i) + "\n%0 = load f\nstore f %0\nend\n";
  }
  EXPECT_EQ(error_of(statics, "x.om"), "x.om:4099: error: more than 4096 statics");
  EXPECT_EQ(error_of(kernels, "x.om"), "x.om:16388: error: more than 4096 kernels");
  std::string instructions = head + "static f global f64\nkernel k\n%0 = load f\n";
  for (int i = 0; i < 500'000; ++i) instructions += "in \"\"\n";
  EXPECT_EQ(error_of(instructions, "x.om"), "x.om:500005: error: more than 500000 instructions");
}

}  // namespace
}  // namespace paraiso::om
