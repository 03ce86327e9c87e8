// Backend: everything that differs between the kinds of machine that programs are compiled for, as
// one row.
// Gives: DeviceList, Backend, backends, backend_names, find_backend, chosen_device, chosen_card,
// require_all_fit, default_backend, compile, usable_toolchain(s), fusion_depth. Needs: plan,
// codegen, build.
//
// To add one: its folders (what it adds to plans, its lowering and printer, its toolchain) and its
// row in backend.cpp. Callers ask the row; none but the table knows one by name.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraiso/codegen/generate.hpp"
#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/support/device/report.hpp"

namespace paraiso::runtime {

/// What a back end's programs could run on, whether they do or not.
struct DeviceList {
  std::vector<paraiso_support::DeviceReport> all;
  std::string why;  // there is none, or no graphics card

  [[nodiscard]] std::vector<std::string> names() const;
};

struct Backend {
  const char* name;  // as `--backend` takes it
  const char* code;  // the generated code, in words

  // The genes of a kernel as a whole, in addition to those of its values. All functions of
  // schedules and genomes take this table.
  plan::OptionTable options;
  // For one kernel, from a genome to that of the nearest legal schedule.
  std::function<plan::Genome(const plan::Genome&)> (*canonical)(const om::Machine&,
                                                                std::string_view kernel);
  // The untuned schedule (without a grid: for the usual ones), the plan of a repaired schedule, and
  // the predicted time of a kernel.
  plan::Schedule (*default_schedule)(const om::Machine&, const plan::Setting&);
  plan::Plan (*make_plan)(const om::Machine&, const plan::Schedule&);
  plan::Prediction (*predict)(const om::Machine&, const plan::KernelPlan&, const plan::Setting&);
  plan::LoopWords loops;  // for plan::describe
  // What to plan for: the processor, whose look-up may measure it, or the chosen device by what it
  // says of itself.
  plan::MachineModel (*machine)(const std::function<plan::MachineModel()>& processor);

  // Whether cells call the C library's functions where a program lets them; else they have our own.
  bool calls_libm;

  // Lowers a plan and prints the code.
  std::vector<codegen::SourceFile> (*generate)(const plan::Plan&, const codegen::GenerateOptions&);

  // The compilers that it knows, found or not; one of them by name (throws Error with what to
  // install); and the libraries that they build from plans in one run, each loaded on its own.
  std::vector<ToolchainReport> (*toolchains)();
  Toolchain (*find_toolchain)(const std::string& name);
  std::vector<Library> (*compile)(std::span<const plan::Plan>, const CompileOptions&);
  // The compilers of its kernels, where these are in sources of their own; nullptr: none.
  std::vector<ToolchainReport> (*kernel_compilers)();
  // The devices here, and whether one of them can be chosen (by $PARAISO_DEVICE).
  DeviceList (*devices)();
  bool chooses_device;
};

[[nodiscard]] std::span<const Backend> backends();

[[nodiscard]] std::vector<std::string> backend_names();

/// nullptr if there is none of that name.
[[nodiscard]] const Backend* find_backend(std::string_view name);

/// The device that its programs would run on; none: there is none, or they run on threads of this
/// host.
[[nodiscard]] std::optional<paraiso_support::DeviceReport> chosen_device(const Backend& backend);

/// The graphics card that its programs would run on; none: they have the memory of this machine.
[[nodiscard]] std::optional<paraiso_support::DeviceReport> chosen_card(const Backend& backend);

/// Throws Error where blocks of a version ask for more shared memory than the chosen device gives:
/// for who calls each of them.
void require_all_fit(const Backend& backend, const plan::Dispatch& dispatch);

/// Used unless another one is chosen.
[[nodiscard]] const Backend& default_backend();

/// One plan to a loaded library; throws as compile_together does.
[[nodiscard]] Library compile(const plan::Plan& plan, const CompileOptions& options = {},
                              const Backend& backend = default_backend());

/// The compilers that work here, `preferred` first if it is one of them. Throws Error with what to
/// install if none does.
[[nodiscard]] std::vector<std::string> usable_toolchains(const Backend& backend,
                                                         const std::string& preferred = "");
/// The first of them; the others are not tried if `preferred` works.
[[nodiscard]] std::string usable_toolchain(const Backend& backend, const std::string& preferred);

/// plan::fusion_depth by the times that the back end predicts for a grid on a machine; without a
/// size, for the usual grids.
[[nodiscard]] int fusion_depth(const Backend& backend, const om::Machine& program,
                               const plan::Setting& setting);

}  // namespace paraiso::runtime
