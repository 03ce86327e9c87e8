// Programs of which states between fused steps lie on the chip.
// Gives: Mixture, Planned, planned, sides. Needs: om, passes, backend.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso {

/// The sides of each axis, the innermost first.
struct Mixture {
  std::vector<const char*> sides;
  int reach;  // of a step
  int steps;
  const char* chunk = "all";
};

inline constexpr const char *kOut = "outflow outflow", *kTurn = "reflect + reflect +",
                            *kRound = "cyclic cyclic", *kMixed = "outflow reflect -";

/// Each cell becomes a mixture of those around it.
inline std::string text_of(const Mixture& one) {
  const int dimension = static_cast<int>(one.sides.size());
  std::string text =
      fmt::format("paraiso 1\nmachine mix dimension {}\nstatic u local f64\n", dimension);
  for (int a = 0; a < dimension; ++a) text += fmt::format("  boundary {} {}\n", a, one.sides[a]);
  text +=
      "kernel ramp initial\n  %x = load_index 0\n  %y = load_index 1\n  %a = mul %y %y\n"
      "  %b = mul %a %x\n  %c = add %b %x\n  %d = add %c %a\n";
  text += dimension < 3
              ? "  %e = add %d %y\n"
              : "  %z = load_index 2\n  %f = mul %z %z\n  %g = mul %f %d\n  %e = add %g %z\n";
  text +=
      "  %u = cast %e f64\n  store u %u\nend\nkernel proceed step\n  %u = load u\n  %s0 = add %u "
      "%u\n";
  int term = 0;
  for (int a = 0; a < dimension; ++a)
    for (int d = -one.reach; d <= one.reach; ++d) {
      if (d == 0) continue;
      std::string offset;
      for (int b = 0; b < dimension; ++b)
        offset += fmt::format("{}{}", b ? ", " : "", b == a ? d : 0);
      text += fmt::format("  %n{0} = shift %u ({1})\n  %s{2} = {3} %s{0} %n{0}\n", term, offset,
                          term + 1, term % 3 == 1 ? "sub" : "add");
      ++term;
    }
  return text + fmt::format(
                    "  %half = imm f64 0.125\n  %k = broadcast %half\n  %v = mul %s{} %k\n"
                    "  store u %v\nend\nend machine\n",
                    term);
}

struct Planned {
  plan::Plan plan;
  passes::Fusion fusion;
  int kept = 0;  // states on the chip
};

inline Planned planned(const Mixture& one, const runtime::Backend& backend) {
  const passes::Fused fused = passes::fuse(
      passes::prepare(om::parse(text_of(one), "mix.om"), passes::Numbers::fma), one.steps);
  plan::Schedule schedule;
  for (const plan::Gene& gene : plan::genes(fused.machine, backend.options)) {
    if (gene.name.ends_with(".state")) schedule.choices[gene.name] = "rolling";
    for (const auto& [end, allele] : {std::pair("/chunk", one.chunk),
                                      {"/block_x", "32"},
                                      {"/block_y", "8"},
                                      {"/shared", "224"}})
      if (gene.name.ends_with(end)) schedule.choices[gene.name] = allele;
  }
  Planned made{backend.make_plan(fused.machine, schedule), fused.fusion};
  for (const plan::Group& group : made.plan.find_kernel(fused.fusion.kernel)->groups)
    for (const plan::Stage& stage : group.stages) made.kept += static_cast<int>(stage.fills.size());
  return made;
}

}  // namespace paraiso
