// What a recording answers that has not what is asked for: the nearest in the alleles' order.
#include "paraiso/tune/replay/pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "paraiso/tune/strategy.hpp"

namespace paraiso::tune {
namespace {

using plan::Genome;

/// Tiles out of order, one of them no number, and layouts.
const std::vector<plan::Gene> kTileGenes = {
    {"k/tile", {"8", "1", "all", "64", "2", "32", "4", "16"}},
    {"k/width", {"4", "1", "2"}},
    {"k/layout", {"row", "tile", "column", "block"}}};
constexpr std::uint16_t kTile1 = 1, kTile64 = 3, kTile2 = 4, kTile32 = 5, kTile4 = 6;

Recording recording_of(Recorded recorded, const std::vector<Genome>& genomes) {
  Recording recording;
  recording.problem.genes = kTileGenes;
  recording.recorded = recorded;
  for (const Genome& genome : genomes)
    recording.entries.push_back({genome, measured({1.0}), "random", {}});
  return recording;
}

/// The tiles that answer for tile 4, over forty searches.
std::set<std::uint16_t> answers_for_tile_4(const Recording& recording) {
  Pool pool(recording);
  std::set<std::uint16_t> tiles;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    PoolRun run(pool, seed);
    tiles.insert(run.space().canonical({kTile4, 0, 0})[0]);
  }
  return tiles;
}

TEST(Pool, OfDrawnOnesAnswersWithTheNearestNumberAndWithAnyName) {
  for (const Recorded recorded : {Recorded::drawn, Recorded::trajectory}) {
    Recording recording =
        recording_of(recorded, {{kTile64, 0, 0}, {kTile2, 0, 0}, {kTile1, 0, 0}, {kTile32, 0, 0}});
    EXPECT_EQ(answers_for_tile_4(recording), std::set{kTile2});
    recording.kinds.assign(kTileGenes.size(), GeneKind::names);
    EXPECT_EQ(answers_for_tile_4(recording), (std::set{kTile64, kTile2, kTile1, kTile32}));
  }
}

TEST(Pool, OfDrawnOnesAnswersWithEachOnce) {
  const Recording recording = recording_of(
      Recorded::drawn, {{kTile64, 0, 0}, {kTile2, 0, 0}, {kTile1, 0, 0}, {kTile32, 0, 0}});
  Pool pool(recording);
  PoolRun run(pool, 1);
  std::vector<std::uint16_t> tiles;
  for (int i = 0; i < 4; ++i) {
    const Genome answer = run.space().canonical({kTile4, 0, 0});
    (void)run.take(answer);
    tiles.push_back(answer[0]);
  }
  EXPECT_EQ(tiles, (std::vector{kTile2, kTile1, kTile32, kTile64}));
}

/// By an order that the test makes itself, in recordings of every kind.
TEST(Pool, AnswersWithOneThatIsNearest) {
  const AlleleOrder order(kTileGenes);
  const Space all{kTileGenes, {{0, 0, 0}}, [](const Genome& genome) { return genome; }};
  Rng rng(1);
  int missing = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::set<Genome> genomes;
    while (genomes.size() < 12) genomes.insert(uniform_genome(all, rng));
    const auto recorded = trial % 3 == 0 ? Recorded::exhaustive : Recorded::drawn;
    const Recording recording = recording_of(recorded, {genomes.begin(), genomes.end()});
    Pool pool(recording);
    PoolRun run(pool, static_cast<std::uint64_t>(trial));
    for (int used = 0; used < 6 && recorded == Recorded::drawn; ++used) {
      const Genome genome = run.space().draw(rng);
      (void)run.take(genome);
      genomes.erase(genome);
    }
    const Genome asked = uniform_genome(all, rng);
    missing += genomes.contains(asked) ? 0 : 1;
    double least = 1e9;
    for (const Genome& genome : genomes) least = std::min(least, order.distance(asked, genome));
    const Genome answer = run.space().canonical(asked);
    EXPECT_TRUE(genomes.contains(answer));
    EXPECT_NEAR(order.distance(asked, answer), least, 0.003) << "a thousandth a gene";
  }
  EXPECT_GT(missing, 200);
}

}  // namespace
}  // namespace paraiso::tune
