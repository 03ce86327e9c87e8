#include "paraiso/passes/passes.hpp"

#include <fmt/format.h>

#include "paraiso/base/text.hpp"
#include "paraiso/om/verify/verify.hpp"
#include "paraiso/passes/rewrite/call_libm.hpp"
#include "paraiso/passes/rewrite/contract.hpp"
#include "paraiso/passes/rewrite/extrema.hpp"
#include "paraiso/passes/rewrite/remove_dead.hpp"
#include "paraiso/passes/rewrite/simplify.hpp"
#include "paraiso/passes/steps/join_steps.hpp"

namespace paraiso::passes {

const char* name(Numbers numbers) {
  switch (numbers) {
    case Numbers::strict: return "strict";
    case Numbers::fma: return "fma";
    case Numbers::fast: return "fast";
  }
  return "";
}

std::optional<Numbers> parse_numbers(std::string_view text) {
  for (auto n : {Numbers::strict, Numbers::fma, Numbers::fast})
    if (text == name(n)) return n;
  return std::nullopt;
}

namespace {

/// A pass without options.
template <om::Machine (*pass)(const om::Machine&)>
Fused plain(const Fused& program, const PassOptions&) {
  return {pass(program.machine), program.fusion};
}

Fused fused_steps(const Fused& program, const PassOptions& options) {
  return fuse_steps(program.machine, options.steps, options.hold_time_step);
}

Fused run(Fused program, Phase phase, const PassOptions& options, std::string_view after) {
  if (!after.empty()) (void)find_pass(after);
  for (const Pass& pass : passes()) {
    if (pass.phase != phase) continue;
    if (pass.runs_in(options.numbers)) {
      program = pass.run(program, options);
      om::verify(program.machine);
    }
    if (after == pass.name) break;
  }
  return program;
}

}  // namespace

const std::vector<Pass>& passes() {
  static const std::vector<Pass> table = {
      {"remove_dead", "drop what no Store needs", Phase::prepare, plain<remove_dead>},
      {"simplify", "algebra that changes no bit", Phase::prepare, plain<simplify>},
      {"contract", "make multiply-adds explicit (not in strict)", Phase::prepare, plain<contract>,
       Numbers::fma},
      {"sweep", "drop what the passes before left unused", Phase::prepare, plain<remove_dead>},
      {"call_libm", "let cells call the C library's functions (only in fast)", Phase::prepare,
       plain<call_libm>, Numbers::fast},
      {"fuse_steps", "chain the step kernel with itself", Phase::fuse, fused_steps},
      {"join_steps", "let a step read values of the one before it", Phase::fuse, plain<join_steps>},
      {"extrema", "make one choice of nested ones that joining brought together", Phase::fuse,
       plain<unnest_extrema>},
  };
  return table;
}

const Pass& find_pass(std::string_view name) {
  std::vector<std::string> names;
  for (const Pass& pass : passes()) {
    if (name == pass.name) return pass;
    names.push_back(pass.name);
  }
  const Error error(fmt::format("there is no pass `{}`", name));
  const std::string near = nearest(name, names);
  throw near.empty() ? error.with_hint(fmt::format("passes: {}", fmt::join(names, ", ")))
                     : error.with_hint(fmt::format("did you mean `{}`?", near));
}

om::Machine prepare(const om::Machine& machine, Numbers numbers, std::string_view after) {
  om::verify(machine);
  if (const om::Node* call = machine.libm_call(); call && numbers != Numbers::fast)
    throw Error(call->location, fmt::format("a function is `libm`, which `--numbers {}` does not "
                                            "allow",
                                            name(numbers)))
        .with_hint("`--numbers fast` does");
  return run({machine, {}}, Phase::prepare, {numbers}, after).machine;
}

std::vector<Diagnostic> settled_annotations(const om::Machine& machine) {
  std::vector<Diagnostic> notes;
  const auto collect = [&](const om::Graph& graph) {
    for (std::size_t v = 0; v < graph.value_count(); ++v) {
      const om::Annotation& annotation = graph.value(om::ValueId(v)).annotation;
      if (!annotation.overruled) continue;
      notes.push_back({Severity::note, *annotation.overruled,
                       "this `delayed` gives way to a `manifest`: both values are one"});
      notes.push_back({Severity::note, annotation.location, "the `manifest` is here"});
    }
  };
  for (const om::Kernel& kernel : machine.kernels) collect(kernel.graph);
  for (const om::BoundaryKernel& kernel : machine.boundary_kernels) collect(kernel.graph);
  return notes;
}

Fused fuse(const om::Machine& prepared, int steps, bool hold_time_step, std::string_view after) {
  if (steps == 1) return {prepared, {}};
  return run({prepared, {}}, Phase::fuse, {Numbers::fma, steps, hold_time_step}, after);
}

}  // namespace paraiso::passes
