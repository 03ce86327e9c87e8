#include "paraiso/tune/predict/recipe.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <nlohmann/json.hpp>

#include "paraiso/base/rng.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/two_fields.hpp"
#include "tests/tune/built_app.hpp"

namespace paraiso::tune {
namespace {

/// A program's step kernel, its genes and their roles.
struct Program {
  om::Machine machine;
  std::vector<plan::Gene> genes;
  std::vector<Role> roles;

  explicit Program(om::Machine made)
      : machine(std::move(made)),
        genes(plan::genes(kernel())),
        roles(roles_of(kernel(), plan::cpu_options)) {}

  [[nodiscard]] const om::Kernel& kernel() const { return *machine.step_kernel(); }

  [[nodiscard]] Recipe recipe(const plan::Schedule& schedule) const {
    return recipe_of(genes, roles, schedule);
  }
  /// Repaired.
  [[nodiscard]] plan::Schedule schedule(const Recipe& recipe) const {
    return plan::repair(machine, kernel(), schedule_of(recipe, genes, roles, {}));
  }
  [[nodiscard]] plan::Schedule through(const plan::Schedule& schedule_here) const {
    return schedule(recipe(schedule_here));
  }
};

Program app(const std::string& name, int dimension) {
  return Program(prepared(built_app(name, dimension)));
}

/// How many genes have another allele.
int differences(const Program& program, const plan::Schedule& one, const plan::Schedule& other) {
  const auto mine = plan::genome_of(program.genes, one),
             theirs = plan::genome_of(program.genes, other);
  int count = 0;
  for (std::size_t g = 0; g < mine.size(); ++g) count += mine[g] != theirs[g];
  return count;
}

/// A twentieth of the genes at most, of those of any solver: roles tell apart what the planner
/// does.
TEST(Recipe, KeepsDefaultSchedules) {
  for (const App& built : apps::built_in())
    for (int dimension : built.dimensions) {
      const Program program = app(built.name, dimension);
      const auto chosen =
          plan::repair(program.machine, program.kernel(), plan::default_schedule(program.machine));
      EXPECT_LE(20 * differences(program, program.through(chosen), chosen),
                static_cast<int>(program.genes.size()))
          << built.name << dimension;
    }
}

TEST(Recipe, OfARecipesScheduleIsThatRecipe) {
  const Program program = app("hydro", 2);
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const Recipe recipe = program.recipe(plan::random_schedule(program.genes, rng));
    EXPECT_EQ(program.recipe(schedule_of(recipe, program.genes, program.roles, {})), recipe);
  }
}

/// Schedules of each solver in each of the others: legal, so that repairing changes nothing more,
/// and a plan can be made.
TEST(Recipe, IsLegalInEveryProgram) {
  std::deque<Program> programs;
  for (const auto& [name, dimension] :
       {std::pair("heat", 1), {"life", 2}, {"wave", 3}, {"acoustic", 2}, {"hydro", 1}})
    programs.push_back(app(name, dimension));
  Rng rng(2);
  for (const Program& from : programs)
    for (const Program& to : programs)
      for (int i = 0; i < 3; ++i) {
        const Recipe recipe = from.recipe(plan::random_schedule(from.machine, rng));
        const plan::Schedule schedule = to.schedule(recipe);
        EXPECT_EQ(plan::repair(to.machine, to.kernel(), schedule), schedule);
        EXPECT_FALSE(plan::make_plan(to.machine, schedule).kernels.empty());
      }
}

/// The same of all solvers and dimensions there are, one draw each from the one before in the list.
TEST(Recipe, OfAnySolverIsLegalInTheNext) {
  std::deque<Program> programs;
  for (const App& built : apps::built_in())
    for (const int dimension : built.dimensions) programs.push_back(app(built.name, dimension));
  EXPECT_GE(programs.size(), 20u);
  Rng rng(4);
  const Program* from = &programs.back();
  for (const Program& to : programs) {
    SCOPED_TRACE(to.machine.name + " " + std::to_string(to.machine.dimension));
    const plan::Schedule schedule =
        to.schedule(from->recipe(plan::random_schedule(from->machine, rng)));
    EXPECT_EQ(plan::repair(to.machine, to.kernel(), schedule), schedule);
    EXPECT_FALSE(plan::make_plan(to.machine, schedule).kernels.empty());
    from = &to;
  }
}

/// A choice that only one of them knows is no choice of the other.
TEST(Recipe, OfThreeDimensionsSetsTheAxesOfTwo) {
  const Program three = app("heat", 3), two = app("heat", 2);
  const Recipe recipe =
      three.recipe({{{"proceed/tile_x", "64"}, {"proceed/tile_z", "8"}, {"proceed/vectors", "2"}}});
  const plan::Schedule schedule = two.schedule(recipe);
  EXPECT_EQ(schedule.choices.at("proceed/tile_x"), "64");
  EXPECT_EQ(schedule.choices.at("proceed/vectors"), "2");
  EXPECT_FALSE(schedule.choices.contains("proceed/tile_z"));
}

TEST(Recipe, StoresAsMostValuesOfARoleAre) {
  const std::vector<plan::Gene> genes = {{"p/a", {"inline", "array"}},
                                         {"p/b", {"inline", "array"}},
                                         {"p/c", {"inline", "array"}},
                                         {"p/vectors", {"1", "2"}}};
  const std::vector<Role> roles = {
      {"kept", false}, {"kept", false}, {"kept", false}, {"vectors", true}};
  const Recipe recipe = recipe_of(genes, roles, {{{"p/a", "array"}, {"p/c", "array"}}});
  EXPECT_EQ(recipe, (Recipe{{{"vectors", "1"}}, {{"kept", "array"}}}));
  EXPECT_EQ(schedule_of(recipe, genes, roles, {}).choices,
            (std::map<std::string, std::string>{
                {"p/a", "array"}, {"p/b", "array"}, {"p/c", "array"}, {"p/vectors", "1"}}));
}

/// Within a role values of the same details are stored alike; where details are unknown, as most of
/// the role are.
TEST(Recipe, DetailsTellValuesOfARoleApart) {
  const std::vector<plan::Gene> genes = {
      {"p/a", {"inline", "array"}}, {"p/b", {"inline", "array"}}, {"p/c", {"inline", "array"}}};
  const std::vector<Role> roles = {
      {"kept", false, "x 2"}, {"kept", false, "y 2"}, {"kept", false, "y 2"}};
  const plan::Schedule schedule{{{"p/a", "inline"}, {"p/b", "array"}, {"p/c", "array"}}};
  const Recipe recipe = recipe_of(genes, roles, schedule);
  EXPECT_EQ(schedule_of(recipe, genes, roles, {}).choices, schedule.choices);
  const std::vector<Role> others = {
      {"kept", false, "z 2"}, {"kept", false, "x 2"}, {"free", false, "x 2"}};
  EXPECT_EQ(schedule_of(recipe, genes, others, {}).choices,
            (std::map<std::string, std::string>{{"p/a", "array"}, {"p/b", "inline"}}));
}

/// What is computed alike is stored alike, whatever else is of those details.
TEST(Recipe, ComputationsComeFirst) {
  const std::vector<plan::Gene> genes = {
      {"p/a", {"inline", "array"}}, {"p/b", {"inline", "array"}}, {"p/c", {"inline", "array"}}};
  const std::vector<Role> roles = {
      {"kept", false, "x 2", "1"}, {"kept", false, "x 2", "2"}, {"kept", false, "x 2", "3"}};
  const plan::Schedule schedule{{{"p/a", "array"}, {"p/b", "inline"}, {"p/c", "inline"}}};
  const Recipe recipe = recipe_of(genes, roles, schedule);
  EXPECT_EQ(schedule_of(recipe, genes, roles, {}).choices, schedule.choices);
  const std::vector<Role> others = {{"free", false, "y 1", "1"}, {"kept", false, "x 2", "4"}};
  EXPECT_EQ(schedule_of(recipe, {genes[0], genes[1]}, others, {}).choices,
            (std::map<std::string, std::string>{{"p/a", "array"}, {"p/b", "inline"}}));
}

/// Expressions are told apart by their operators, offsets and numbers, and not by names.
TEST(Recipe, ComputationsKnowNoNames) {
  const auto computations = [](const std::string& body) {
    std::vector<std::string> found;
    for (const Role& role : Program(test::two_fields(1, body)).roles)
      if (!role.is_option) found.push_back(role.computation);
    return found;
  };
  const auto text = [](const char* field, int offset, const char* number) {
    return fmt::format(
        "%0 = load {}\n%1 = shift %0 ({})\n%2 = imm f64 {}\n%3 = broadcast %2\n"
        "%4 = add %0 %1\n%5 = mul %4 %3\nstore g %5\n",
        field, offset, number);
  };
  const auto one = computations(text("f", 1, "3"));
  ASSERT_FALSE(one.empty());
  EXPECT_EQ(computations(text("g", 1, "3")), one);
  EXPECT_NE(computations(text("f", 2, "3")), one);
  EXPECT_NE(computations(text("f", 1, "5")), one);
}

/// Of twenty schedules, more genes come through with details than by roles alone, and all but a
/// thirtieth with computations: some values are computed alike, of other fields.
TEST(Recipe, DetailsAndComputationsKeepMore) {
  const Program program = app("hydro", 2);
  std::vector<Role> details = program.roles, plain = program.roles;
  for (Role& role : details) role.computation.clear();
  for (Role& role : plain) role.computation.clear(), role.details.clear();
  Rng rng(3);
  int with_all = 0, with = 0, without = 0;
  for (int i = 0; i < 20; ++i) {
    const plan::Schedule drawn = plan::random_schedule(program.machine, rng);
    const auto through = [&](const std::vector<Role>& roles) {
      const Recipe recipe = recipe_of(program.genes, roles, drawn);
      return differences(program, schedule_of(recipe, program.genes, roles, {}), drawn);
    };
    with_all += through(program.roles);
    with += through(details);
    without += through(plain);
  }
  RecordProperty("with", with);
  EXPECT_LT(5 * with, 4 * without) << with << " of " << 20 * program.genes.size();
  EXPECT_LT(30 * with_all, 20 * static_cast<int>(program.genes.size())) << with_all;
}

TEST(Recipe, AgreesWhereBothChoose) {
  const Recipe one{{{"vectors", "2"}}, {{"kept", "array"}}};
  EXPECT_TRUE(agree(one, {{{"vectors", "2"}, {"tile_z", "8"}}, {{"free", "inline"}}}));
  EXPECT_FALSE(agree(one, {{{"vectors", "1"}}, {}}));
  EXPECT_FALSE(agree(one, {{}, {{"kept", "rolling"}}}));
}

TEST(Recipe, RolesAreReadBack) {
  const Program program = app("hydro", 1);
  const auto json = nlohmann::ordered_json::parse(roles_json(program.roles).dump());
  EXPECT_EQ(roles_from(json), program.roles);
  EXPECT_EQ(program.roles.size(), program.genes.size());
}

}  // namespace
}  // namespace paraiso::tune
