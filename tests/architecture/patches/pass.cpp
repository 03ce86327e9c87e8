// Uses what pass.patch adds: known by its name, run where its row stands, and verified after.
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"

using namespace paraiso;

int main() {
  const om::Machine machine =
      om::parse("paraiso 1\nmachine m dimension 1\nstatic f local f64\n  boundary 0 cyclic cyclic\n"
                "kernel k step\n%0: local f64 = load f\n%1: local f64 = add %0 %0\nstore f %1\nend\n"
                "end machine\n",
                "m.om");
  const auto after = [&](const char* pass) {
    return om::print(passes::prepare(machine, passes::Numbers::fma, pass));
  };
  const bool known = passes::find_pass("renumber").phase == passes::Phase::prepare;
  return known && after("renumber") == after("contract") ? 0 : 1;
}
