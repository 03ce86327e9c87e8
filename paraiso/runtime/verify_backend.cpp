#include "paraiso/runtime/verify_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "paraiso/base/text.hpp"
#include "paraiso/codegen/generate.hpp"
#include "paraiso/om/interpret.hpp"
#include "paraiso/runtime/host.hpp"
#include "paraiso/runtime/memory.hpp"
#include "paraiso/runtime/toolchain.hpp"

namespace paraiso::runtime {
namespace {

/// A state to begin from, the kernels to run, and the interpreter's state after each.
struct Reference {
  std::string start;
  om::State begin;
  std::vector<const om::Kernel*> calls;
  std::vector<om::State> after;
};

om::Constant random_constant(om::Element element, Rng& rng) {
  if (element == om::Element::boolean) return om::Constant(rng.chance(0.5));
  if (om::is_integer(element))
    return om::Constant::from_double(element, static_cast<double>(rng.between(-3, 3)));
  return om::Constant::from_double(element, rng.unit() + 0.5);
}

/// Close enough to a state that means something that the program does not drown in NaN.
om::Constant perturbed(om::Constant value, Rng& rng) {
  if (!om::is_float(value.element())) return value;
  return om::Constant::from_double(value.element(), value.to_double() * (1 + 0.1 * rng.unit()));
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

/// Single steps, then all other kernels; of fused steps one after the other, and a single one
/// between.
std::vector<const om::Kernel*> calls_after_start(const om::Machine& program,
                                                 const VerifyOptions& options) {
  std::vector<const om::Kernel*> calls;
  const om::Kernel* step = program.step_kernel();
  if (step) calls.assign(options.steps, step);
  for (const om::Kernel& kernel : program.kernels) {
    if (kernel.role != om::KernelRole::plain) continue;
    calls.push_back(&kernel);
    if (kernel.name == options.fusion.kernel) calls.insert(calls.end(), {&kernel, step, &kernel});
  }
  return calls;
}

Reference interpreted(const om::Machine& program, const passes::Fusion& fusion,
                      Reference reference) {
  om::State state = reference.begin;
  for (const om::Kernel* kernel : reference.calls) {
    if (kernel->name == fusion.kernel)
      passes::interpret_steps(program, fusion, state);
    else
      om::interpret(program, *kernel, state);
    reference.after.push_back(state);
  }
  return reference;
}

/// From a problem's own beginning, and from its state with every cell shaken.
void add_problem(const om::Machine& program, const om::Kernel& initial, const om::State& empty,
                 const VerifyOptions& options, Rng& rng, std::vector<Reference>& references) {
  Reference own{fmt::format("problem `{}`", initial.name), empty, {&initial}, {}};
  const auto rest = calls_after_start(program, options);
  own.calls.insert(own.calls.end(), rest.begin(), rest.end());
  references.push_back(interpreted(program, options.fusion, std::move(own)));

  Reference shaken{fmt::format("problem `{}` with every cell shaken", initial.name),
                   references.back().after.front(),
                   rest,
                   {}};
  change_locals(program, shaken.begin, [&](om::Constant value) { return perturbed(value, rng); });
  references.push_back(interpreted(program, options.fusion, std::move(shaken)));
}

bool asked_for(const std::vector<std::string>& problems, const std::string& name) {
  return problems.empty() || std::find(problems.begin(), problems.end(), name) != problems.end();
}

std::vector<Reference> references_of(const om::Machine& program, const VerifyOptions& options) {
  Rng rng(options.seed);
  std::vector<Reference> references;
  for (const auto& size : options.sizes) {
    const om::State empty = om::initial_state(program, size);
    for (const om::Kernel* initial : program.initial_kernels())
      if (asked_for(options.problems, initial->name))
        add_problem(program, *initial, empty, options, rng, references);
    Reference random{"random state", empty, calls_after_start(program, options), {}};
    change_locals(program, random.begin,
                  [&](om::Constant value) { return random_constant(value.element(), rng); });
    references.push_back(interpreted(program, options.fusion, std::move(random)));
  }
  return references;
}

void set_state(Instance& instance, const om::State& state) {
  const om::Machine& program = instance.machine();
  for (std::size_t i = 0; i < program.statics.size(); ++i) {
    const om::StaticId id(i);
    if (program.at(id).type.realm == om::Realm::global) {
      instance.set_scalar(id, state.arrays[i].at(0));
      continue;
    }
    const FieldView view = instance.field(id);
    std::size_t next = 0;
    for_each_cell(state.size,
                  [&](const auto& cell) { view.set(cell, state.arrays[i].at(next++)); });
  }
}

std::optional<Difference> compare_local(Instance& instance, om::StaticId id,
                                        const om::Array& expected) {
  const FieldView view = instance.field(id);
  std::optional<Difference> found;
  std::size_t next = 0;
  for_each_cell(instance.size(), [&](const auto& cell) {
    const om::Constant want = expected.at(next++), got = view.get(cell);
    if (found || want == got) return;
    found.emplace();
    found->cell = cell;
    found->expected = want;
    found->got = got;
  });
  return found;
}

std::optional<Difference> compare_global(Instance& instance, om::StaticId id,
                                         const om::Array& expected) {
  if (instance.scalar(id) == expected.at(0)) return {};
  Difference difference;
  difference.expected = expected.at(0);
  difference.got = instance.scalar(id);
  return difference;
}

std::optional<Difference> compare(Instance& instance, const om::State& expected) {
  for (std::size_t i = 0; i < expected.arrays.size(); ++i) {
    const om::StaticId id(i);
    const om::Static& entry = instance.machine().at(id);
    auto difference = entry.type.realm == om::Realm::local
                          ? compare_local(instance, id, expected.arrays[i])
                          : compare_global(instance, id, expected.arrays[i]);
    if (!difference) continue;
    difference->name = entry.name;
    return difference;
  }
  return {};
}

std::optional<Difference> replay(const Library& library, const Reference& reference,
                                 VerifyReport& report) {
  const auto instance = library.instance(reference.begin.size);
  set_state(*instance, reference.begin);
  for (std::size_t i = 0; i < reference.calls.size(); ++i) {
    instance->run(reference.calls[i]->name);
    ++report.kernels;
    for (const om::Array& array : reference.after[i].arrays)
      report.cells += static_cast<std::int64_t>(array.bits.size());
    auto difference = compare(*instance, reference.after[i]);
    if (!difference) continue;
    difference->kernel = reference.calls[i]->name;
    difference->call = static_cast<int>(i);
    difference->start = reference.start;
    difference->size = reference.begin.size;
    return difference;
  }
  return {};
}

/// The default schedule, then random ones whose generated source is new: most of them are the
/// default with changes, whose loops are like those that will run; the rest are drawn as a whole
/// (and much larger).
std::vector<plan::Schedule> distinct_schedules(const om::Machine& program,
                                               const VerifyOptions& options) {
  const auto source = [&](const plan::Schedule& schedule) {
    std::string text;
    for (const auto& file : codegen::generate_openmp(program, schedule))
      text += without_comments(file.text);  // which name the schedule
    return text;
  };
  Rng rng(options.seed);
  std::vector<plan::Schedule> schedules{plan::default_schedule(program)};
  std::set<std::string> seen{source(schedules.front())};
  for (int fruitless = 0; fruitless < kFruitlessDraws;) {
    if (static_cast<int>(schedules.size()) >= options.schedules) break;
    plan::Schedule schedule = rng.chance(0.8) ? plan::vary(program, schedules.front(), rng)
                                              : plan::random_schedule(program, rng);
    const bool is_new = seen.insert(source(schedule)).second;
    if (is_new) schedules.push_back(std::move(schedule));
    fruitless = is_new ? 0 : fruitless + 1;
  }
  return schedules;
}

std::vector<std::string> usable_compilers() {
  std::vector<std::string> names;
  for (const ToolchainReport& report : survey_toolchains())
    if (report.usable) names.push_back(report.name);
  if (names.empty()) names.push_back(find_toolchain("g++").name);  // throws, with what to install
  return names;
}

/// Schedules `first` to `last` (not included), through one run of the compiler, with every number
/// of threads, from every reference.
std::optional<Difference> check(const om::Machine& program,
                                const std::vector<plan::Schedule>& schedules, std::size_t first,
                                std::size_t last, const std::string& compiler,
                                const VerifyOptions& options,
                                const std::vector<Reference>& references, VerifyReport& report) {
  CompileOptions compile_options;
  compile_options.compiler = compiler;
  compile_options.optimization = first == 0 ? "-O3" : options.optimization;
  compile_options.cache = options.cache;
  std::vector<Program> programs;
  for (std::size_t i = first; i < last; ++i) programs.push_back({program, schedules[i]});
  for (const int threads : options.threads) {
    compile_options.threads = threads;
    const auto libraries = compile_together(programs, compile_options);  // built once, then cached
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      for (const Reference& reference : references) {
        auto difference = replay(libraries[i], reference, report);
        if (!difference) continue;
        difference->compiler = compiler;
        difference->threads = threads;
        difference->seed = options.seed;
        difference->schedule = static_cast<int>(first + i);
        difference->schedule_text = plan::print(schedules[first + i], program);
        return difference;
      }
    }
  }
  return {};
}

}  // namespace

std::vector<std::vector<std::int64_t>> usual_sizes(int dimension) {
  // Read down for each axis in turn; further axes begin again at the left.
  const std::vector<std::vector<std::int64_t>> axes = {
      {1, 2, 7, 33, 543, 3}, {1, 3, 5, 17, 2, 67}, {1, 1, 6, 5, 3, 2}, {1, 2, 3, 2, 1, 3}};
  std::vector<std::vector<std::int64_t>> sizes(axes.front().size());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (int axis = 0; axis < dimension; ++axis)
      sizes[i].push_back(axes[static_cast<std::size_t>(axis) % axes.size()][i]);
  return sizes;
}

std::string Difference::text() const {
  const std::string place = cell.empty() ? "" : fmt::format(" at cell {}", size_text(cell));
  return fmt::format(
      "`{}`{} is {} and the interpreter says {}\n"
      "after call {} (`{}`) from {}, size {}, {}, {} thread{}, schedule {} of seed {}",
      name, place, got.text(), expected.text(), call + 1, kernel, start, size_text(size), compiler,
      threads, threads == 1 ? "" : "s", schedule, seed);
}

VerifyReport verify_schedules(const om::Machine& program, const VerifyOptions& given,
                              const std::function<void(int, int)>& progress) {
  VerifyOptions options = given;
  if (options.sizes.empty()) options.sizes = usual_sizes(program.dimension);
  if (options.compilers.empty()) options.compilers = usable_compilers();
  const std::vector<Reference> references = references_of(program, options);
  const std::vector<plan::Schedule> schedules = distinct_schedules(program, options);

  VerifyReport report;
  const int total = static_cast<int>(schedules.size() * options.compilers.size());
  for (std::size_t first = 0, last = 1; first < schedules.size(); first = last) {
    // The default schedule alone, then several at a time.
    last = first == 0 ? 1 : std::min(first + options.together, schedules.size());
    for (const std::string& compiler : options.compilers) {
      report.difference =
          check(program, schedules, first, last, compiler, options, references, report);
      if (report.difference) return report;
      report.libraries += static_cast<int>(last - first);
      if (progress) progress(report.libraries, total);
    }
    report.schedules = static_cast<int>(last);
  }
  return report;
}

std::optional<Difference> verify_library(const Library& library, const VerifyOptions& given) {
  VerifyOptions options = given;
  if (options.sizes.empty()) options.sizes = usual_sizes(library.machine().dimension);
  VerifyReport report;
  for (const Reference& reference : references_of(library.machine(), options))
    if (auto difference = replay(library, reference, report)) {
      difference->threads = library.threads();
      difference->seed = options.seed;
      return difference;
    }
  return {};
}

}  // namespace paraiso::runtime
