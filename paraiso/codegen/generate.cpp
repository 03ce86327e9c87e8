#include "paraiso/codegen/generate.hpp"

#include <fmt/format.h>

#include "paraiso/codegen/class_writer.hpp"
#include "paraiso/codegen/project_writer.hpp"
#include "paraiso/codegen/support_text.hpp"

namespace paraiso::codegen {

std::vector<SourceFile> generate_openmp(const plan::Plan& plan, const GenerateOptions& options) {
  ClassWriter writer(plan, options.class_name);
  const std::string& name = writer.class_name();
  std::vector<SourceFile> files{
      {name + ".hpp", writer.header()},
      {name + ".cpp", writer.source() + (options.plugin ? writer.plugin() : "")},
      {"paraiso_support.hpp", std::string(support_header())},
      {"paraiso_support.cpp", std::string(support_source())},
  };
  if (options.standalone) {
    files.push_back({"CMakeLists.txt", write_cmake(name, options.target)});
    files.push_back({"main.cpp", write_example(plan, writer)});
    files.push_back({"README.md", write_readme(plan, writer, options.target)});
  }
  return files;
}

}  // namespace paraiso::codegen
