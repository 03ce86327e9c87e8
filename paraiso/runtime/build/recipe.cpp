#include "paraiso/runtime/build/recipe.hpp"

#include <nlohmann/json.hpp>

#include "paraiso/base/text.hpp"
#include "paraiso/codegen/plugin.hpp"
#include "paraiso/runtime/system/digest.hpp"

namespace paraiso::runtime {

namespace {

using Json = nlohmann::ordered_json;

void add_sources(Json& all, const std::vector<codegen::SourceFile>& files) {
  for (const auto& file : files) all["sources"][file.name] = sha256(without_comments(file.text));
}

}  // namespace

std::string recipe(const Ingredients& ingredients) {
  const Toolchain& toolchain = ingredients.toolchain;
  Json all;
  all["plugin"] = codegen::kPluginVersion;
  all["compiler"] = toolchain.path.string();
  all["compiler_version"] = toolchain.version;
  all["kernel_flags"] = kernel_flags(toolchain, ingredients.optimization, ingredients.target);
  all["support_flags"] = support_flags(toolchain, ingredients.target);
  all["link_flags"] = link_flags();
  if (ingredients.kernels) {
    const KernelCompiler& kernels = *ingredients.kernels;
    all["kernels_by"] = kernels.emulates() ? "emulation" : kernels.path.string();
    all["kernels_by_version"] = kernels.version;
    all["host_flags"] = kernels.host_flags();
    if (!kernels.emulates()) all["device_flags"] = kernels.flags(toolchain);
  }
  all["target"] = ingredients.target.name;
  all["host"] = ingredients.host;
  add_sources(all, ingredients.files);
  return all.dump();
}

std::vector<codegen::SourceFile> support_files(const Ingredients& ingredients) {
  std::vector<codegen::SourceFile> files;
  for (const auto& file : ingredients.files)
    if (file.name.starts_with("paraiso_")) files.push_back(file);
  return files;
}

std::string support_recipe(const Ingredients& ingredients) {
  Json all;
  all["compiler"] = ingredients.toolchain.path.string();
  all["compiler_version"] = ingredients.toolchain.version;
  all["support_flags"] = support_flags(ingredients.toolchain, ingredients.target);
  all["host"] = ingredients.host;
  add_sources(all, support_files(ingredients));
  return all.dump();
}

std::string header_recipe(const Ingredients& ingredients, const codegen::SourceFile& header,
                          const std::vector<std::string>& flags) {
  Json all;
  all["compiler"] = ingredients.toolchain.path.string();
  all["compiler_version"] = ingredients.toolchain.version;
  all["flags"] = flags;
  all["host"] = ingredients.host;
  all["header"] = sha256(header.text);  // with comments: g++ compares it to the text it replaces
  return all.dump();
}

}  // namespace paraiso::runtime
