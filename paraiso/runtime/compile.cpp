#include "paraiso/runtime/compile.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/codegen/generate.hpp"
#include "paraiso/codegen/plugin.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/runtime/cache.hpp"
#include "paraiso/runtime/digest.hpp"
#include "paraiso/runtime/file.hpp"
#include "paraiso/runtime/host.hpp"
#include "paraiso/runtime/library.hpp"
#include "paraiso/runtime/toolchain.hpp"

namespace paraiso::runtime {
namespace {

using codegen::SourceFile;

constexpr const char* kSupport = "paraiso_support.cpp";

/// The one C++ source that is not the support.
const SourceFile& kernel_source(const std::vector<SourceFile>& files) {
  for (const auto& file : files)
    if (file.name.ends_with(".cpp") && file.name != kSupport) return file;
  throw Error("the generator gave no C++ source");
}

/// All that decides what the library will be; the sources say what the programs and schedules are.
nlohmann::ordered_json ingredients(const Toolchain& toolchain, const CompileOptions& options,
                                   const std::vector<SourceFile>& files) {
  nlohmann::ordered_json all;
  all["generator"] = codegen::kGeneratorVersion;
  all["plugin"] = codegen::kPluginVersion;
  all["compiler"] = toolchain.path.string();
  all["compiler_version"] = toolchain.version;
  all["kernel_flags"] = kernel_flags(toolchain, options.optimization);
  all["support_flags"] = support_flags(toolchain);
  all["link_flags"] = link_flags(toolchain);
  all["host"] = fingerprint(host());
  for (const auto& file : files) all["sources"][file.name] = sha256(file.text);
  return all;
}

/// `files` end with the source that the compiler is given.
void build(const Toolchain& toolchain, const CompileOptions& options,
           const std::vector<SourceFile>& files, const std::filesystem::path& folder) {
  for (const auto& file : files) write_file(folder / file.name, file.text);
  build_library(toolchain, options.optimization, folder, files.back().name, kSupport);
}

std::filesystem::path find_or_build(const Toolchain& toolchain, const CompileOptions& options,
                                    const std::vector<SourceFile>& files, const std::string& recipe,
                                    double& seconds) {
  Cache cache(options.cache.empty() ? cache_folder() : options.cache);
  const auto key = sha256(recipe);
  if (auto entry = cache.find(key)) return *entry;
  const auto start = std::chrono::steady_clock::now();
  try {
    auto entry = cache.make(key, recipe, [&](const std::filesystem::path& folder) {
      build(toolchain, options, files, folder);
    });
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return entry;
  } catch (const Error& error) {
    if (!std::filesystem::exists(cache.failed(key))) throw;
    throw error.with_note({},
                          fmt::format("the sources are kept in `{}`", cache.failed(key).string()));
  }
}

}  // namespace

std::vector<Library> compile_together(const std::vector<Program>& programs,
                                      const CompileOptions& options) {
  const auto toolchain = find_toolchain(options.compiler);
  std::vector<std::shared_ptr<Library::Loaded>> libraries;
  std::vector<std::string> class_names;
  std::vector<SourceFile> files;
  std::string all = "// Programs compiled together.\n";
  for (const auto& program : programs) {
    codegen::GenerateOptions generate_options;
    generate_options.plugin = true;
    if (programs.size() > 1)
      generate_options.class_name = fmt::format("{}_{}", program.machine.name, libraries.size());
    auto library = std::make_shared<Library::Loaded>();
    library->machine = program.machine;
    library->threads = options.threads > 0 ? options.threads : host().threads;
    library->schedule_hash = plan::schedule_hash(plan::repair(program.machine, program.schedule));
    library->compiler_version = toolchain.version;
    auto generated = codegen::generate_openmp(program.machine, program.schedule, generate_options);
    const auto& kernels = kernel_source(generated);
    library->source = kernels.text;
    class_names.push_back(kernels.name.substr(0, kernels.name.size() - 4));
    all += fmt::format("#include \"{}\"\n", kernels.name);
    std::ranges::move(generated, std::back_inserter(files));
    libraries.push_back(std::move(library));
  }
  files.push_back({"programs.cpp", all});
  const auto recipe = ingredients(toolchain, options, files).dump();
  double seconds = 0;
  const auto folder = find_or_build(toolchain, options, files, recipe, seconds);
  std::vector<Library> loaded;
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    libraries[i]->folder = folder;
    libraries[i]->compile_seconds = seconds;
    libraries[i]->load(folder / "library.so", class_names[i]);
    loaded.emplace_back(std::move(libraries[i]));
  }
  return loaded;
}

Library compile(const om::Machine& machine, const plan::Schedule& schedule,
                const CompileOptions& options) {
  return compile_together({{machine, schedule}}, options).front();
}

}  // namespace paraiso::runtime
