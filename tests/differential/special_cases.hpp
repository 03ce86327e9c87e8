// Programs over special values by their seeds, and how each is compiled.
// Gives: SpecialBuild, SpecialCase, joined, without_unused, special_case, special_sizes,
// special_program, special_plan. Needs: passes, cpu_plans, special_machine.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "paraiso/base/text.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/special_machine.hpp"
#include "tests/support/special_values.hpp"

namespace paraiso::test {

/// How programs are compiled and run; a smaller program is, too.
struct SpecialBuild {
  std::uint64_t seed;
  SpecialForm form;
  passes::Numbers numbers;
  int vectors;  // machine vectors at a time
  bool loops;   // in loops of any form: the schedule is drawn, too
  std::string compiler, target, optimization;
};

struct SpecialCase {
  om::Machine written;  // unprepared
  SpecialBuild build;
};

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

inline bool has_word(const std::vector<std::string>& lines, const std::string& start,
                     const std::string& word) {
  return std::ranges::any_of(lines, [&](const std::string& line) {
    return line.starts_with(start) && std::ranges::count(split(line, ' '), word) > 0;
  });
}

/// Without statics that no kernel names, and boundary kernels that no boundary does.
inline om::Machine without_unused(const om::Machine& machine) {
  const auto lines = split(om::print(machine), '\n');
  std::vector<std::string> kept;
  bool keep = true;
  for (const std::string& line : lines) {
    if (line.starts_with("static "))
      keep = has_word(lines, "  %", split(line, ' ')[1]) ||
             has_word(lines, "  store", split(line, ' ')[1]);
    else if (line.starts_with("boundary_kernel "))
      keep = has_word(lines, "  boundary", split(line, ' ')[1]);
    else if (line.starts_with("kernel ") || line.starts_with("end machine"))
      keep = true;
    if (keep) kept.push_back(line);
  }
  om::Machine rest = om::parse(joined(kept));
  return kept.size() == lines.size() ? rest : without_unused(rest);
}

/// The same wherever it runs. Half of those of grids have loops of any form: what that needs is
/// drawn from numbers of its own, so that the rest is as it is without.
inline SpecialCase special_case(std::uint64_t seed) {
  Rng rng(seed), loops(seed + 2000000011);
  SpecialBuild build;
  build.seed = seed;
  build.form = static_cast<SpecialForm>(seed % 4);
  build.numbers = rng.chance(0.5) ? passes::Numbers::fma : passes::Numbers::strict;
  build.vectors = 1 << rng.below(3);
  build.loops = build.form != SpecialForm::scalars && loops.chance(0.5);
  return {without_unused(special_machine(rng, build.form, 6, build.loops ? &loops : nullptr)),
          build};
}

/// Of the rounds of `special_state`, in which each operand pair that a form has comes up: in the
/// first two grids, which for boundary kernels are so thin that each cell is one of those that are
/// repeated beyond an edge; of scalars in all rounds.
inline std::vector<std::vector<std::int64_t>> special_sizes(SpecialForm form) {
  constexpr std::int64_t kEdge = kSpecialValues;
  if (form == SpecialForm::scalars)
    return std::vector<std::vector<std::int64_t>>(kEdge * kEdge, {1, 1});
  if (form == SpecialForm::boundary)
    return {{kEdge * kEdge / 3, 3}, {3, kEdge * kEdge / 3}, {41, 23}, {41, 23}, {41, 23}};
  return {{kEdge, kEdge}, {kEdge + 6, kEdge - 2}, {kEdge + 11, kEdge - 3}};
}

/// After all passes; a kernel of steps also with two of them fused.
inline om::Machine special_program(const SpecialCase& test) {
  om::Machine program = passes::prepare(test.written, test.build.numbers);
  if (!program.step_kernel()) return program;
  try {
    return passes::fuse(program, 2).machine;
  } catch (const passes::CannotFuse&) {
    return program;
  }
}

/// Any; and as often one with rolling values between fused steps in split tiles, which is seldom
/// drawn.
inline plan::Schedule drawn_schedule(const om::Machine& program, Rng& rng) {
  plan::Schedule schedule = plan::random_schedule(program, rng);
  if (rng.chance(0.5)) return schedule;
  for (const auto& gene : plan::genes(program))
    for (const char* allele : {"rolling", "split"})
      if (std::ranges::count(gene.alleles, allele) > 0) schedule.choices[gene.name] = allele;
  return plan::repair(program, schedule);
}

inline plan::Plan special_plan(const SpecialCase& test) {
  const om::Machine program = special_program(test);
  Rng rng(test.build.seed + 3000000019);
  plan::Schedule schedule =
      test.build.loops ? drawn_schedule(program, rng) : plan::default_schedule(program);
  if (!test.build.loops && test.build.form == SpecialForm::vectors)
    for (const auto& kernel : program.kernels)
      schedule.choices[kernel.name + "/vectors"] = std::to_string(test.build.vectors);
  return plan::plan_program(program, schedule);
}

}  // namespace paraiso::test
