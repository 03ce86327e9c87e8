// Each ingredient changes the recipe, and so the entry of the compile cache.
#include "paraiso/runtime/build/recipe.hpp"

#include <gtest/gtest.h>

#include <set>

#include "paraiso/runtime/system/target.hpp"

namespace paraiso::runtime {
namespace {

Ingredients example() {
  return {{"g++", "/usr/bin/g++", "g++ (Debian) 12.2.0", false},
          "-O3",
          find_target("x86-64-v2"),
          "x86_64; one CPU; 4 cores",
          {},
          {{"wave.cpp", "int wave;"}, {"wave.hpp", "int header;"}}};
}

TEST(Recipe, OfTheSameIngredientsIsTheSame) { EXPECT_EQ(recipe(example()), recipe(example())); }

TEST(Recipe, DiffersWhereOneIngredientDoes) {
  const std::pair<const char*, void (*)(Ingredients&)> changes[] = {
      {"the compiler's place", [](Ingredients& i) { i.toolchain.path = "/opt/bin/g++"; }},
      {"the compiler's version",
       [](Ingredients& i) { i.toolchain.version = "g++ (Debian) 12.3.0"; }},
      {"the compiler's kind, and so its flags", [](Ingredients& i) { i.toolchain.clang = true; }},
      {"the flags", [](Ingredients& i) { i.optimization = "-O1"; }},
      {"the target", [](Ingredients& i) { i.target = find_target("x86-64-v3"); }},
      {"the CPU", [](Ingredients& i) { i.host = "x86_64; another CPU; 4 cores"; }},
      {"a compiler of kernels", [](Ingredients& i) { i.kernels.emplace(); }},
      {"one source more",
       [](Ingredients& i) {
         i.files.push_back({"heat.cpp", "int heat;"});
       }},
      {"a source", [](Ingredients& i) { i.files[1].text = "long header;"; }},
      {"a source's name", [](Ingredients& i) { i.files[1].name = "waves.hpp"; }},
  };
  std::set<std::string> seen = {recipe(example())};
  for (const auto& [what, change] : changes) {
    Ingredients other = example();
    change(other);
    EXPECT_TRUE(seen.insert(recipe(other)).second) << what;
  }
}

/// Of which the hash of the schedule is one.
TEST(Recipe, IsTheSameWhateverTheCommentsSay) {
  Ingredients other = example();
  other.files[0].text = "int wave;// of another schedule";
  EXPECT_EQ(recipe(other), recipe(example()));
}

}  // namespace
}  // namespace paraiso::runtime
