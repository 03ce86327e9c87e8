// What every app's options promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "apps/apps.hpp"
#include "apps/solver.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/om/text/print.hpp"

namespace paraiso::apps {
namespace {

/// The text of a program; "" where the app does not have the combination.
std::string program(const App& app, const AppOptions& options) {
  try {
    return om::print(app.build(options));
  } catch (const Error&) {
    return "";
  }
}

/// The options of each problem of an app, in each dimension: calls `visit(problem, dimension,
/// option)`.
template <class F>
void for_each_option(const App& app, F&& visit) {
  for (const Problem& problem : app.problems)
    for (const int dimension : app.dimensions)
      for (const Option& option : app.options)
        if (option.is_of(problem.name)) visit(problem.name, dimension, option);
}

class AppChoices : public testing::TestWithParam<App> {};

/// So no compiled code, checkpoint or tuning result of one can be taken for that of another.
TEST_P(AppChoices, TwoValuesMakeTwoPrograms) {
  const App& app = GetParam();
  int compared = 0;
  for_each_option(app, [&](const std::string& problem, int dimension, const Option& option) {
    std::map<std::string, std::string> seen;
    for (const OptionValue& value : option.values) {
      const Choices choices = choose(app, problem, {option.name + "=" + value.name});
      const std::string text = program(app, {dimension, app.precisions[0], problem, choices});
      if (text.empty()) continue;
      ++compared;
      const auto [found, is_new] = seen.emplace(text, value.name);
      EXPECT_TRUE(is_new) << problem << " in " << dimension << " dimensions: " << option.name << "="
                          << value.name << " is " << found->second;
    }
  });
  EXPECT_GE(compared, 2 * static_cast<int>(app.options.size()));
}

/// Neither does it matter how a default is chosen.
TEST_P(AppChoices, DefaultsChosenAreDefaultsLeft) {
  const App& app = GetParam();
  for_each_option(app, [&](const std::string& problem, int dimension, const Option& option) {
    const Choices choices = choose(app, problem, {option.name + "=" + option.values.front().name});
    EXPECT_EQ(choices, choose(app, problem, {}));
    EXPECT_EQ(choices.changes(), "");
    EXPECT_EQ(program(app, {dimension, app.precisions[0], problem, choices}),
              program(app, {dimension, app.precisions[0], problem}));
  });
}

TEST_P(AppChoices, AreWellDeclared) {
  const App& app = GetParam();
  for (const Option& option : app.options) {
    EXPECT_TRUE(is_identifier(option.name)) << option.name;
    EXPECT_NE(option.summary, "") << option.name;
    EXPECT_GE(option.values.size(), 2u) << option.name;
    for (const OptionValue& value : option.values)
      EXPECT_EQ(value.name.find_first_of(" ,="), std::string::npos) << value.name;
    for (const std::string& problem : option.problems)
      EXPECT_EQ(std::ranges::count(app.problems, problem, &Problem::name), 1) << problem;
  }
}

/// An option in a problem's name would be one that nobody can combine.
TEST_P(AppChoices, StandInNoProblemsName) {
  const App& app = GetParam();
  for (const Problem& problem : app.problems)
    for (const Problem& other : app.problems)
      EXPECT_FALSE(problem.name.starts_with(other.name + "_")) << problem.name;
}

INSTANTIATE_TEST_SUITE_P(Apps, AppChoices, testing::ValuesIn(built_in()),
                         [](const auto& info) { return info.param.name; });

/// A mistake of an app's author: the command offers neither.
TEST(Solver, SaysWhatItHasNot) {
  const auto said = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  AppOptions options;
  options.dimension = 4;
  EXPECT_EQ(said([&] {
              (void)instantiate<1, 2, 3>(options, []<class, int>() { return om::Machine(); });
            }),
            "error: no such solver in 4 dimensions");
  const numerics::Methods<int> one{{"minmod", "", 1}}, none;
  const Option limiter = option_of("limiter", "", one);
  EXPECT_EQ(chosen(Choices(), limiter, one), 1);
  EXPECT_EQ(said([&] { (void)chosen(Choices(), limiter, none); }),
            "error: option `limiter` has a value `minmod` without a method");
}

}  // namespace
}  // namespace paraiso::apps
