#include "paraiso/tune/predict/near/predict_schedule.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/tune/predict/likeness.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/tune/all_known.hpp"
#include "tests/tune/built_app.hpp"
#include "tests/tune/database_support.hpp"

namespace paraiso::tune {
namespace {

/// Of a program named in them; numbers are far apart where it is far from others.
Features features(double flops, const std::string& backend = "openmp") {
  return {{{"algorithm.flop_density", flops}, {"input.cells", 1000}},
          {{"instance.backend", backend}}};
}

TEST(Likeness, IsHalvedByAFactorOfTwoInAllNumbers) {
  const Features one{{{"plan.default.memory", 0.99}, {"input.cells", 99}}, {}};
  const Features other{{{"plan.default.memory", 1.99}, {"input.cells", 199}}, {}};
  EXPECT_DOUBLE_EQ(distance(one, other), 1);
  EXPECT_DOUBLE_EQ(likeness(distance(one, other)), 0.5);
  EXPECT_EQ(distance(one, one), 0);
}

TEST(Likeness, IsSymmetricAndCountsWhatOneLacks) {
  const Features one{{{"algorithm.flop_density", 7}, {"input.extent.z", 63}},
                     {{"algorithm.element", "f32"}}};
  const Features other{{{"algorithm.flop_density", 1}}, {{"algorithm.element", "f64"}}};
  EXPECT_EQ(distance(one, other), distance(other, one));
  // Of algorithm, a factor of four and a word: sqrt((4 + 1) / 2); of input, the most there is.
  EXPECT_DOUBLE_EQ(distance(one, other), (std::sqrt(2.5) + 4) / 2);
}

TEST(Likeness, OfDifferentBackEndsIsNone) {
  EXPECT_EQ(likeness(distance(features(1), features(1, "cuda"))), 0);
}

class Predicting : public testing::Test {
 protected:
  om::Machine program_ = prepared(built_app("heat", 2));
  plan::Schedule default_ = plan::default_schedule(program_);

  [[nodiscard]] Untuned untuned(double flops) const {
    const om::Kernel& kernel = *program_.step_kernel();
    return {runtime::default_backend(),
            program_,
            kernel,
            plan::genes(kernel),
            default_,
            features(flops),
            {{64, 64}, plan::documented_machine()}};
  }
  [[nodiscard]] Predicted predict(const std::vector<KnownInstance>& known) const {
    return predict_schedule(untuned(7), {known, 0});
  }
  static KnownInstance known(double flops, const std::string& vectors, double gain) {
    return {example_problem(), features(flops), {{{"vectors", vectors}}, {}}, gain};
  }
  [[nodiscard]] std::string vectors(const plan::Schedule& schedule) const {
    return schedule.choices.at("proceed/vectors");
  }
  /// Any but the default's.
  [[nodiscard]] std::string other(int place = 0) const {
    std::vector<std::string> others = {"1", "2", "4"};
    std::erase(others, vectors(default_));
    return others.at(place);
  }
};

TEST_F(Predicting, TakesTheRecipeOfWhatIsLikeIt) {
  const Predicted found = predict({known(700, other(1), 3), known(7, other(), 1.5)});
  ASSERT_TRUE(found.sure) << found.why_not;
  EXPECT_EQ(vectors(found.candidates.front().schedule), other());
  EXPECT_EQ(found.candidates.front().confidence, 1);
  EXPECT_EQ(found.candidates.front().nearest, 0u);
  // The other neighbour, which is not alike, has no vote.
  EXPECT_EQ(found.candidates.size(), 1u);
  EXPECT_DOUBLE_EQ(found.candidates.front().gain, 1.5);
}

/// Two that are less like it, but agree, win against the closest; each vote is weighted.
TEST_F(Predicting, CountsVotes) {
  const double near = likeness(distance(features(7), features(9)));
  const Predicted found =
      predict({known(9, other(1), 1.5), known(7, other(), 1.5), known(9, other(1), 1.5)});
  EXPECT_EQ(vectors(found.candidates.at(0).schedule), other(1));
  EXPECT_DOUBLE_EQ(found.candidates.at(0).gain, std::pow(1.5, 2 * near / (1 + 2 * near)));
  EXPECT_DOUBLE_EQ(found.candidates.at(1).gain, std::pow(1.5, 1 / (1 + 2 * near)));
  EXPECT_EQ(found.candidates.at(0).nearest, 1u);
  EXPECT_DOUBLE_EQ(found.candidates.at(0).confidence, near);
}

TEST_F(Predicting, AsksFiveNeighbours) {
  std::vector<KnownInstance> all(5, known(7, vectors(default_), 1));
  all.push_back(known(8, other(), 9));
  const Predicted found = predict(all);
  EXPECT_EQ(found.near.size(), kNeighbours);
  EXPECT_EQ(found.why_not, "what was best for programs like it is the default here");
}

/// The default, where it was not beaten, is a vote against all others.
TEST_F(Predicting, IsDoubtful) {
  const auto why = [&](const std::vector<KnownInstance>& known) { return predict(known).why_not; };
  EXPECT_EQ(why({}), "no tuned program is known");
  EXPECT_EQ(predict_schedule(untuned(7), {{}, 3}).why_not,
            "all tuned programs are described by another version of Paraiso");
  EXPECT_EQ(why({known(7000, other(), 2)}),
            "no tuned program is like it: the closest, `hydro` 512x512, by 0.40 of 1, and 0.5 is "
            "needed");
  EXPECT_EQ(why({known(7, other(), 1.03), known(7, vectors(default_), 1),
                 known(7, vectors(default_), 1)}),
            "a gain of 1.010 times is expected, and 1.2 is needed");
  KnownInstance slow = known(7, other(), 2);
  slow.best.options = {{"tile_x", "1"}, {"tile_y", "1"}};
  EXPECT_TRUE(why({slow}).starts_with("the cost model expects ")) << why({slow});
}

/// Ranks learn from whole grids and from ranks, whole grids from whole grids alone.
TEST_F(Predicting, OnRanksAwaitsMessagesAsRanksDid) {
  KnownInstance ranks = known(7, other(), 1.5);
  ranks.problem.size = "64x64 on 2 ranks (1x2)";
  ranks.best.options["exchange"] = plan::kOverlapped;
  EXPECT_EQ(predict({ranks}).why_not, "no tuned program is known");

  Untuned divided = untuned(7);
  divided.on_ranks = true;
  divided.genes.push_back(plan::exchange_gene(divided.kernel));
  const Predicted found = predict_schedule(divided, {{ranks}, 0});
  ASSERT_TRUE(found.sure) << found.why_not;
  EXPECT_EQ(vectors(found.candidates.front().schedule), other());
  EXPECT_TRUE(plan::is_overlapped(divided.kernel, found.candidates.front().schedule));
  const Predicted from_whole = predict_schedule(divided, {{known(7, other(), 1.5)}, 0});
  ASSERT_TRUE(from_whole.sure) << from_whole.why_not;
  EXPECT_FALSE(plan::is_overlapped(divided.kernel, from_whole.candidates.front().schedule));
}

class Described : public testing::Test {
 protected:
  test::Folder folder_;
  Database database_{folder_ / "t.sqlite"};

  std::int64_t add(const std::string& size, bool won) {
    const auto id = database_.add(example_problem(size));
    database_.describe(id,
                       {features_json(features(7)).dump(), roles_json({{"vectors", true}}).dump()});
    database_.record(id, Contest{{"C", 120, 1, ""}, {"B", 100, 1, ""}, won, 0, 0, "", 0});
    return id;
  }
};

TEST_F(Described, AreKnownByTheirContests) {
  add("64x64", true);
  add("32x32", false);
  database_.add(example_problem("8x8"));
  const KnownInstances known = all_known(database_);
  ASSERT_EQ(known.all.size(), 2u);
  EXPECT_EQ(known.all[0].best, (Recipe{{{"vectors", "4"}}, {}}));
  EXPECT_DOUBLE_EQ(known.all[0].gain, 1.2);
  EXPECT_EQ(known.all[1].best, (Recipe{{{"vectors", "2"}}, {}})) << "the default's";
  EXPECT_EQ(known.all[1].gain, 1);
  EXPECT_EQ(known.all[0].features, features(7));
}

TEST_F(Described, ByAnotherVersionAreCounted) {
  const auto id = add("64x64", true);
  database_.describe(id, {R"({"version": 99})", "[]"});
  EXPECT_EQ(all_known(database_).of_other_version, 1u);
  EXPECT_TRUE(all_known(database_).all.empty());
}

TEST_F(Described, DamagedAreRefused) {
  const auto id = add("64x64", true);
  const Description sound = *database_.description(id);
  for (const Description& spoilt : {Description{"{", sound.roles},
                                    {"[]", sound.roles},
                                    {R"({"version": 1})", sound.roles},
                                    {sound.features, "[]"},
                                    {sound.features, "x"}}) {
    database_.describe(id, spoilt);
    try {
      (void)all_known(database_);
      ADD_FAILURE() << spoilt.features << spoilt.roles;
    } catch (const Error& error) {
      EXPECT_EQ(error.diagnostics()[0].message, "the description of problem 1 is damaged");
    }
  }
}

}  // namespace
}  // namespace paraiso::tune
