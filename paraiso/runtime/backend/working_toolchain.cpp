#include "paraiso/runtime/backend/working_toolchain.hpp"

#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/system/digest.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

constexpr const char* kProduct = "works";

/// Without a cache folder it is tried each time: what is compiled then says what is wrong with it.
bool works(const Toolchain& toolchain) {
  nlohmann::ordered_json all{{"compiler", toolchain.path.string()},
                             {"compiler_version", toolchain.version},
                             {"link_flags", link_flags()}};
  const std::string ingredients = all.dump(), key = sha256(ingredients);
  try {
    const Cache cache(cache_folder(), kProduct);
    if (cache.find(key)) return true;
    if (!survey_toolchain(toolchain.name).usable) return false;
    cache.make(key, ingredients, [](const std::filesystem::path& folder) {
      write_file(folder / kProduct, "OpenMP\n");
    });
    return true;
  } catch (const Error&) {
    return survey_toolchain(toolchain.name).usable;
  }
}

}  // namespace

bool toolchain_works(const std::string& name) {
  try {
    return works(find_toolchain(name));
  } catch (const Error&) {
    return false;
  }
}

const std::vector<std::string>& working_toolchains() {
  static const std::vector<std::string> working = [] {
    std::vector<std::string> names;
    for (const std::string& name : toolchain_names())
      if (toolchain_works(name)) names.push_back(name);
    return names;
  }();
  return working;
}

}  // namespace paraiso::runtime
