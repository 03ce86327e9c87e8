// Every solver with fused steps: the bits of the same steps one by one, in the interpreter.
#include "paraiso/passes/steps/fuse_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/apps.hpp"
#include "paraiso/passes/passes.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso {

static void PrintTo(const App& app, std::ostream* out) { *out << app.name; }

}  // namespace paraiso

namespace paraiso::apps {
namespace {

using passes::Fused;

/// A small odd grid, each axis of another size.
std::vector<std::int64_t> small_size(int dimension) {
  const std::vector<std::int64_t> cells =
      dimension == 1 ? std::vector<std::int64_t>{37} : std::vector<std::int64_t>{7, 5, 3, 2};
  return {cells.begin(), cells.begin() + dimension};
}

std::string difference(const Fused& fused, const std::string& problem) {
  const om::Machine& program = fused.machine;
  om::State expected = om::initial_state(program, small_size(program.dimension));
  if (const auto* initial = program.find_kernel(problem))
    om::interpret(program, *initial, expected);
  om::State seen = expected;
  for (int call = 0; call < 2; ++call) {  // the second from a state that has moved
    passes::interpret_steps(program, fused.fusion, expected);
    om::interpret(program, *program.find_kernel(fused.fusion.kernel), seen);
  }
  return test::compare_states(program, expected, seen);
}

/// Gases have a time step that follows from the state.
Fused fuse(const App& app, const om::Machine& program, int steps) {
  if (app.name != "hydro" && app.name != "mhd") return passes::fuse_steps(program, steps);
  EXPECT_THROW((void)passes::fuse_steps(program, steps), Error);
  return passes::fuse_steps(program, steps, true);
}

/// Two to four steps of the first problem, of each other one as many as come next. In three
/// dimensions, where the halos of a small grid have most of the cells, two of the first one.
std::vector<int> step_counts(int dimension, std::size_t problem) {
  if (dimension >= 3) return problem == 0 ? std::vector<int>{2} : std::vector<int>{};
  if (problem == 0) return {2, 3, 4};
  return {2 + static_cast<int>(problem % 3)};
}

/// Nothing, and each value but the default of each option, with the first problem that has it.
std::vector<std::string> choices_with(const App& app, const std::string& problem) {
  std::vector<std::string> choices{""};
  for (const Option& option : app.options) {
    const auto first = std::ranges::find_if(
        app.problems, [&](const Problem& one) { return option.is_of(one.name); });
    if (first->name != problem) continue;
    for (std::size_t v = 1; v < option.values.size(); ++v)
      choices.push_back(option.name + "=" + option.values[v].name);
  }
  return choices;
}

class Fusing : public testing::TestWithParam<App> {};

TEST_P(Fusing, EveryDimensionProblemAndChoiceKeepsItsBits) {
  const App& app = GetParam();
  int compared = 0;
  for (const int dimension : app.dimensions)
    for (std::size_t p = 0; p < app.problems.size(); ++p)
      for (const std::string& choice : choices_with(app, app.problems[p].name)) {
        const std::string& problem = app.problems[p].name;
        if (dimension >= 3 && !choice.empty()) continue;
        AppOptions options{dimension, app.precisions[0], problem};
        if (!choice.empty()) options.choices = choose(app, problem, {choice});
        om::Machine machine;
        try {
          machine = app.build(options);
        } catch (const Error&) {
          continue;  // a problem that wants more dimensions
        }
        const auto program = passes::prepare(machine, passes::Numbers::fma);
        for (const int steps : choice.empty() ? step_counts(dimension, p) : std::vector{2}) {
          EXPECT_EQ(difference(fuse(app, program, steps), problem), "")
              << app.name << " " << problem << " " << choice << ", " << dimension << " dimensions, "
              << steps << " steps";
          ++compared;
        }
      }
  EXPECT_GE(compared, static_cast<int>(app.problems.size()));
}

TEST_P(Fusing, OnlyTheLastStepsReductionsAreLeft) {
  const App& app = GetParam();
  const auto program =
      passes::prepare(app.build({app.dimensions[0], app.precisions[0], app.problems[0].name}),
                      passes::Numbers::fma);
  const auto reductions = [](const om::Graph& graph) {
    int count = 0;
    for (om::NodeId id : om::canonical_order(graph))
      count += std::holds_alternative<om::Reduce>(graph.node(id).instruction);
    return count;
  };
  EXPECT_EQ(reductions(fuse(app, program, 4).machine.kernels.back().graph),
            reductions(program.step_kernel()->graph));
}

INSTANTIATE_TEST_SUITE_P(Apps, Fusing, testing::ValuesIn(built_in()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace paraiso::apps
