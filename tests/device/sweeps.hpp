// Programs whose values are kept on the chip while blocks sweep. Gives: chain, swept. Needs: om,
// passes, backend.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso {

/// Each value is the sum of the one before it in six cells around.
inline om::Machine chain(int length) {
  std::string text =
      "paraiso 1\nmachine chain dimension 3\nstatic u local f64\n"
      "  boundary 0 cyclic cyclic\n  boundary 1 outflow outflow\n  boundary 2 cyclic cyclic\n"
      "kernel ramp initial\n  %x = load_index 0\n  %y = load_index 1\n  %z = load_index 2\n"
      "  %a = mul %y %y\n  %b = mul %z %z\n  %c = mul %b %z\n  %d = add %a %c\n"
      "  %e = mul %x %d\n  %f = add %e %d\n  %g = add %f %x\n"
      "  %u = cast %g f64\n  store u %u\nend\n"
      "kernel proceed step\n  %v0 = load u\n";
  for (int v = 0; v < length; ++v) {
    text += fmt::format("  %s{0}_0 = shift %v{0} (1, 0, 0)\n", v);
    int term = 0;
    for (const char* offset : {"-1, 0, 0", "0, 1, 0", "0, -1, 0", "0, 0, 1", "0, 0, -1"}) {
      text += fmt::format("  %n{0}_{1} = shift %v{0} ({2})\n", v, term, offset);
      text += fmt::format("  %s{0}_{1} = add %s{0}_{2} %n{0}_{2}\n", v, term + 1, term);
      ++term;
    }
    text += fmt::format("  %v{} v{} = neg %s{}_{}\n", v + 1, v + 1, v, term);
  }
  text += fmt::format("  store u %v{}\nend\nend machine\n", length);
  return passes::prepare(om::parse(text, "chain.om"), passes::Numbers::fma);
}

/// All that can be is kept on the chip, by blocks of so many threads that sweep along z.
inline plan::Schedule swept(const om::Machine& program, const runtime::Backend& backend,
                            int block_x, int block_y) {
  const std::pair<const char*, std::string> wanted[] = {{"/block_x", std::to_string(block_x)},
                                                        {"/block_y", std::to_string(block_y)},
                                                        {"/sweep", "z"},
                                                        {"/shared", "224"}};
  plan::Schedule schedule;
  for (const plan::Gene& gene : plan::genes(program, backend.options)) {
    if (std::ranges::find(gene.alleles, "rolling") != gene.alleles.end())
      schedule.choices[gene.name] = "rolling";
    for (const auto& [end, allele] : wanted)
      if (gene.name.ends_with(end)) schedule.choices[gene.name] = allele;
  }
  return schedule;
}

}  // namespace paraiso
