#include "paraiso/verify/verify_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "paraiso/base/text.hpp"
#include "paraiso/om/interpret.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/schedule/random_schedule.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/verify/field_cells.hpp"
#include "paraiso/verify/tolerance.hpp"

namespace paraiso::verify {

using namespace runtime;

namespace {

/// A state to begin from, the kernels to run, and the interpreter's state after each.
struct ReferenceRun {
  std::string start;
  om::State begin;
  std::vector<const om::Kernel*> calls;
  std::vector<om::State> after;
  std::vector<Tolerance> tolerances = {};  // after each; none: the same bits
};

constexpr int kWrongRuns = 3;

om::Constant random_constant(om::Element element, Rng& rng) {
  if (element == om::Element::boolean) return om::Constant(rng.chance(0.5));
  if (om::is_integer(element))
    return om::Constant::from_double(element, static_cast<double>(rng.between(-3, 3)));
  return om::Constant::from_double(element, rng.unit() + 0.5);
}

/// Close enough to a meaningful state that the program does not drown in NaN. Of integers and bools
/// one in ten changes.
om::Constant perturbed(om::Constant value, Rng& rng) {
  if (om::is_float(value.element()))
    return om::Constant::from_double(value.element(), value.to_double() * (1 + 0.1 * rng.unit()));
  if (!rng.chance(0.1)) return value;
  if (value.element() == om::Element::boolean) return om::Constant(!value.as<bool>());
  return om::Constant::from_double(value.element(), value.to_double() + (rng.chance(0.5) ? 1 : -1));
}

template <class F>
void change_locals(const om::Machine& program, om::State& state, F&& change) {
  for (std::size_t i = 0; i < program.statics.size(); ++i) {
    om::Array& array = state.arrays[i];
    if (program.statics[i].type.realm == om::Realm::global) continue;
    for (std::size_t cell = 0; cell < array.bits.size(); ++cell)
      array.set(cell, change(array.at(cell)));
  }
}

int steps_at_once(const om::Machine& program, const VerifyOptions& options) {
  return options.divide ? steps_for_one_exchange(program, options.fusion) : 1;
}

/// Single steps, then all other kernels; for fused steps, the fused kernel several times with a
/// single step between.
std::vector<const om::Kernel*> calls_after_start(const om::Machine& program,
                                                 const VerifyOptions& options) {
  std::vector<const om::Kernel*> calls;
  const om::Kernel* step = program.step_kernel();
  if (step) calls.assign(std::max(options.steps, steps_at_once(program, options) + 1), step);
  for (const om::Kernel& kernel : program.kernels) {
    if (kernel.role != om::KernelRole::plain) continue;
    if (options.divide && !runs_on_ranks(kernel)) continue;
    calls.push_back(&kernel);
    if (kernel.name == options.fusion.kernel) calls.insert(calls.end(), {&kernel, step, &kernel});
  }
  return calls;
}

/// The fused kernel, or a version of it.
bool is_fused(const std::string& kernel, const VerifyOptions& options) {
  if (kernel == options.fusion.kernel) return true;
  if (!options.dispatch || options.dispatch->kernel != options.fusion.kernel) return false;
  const auto& versions = options.dispatch->versions;
  return std::ranges::find(versions, kernel, &plan::Version::kernel) != versions.end();
}

ReferenceRun interpreted(const om::Machine& program, const VerifyOptions& options,
                         ReferenceRun reference) {
  om::State state = reference.begin;
  for (const om::Kernel* kernel : reference.calls) {
    if (is_fused(kernel->name, options))
      passes::interpret_steps(program, options.fusion, state);
    else
      om::interpret(program, *kernel, state);
    reference.after.push_back(state);
  }
  return reference;
}

/// Lets code be as far away as functions that are wrong on purpose lead.
void tolerate(std::span<const om::Machine> wrong, const VerifyOptions& options,
              ReferenceRun& reference) {
  if (wrong.empty()) return;
  reference.tolerances.resize(reference.calls.size());
  for (std::size_t call = 0; call < reference.calls.size(); ++call)
    reference.tolerances[call].include(reference.after[call]);
  for (const om::Machine& program : wrong) {
    ReferenceRun run{reference.start, reference.begin, {}, {}};
    for (const om::Kernel* kernel : reference.calls)
      run.calls.push_back(program.find_kernel(kernel->name));
    run = interpreted(program, options, std::move(run));
    for (std::size_t call = 0; call < run.calls.size(); ++call)
      reference.tolerances[call].include(reference.after[call], run.after[call]);
  }
}

/// From a problem's own beginning, and from the same state with every cell perturbed.
void add_problem(const om::Machine& program, const om::Kernel& initial, const om::State& empty,
                 const VerifyOptions& options, Rng& rng, std::vector<ReferenceRun>& references) {
  ReferenceRun own{fmt::format("problem `{}`", initial.name), empty, {&initial}, {}};
  const auto rest = calls_after_start(program, options);
  own.calls.insert(own.calls.end(), rest.begin(), rest.end());
  references.push_back(interpreted(program, options, std::move(own)));

  ReferenceRun shaken{fmt::format("problem `{}` with every cell perturbed", initial.name),
                      references.back().after.front(),
                      rest,
                      {}};
  change_locals(program, shaken.begin, [&](om::Constant value) { return perturbed(value, rng); });
  references.push_back(interpreted(program, options, std::move(shaken)));
}

using Size = std::vector<std::int64_t>;

/// The grids of one turn.
std::vector<Size> sizes_of(const om::Machine& program, const VerifyOptions& options, int turn) {
  return options.sizes.empty() ? usual_sizes(program.dimension, turn) : options.sizes;
}

bool asked_for(const std::vector<std::string>& problems, const std::string& name) {
  return problems.empty() || std::find(problems.begin(), problems.end(), name) != problems.end();
}

std::vector<ReferenceRun> references_of(const om::Machine& program, const VerifyOptions& options,
                                        const Size& size) {
  Rng rng(options.seed);
  std::vector<ReferenceRun> references;
  const om::State empty = om::initial_state(program, size);
  for (const om::Kernel* initial : program.initial_kernels())
    if (asked_for(options.problems, initial->name))
      add_problem(program, *initial, empty, options, rng, references);
  ReferenceRun random{"random state", empty, calls_after_start(program, options), {}};
  change_locals(program, random.begin,
                [&](om::Constant value) { return random_constant(value.element(), rng); });
  references.push_back(interpreted(program, options, std::move(random)));
  return references;
}

/// Each reference is computed once, when a turn first needs it.
class References {
 public:
  References(const om::Machine& program, const VerifyOptions& options)
      : program_(program), options_(options) {
    if (has_own_bits(*options.backend, program)) return;
    for (std::uint64_t seed = 1; seed <= kWrongRuns; ++seed)
      wrong_.push_back(with_wrong_functions(program, seed));
  }
  [[nodiscard]] bool exact() const { return wrong_.empty(); }

  /// Calls visit(reference) for all of a turn, until one gives a difference.
  template <class Visit>
  std::optional<Difference> first_difference(int turn, Visit&& visit) {
    for (const Size& size : sizes_of(program_, options_, turn)) {
      auto [found, is_new] = known_.try_emplace(size);
      if (is_new) {
        found->second = references_of(program_, options_, size);
        for (ReferenceRun& reference : found->second) tolerate(wrong_, options_, reference);
      }
      for (const ReferenceRun& reference : found->second)
        if (auto difference = visit(reference)) return difference;
    }
    return {};
  }

 private:
  const om::Machine& program_;
  const VerifyOptions& options_;
  std::vector<om::Machine> wrong_;  // the program with wrong functions, if it calls a library's
  std::map<Size, std::vector<ReferenceRun>> known_;
};

void set_state(Instance& instance, const om::State& state) {
  const om::Machine& program = instance.machine();
  for (std::size_t i = 0; i < program.statics.size(); ++i) {
    const om::StaticId id(i);
    if (program.at(id).type.realm == om::Realm::global)
      instance.set_scalar(id, state.arrays[i].at(0));
    else
      instance.write(id, {om::Cell(state.size.size(), 0), state.size},
                     in_memory(state.arrays[i]).data());
  }
}

std::optional<Difference> compare_local(Instance& instance, om::StaticId id,
                                        const om::Array& expected, double allowed) {
  std::vector<char> cells(expected.bits.size() * om::size_of(expected.element));
  instance.read(id, {om::Cell(instance.size().size(), 0), instance.size()}, cells.data());
  std::optional<Difference> found;
  std::size_t next = 0;
  for_each_cell(instance.size(), [&](const auto& cell) {
    const om::Constant got = in_memory_at(expected.element, cells, next);
    const om::Constant want = expected.at(next++);
    if (found || agree(want, got, allowed)) return;
    found.emplace();
    found->cell = cell;
    found->expected = want;
    found->got = got;
  });
  return found;
}

std::optional<Difference> compare_global(Instance& instance, om::StaticId id,
                                         const om::Array& expected, double allowed) {
  if (agree(expected.at(0), instance.scalar(id), allowed)) return {};
  Difference difference;
  difference.expected = expected.at(0);
  difference.got = instance.scalar(id);
  return difference;
}

std::optional<Difference> compare(Instance& instance, const om::State& expected,
                                  const Tolerance& tolerance) {
  for (std::size_t i = 0; i < expected.arrays.size(); ++i) {
    const om::StaticId id(i);
    const om::Static& entry = instance.machine().at(id);
    const double allowed = tolerance.of(id);
    auto difference = entry.type.is_local()
                          ? compare_local(instance, id, expected.arrays[i], allowed)
                          : compare_global(instance, id, expected.arrays[i], allowed);
    if (!difference) continue;
    difference->name = entry.name;
    difference->allowed = allowed;
    return difference;
  }
  return {};
}

/// Work is shared among threads however small the grid is.
std::unique_ptr<Instance> instance_of(const Library& library, const Size& size,
                                      const VerifyOptions& options) {
  if (!options.divide) return library.instance(size, Library::Sharing::always);
  return divided_instance(library, size, options.divide(size), library.threads(),
                          Library::Sharing::always, {}, steps_at_once(library.machine(), options));
}

std::optional<Difference> replay(const Library& library, const ReferenceRun& reference,
                                 const VerifyOptions& options, VerifyReport& report) {
  const auto instance = instance_of(library, reference.begin.size, options);
  set_state(*instance, reference.begin);
  for (std::size_t i = 0; i < reference.calls.size(); ++i) {
    instance->run(reference.calls[i]->name);
    ++report.kernels;
    for (const om::Array& array : reference.after[i].arrays)
      report.cells += static_cast<std::int64_t>(array.bits.size());
    auto difference = compare(*instance, reference.after[i],
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
      auto difference =
          references.first_difference(schedule + threads, [&](const ReferenceRun& reference) {
            return replay(libraries[i], reference, options, report);
          });
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

std::vector<Size> usual_sizes(int dimension, int turn) {
  // Read down for each axis in turn; further axes have one cell or two, because cells multiply. The
  // first three of each axis are those of even turns, the next three those of odd ones; the long
  // ones are the same in all turns, because the interpreter takes its time.
  constexpr std::int64_t kAxes[4][9] = {{1, 2, 7, 4, 5, 6, 3, 33, 543},
                                        {1, 3, 5, 6, 4, 7, 67, 17, 2},
                                        {1, 1, 6, 4, 7, 2, 2, 5, 3},
                                        {1, 6, 3, 5, 4, 7, 3, 2, 1}};
  std::vector<Size> sizes;
  for (int i = 0; i < 9; ++i) {
    if (i < 6 && i / 3 != turn % 2) continue;
    Size& size = sizes.emplace_back();
    for (int axis = 0; axis < dimension; ++axis)
      size.push_back(axis < 4 ? kAxes[axis][i] : 1 + (i + axis) % 2);
  }
  return sizes;
}

std::string Difference::text() const {
  const std::string place = cell.empty() ? "" : fmt::format(" at cell {}", size_text(cell));
  const std::string most =
      allowed > 0 ? fmt::format(", more than {:.2g} away", allowed) : std::string();
  return fmt::format(
      "`{}`{} is {} and the interpreter says {}{}\n"
      "after call {} (`{}`) from {}, size {}{}, {} for {}, {} thread{}, schedule {} of seed {}",
      name, place, got.text(), expected.text(), most, call + 1, kernel, start, size_text(size),
      ranks > 1 ? fmt::format(" on {} ranks", ranks) : "", compiler, target, threads,
      threads == 1 ? "" : "s", schedule, seed);
}

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
  auto difference = references.first_difference(
      library.threads(),
      [&](const ReferenceRun& reference) { return replay(library, reference, options, report); });
  if (!difference) return {};
  difference->threads = library.threads();
  difference->seed = options.seed;
  return difference;
}

}  // namespace paraiso::verify
