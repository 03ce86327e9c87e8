#include "paraiso/verify/verify_backend.hpp"

#include <algorithm>
#include <set>

#include "paraiso/base/rng.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/plan/schedule/random_schedule.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/verify/references.hpp"

namespace paraiso::verify {

using namespace runtime;

namespace {

/// Work is shared among threads however small the grid is.
std::unique_ptr<Instance> instance_of(const Library& library, const References::Size& size,
                                      const VerifyOptions& options) {
  if (!options.divide) return library.instance(size, Library::Sharing::always);
  return divided_instance(library, size, options.divide(size), library.threads(),
                          Library::Sharing::always, {}, steps_at_once(library.machine(), options));
}

std::optional<Difference> replay(const Library& library, const ReferenceRun& reference,
                                 const VerifyOptions& options, VerifyReport& report) {
  const auto instance = instance_of(library, reference.begin.size, options);
  write_state(*instance, reference.begin);
  for (std::size_t i = 0; i < reference.calls.size(); ++i) {
    instance->run(reference.calls[i]->name);
    ++report.kernels;
    for (const om::Array& array : reference.after[i].arrays)
      report.cells += static_cast<std::int64_t>(array.bits.size());
    auto difference =
        first_difference(*instance, reference.after[i],
                         reference.tolerances.empty() ? Tolerance() : reference.tolerances[i]);
    if (!difference) continue;
    difference->kernel = reference.calls[i]->name;
    difference->call = static_cast<int>(i);
    difference->start = reference.start;
    difference->size = reference.begin.size;
    if (options.divide) difference->ranks = options.divide(difference->size).leaf_count();
    return difference;
  }
  return {};
}

/// All references of a turn, until one differs.
std::optional<Difference> replay_all(const Library& library, int turn, References& references,
                                     const VerifyOptions& options, VerifyReport& report) {
  for (const References::Size& size : references.sizes(turn))
    for (const ReferenceRun& reference : references.runs_on(size))
      if (auto difference = replay(library, reference, options, report)) return difference;
  return {};
}

/// The default schedule, then random ones whose generated source is new: most of them are the
/// default with changes, whose loops are like those that will run; the rest are entirely random
/// (and much larger).
std::vector<plan::Schedule> distinct_schedules(const om::Machine& program,
                                               const VerifyOptions& options) {
  const runtime::Backend& backend = *options.backend;
  std::vector<plan::Gene> genes =
      options.genes.empty() ? plan::genes(program, backend.options) : options.genes;
  if (!backend.chooses_device) genes = plan::with_skew_genes(program, std::move(genes));
  const auto source = [&](const plan::Schedule& schedule) {
    const plan::Plan plan = backend.make_plan(program, schedule);
    std::string text;
    for (const auto& file : backend.generate(plan, {}))
      text += without_comments(file.text);  // comments name the schedule
    return text;
  };
  Rng rng(options.seed);
  std::vector<plan::Schedule> schedules{options.first ? *options.first
                                                      : backend.default_schedule(program, {})};
  std::set<std::string> seen{source(schedules.front())};
  for (int fruitless = 0; fruitless < kFruitlessDraws;) {
    if (static_cast<int>(schedules.size()) >= options.schedules) break;
    plan::Schedule schedule = rng.chance(0.8) ? plan::vary(genes, schedules.front(), rng)
                                              : plan::random_schedule(genes, rng);
    const bool is_new = seen.insert(source(schedule)).second;
    if (is_new) schedules.push_back(std::move(schedule));
    fruitless = is_new ? 0 : fruitless + 1;
  }
  return schedules;
}

std::vector<std::pair<std::string, std::string>> each_build(const VerifyOptions& options) {
  std::vector<std::pair<std::string, std::string>> builds;
  for (const std::string& target : options.targets)
    for (const std::string& compiler : options.compilers) builds.emplace_back(target, compiler);
  return builds;
}

std::vector<plan::Plan> plans_of(const runtime::Backend& backend, const om::Machine& program,
                                 std::span<const plan::Schedule> schedules) {
  std::vector<plan::Plan> plans;
  for (const plan::Schedule& schedule : schedules)
    plans.push_back(backend.make_plan(program, schedule));
  return plans;
}

/// Checks the plans of schedules from number `first` on, compiled in one run, with every number of
/// threads, from every reference of their turn.
std::optional<Difference> check(std::span<const plan::Plan> plans, std::size_t first,
                                const std::string& compiler, const std::string& target,
                                const VerifyOptions& options, References& references,
                                VerifyReport& report) {
  CompileOptions compile_options;
  compile_options.compiler = compiler;
  compile_options.optimization = first == 0 ? options.first_optimization : options.optimization;
  compile_options.target = target;
  compile_options.cache = options.cache;
  for (const int threads : options.threads) {
    compile_options.threads = threads;
    const auto libraries =
        options.backend->compile(plans, compile_options);  // built once, then cached
    const std::shared_ptr<const void> turn = options.take_device ? options.take_device() : nullptr;
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      const int schedule = static_cast<int>(first + i);
      auto difference = replay_all(libraries[i], schedule + threads, references, options, report);
      if (!difference) continue;
      difference->compiler = compiler;
      difference->target = target;
      difference->threads = threads;
      difference->seed = options.seed;
      difference->schedule = schedule;
      difference->schedule_text = plan::print(plans[i].schedule, plans[i].machine);
      return difference;
    }
  }
  return {};
}

}  // namespace

VerifyReport verify_schedules(const om::Machine& program, const VerifyOptions& given,
                              const std::function<void(int, int)>& progress) {
  VerifyOptions options = given;
  if (options.compilers.empty()) options.compilers = runtime::usable_toolchains(*options.backend);
  References references(program, options);
  const std::vector<plan::Schedule> schedules = distinct_schedules(program, options);

  VerifyReport report;
  report.exact = references.exact();
  const int total =
      static_cast<int>(schedules.size() * options.compilers.size() * options.targets.size());
  const bool first_alone = options.first_optimization != options.optimization;
  for (std::size_t first = 0, last = 0; first < schedules.size(); first = last) {
    last = std::min(first + options.together, schedules.size());
    if (first == 0 && first_alone) last = 1;
    const auto plans =
        plans_of(*options.backend, program, std::span(schedules).subspan(first, last - first));
    for (const auto& [target, compiler] : each_build(options)) {
      report.difference = check(plans, first, compiler, target, options, references, report);
      if (report.difference) return report;
      report.libraries += static_cast<int>(last - first);
      if (progress) progress(report.libraries, total);
    }
    report.schedules = static_cast<int>(last);
  }
  return report;
}

std::optional<Difference> verify_library(const Library& library, const VerifyOptions& options) {
  VerifyReport report;
  return verify_library(library, options, report);
}

std::optional<Difference> verify_library(const Library& library, const VerifyOptions& options,
                                         VerifyReport& report) {
  References references(library.machine(), options);
  report.exact = references.exact();
  auto difference = replay_all(library, library.threads(), references, options, report);
  if (!difference) return {};
  difference->threads = library.threads();
  difference->seed = options.seed;
  return difference;
}

}  // namespace paraiso::verify
