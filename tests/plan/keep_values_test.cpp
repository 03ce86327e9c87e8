#include "paraiso/plan/search/keep_values.hpp"

#include <gtest/gtest.h>

#include "paraiso/plan/schedule/genes.hpp"
#include "tests/support/two_fields.hpp"

namespace paraiso::plan {
namespace {

/// The names of what joins two planes across `axis`, where all that may be kept is kept.
std::vector<std::string> joined(const std::string& body, int axis) {
  const om::Machine machine = test::two_fields(3, body, "outflow outflow");
  const om::Kernel& kernel = machine.kernels[0];
  const KernelGenes genes = kernel_genes(kernel);
  std::set<int> kept;
  for (std::size_t g = 0; g < genes.storage.size(); ++g) kept.insert(static_cast<int>(g));
  std::vector<std::string> names;
  for (int g : planes_to_join(kernel, genes, kept, axis))
    names.push_back(kernel.graph.name(genes.storage[g].values[0]));
  return names;
}

const std::string kFlux =
    "%0 = load f\n%1 = shift %0 (0, 0, -1)\n%2 flux = div %0 %1\n%3 = shift %2 (0, 0, 1)\n"
    "%4 change = sub %3 %2\n%5 = mul %2 %4\n";

TEST(PlanesToJoin, AreThoseThatOneValueIsMadeOf) {
  EXPECT_EQ(joined(kFlux + "store g %5\n", 2), std::vector<std::string>{"change"});
  EXPECT_TRUE(joined(kFlux + "store g %5\n", 1).empty());
}

/// Then the other plane is needed where it lies.
TEST(PlanesToJoin, AreReadByNothingElseOnTheOtherPlane) {
  EXPECT_TRUE(joined(kFlux + "%6 = shift %2 (0, 0, 1)\n%7 = add %5 %6\nstore g %7\n", 2).empty());
  EXPECT_TRUE(joined(kFlux + "%6 = shift %2 (0, 0, -2)\n%7 = add %5 %6\nstore g %7\n", 2).empty());
}

TEST(PlanesToJoin, LieAcrossOneAxisAlone) {
  const std::string oblique =
      "%0 = load f\n%1 flux = sqrt %0\n%2 = shift %1 (0, 1, 1)\n%3 change = sub %2 %1\n"
      "store g %3\n";
  EXPECT_TRUE(joined(oblique, 2).empty());
  EXPECT_TRUE(joined(oblique, 1).empty());
}

}  // namespace
}  // namespace paraiso::plan
