#include "cli/execution/versioned_code.hpp"

#include <fmt/format.h>

#include "paraiso/plan/choices/set_dispatch.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::cli {

void take_versions(Prepared& prepared, const Building& building, Versioned versioned) {
  const runtime::Backend& backend = backend_of(building);
  prepared.schedule = {std::move(versioned.schedule), "versions", std::move(versioned.source)};
  prepared.program = std::move(versioned.program);
  prepared.genes = plan::genes(prepared.program, backend.options);
  prepared.plan = backend.make_plan(prepared.program, prepared.schedule.schedule);
  plan::set_dispatch(*prepared.plan, std::move(versioned.dispatch));
  prepared.tuning = std::move(versioned.tuning);
}

void choose_versioned_code(Prepared& prepared, const Building& building) {
  take_versions(
      prepared, building,
      choose_versions(
          {backend_of(building), prepared.program, machine_lookup(building), prepared.genes},
          tune::timed_kernel(prepared.program, prepared.fusion), building.versions));
}

namespace {

/// Of what versions compare on this grid, or on its largest part. A device's code shares nothing
/// among threads of the host.
plan::MeasuredGrid measured_grid(const Prepared& prepared, bool on_device) {
  return {largest_part(prepared), on_device ? 1 : prepared.threads,
          plan::cell_bytes_of(prepared.program)};
}

}  // namespace

runtime::Library with_chosen_version(Prepared& prepared, const runtime::Library& library) {
  if (!library.dispatch()) return library;
  const plan::Dispatch& dispatch = *library.dispatch();
  const auto device = runtime::chosen_device(backend_of(prepared.record.backend));
  const std::size_t version =
      plan::chosen_version(dispatch, measured_grid(prepared, device.has_value()),
                           device ? device->parts.block_shared_bytes : 0);
  prepared.version = plan::version_name(dispatch, version);
  return prepared.tree ? library.with_thresholds(plan::forcing(dispatch, version)) : library;
}

std::string comparisons_of(const Prepared& prepared) {
  const std::string own = prepared.instance->comparisons();
  if (!prepared.tree || !prepared.plan || !prepared.plan->dispatch) return own;
  const plan::Dispatch& dispatch = *prepared.plan->dispatch;
  std::string text;
  std::size_t begin = 0;  // of the lines of loops
  for (const plan::Version& version : dispatch.versions) {
    text += fmt::format("Compared {} <= {}.\n", version.threshold,
                        plan::compared(dispatch, version, measured_grid(prepared, false)));
    begin = own.find('\n', begin) + 1;
  }
  return text + own.substr(begin);
}

void refuse_schedules(const Building& building, int threads) {
  if (threads > 1)
    throw WrongCall("`--threads` is for generated code: the interpreter has one thread");
  if (!building.schedule.empty() && building.schedule != "default")
    throw WrongCall("`--schedule` is for generated code: the interpreter has no schedule");
  if (!building.versions.file.empty())
    throw WrongCall("`--versions` is for generated code: the interpreter has no schedule");
  if (!building.versions.tuning.empty())
    throw WrongCall("`--tuning` is for generated code: the interpreter has no thresholds");
}

}  // namespace paraiso::cli
