#include "paraiso/runtime/choices.hpp"

#include "paraiso/runtime/app.hpp"
#include "support.hpp"

namespace paraiso {
namespace {

using test::error_text;

const Option kLimiter{"limiter", "the slopes", {{"minmod", "cautious"}, {"van_leer"}, {"mc"}}};
const Option kOrder{"order", "of differences", {{"8"}, {"2"}}};
const Option kTurned{"turned", "by an angle", {{"0"}, {"60"}}, {"sod", "wave"}};
const std::vector<Option> kOptions{kLimiter, kOrder, kTurned};

Choices chosen(const std::vector<std::string>& assignments, const std::string& problem = "sod") {
  return choose("gas", kOptions, problem, assignments);
}

std::string complaint(const std::string& assignment, const std::string& problem = "sod") {
  return error_text([&] { (void)chosen({assignment}, problem); });
}

TEST(Choices, AreTheDefaultsUnlessChosen) {
  EXPECT_EQ(Choices().value(kLimiter), "minmod");
  EXPECT_EQ(Choices().whole_number(kOrder), 8);
  EXPECT_EQ(Choices().text(), "");
  EXPECT_EQ(chosen({}).text(), "limiter=minmod, order=8, turned=0");
  EXPECT_EQ(chosen({}).changes(), "");
}

TEST(Choices, AreReadAsTheyWereChosen) {
  const Choices choices = chosen({"order=2", "limiter=mc"});
  EXPECT_EQ(choices.value(kLimiter), "mc");
  EXPECT_EQ(choices.whole_number(kOrder), 2);
  EXPECT_EQ(choices.value(kTurned), "0");
  EXPECT_EQ(choices.text(), "limiter=mc, order=2, turned=0");
  EXPECT_EQ(choices.changes(), "limiter=mc, order=2");
}

TEST(Choices, OfOneOptionTheLastCounts) {
  EXPECT_EQ(chosen({"limiter=mc", "limiter=van_leer"}).changes(), "limiter=van_leer");
  EXPECT_EQ(chosen({"limiter=mc", "limiter=minmod"}), chosen({}));
}

TEST(Choices, AreOfTheOptionsThatTheProblemHas) {
  EXPECT_EQ(chosen({}, "jet").text(), "limiter=minmod, order=8");
  EXPECT_EQ(complaint("turned=60", "jet"),
            "error: problem `jet` has no option `turned`\nhint: it is one of sod, wave");
}

TEST(Choices, UnknownOnesNameTheNearestAndAllThatThereAre) {
  EXPECT_EQ(complaint("limter=mc"),
            "error: `gas` has no option `limter`: did you mean `limiter`?\n"
            "hint: there is limiter, order, turned");
  EXPECT_EQ(complaint("viscosity=1"),
            "error: `gas` has no option `viscosity`\nhint: there is limiter, order, turned");
  EXPECT_EQ(complaint("limiter=van_ler"),
            "error: option `limiter` has no value `van_ler`: did you mean `van_leer`?\n"
            "hint: there is minmod, van_leer, mc");
  EXPECT_EQ(complaint("limiter="),
            "error: option `limiter` has no value ``\nhint: there is minmod, van_leer, mc");
  EXPECT_EQ(complaint("limiter"),
            "error: option `limiter` needs a value: write `limiter=minmod`\n"
            "hint: there is minmod, van_leer, mc");
  EXPECT_EQ(error_text([] { (void)choose("life", {}, "glider", {"order=2"}); }),
            "error: `life` has no options to choose");
}

TEST(Choices, AnAppThatReadsWhatItDoesNotDeclareIsTold) {
  const Option narrower{"limiter", "the slopes", {{"minmod"}}};
  EXPECT_EQ(error_text([&] { (void)chosen({"limiter=mc"}).value(narrower); }),
            "error: option `limiter` has no value `mc`\nhint: there is minmod");
  EXPECT_EQ(error_text([] { (void)Choices().whole_number(kLimiter); }),
            "error: option `limiter`: its value `minmod` is no whole number");
}

TEST(Choices, OfAnAppAreThoseOfItsOptions) {
  App app;
  app.name = "gas";
  app.options = kOptions;
  EXPECT_EQ(choose(app, "sod", {"turned=60"}), chosen({"turned=60"}));
}

}  // namespace
}  // namespace paraiso
