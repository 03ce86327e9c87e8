#include "paraiso/plan/schedule/gene_names.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::plan {
namespace {

om::Machine parsed(const std::string& body) {
  return om::parse(
      "paraiso 1\nmachine m dimension 2\n"
      "static f local f64\n"
      "  boundary 0 cyclic cyclic\n"
      "  boundary 1 cyclic cyclic\n"
      "static c global f64 = 1\n"
      "static d global f64 = 1\n"
      "kernel k step\n" +
          body + "end\nend machine\n",
      "m.om");
}

/// The names of the storage genes of a step kernel, without the kernel's.
std::vector<std::string> names(const std::string& body) {
  const om::Machine machine = parsed(body);
  std::vector<std::string> found;
  for (const StorageGene& gene : kernel_genes(machine.kernels[0]).storage) {
    EXPECT_TRUE(gene.name.starts_with("k/") && gene.name.ends_with(".storage")) << gene.name;
    found.push_back(gene.name.substr(2, gene.name.size() - 10));
  }
  return found;
}

using Names = std::vector<std::string>;

TEST(GeneNames, TellWhatIsComputedFromWhat) {
  EXPECT_EQ(names("%0: local f64 = load f\n"
                  "%1: local f64 = shift %0 (1, -2)\n"
                  "in \"half/flux\"\n"
                  "%2: local f64 = sub %0 %1\n"
                  "%3: local i64 = load_index 1\n"
                  "%4: local f64 = cast %3 f64\n"
                  "%5: global f64 = load c\n"
                  "%6: local f64 = broadcast %5\n"
                  "in \"\"\n"
                  "%7: local f64 = madd %6 %4 %2\n"
                  "%8: global f64 = imm f64 0.5\n"
                  "%9: local f64 = broadcast %8\n"
                  "%10: local f64 = mul %7 %9\n"
                  "store f %10\n"),
            (Names{"half/flux/cast(index_y)", "half/flux/sub(f,f[-1,2])", "madd(c,cast,sum)",
                   "mul(sum,0.5)"}));
}

TEST(GeneNames, AreTheUsersWhereThereAreSome) {
  EXPECT_EQ(names("%0: local f64 = load f\n"
                  "%1 flux.x: local f64 = add %0 %0\n"
                  "%2 flux.y: local f64 = mul %0 %0\n"
                  "%3: local f64 = shift %1 (1, 0)\n"
                  "%4: local f64 = sub %3 %2\n"
                  "store f %4\n"),
            (Names{"flux", "sub(flux.x[-1,0],flux.y)"}));
}

TEST(GeneNames, SeeThroughAllShiftsOfAnOperand) {
  EXPECT_EQ(names("%0: local f64 = load f\n"
                  "%1: local f64 = shift %0 (1, 2)\n"
                  "%2: local f64 = shift %1 (3, -2)\n"
                  "%3: local f64 = shift %1 (-1, -2)\n"
                  "%4: local f64 = mul %2 %3\n"
                  "store f %4\n"),
            (Names{"mul(f[-4,0],f)"}));
}

TEST(GeneNames, AreTheSameForSumsOfAnyKind) {
  const auto read = [](const std::string& sum) {
    return names(
        "%0: local f64 = load f\n"
        "%1: local f64 = " +
        sum +
        "\n"
        "%2: local f64 = sqrt %1\n"
        "store f %2\n")[1];
  };
  EXPECT_EQ(read("add %0 %0"), "sqrt(sum)");
  EXPECT_EQ(read("sub %0 %0"), "sqrt(sum)");
  EXPECT_EQ(read("madd %0 %0 %0"), "sqrt(sum)");
  EXPECT_EQ(read("mul %0 %0"), "sqrt(mul)");
}

TEST(GeneNames, CountWhatIsAlike) {
  EXPECT_EQ(names("%0: local f64 = load f\n"
                  "%1: local f64 = sin %0\n"
                  "%2: local f64 = sqrt %0\n"
                  "%3: local f64 = mul %1 %2\n"
                  "%4: local f64 = sin %2\n"
                  "%5: local f64 = mul %4 %2\n"
                  "%6: local f64 = mul %3 %5\n"
                  "store f %6\n"),
            (Names{"sin(f)", "sqrt(f)", "mul(sin,sqrt)", "sin(sqrt)", "mul(sin,sqrt)#1",
                   "mul(mul,mul)"}));
}

TEST(GeneNames, OfTwoResultsOfOneInstructionDiffer) {
  EXPECT_EQ(names("%0: local f64 = load f\n"
                  "%1: local f64, %2: local f64 = sincos %0\n"
                  "%3: local f64 = mul %1 %2\n"
                  "store f %3\n"),
            (Names{"sincos(f)", "sincos(f)#1", "mul(sincos,sincos)"}));
}

TEST(ValueNames, AreTheUsersThenTheGenesThenWhatIsLoaded) {
  const om::Machine machine = parsed(
      "%0: local f64 = load f\n"
      "%1: global f64 = load c\n"
      "%2: global f64 = add %1 %1\n"
      "%3: local f64 = broadcast %2\n"
      "%4: local f64 = shift %0 (1, 0)\n"
      "in \"half/x\"\n"
      "%5: local f64 = mul %4 %3\n"
      "%6 flux.x: local f64 = add %5 %0\n"
      "%7: global f64 = reduce max %6\n"
      "store f %6\n"
      "store c %7\n");
  EXPECT_EQ(value_names(machine.kernels[0].graph),
            (Names{"f", "c", "add(c,c)", "add(c,c)", "f[-1,0]", "half/x/mul(f[-1,0],sum)", "flux.x",
                   "half/x/max"}));
}

TEST(ValueNames, CarryTheirNumberWhereTheyAreAlike) {
  const om::Machine machine = parsed(
      "%0: local f64 = load f\n"
      "%1 flux: local f64 = sin %0\n"
      "%2 flux: local f64 = cos %0\n"
      "%3: local f64 = mul %1 %2\n"
      "%4: local f64 = neg %0\n"  // which nothing needs
      "%5: global f64 = load c\n"
      "%6: global f64 = cos %5\n"
      "%7: local f64 = broadcast %5\n"
      "%8: local f64 = cos %7\n"
      "%9: local f64 = add %3 %8\n"
      "store c %6\n"
      "store f %9\n");
  EXPECT_EQ(value_names(machine.kernels[0].graph),
            (Names{"f", "flux (%1)", "flux (%2)", "mul(flux,flux)", "%4", "c", "cos(c) (%6)", "c",
                   "cos(c)", "add(mul,cos)"}));
}

TEST(ValueNames, OfReductionsSayWhatTheyAreFor) {
  const om::Machine machine = parsed(
      "%0: local f64 = load f\n"
      "%1: global f64 = reduce sum %0\n"
      "%2: local f64 = mul %0 %0\n"
      "%3: global f64 = reduce sum %2\n"
      "%4: global f64 = mul %3 %3\n"
      "store c %1\n"
      "store d %4\n");
  EXPECT_EQ(value_names(machine.kernels[0].graph),
            (Names{"f", "sum for c", "mul(f,f)", "sum for d", "mul(sum,sum)"}));
}

}  // namespace
}  // namespace paraiso::plan
