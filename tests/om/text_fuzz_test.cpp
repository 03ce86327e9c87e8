// Garbage gives a Machine or an Error, and memory in proportion to the file.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <fstream>
#include <functional>

#include "paraiso/base/rng.hpp"
#include "paraiso/om/text/print.hpp"
#include "tests/om/text_samples.hpp"
#include "tests/support/sanitized.hpp"

namespace paraiso::om {
namespace {

std::string piece(const std::string& text, Rng& rng) {
  std::size_t start = rng.below(text.size() + 1);
  return text.substr(start, rng.below(40));
}

/// A few random edits: bytes, cuts, copies, swapped pieces of two texts.
std::string mutated(std::string text, const std::string& other, Rng& rng) {
  for (auto edits = rng.between(1, 3); edits > 0; --edits) {
    std::size_t at = rng.below(text.size() + 1);
    switch (rng.below(6)) {
      case 0: text.insert(at, 1, static_cast<char>(rng.below(256))); break;
      case 1: text.erase(at, rng.below(12)); break;
      case 2: text.insert(at, piece(text, rng)); break;
      case 3: text.insert(at, piece(other, rng)); break;
      case 4: text.resize(at); break;
      case 5: {
        static constexpr std::string_view kWords = "0123456789%@-+.=:,()\"\n# ";
        text.insert(at, 1, kWords[rng.below(kWords.size())]);
        break;
      }
    }
  }
  return text;
}

TEST(TextFuzz, MutatedSamplesGiveAMachineOrAnError) {
  auto texts = test::samples();
  for (auto& text : texts) text = print(parse(text));
  Rng rng(20240817);
  int machines = 0, errors = 0;
  for (int i = 0; i < 6000; ++i) {
    const auto& text = texts[rng.below(texts.size())];
    std::string input = mutated(text, texts[rng.below(texts.size())], rng);
    try {
      Machine machine = parse(input);
      std::string printed = print(machine);
      ASSERT_EQ(print(parse(printed)), printed) << input;
      ++machines;
    } catch (const Error& error) {
      ASSERT_TRUE(error.diagnostics()[0].location.known()) << error.what() << "\n" << input;
      ++errors;
    }
  }
  EXPECT_GT(machines, 20);  // the mutations are not all fatal,
  EXPECT_GT(errors, 1000);  // nor all harmless
}

/// A number of KiB from /proc/self/status.
long status_kib(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (long value = 0; word == key && status >> value) return value;
  return -1;
}

/// A text of `lines` lines behind `head`, or of 100 MB if that is less; `line(i)` is the i-th.
struct Large {
  std::string head;
  std::function<std::string(int)> line;
  std::string message;  // what parse says
  int lines = INT_MAX;
};

std::string text_of(const Large& large) {
  constexpr std::size_t kBytes = 100'000'000;
  std::string text = large.head;
  text.reserve(kBytes + 8192);
  for (int i = 0; i < large.lines && text.size() < kBytes; ++i) text += large.line(i);
  return text;
}

std::string message_of(const std::string& text) {
  try {
    (void)parse(text, "x.om");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// What a child process found: its peak above what it held with the text in memory, and the
/// message.
struct Report {
  long excess_kib = -1;  // above 20 times the text and 64 MiB; negative where within
  std::string message;
};

[[noreturn]] void report_from_child(const Large& large, int out) {
  std::string text = text_of(large);
  std::ofstream("/proc/self/clear_refs") << "5";  // forgets the peak so far
  long before = status_kib("VmRSS:");
  std::string message = message_of(text);
  long used = status_kib("VmHWM:") - before;
  long allowed = 64 * 1024 + static_cast<long>(20 * text.size() / 1024);
  std::string report = std::to_string(used - allowed) + " " + message;
  _exit(write(out, report.data(), report.size()) > 0 ? 0 : 1);
}

/// Builds the text and parses it in a process of its own, whose memory nothing else has touched.
Report report_of(const Large& large) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  pid_t child = fork();
  if (child == 0) report_from_child(large, ends[1]);
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  auto blank = text.find(' ');
  if (blank == std::string::npos) return {0, "the child process died"};
  return {std::stol(text), text.substr(blank + 1)};
}

TEST(TextFuzz, LargeFilesStayWithinTwentyTimesTheirSizeAnd64MiB) {
  auto always = [](std::string unit) {  // a million bytes a line of the loop, for speed
    std::string text;
    while (text.size() < 1'000'000) text += unit;
    return [text](int) { return text; };
  };
  auto n = [](int i) { return std::to_string(i); };
  const std::string head = "paraiso 1\nmachine m dimension 1\n";
  const std::string kernel = head + "static f global f64\nkernel k\n%0 = load f\n";
  const std::string local = head + "static f local i32\nboundary 0 cyclic cyclic\nkernel k\n";
  const std::string cut = "the text ends here, expected ";
  const std::string many = "error: more than 500000 instructions";
  std::string many_statics = head;
  for (int i = 0; i < 4096; ++i) many_statics += "static s" + n(i) + " global f64\n";
  const std::vector<Large> cases = {
      {"", always("("), "x.om:1: error: a line of 100000000 characters, expected at most 4096"},
      {"", always("(\n"), "x.om:1: error: expected `paraiso 1` as the first line, got `(`"},
      {head, always("# nothing\n"),
       "x.om:10000002: error: " + cut + "`end machine`: is the file cut?"},
      {kernel, always("(\n"), "x.om:6: error: expected an instruction, got `(`"},
      {kernel, always("kernel k\n"), "x.om:6: error: unknown instruction or operator `kernel`"},
      {kernel, always("in \"a\"\n"), "x.om:500005: " + many},
      {kernel + "store f %1\n", always(std::string(4000, '\n')),
       "x.om:6: error: unknown value `%1`"},
      // Instructions that differ, in the shortest lines there are.
      {kernel, [&](int i) { return "%a" + n(i) + "=imm i32 " + n(i) + "\n"; },
       "x.om:500005: " + many, 500'001},
      {local + "%0=load f\n", [&](int i) { return "%" + n(i + 1) + "=shift %" + n(i) + "(1)\n"; },
       "x.om:500006: " + many, 500'001},
      {local + "%0=load f\n",
       [&](int i) { return "%" + n(i + 1) + "=add %" + n(i) + " %" + n(i) + "\n"; },
       "x.om:500005: error: the text ends here, expected the `end` of kernel `k`: is the file "
       "cut?\n"
       "x.om:5: note: it starts here",
       499'999},
      {local + "%0=load f\n", [&](int i) { return "%" + n(i + 1) + "=load f\n"; },
       "x.om:500006: " + many, 500'001},
      {local + "%0=load f\n", [&](int i) { return "store f @" + n(i) + " %0\n"; },
       "x.om:1031: error: expected a step from 0 to 1023, got `1024`"},
      {many_statics + "kernel k\n%0=imm f64 1\n",
       [&](int i) { return "store s" + n(i % 4096) + " @" + n(i / 4096) + " %0\n"; },
       "x.om:504100: " + many, 500'001},
      // Declarations.
      {"paraiso 1\nmachine m dimension 16\nstatic f local f64\n",
       [&](int i) { return "boundary " + n(i % 16) + " fixed 0 fixed 0\n"; },
       "x.om:20: error: the boundary of axis 0 of `f`, expected that of axis 16"},
      {head, [&](int i) { return "static s" + n(i) + " global f64\n"; },
       "x.om:4099: error: more than 4096 statics"},
      {head + "static f global f64\n",
       [&](int i) { return "kernel k" + n(i) + "\n%0=load f\nstore f %0\nend\n"; },
       "x.om:16388: error: more than 4096 kernels"},
  };
  for (const auto& large : cases) {
    Report report = report_of(large);
    EXPECT_EQ(report.message, large.message);
    if (!paraiso::test::kSanitized) {
      EXPECT_LE(report.excess_kib, 0) << large.message;
    }
  }
}

}  // namespace
}  // namespace paraiso::om
