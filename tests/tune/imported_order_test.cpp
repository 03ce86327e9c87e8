// What the order of numbers means in spaces of others: convolution and gemm of Kernel Tuner's hub.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/replay/import.hpp"
#include "paraiso/tune/replay/replay.hpp"
#include "paraiso/tune/strategies/parts/breeding.hpp"
#include "tests/tune/spaces_of_others.hpp"

namespace paraiso::tune {
namespace {

using Json = nlohmann::ordered_json;

struct OthersSpace {
  const char* file;
  const char* parameters;  // of the file, as its `tune_params`
};
constexpr OthersSpace kOthers[] = {
    {"convolution_A100.json.gz",
     R"({"block_size_x": [16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256],
"block_size_y": [1, 2, 4, 8, 16], "tile_size_x": [1, 2, 3, 4], "tile_size_y": [1, 2, 3, 4],
"read_only": [0, 1], "use_padding": [0, 1], "use_shmem": [0, 1], "use_cmem": [1],
"filter_height": [15], "filter_width": [15]})"},
    {"gemm_RTX3090.json.gz",
     R"({"MWG": [16, 32, 64, 128], "NWG": [16, 32, 64, 128], "KWG": [32], "MDIMC": [8, 16, 32],
"NDIMC": [8, 16, 32], "MDIMA": [8, 16, 32], "NDIMB": [8, 16, 32], "KWI": [2],
"VWM": [1, 2, 4, 8], "VWN": [1, 2, 4, 8], "STRM": [0], "STRN": [0], "SA": [0, 1], "SB": [0, 1],
"PRECISION": [32]})"}};

constexpr std::string_view kNames = "layout";  // a parameter more, of names

/// The parameters with their values in another order, so that it says nothing, and one of names.
Recording imported(const OthersSpace& others) {
  Json parameters = Json::parse(others.parameters), configuration;
  parameters[kNames] = {"row", "tile", "column", "block"};
  Rng rng(1);
  for (auto& [name, values] : parameters.items()) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[rng.below(i)]);
    configuration[name] = values.front();
  }
  configuration["time"] = 1.0;
  Json cache = {{"tune_params_keys", Json::array()}, {"tune_params", parameters}};
  for (const auto& [name, values] : parameters.items()) cache["tune_params_keys"].push_back(name);
  cache["cache"]["1"] = configuration;
  return import_kernel_tuner(cache.dump(), others.file);
}

/// The ranks of a parameter's values among its numbers, by allele; none for names.
std::vector<int> ranks(const plan::Gene& gene) {
  if (gene.name == kNames) return {};
  std::vector<int> ranks;
  for (const std::string& allele : gene.alleles)
    ranks.push_back(static_cast<int>(std::ranges::count_if(
        gene.alleles, [&](const auto& other) { return std::stoi(other) < std::stoi(allele); })));
  return ranks;
}

TEST(ImportedOrder, DistancesAreThoseOfRanksAndOfNamesAllAlike) {
  for (const OthersSpace& others : kOthers) {
    const Recording space = imported(others);
    const AlleleOrder order(space.problem.genes, space.kinds);
    for (std::size_t g = 0; g < space.problem.genes.size(); ++g) {
      const plan::Gene& gene = space.problem.genes[g];
      SCOPED_TRACE(gene.name);
      const std::vector<int> rank = ranks(gene);
      const auto count = static_cast<std::uint16_t>(gene.alleles.size());
      for (std::uint16_t a = 0; a < count; ++a)
        for (std::uint16_t b = 0; b < count; ++b)
          EXPECT_DOUBLE_EQ(order.distance(g, a, b),
                           a == b         ? 0
                           : rank.empty() ? 1
                                          : std::abs(rank[a] - rank[b]) / (count - 1.0));
    }
  }
}

/// Which alleles a thousand mutations make of each allele, by gene.
using Reached = std::vector<std::map<std::uint16_t, std::set<std::uint16_t>>>;

Reached mutated(const Recording& recording, double stepping) {
  const auto& genes = recording.problem.genes;
  const Space space{genes,
                    {recording.entries.front().genome},
                    [](const plan::Genome& genome) { return genome; },
                    {},
                    recording.kinds};
  const History history(genes);
  Breeding breeding({.space = space, .history = history, .seed = 1});
  Reached reached(genes.size());
  for (int i = 0; i < 1000; ++i) {
    const plan::Genome parent = breeding.any(), child = breeding.mutate(parent, 0.5, stepping);
    for (std::size_t g = 0; g < genes.size(); ++g)
      if (child[g] != parent[g]) reached[g][parent[g]].insert(child[g]);
  }
  return reached;
}

TEST(ImportedOrder, MutationStepsToTheNextNumberAndToAnyName) {
  for (const OthersSpace& others : kOthers) {
    const Recording recording = imported(others);
    const Reached stepped = mutated(recording, 1), any = mutated(recording, 0);
    for (std::size_t g = 0; g < stepped.size(); ++g) {
      const plan::Gene& gene = recording.problem.genes[g];
      SCOPED_TRACE(gene.name);
      const std::vector<int> rank = ranks(gene);
      std::size_t far = 0;
      for (std::uint16_t a = 0; a < gene.alleles.size(); ++a) {
        std::set<std::uint16_t> beside, rest;
        for (std::uint16_t b = 0; b < gene.alleles.size(); ++b) {
          if (a != b) rest.insert(b);
          if (!rank.empty() && std::abs(rank[a] - rank[b]) == 1) beside.insert(b);
        }
        if (rest.empty()) continue;
        EXPECT_EQ(stepped[g].at(a), rank.empty() ? rest : beside) << gene.alleles[a];
        far += any[g].at(a).size() - beside.size();
      }
      EXPECT_EQ(far > 0, gene.alleles.size() > 2) << "without steps, to any number as well";
    }
  }
}

/// The files themselves, where they are: they have these parameters, and what a search asks for and
/// has no time is answered by one that is nearest in this order.
TEST(ImportedOrder, IsThatOfWholeSpaces) {
  if (!std::filesystem::exists(test::folder_of_others() / kOthers[0].file))
    GTEST_SKIP() << "no " << kOthers[0].file << " in " << test::folder_of_others();
  for (const OthersSpace& others : kOthers) {
    SCOPED_TRACE(others.file);
    const Recording whole = complete(import_kernel_tuner(
        runtime::read_file(test::folder_of_others() / others.file), others.file));
    const Json parameters = Json::parse(others.parameters);
    ASSERT_EQ(whole.problem.genes.size(), parameters.size());
    for (const plan::Gene& gene : whole.problem.genes) {
      std::vector<std::string> values;
      for (const Json& value : parameters.at(gene.name)) values.push_back(value.dump());
      EXPECT_EQ(gene.alleles, values);
    }
    Pool pool(whole);
    const AlleleOrder order(whole.problem.genes, whole.kinds);
    Rng rng(1);
    int repaired = 0;
    for (int i = 0; i < 30; ++i) {
      plan::Genome asked;
      for (const plan::Gene& gene : whole.problem.genes)
        asked.push_back(static_cast<std::uint16_t>(rng.below(gene.alleles.size())));
      repaired += pool.find(asked) ? 0 : 1;
      double least = 1e9;
      for (std::size_t m = 0; m < pool.size(); ++m)
        least = std::min(least, order.distance(asked, pool.genome(m)));
      EXPECT_NEAR(order.distance(asked, pool.genome(pool.nearest(asked))), least, 0.01);
    }
    EXPECT_GT(repaired, 3);
  }
}

}  // namespace
}  // namespace paraiso::tune
