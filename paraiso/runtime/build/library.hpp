// Library::Loaded: a shared object in this process, and instances over its entry points.
// Gives: keep_openmp_loaded, Library::Loaded. Needs: plugin, compile.hpp, dlopen. For this folder
// only.
#pragma once

#include <filesystem>
#include <string>

#include "paraiso/codegen/plugin.hpp"
#include "paraiso/runtime/build/compile.hpp"

namespace paraiso::runtime {

/// The OpenMP runtimes keep idle threads, which must not lose their code when the last library that
/// uses the runtime is unloaded.
void keep_openmp_loaded();

struct Library::Loaded {
  om::Machine machine;
  std::string source, schedule_hash, compiler_version;
  std::filesystem::path folder;
  double compile_seconds = 0;
  int threads = 1;
  const codegen::Plugin* plugin = nullptr;

  Loaded() = default;
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded();

  /// Opens the file and finds `paraiso_plugin_CLASS`. Throws Error where it is no plugin of ours.
  void load(const std::filesystem::path& file, const std::string& class_name);

 private:
  void* handle_ = nullptr;
};

}  // namespace paraiso::runtime
