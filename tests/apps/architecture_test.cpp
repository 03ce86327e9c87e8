// Pages of docs/ show what the program prints; scripts/rewrite-goldens.sh rewrites them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "apps/wave/wave.hpp"
#include "docs/tutorial/gas.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/cpu/loop_words.hpp"
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

plan::Plan default_plan(const om::Machine& program) {
  return plan::plan_program(program, plan::default_schedule(program));
}

/// What `show --plan` prints of the step kernel.
std::string step_plan(const plan::Plan& planned, const plan::Setting& grid) {
  auto text = plan::describe(planned, grid, plan::predict, plan::cpu_loops);
  auto begin = text.find("kernel `proceed`");
  return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
}

std::map<std::string, std::string> listings() {
  auto machine = apps::wave().build({1, om::Element::f64, "paper"});
  auto program = passes::prepare(machine, passes::Numbers::fma);
  auto planned = default_plan(program);
  auto source = codegen::generate_openmp(planned)[1].text;
  auto stage = source.rfind("/// Computes", source.find("void wave_proceed_1"));
  auto burst = passes::prepare(gas<2>("ball"), passes::Numbers::fma);
  return {{"om", lines(om::print(machine), "kernel proceed", "end")},
          {"passes", lines(om::print(program), "kernel proceed", "end")},
          {"plan", step_plan(planned, plan::large_grid(program.dimension))},
          {"stage", source.substr(stage, source.find("\n}\n", stage) + 3 - stage)},
          {"gas plan", step_plan(default_plan(burst), {.size = {1024, 1024}})}};
}

/// `page` with each listing below a line `<!-- made by: NAME -->` replaced by what is printed now;
/// `count` is increased by the number of those.
std::string with_listings(const std::string& page, std::map<std::string, std::string>& made,
                          int& count) {
  std::istringstream text(page);
  std::string rewritten, line, pending;
  bool inside = false;
  while (std::getline(text, line)) {
    bool fence = line.starts_with("```");
    if (!inside || pending.empty() || fence) rewritten += line + "\n";
    if (line.starts_with("<!-- made by: ")) pending = line.substr(14, line.size() - 18);
    if (!fence) continue;
    inside = !inside;
    if (!inside) pending.clear();
    if (pending.empty()) continue;
    EXPECT_FALSE(made[pending].empty()) << pending;
    rewritten += made[pending];
    ++count;
  }
  return rewritten;
}

TEST(Architecture, PageIsTrue) {
  auto made = listings();
  int count = 0;
  for (std::string page : {"docs/architecture.md", "docs/tutorial/4-plan.md"}) {
    auto rewritten = with_listings(read(page), made, count);
    if (test::rewrites_goldens()) std::ofstream(PARAISO_SOURCE_DIR "/" + page) << rewritten;
    EXPECT_EQ(read(page), rewritten) << "scripts/rewrite-goldens.sh rewrites the page";
  }
  EXPECT_EQ(count, 5);
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
