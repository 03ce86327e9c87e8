#include "paraiso/runtime/build/recipe.hpp"

#include <nlohmann/json.hpp>

#include "paraiso/base/text.hpp"
#include "paraiso/codegen/plugin.hpp"
#include "paraiso/runtime/system/digest.hpp"

namespace paraiso::runtime {

std::string recipe(const Ingredients& ingredients) {
  const Toolchain& toolchain = ingredients.toolchain;
  nlohmann::ordered_json all;
  all["plugin"] = codegen::kPluginVersion;
  all["compiler"] = toolchain.path.string();
  all["compiler_version"] = toolchain.version;
  all["kernel_flags"] = kernel_flags(toolchain, ingredients.optimization, ingredients.target);
  all["support_flags"] = support_flags(toolchain, ingredients.target);
  all["link_flags"] = link_flags(toolchain);
  if (ingredients.kernels) {
    const KernelCompiler& kernels = *ingredients.kernels;
    all["kernels_by"] = kernels.emulates() ? "emulation" : kernels.path.string();
    all["kernels_by_version"] = kernels.version;
    if (!kernels.emulates()) all["device_flags"] = kernels.flags(toolchain);
  }
  all["target"] = ingredients.target.name;
  all["host"] = ingredients.host;
  for (const auto& file : ingredients.files)
    all["sources"][file.name] = sha256(without_comments(file.text));
  return all.dump();
}

}  // namespace paraiso::runtime
