// docs/architecture.md shows what the program prints; scripts/rewrite-goldens.sh writes that anew.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "apps/wave/wave.hpp"
#include "paraiso/codegen/generate.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/golden.hpp"

namespace paraiso {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(std::string(PARAISO_SOURCE_DIR "/") + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The part of `text` from the line that begins with `begin` through the one that begins with
/// `end`.
std::string lines(const std::string& text, const std::string& begin, const std::string& end) {
  auto from = text.find("\n" + begin);
  if (from == std::string::npos) return {};
  auto to = text.find("\n" + end, from + 1);
  to = text.find('\n', to + 1);
  return text.substr(from + 1, to - from);
}

std::map<std::string, std::string> listings() {
  auto machine = apps::wave().build({1, om::Element::f64, "paper"});
  auto program = passes::prepare(machine, passes::Numbers::fma);
  auto schedule = plan::default_schedule(program);
  const plan::Plan planned = plan::make_plan(program, schedule);
  auto plan = plan::describe(planned, plan::large_grid(program.dimension));
  auto source = codegen::generate_openmp(planned)[1].text;
  auto stage = source.rfind("/// Makes", source.find("void wave_proceed_1"));
  return {{"om", lines(om::print(machine), "kernel proceed", "end")},
          {"passes", lines(om::print(program), "kernel proceed", "end")},
          {"plan", plan.substr(plan.find("kernel `proceed`"))},
          {"stage", source.substr(stage, source.find("\n}\n", stage) + 3 - stage)}};
}

TEST(Architecture, PageIsTrue) {
  auto made = listings();
  std::istringstream page(read("docs/architecture.md"));
  std::string rewritten, line, pending;
  bool inside = false;
  while (std::getline(page, line)) {
    bool fence = line.starts_with("```");
    if (!inside || pending.empty() || fence) rewritten += line + "\n";
    if (line.starts_with("<!-- made by: ")) pending = line.substr(14, line.size() - 18);
    if (fence) {
      inside = !inside;
      if (inside && !pending.empty()) {
        ASSERT_FALSE(made[pending].empty()) << pending;
        rewritten += made[pending];
      }
      if (!inside) pending.clear();
    }
  }
  if (test::rewrites_goldens())
    std::ofstream(PARAISO_SOURCE_DIR "/docs/architecture.md") << rewritten;
  EXPECT_EQ(read("docs/architecture.md"), rewritten)
      << "scripts/rewrite-goldens.sh rewrites the page";
}

TEST(Architecture, QuotesStandInTheSource) {
  auto page = read("docs/architecture.md");
  const std::string mark = "<!-- quoted from ";
  auto at = page.find(mark);
  ASSERT_NE(at, std::string::npos);
  for (; at != std::string::npos; at = page.find(mark, at + 1)) {
    auto path = page.substr(at + mark.size(), page.find(" -->", at) - at - mark.size());
    auto begin = page.find("```cpp\n", at) + 7;
    auto quoted = page.substr(begin, page.find("```", begin) - begin);
    EXPECT_NE(read(path).find(quoted), std::string::npos) << path << "\n" << quoted;
  }
}

}  // namespace
}  // namespace paraiso
