#include "paraiso/runtime/backend/backend.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "paraiso/base/error.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/codegen/device/host/generate_device.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/cpu/loop_words.hpp"
#include "paraiso/plan/device/cost/device_cost.hpp"
#include "paraiso/plan/device/device_plan.hpp"
#include "paraiso/plan/device/search/device_search.hpp"
#include "paraiso/plan/make/canonical.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/plan/search/fusion_depth.hpp"
#include "paraiso/runtime/backend/working_toolchain.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/support/device/cuda_layer.hpp"
#include "paraiso/support/device/hip_layer.hpp"
#include "paraiso/support/device/opencl_layer.hpp"

namespace paraiso::runtime {
namespace {

std::function<plan::Genome(const plan::Genome&)> cpu_canonical(const om::Machine& machine,
                                                               std::string_view kernel) {
  return plan::Canonical(machine, kernel, plan::cpu_options);
}

std::vector<Library> compile_openmp(std::span<const plan::Plan> plans,
                                    const CompileOptions& options) {
  return compile_together(plans, codegen::generate_openmp, options);
}

DeviceList this_host() {
  paraiso_support::DeviceReport report;
  report.name = host().cpu;
  report.platform = host().architecture;
  report.memory_bytes = report.largest_bytes = host().memory_bytes;
  report.fp64 = report.usable = true;
  return {{report}, ""};
}

std::vector<Library> compile_opencl(std::span<const plan::Plan> plans,
                                    const CompileOptions& options) {
  return compile_together(plans, codegen::generate_opencl, options);
}

DeviceList opencl_devices() {
  try {
    return {paraiso_opencl::survey(), ""};
  } catch (const std::runtime_error& error) {  // no loader, no driver
    return {{}, error.what()};
  }
}

/// Kernels are compiled for the device that $PARAISO_DEVICE names.
KernelCompiler kernel_compiler(paraiso_support::DeviceReport (*chosen)(),
                               KernelCompiler (*find)(const std::string& architecture)) {
  std::string architecture;
  try {
    architecture = chosen().architecture;
  } catch (const std::runtime_error& error) {
    throw Error(error.what());
  }
  return architecture.empty() ? emulation() : find(architecture);
}

std::vector<Library> compile_cuda(std::span<const plan::Plan> plans,
                                  const CompileOptions& options) {
  return compile_together(plans, codegen::generate_cuda, options,
                          kernel_compiler([] { return paraiso_cuda::chosen(); }, find_nvcc));
}

std::vector<Library> compile_hip(std::span<const plan::Plan> plans, const CompileOptions& options) {
  return compile_together(plans, codegen::generate_hip, options,
                          kernel_compiler([] { return paraiso_hip::chosen(); }, find_hipcc));
}

DeviceList cuda_devices() {
  DeviceList list;
  list.all = paraiso_cuda::survey(list.why);
  return list;
}

DeviceList hip_devices() {
  DeviceList list;
  list.all = paraiso_hip::survey(list.why);
  return list;
}

std::vector<ToolchainReport> cuda_compilers() { return {survey_nvcc()}; }

std::vector<ToolchainReport> hip_compilers() { return {survey_hipcc()}; }

using ProcessorLookup = std::function<plan::MachineModel()>;

plan::MachineModel processor_alone(const ProcessorLookup& processor) { return processor(); }

/// That of $PARAISO_DEVICE, else the first card, else the first.
std::optional<paraiso_support::DeviceReport> chosen_of(const DeviceList& list) {
  try {
    if (list.all.empty()) return std::nullopt;
    return list.all[paraiso_support::choose_device(list.all, "")];
  } catch (const std::runtime_error&) {  // told where a solver is to run
    return std::nullopt;
  }
}

plan::MachineModel beside(plan::MachineModel machine, const paraiso_support::DeviceReport& report) {
  machine.device = std::make_shared<plan::DeviceModel>(plan::model_of(report, machine));
  return machine;
}

/// OpenCL 1.2 has no graphs.
plan::MachineModel opencl_machine(const ProcessorLookup& processor) {
  const auto report = chosen_of(opencl_devices());
  const bool is_processor = report && !report->gpu;
  plan::MachineModel machine = is_processor ? processor() : plan::documented_machine();
  plan::DeviceModel device = report ? plan::model_of(*report, machine) : plan::documented_device();
  device.graph_launch = 0;
  machine.device = std::make_shared<plan::DeviceModel>(std::move(device));
  return machine;
}

/// The emulation has no speed to plan for.
plan::MachineModel card_of(const DeviceList& list) {
  const auto report = chosen_of(list);
  if (!report || !report->gpu) return plan::documented_machine();
  return beside(plan::documented_machine(), *report);
}

plan::MachineModel cuda_machine(const ProcessorLookup&) { return card_of(cuda_devices()); }

plan::MachineModel hip_machine(const ProcessorLookup&) { return card_of(hip_devices()); }

/// What languages of devices have in common.
constexpr Backend on_devices(const char* name, const char* code, decltype(Backend::machine) machine,
                             decltype(Backend::generate) generate,
                             decltype(Backend::compile) compile,
                             decltype(Backend::kernel_compilers) kernel_compilers,
                             decltype(Backend::devices) devices) {
  return {
      .name = name,
      .code = code,
      .options = plan::device_options,
      .canonical = plan::device_canonical,
      .default_schedule = plan::device_schedule,
      .make_plan = plan::device_plan,
      .predict = plan::predict_on_device,
      .loops = plan::device_loops,
      .machine = machine,
      .calls_libm = false,
      .generate = generate,
      .toolchains = survey_toolchains,
      .find_toolchain = find_toolchain,
      .compile = compile,
      .kernel_compilers = kernel_compilers,
      .devices = devices,
      .chooses_device = true,
  };
}

constexpr Backend kBackends[] = {
    {
        .name = "openmp",
        .code = "C++ with OpenMP threads and vectors",
        .options = plan::cpu_options,
        .canonical = cpu_canonical,
        .default_schedule = plan::default_schedule,
        .make_plan = plan::plan_program,
        .predict = plan::predict,
        .loops = plan::cpu_loops,
        .machine = processor_alone,
        .calls_libm = true,
        .generate = codegen::generate_openmp,
        .toolchains = survey_toolchains,
        .find_toolchain = find_toolchain,
        .compile = compile_openmp,
        .kernel_compilers = nullptr,
        .devices = this_host,
        .chooses_device = false,
    },
    on_devices("opencl", "OpenCL C, launched from C++", opencl_machine, codegen::generate_opencl,
               compile_opencl, nullptr, opencl_devices),
    on_devices("cuda", "CUDA C++, launched from C++", cuda_machine, codegen::generate_cuda,
               compile_cuda, cuda_compilers, cuda_devices),
    on_devices("hip", "HIP, launched from C++", hip_machine, codegen::generate_hip, compile_hip,
               hip_compilers, hip_devices),
};

/// Under the default schedule; without a size the geometric mean over the usual grids.
double default_time(const Backend& backend, const om::Machine& program, const std::string& name,
                    const plan::Setting& setting) {
  const plan::Plan plan = backend.make_plan(program, backend.default_schedule(program, setting));
  const plan::KernelPlan* kernel = plan.find_kernel(name);
  const auto time_on = [&](const std::vector<std::int64_t>& size) {
    return backend.predict(plan.machine, *kernel, {size, setting.machine}).nanoseconds;
  };
  if (!setting.size.empty()) return time_on(setting.size);
  const auto grids = plan::usual_grids(program.dimension);
  double sum = 0;
  for (const plan::Setting& grid : grids) sum += std::log(time_on(grid.size));
  return std::exp(sum / static_cast<double>(grids.size()));
}

}  // namespace

std::vector<std::string> DeviceList::names() const {
  std::vector<std::string> names;
  for (const auto& device : all) names.push_back(device.name);
  return names;
}

std::span<const Backend> backends() { return kBackends; }

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const Backend& row : kBackends) names.emplace_back(row.name);
  return names;
}

const Backend* find_backend(std::string_view name) {
  const auto* row = std::ranges::find(kBackends, name, &Backend::name);
  return row == std::end(kBackends) ? nullptr : row;
}

std::optional<paraiso_support::DeviceReport> chosen_device(const Backend& backend) {
  return backend.chooses_device ? chosen_of(backend.devices()) : std::nullopt;
}

std::optional<paraiso_support::DeviceReport> chosen_card(const Backend& backend) {
  const auto report = chosen_device(backend);
  return report && report->gpu ? report : std::nullopt;
}

void require_all_fit(const Backend& backend, const plan::Dispatch& dispatch) {
  const auto device = chosen_device(backend);
  if (!device) return;
  try {
    for (const plan::Version& version : dispatch.versions)
      paraiso_support::require_shared(*device, version.kernel, version.shared_bytes);
    paraiso_support::require_shared(*device, dispatch.kernel, dispatch.shared_bytes);
  } catch (const std::runtime_error& error) {
    throw Error(error.what());
  }
}

const Backend& default_backend() { return kBackends[0]; }

Library compile(const plan::Plan& plan, const CompileOptions& options, const Backend& backend) {
  return backend.compile({&plan, 1}, options).front();
}

std::vector<std::string> usable_toolchains(const Backend& backend, const std::string& preferred) {
  std::vector<std::string> names = working_toolchains();
  if (const auto own = std::ranges::find(names, preferred); own != names.end())
    std::rotate(names.begin(), own, own + 1);
  if (!names.empty()) return names;
  const std::string wanted = preferred.empty() ? toolchain_names().front() : preferred;
  return {backend.find_toolchain(wanted).name};  // throws, with what to install
}

std::string usable_toolchain(const Backend& backend, const std::string& preferred) {
  return toolchain_works(preferred) ? preferred : usable_toolchains(backend, preferred).front();
}

int fusion_depth(const Backend& backend, const om::Machine& program, const plan::Setting& setting) {
  return plan::fusion_depth(program, [&](const om::Machine& fused, const std::string& kernel) {
    return default_time(backend, fused, kernel, setting);
  });
}

}  // namespace paraiso::runtime
