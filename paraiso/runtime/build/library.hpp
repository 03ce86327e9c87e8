// Library::Loaded: a shared object in this process, and instances over its entry points.
// Gives: keep_openmp_loaded, Library::Loaded. Needs: plugin, compile.hpp, dlopen. For this folder
// only.
#pragma once

#include <filesystem>
#include <string>

#include "paraiso/codegen/plugin.hpp"
#include "paraiso/runtime/build/compile.hpp"

namespace paraiso::runtime {

/// OpenMP runtimes keep idle threads, whose code must stay loaded after the last library that uses
/// the runtime has been unloaded.
void keep_openmp_loaded();

struct Library::Loaded {
  om::Machine machine;
  std::vector<std::vector<om::Want>> part_wants;  // by kernel
  std::vector<bool> overlapped;                   // by kernel
  std::string source, schedule_text, schedule_hash, compiler_version;
  std::filesystem::path folder;
  double compile_seconds = 0;
  int threads = 1;
  std::optional<plan::Dispatch> dispatch;
  const codegen::Plugin* plugin = nullptr;
  const codegen::DevicePlugin* device = nullptr;  // of a back end of devices

  Loaded() = default;
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded();

  /// Opens the file and finds `paraiso_plugin_CLASS`. Throws Error if it is not a plugin of ours.
  void load(const std::filesystem::path& file, const std::string& class_name);

 private:
  void* handle_ = nullptr;
};

}  // namespace paraiso::runtime
