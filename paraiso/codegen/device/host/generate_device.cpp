#include "paraiso/codegen/device/host/generate_device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/claris/walk.hpp"
#include "paraiso/codegen/cpp/project_writer.hpp"
#include "paraiso/codegen/device/host/device_class.hpp"
#include "paraiso/codegen/device/print/kernels_text.hpp"
#include "paraiso/codegen/foreign_plan.hpp"
#include "paraiso/codegen/support_text.hpp"

namespace paraiso::codegen {
namespace {

/// What kernels of their own source have behind them: the table by which the emulation finds them.
std::string emulated_table(const DeviceModule& module) {
  std::string rows;
  for (const std::string& kernel : module.kernels()) {
    const auto own = std::ranges::find(module.functions, kernel, &claris::Function::name);
    const bool waits = own == module.functions.end() ||  // those that reduce do
                       claris::mentions(own->body, claris::AnyOf<claris::Barrier>());
    rows += fmt::format("    PARAISO_EMULATED_KERNEL({}, {}),\n", kernel, waits);
  }
  return fmt::format(
      "#ifdef PARAISO_EMULATED_KERNELS\n"
      "// The kernels, and whether they have barriers.\n"
      "static const paraiso_cuda::EmulatedKernel emulated_kernels[] = {{\n{1}}};\n"
      "PARAISO_EMULATED_KERNELS(paraiso_emulated_{0}, emulated_kernels)\n"
      "#endif\n",
      module.module.name, rows);
}

std::vector<SourceFile> generate_device(const plan::Plan& plan, const GenerateOptions& options,
                                        const Dialect& dialect, RunsOn runs_on) {
  if (!plan.for_device) throw foreign_plan("a processor", fmt::format("`{}` needs", dialect.name));
  const bool has_graphs = dialect.compiled_by != nullptr;
  const DeviceModule device = make_device_module(plan, options.class_name, has_graphs);
  const Module& module = device.module;
  const LayerText& layer = *find_layer(dialect.name);
  std::string source = print_device_source(device, dialect);
  if (options.plugin) source += print_plugin(module, runs_on, device.scalars.counted);
  std::vector<SourceFile> files{
      {module.name + ".hpp", print_device_header(device, dialect)},
      {module.name + ".cpp", std::move(source)},
      {"paraiso_support.hpp", std::string(support_header())},
      {"paraiso_device.hpp", std::string(layer.header)},
      {"paraiso_support.cpp", std::string(support_source()) + std::string(layer.source)},
  };
  if (dialect.compiled_by && !device.kernels().empty()) {
    files.push_back(
        {module.name + dialect.suffix, kernels_text(device, dialect) + emulated_table(device)});
    files.push_back({"paraiso_emulation.hpp", std::string(emulation_header())});
  }
  if (options.standalone) {
    const RunsOn built_for = device.kernels().empty() ? RunsOn::opencl : runs_on;
    files.push_back({"CMakeLists.txt", write_cmake(module.name, options.target, built_for)});
    files.push_back({"main.cpp", write_example(plan.machine, module, runs_on)});
    files.push_back({"README.md", write_readme(plan.machine, module, options.target, runs_on)});
  }
  return files;
}

}  // namespace

std::vector<SourceFile> generate_opencl(const plan::Plan& plan, const GenerateOptions& options) {
  return generate_device(plan, options, find_dialect("opencl"), RunsOn::opencl);
}

std::vector<SourceFile> generate_cuda(const plan::Plan& plan, const GenerateOptions& options) {
  return generate_device(plan, options, find_dialect("cuda"), RunsOn::cuda);
}

std::vector<SourceFile> generate_hip(const plan::Plan& plan, const GenerateOptions& options) {
  return generate_device(plan, options, find_dialect("hip"), RunsOn::hip);
}

}  // namespace paraiso::codegen
