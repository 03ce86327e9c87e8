#include "paraiso/codegen/cpu/openmp.hpp"

#include "paraiso/codegen/cpp/plugin_writer.hpp"
#include "paraiso/codegen/cpp/project_writer.hpp"
#include "paraiso/codegen/cpu/lower/lower_group.hpp"
#include "paraiso/codegen/cpu/print/class_writer.hpp"
#include "paraiso/codegen/lower/make_module.hpp"
#include "paraiso/codegen/support_text.hpp"

namespace paraiso::codegen {

std::vector<SourceFile> generate_openmp(const plan::Plan& plan, const GenerateOptions& options) {
  const Module module = make_module(plan, options.class_name, lower_group);
  const std::string& name = module.name;
  std::vector<SourceFile> files{
      {name + ".hpp", print_header(module)},
      {name + ".cpp", print_source(module) + (options.plugin ? print_plugin(module) : "")},
      {"paraiso_support.hpp", std::string(support_header())},
      {"paraiso_support.cpp", std::string(support_source())},
  };
  if (module.versions)
    files.push_back({"paraiso_thresholds.hpp", std::string(thresholds_header())});
  if (options.standalone) {
    files.push_back({"CMakeLists.txt", write_cmake(name, options.target)});
    files.push_back({"main.cpp", write_example(plan.machine, module)});
    files.push_back({"README.md", write_readme(plan.machine, module, options.target)});
  }
  return files;
}

}  // namespace paraiso::codegen
