#include "paraiso/codegen/cpu/openmp.hpp"

#include <algorithm>

#include "paraiso/codegen/cpp/plugin_writer.hpp"
#include "paraiso/codegen/cpp/project_writer.hpp"
#include "paraiso/codegen/cpu/lower/lower_group.hpp"
#include "paraiso/codegen/cpu/print/class_writer.hpp"
#include "paraiso/codegen/foreign_plan.hpp"
#include "paraiso/codegen/lower/make_module.hpp"
#include "paraiso/codegen/parts/parts_writer.hpp"
#include "paraiso/codegen/support_text.hpp"

namespace paraiso::codegen {

namespace {

void add_project(const plan::Plan& plan, const Module& module, const GenerateOptions& options,
                 std::vector<SourceFile>& files) {
  std::string build = write_cmake(module.name, options.target);
  std::string readme = write_readme(plan.machine, module, options.target);
  if (options.mpi) {
    build += write_parts_build(plan.machine, module);
    readme += write_parts_readme(module, options.steps_at_once);
    files.push_back({module.name + "_part.hpp", write_part(plan, module, options.steps_at_once)});
    std::ranges::move(write_late(plan, module), std::back_inserter(files));
    for (const auto& [header, text] : mpi_headers())
      files.push_back({std::string(header), std::string(text)});
    files.push_back({"main_mpi.cpp", write_parts_example(plan.machine, module)});
  }
  files.push_back({"CMakeLists.txt", std::move(build)});
  files.push_back({"main.cpp", write_example(plan.machine, module)});
  files.push_back({"README.md", std::move(readme)});
}

}  // namespace

std::vector<SourceFile> generate_openmp(const plan::Plan& plan, const GenerateOptions& options) {
  if (plan.for_device) throw foreign_plan("a device", "processors need");
  const Module module = make_module(plan, options.class_name, lower_group);
  const std::string& name = module.name;
  std::vector<SourceFile> files{
      {name + ".hpp", print_header(module)},
      {name + ".cpp", print_source(module) + (options.plugin ? print_plugin(module) : "")},
      {"paraiso_support.hpp", std::string(support_header())},
      {"paraiso_support.cpp", std::string(support_source())},
  };
  if (module.calls_libm) files.push_back({"paraiso_libm.hpp", std::string(libm_header())});
  if (options.standalone) add_project(plan, module, options, files);
  return files;
}

}  // namespace paraiso::codegen
