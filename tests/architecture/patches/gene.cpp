// Uses what gene.patch adds: known to the gene table, chosen by a schedule, obeyed by the plan.
#include <algorithm>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cpu/cpu_plan.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/search/default_schedule.hpp"

using namespace paraiso;

int main() {
  const om::Machine machine = passes::prepare(
      om::parse("paraiso 1\nmachine m dimension 2\nstatic f local f64\n  boundary 0 cyclic cyclic\n"
                "  boundary 1 cyclic cyclic\nkernel k step\n%0: local f64 = load f\n"
                "%1: local f64 = add %0 %0\nstore f %1\nend\nend machine\n",
                "m.om"),
      passes::Numbers::fma);
  const plan::Gene gene{"k/cuts", {"anywhere", "pages"}};
  const auto table = plan::genes(machine, plan::cpu_options);
  const auto tile = [&](const char* cuts) {
    return plan::cpu_plan(machine, {{{"k/tile_x", "64"}, {"k/cuts", cuts}}})
        .kernels[0]
        .groups[0]
        .cpu.tile[0];
  };
  const bool known = std::ranges::find(table, gene) != table.end();
  const bool obeyed = tile("anywhere") == 64 && tile("pages") == 512;
  const bool tried = plan::default_schedule(machine).choices.contains("k/cuts");
  return known && obeyed && tried ? 0 : 1;
}
