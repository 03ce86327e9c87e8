// Places find what descriptions do.
#include "paraiso/tune/predict/near/place.hpp"

#include <gtest/gtest.h>

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>

#include "paraiso/base/rng.hpp"
#include "paraiso/tune/predict/likeness.hpp"
#include "paraiso/tune/predict/near/known_instances.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/tune/all_known.hpp"
#include "tests/tune/built_app.hpp"
#include "tests/tune/database_support.hpp"
#include "tests/tune/example_problem.hpp"

namespace paraiso::tune {
namespace {

/// Each number with some probability, small or large, and of names that floor at 1 and at 0.01.
Features drawn(Rng& rng) {
  Features features;
  for (const char* name : {"architecture.hertz", "algorithm.flop_density", "algorithm.arrays",
                           "input.cells", "input.rows_per_cache2", "plan.default.L1"})
    if (rng.chance(0.8)) features.numbers.emplace_back(name, std::exp2(40 * rng.unit() - 10));
  features.words = {{"algorithm.element", rng.chance(0.5) ? "f32" : "f64"},
                    {"instance.backend", rng.chance(0.9) ? "openmp" : "cuda"}};
  return features;
}

float between(const Features& one, const Features& other) {
  const Place place = place_of(other, false);
  return PlaceDistance(one, axes_from(place.axes))(place.numbers);
}

TEST(Place, IsAsFarAsFeaturesAre) {
  Rng rng(1);
  int compared = 0;
  for (int i = 0; i < 1000; ++i) {
    const Features one = drawn(rng), other = drawn(rng);
    const double far = distance(one, other);
    if (std::isfinite(far))
      EXPECT_NEAR(between(one, other), far, 1e-4) << ++compared;
    else
      EXPECT_EQ(between(one, other), std::numeric_limits<float>::infinity());
  }
  EXPECT_EQ(between(drawn(rng), {}), std::numeric_limits<float>::infinity()) << "no back end";
}

TEST(Place, OfOtherNumbersIsFar) {
  Rng rng(2);
  const Features features = drawn(rng);
  const Place place = place_of(features, true);
  EXPECT_TRUE(axes_from(place.axes).on_ranks);
  const PlaceDistance distance(features, axes_from(place.axes));
  EXPECT_EQ(distance(place.numbers), 0);
  auto numbers = place.numbers;
  numbers.front() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_GT(distance(numbers), 0.5);
  numbers.pop_back();
  EXPECT_EQ(distance(numbers), std::numeric_limits<float>::infinity());
}

class Places : public testing::Test {
 protected:
  test::Folder folder_;
  Database database_{folder_ / "t.sqlite"};
  Rng rng_{3};

  /// Problems by the way: some without a place, a contest, or on ranks, some like others.
  void fill(int count) {
    Features features = drawn(rng_);
    for (int i = 0; i < count; ++i) {
      if (i % 4 != 0) features = drawn(rng_);
      const bool ranks = rng_.chance(0.2);
      const std::string size = std::to_string(i + 8) + "x8";
      const auto id = database_.add(example_problem(ranks ? size + " on 2 ranks (1x2)" : size));
      Description description{features_json(features).dump(),
                              roles_json({{"vectors", true}}).dump()};
      if (rng_.chance(0.9)) description.place = place_of(features, ranks);
      database_.describe(id, description);
      if (rng_.chance(0.7))
        database_.record(id, Contest{{"C", 120, 1, ""}, {"B", 100, 1, ""}, true, 0, 0, "", 0});
    }
  }

  /// The numbers of the closest five.
  static std::vector<std::int64_t> closest(const Features& from, const KnownInstances& known) {
    std::vector<std::pair<double, std::int64_t>> order;
    for (const KnownInstance& one : known.all)
      if (const double far = distance(one.features, from); std::isfinite(far))
        order.emplace_back(far, one.id);
    std::ranges::sort(order);
    std::vector<std::int64_t> ids;
    for (const auto& [far, id] : order)
      if (ids.size() < kNeighbours) ids.push_back(id);
    return ids;
  }
};

TEST_F(Places, LeadToTheClosest) {
  fill(300);
  std::vector<Features> asked;
  for (int i = 0; i < 30; ++i) asked.push_back(drawn(rng_));
  const auto closest_to = [&](const Features& features, bool on_ranks, std::size_t most) {
    const KnownInstances near = nearest_known(database_, features, on_ranks);
    EXPECT_LT(near.all.size(), most);
    return closest(features, usable_for(near, on_ranks));
  };
  std::vector<std::vector<std::int64_t>> by_places, by_all;
  for (const bool on_ranks : {false, true})
    for (const Features& one : asked) by_places.push_back(closest_to(one, on_ranks, 60));
  forget_places(database_, 300);
  for (const bool on_ranks : {false, true})
    for (const Features& one : asked) by_all.push_back(closest_to(one, on_ranks, 301));
  EXPECT_EQ(by_places, by_all);
}

TEST_F(Places, AreReplacedWithTheDescription) {
  fill(1);
  const Description plain = *database_.description(1);
  Description with = plain;
  with.place = place_of(drawn(rng_), false);
  database_.describe(1, with);
  EXPECT_TRUE(database_.described_without_place(Features::kVersion).empty());
  EXPECT_EQ(database_.described_without_place(Features::kVersion + 1).size(), 1u);
  database_.describe(1, plain);
  EXPECT_EQ(database_.described_without_place(Features::kVersion).size(), 1u);
  EXPECT_EQ(database_.described_count(), 1u);
  EXPECT_EQ(database_.description(1), plain);
}

/// The first row of a table, with `number` from 2 to `last` and, if there is one, a key of its own.
void multiply(SQLite::Database& file, const std::string& table, const std::string& number,
              const std::string& key, std::int64_t last) {
  file.exec("create temp table row as select * from " + table);
  SQLite::Statement change(file, "update row set " + number + " = ?1" + key);
  SQLite::Statement copy(file, "insert into " + table + " select * from row");
  for (std::int64_t i = 2; i <= last; ++i) {
    change.bind(1, i);
    change.exec(), change.reset();
    copy.exec(), copy.reset();
  }
  file.exec("drop table row");
}

Features heat_features() {
  static const om::Machine heat = prepared(built_app("heat", 3));
  return features_of({runtime::default_backend(), heat, *heat.step_kernel(),
                      std::vector<std::int64_t>(3, 64), plan::documented_machine(), "g++ 12",
                      "native", 100});
}

// A few times what it takes; bench/predict_rows.py measures 0.12 s among 100,000.
constexpr double kMostSearchSeconds = test::kSanitized ? 2 : 0.1;

TEST_F(Places, OfManyAreComparedInMilliseconds) {
  constexpr std::int64_t count = 20'000;
  fill(1);
  database_.record(1, Contest{{"C", 120, 1, ""}, {"B", 100, 1, ""}, true, 0, 0, "", 0});
  {
    SQLite::Database file(folder_ / "t.sqlite", SQLite::OPEN_READWRITE);
    SQLite::Transaction all(file);
    multiply(file, "problem", "id", ", key = 'copy ' || ?1", count);
    multiply(file, "contest", "problem", "", count);
    all.commit();
  }
  const Features heat = heat_features();
  std::map<std::int64_t, Description> descriptions;
  for (std::int64_t id = 1; id <= count; ++id) {
    Features features = heat;
    for (auto& [name, value] : features.numbers) value *= std::exp2(rng_.unit() - 0.5);
    descriptions[id] = {features_json(features).dump(), roles_json({{"vectors", true}}).dump(),
                        place_of(features, false)};
  }
  database_.describe(descriptions);
  double least = 1e9;
  for (int call = 0; call < 5; ++call) {
    const std::clock_t start = std::clock();
    EXPECT_GE(nearest_known(database_, heat_features(), false).all.size(), kNeighbours);
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  EXPECT_LT(least, kMostSearchSeconds) << "it took " << least << " seconds of the processor";
}

TEST_F(Places, OfDamagedAxesAreRefused) {
  fill(1);
  Description damaged = *database_.description(1);
  damaged.place = Place{Features::kVersion, "{", {1}};
  database_.describe(1, damaged);
  try {
    (void)nearest_known(database_, drawn(rng_), false);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].message, "what the numbers of places are of is damaged");
  }
}

}  // namespace
}  // namespace paraiso::tune
