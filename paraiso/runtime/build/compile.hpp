// compile: a plan in, a loaded library out; through a content-addressed cache.
// Gives: CompileOptions, Library, compile, compile_together. Needs: codegen, toolchain, cache,
// Instance.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/system/target.hpp"

namespace paraiso::runtime {

struct CompileOptions {
  std::string compiler = "g++";  // a toolchain's name, "g++" or "clang++"
  std::string optimization = "-O3";
  std::string target = default_target();  // its name
  int threads = 0;                        // 0: all that the machine has
  std::filesystem::path cache;            // empty: cache_folder()
  double seconds = 600;                   // that the compiler may take, a program
};

/// A loaded program. Copies share it; it is unloaded with the last copy and instance.
class Library {
 public:
  /// When its loops take all threads: where they are worth it, or `always`, as tests want it.
  enum class Sharing { worthwhile, always };
  /// A new instance; throws Error with the number of bytes where memory does not suffice.
  [[nodiscard]] std::unique_ptr<Instance> instance(std::vector<std::int64_t> size,
                                                   Sharing sharing = Sharing::worthwhile) const;
  /// Bytes that an instance of that size allocates, without allocating it.
  [[nodiscard]] double bytes(const std::vector<std::int64_t>& size) const;
  [[nodiscard]] const om::Machine& machine() const;  // as prepared
  [[nodiscard]] const std::string& source() const;   // the generated kernel source
  [[nodiscard]] double compile_seconds() const;      // 0 when it came from the cache
  [[nodiscard]] const std::filesystem::path& folder()
      const;  // the cache entry: sources and library
  [[nodiscard]] const std::string& schedule_hash() const;
  [[nodiscard]] const std::string& compiler_version() const;  // first line of its `--version`
  [[nodiscard]] int threads() const;

  struct Loaded;
  explicit Library(std::shared_ptr<const Loaded> loaded) : loaded_(std::move(loaded)) {}

 private:
  std::shared_ptr<const Loaded> loaded_;
};

/// Throws Error: no compiler (with the package that has it), a target that this host can't run, a
/// compiler that fails (its first lines, and the kept source), a cache folder that is not writable
/// or belongs to someone else.
[[nodiscard]] Library compile(const plan::Plan& plan, const CompileOptions& options = {});

/// Several programs through one run of the compiler, each loaded on its own: for testing many
/// schedules, where starting the compiler costs more than the programs do.
[[nodiscard]] std::vector<Library> compile_together(std::span<const plan::Plan> plans,
                                                    const CompileOptions& options = {});

}  // namespace paraiso::runtime
