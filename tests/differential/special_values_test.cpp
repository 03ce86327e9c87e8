// Random programs over special values, in every form of loop, by one compiler and another in turn
// (PARAISO_EVERY_BUILD=1, scripts/test-long.sh: each by each): generated code equals the
// interpreter bit for bit, on all pairs of these values as operands in each form. What
// differs is made small, and printed. Half of the programs on grids reduce some values, take
// neighbours, fuse two steps, and have a schedule drawn at random: loops that are swept, split or
// jammed, in any tiles. PARAISO_SPECIAL sets how many programs (8), PARAISO_SPECIAL_SEED the first
// seed (1), PARAISO_SPECIAL_OPTIMIZATION what the compilers are told (-O3): program n of seed s is
// the same wherever it runs; what code is made for is drawn anew. With PARAISO_SPECIAL_GO_ON the
// test prints all values that differ, each with what it is computed from, and makes nothing small:
// as one wants it where several faults are in the way of each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>

#include "paraiso/base/text.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/rewrite/rewrite.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "tests/differential/special_cases.hpp"
#include "tests/differential/states.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/setting.hpp"
#include "tests/support/usable_compilers.hpp"
#include "tests/support/usable_targets.hpp"

namespace paraiso {
namespace {

using test::setting;

using test::joined;
using test::SpecialBuild;
using test::SpecialCase;
using test::without_unused;

/// What differs: a static and its first cell.
using Differences = std::map<std::string, std::string>;

/// Every kernel once from some states; none reads what another one writes.
Differences differences(const SpecialBuild& build, const runtime::Library& library) {
  Rng rng(build.seed + 1000000007);
  const om::Machine& program = library.machine();
  int round = 0;
  Differences found;
  for (const auto& size : test::special_sizes(build.form)) {
    om::State expected = test::special_state(program, size, round++, rng);
    const auto instance = library.instance(size);
    test::set_state(*instance, expected);
    for (const auto& kernel : program.kernels) {
      om::interpret(program, kernel, expected);
      instance->run(kernel.name);
    }
    om::State seen = test::get_state(*instance);
    for (auto text = test::compare_states(program, expected, seen); !text.empty();
         text = test::compare_states(program, expected, seen)) {
      const std::string name = split(text, '`')[1];
      found.try_emplace(name, text);
      const auto s = static_cast<std::size_t>(
          std::ranges::find(program.statics, name, &om::Static::name) - program.statics.begin());
      seen.arrays[s] = expected.arrays[s];
    }
  }
  return found;
}

/// Of programs that are built alike.
std::vector<Differences> differences(const std::vector<SpecialCase>& cases) {
  runtime::CompileOptions options;
  options.compiler = cases.front().build.compiler;
  options.target = cases.front().build.target;
  options.optimization = cases.front().build.optimization;
  options.threads = 1;
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  std::vector<plan::Plan> sources;
  for (const SpecialCase& test : cases) sources.push_back(test::special_plan(test));
  const auto libraries = runtime::compile_together(sources, options);
  std::vector<Differences> found;
  for (std::size_t i = 0; i < cases.size(); ++i)
    found.push_back(differences(cases[i].build, libraries[i]));
  return found;
}

// --- smaller programs ---

/// A kernel of the text, or a store: the lines [first, last).
struct Part {
  std::size_t first, last;
};

std::vector<Part> parts(const std::vector<std::string>& lines, bool kernels) {
  std::vector<Part> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::size_t end = i + 1;
    if (kernels && lines[i].starts_with("kernel "))
      while (lines[end++] != "end") {
      }
    else if (kernels || lines[i].find("store ") == std::string::npos)
      continue;
    found.push_back({i, end});
  }
  return found;
}

/// The machine's text without some parts of it, if that is a machine.
void add_without(const std::vector<std::string>& lines, const std::vector<Part>& without,
                 std::vector<om::Machine>& smaller) {
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (std::ranges::none_of(without, [&](Part p) { return p.first <= i && i < p.last; }))
      rest.push_back(lines[i]);
  try {
    smaller.push_back(without_unused(om::parse(joined(rest))));
  } catch (const Error&) {  // a kernel that stores nothing
  }
}

/// Each with one kernel, or one store, alone or less.
void add_parts(const om::Machine& machine, bool kernels, std::vector<om::Machine>& smaller) {
  const auto lines = split(om::print(machine), '\n');
  const auto all = parts(lines, kernels);
  if (all.size() < 2) return;
  if (all.size() > 2)
    for (const Part kept : all) {
      std::vector<Part> others = all;
      std::erase_if(others, [&](Part p) { return p.first == kept.first; });
      add_without(lines, others, smaller);
    }
  for (const Part part : all) add_without(lines, {part}, smaller);
}

/// The same with one operator replaced by one of its operands.
std::vector<om::Machine> one_step_smaller(const om::Machine& machine) {
  std::vector<om::Machine> smaller;
  add_parts(machine, true, smaller);
  if (!smaller.empty()) return smaller;
  add_parts(machine, false, smaller);
  const auto replace = [&](om::Machine& copy, om::Graph& graph, std::span<om::ValueId> results) {
    const om::Graph before = graph;
    const auto kept = std::vector<om::ValueId>(results.begin(), results.end());
    for (const om::NodeId id : om::canonical_order(before, kept)) {
      const om::Node& node = before.node(id);
      if (node.result_count != 1) continue;
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        if (before.type(node.operands[k]) != before.type(node.first_result)) continue;
        std::ranges::copy(kept, results.begin());
        graph = passes::rewrite(
            before,
            [&](const passes::Site& site) -> std::optional<om::ValueId> {
              if (site.id != id) return std::nullopt;
              return site.operands[k];
            },
            results);
        smaller.push_back(without_unused(copy));
      }
    }
  };
  for (std::size_t k = 0; k < machine.kernels.size(); ++k) {
    om::Machine copy = machine;
    replace(copy, copy.kernels[k].graph, {});
  }
  for (std::size_t k = 0; k < machine.boundary_kernels.size(); ++k) {
    om::Machine copy = machine;
    replace(copy, copy.boundary_kernels[k].graph, std::span(&copy.boundary_kernels[k].result, 1));
  }
  return smaller;
}

/// As long as something smaller differs too.
SpecialCase shrunk(SpecialCase test, std::string& difference) {
  constexpr std::size_t kTogether = 24;
  for (bool again = true; again;) {
    again = false;
    std::vector<SpecialCase> candidates;
    for (auto& machine : one_step_smaller(test.written))
      candidates.push_back({std::move(machine), test.build});
    for (std::size_t first = 0; first < candidates.size() && !again; first += kTogether) {
      const auto last = std::min(first + kTogether, candidates.size());
      const std::vector<SpecialCase> some(candidates.begin() + static_cast<std::ptrdiff_t>(first),
                                          candidates.begin() + static_cast<std::ptrdiff_t>(last));
      const auto found = differences(some);
      for (std::size_t i = 0; i < some.size() && !again; ++i) {
        if (found[i].empty()) continue;
        again = true;
        test = some[i];
        difference = found[i].begin()->second;
      }
    }
  }
  return test;
}

std::string text(const SpecialCase& test) {
  return fmt::format("seed {}, {}, {}, {} {} for {}, {} vectors{}", test.build.seed,
                     test::name(test.build.form), passes::name(test.build.numbers),
                     test.build.compiler, test.build.optimization, test.build.target,
                     test.build.vectors, test.build.loops ? ", a schedule drawn at random" : "");
}

/// The program with the store to that static alone, if it is stored.
om::Machine only(const om::Machine& machine, const std::string& name) {
  const auto lines = split(om::print(machine), '\n');
  for (const bool kernels : {true, false}) {
    const auto all = parts(lines, kernels);
    if (all.size() < 2) continue;
    std::vector<om::Machine> alone;
    for (const Part kept : all) {
      const auto text = joined({lines.begin() + static_cast<std::ptrdiff_t>(kept.first),
                                lines.begin() + static_cast<std::ptrdiff_t>(kept.last)});
      if (text.find(fmt::format("store {} ", name)) == std::string::npos) continue;
      std::vector<Part> others = all;
      std::erase_if(others, [&](Part p) { return p.first == kept.first; });
      add_without(lines, others, alone);
    }
    if (!alone.empty()) return kernels ? only(alone[0], name) : alone[0];
  }
  return machine;
}

// --- the test ---

class SpecialValues : public testing::Test {
 protected:
  void compare(const std::vector<SpecialCase>& cases);

  const bool go_on = setting("PARAISO_SPECIAL_GO_ON", 0) != 0;

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void SpecialValues::compare(const std::vector<SpecialCase>& cases) {
  const auto found = differences(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (found[i].empty()) continue;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    auto [name, difference] = *found[i].begin();
    ADD_FAILURE() << fmt::format("after {:.0f} s: {}: {}", seconds.count(), text(cases[i]),
                                 difference);
    if (!go_on)
      FAIL() << om::print(shrunk(cases[i], difference).written) << difference;
    else
      for (const auto& [name, difference] : found[i])
        std::cout << difference << "\n" << om::print(only(cases[i].written, name)) << std::endl;
  }
}

TEST_F(SpecialValues, EqualTheInterpreter) {
  const auto programs = setting("PARAISO_SPECIAL", 8);
  const auto first_seed = static_cast<std::uint64_t>(setting("PARAISO_SPECIAL_SEED", 1));
  const char* optimization = std::getenv("PARAISO_SPECIAL_OPTIMIZATION");
  const bool each = test::every_build();
  const std::size_t together = each ? 8 : 4;  // of each form as many
  const auto& compilers = test::usable_compilers();
  const auto targets = test::usable_targets();
  Rng rng(first_seed);
  std::cout << programs << " programs from seed " << first_seed << ", " << compilers.size()
            << " compilers, " << targets.size() << " targets\n";
  for (std::int64_t done = 0, batch = 0; done < programs; ++batch) {
    std::vector<SpecialCase> cases;
    for (; done < programs && cases.size() < together; ++done)
      cases.push_back(test::special_case(first_seed + static_cast<std::uint64_t>(done)));
    for (std::size_t c = 0; c < compilers.size(); ++c) {
      if (!each && c != static_cast<std::size_t>(batch) % compilers.size()) continue;
      const std::string& compiler = compilers[c];
      const std::string& target = targets[rng.below(targets.size())];
      for (SpecialCase& test : cases) {
        test.build.compiler = compiler;
        test.build.target = target;
        test.build.optimization = optimization ? optimization : "-O3";
      }
      compare(cases);
      if (HasFailure() && !go_on) return;
    }
  }
}

}  // namespace
}  // namespace paraiso
