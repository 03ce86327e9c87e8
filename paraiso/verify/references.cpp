#include "paraiso/verify/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "paraiso/base/rng.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"

namespace paraiso::verify {

using namespace runtime;

namespace {

using Size = References::Size;

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

int steps_at_once(const om::Machine& program, const VerifyOptions& options) {
  return options.divide ? steps_for_one_exchange(program, options.fusion) : 1;
}

References::References(const om::Machine& program, const VerifyOptions& options)
    : program_(program), options_(options) {
  if (has_own_bits(*options.backend, program)) return;
  for (std::uint64_t seed = 1; seed <= kWrongRuns; ++seed)
    wrong_.push_back(with_wrong_functions(program, seed));
}

std::vector<Size> References::sizes(int turn) const {
  return options_.sizes.empty() ? usual_sizes(program_.dimension, turn) : options_.sizes;
}

const std::vector<ReferenceRun>& References::runs_on(const Size& size) {
  auto [found, is_new] = known_.try_emplace(size);
  if (is_new) {
    found->second = references_of(program_, options_, size);
    for (ReferenceRun& reference : found->second) tolerate(wrong_, options_, reference);
  }
  return found->second;
}

}  // namespace paraiso::verify
