// compile: plans in, loaded libraries out; through a content-addressed cache.
// Gives: CompileOptions, Library, Generator, compile_together. Needs: codegen, toolchain, cache,
// Instance.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "paraiso/codegen/generate.hpp"
#include "paraiso/om/divide/distribute.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/runtime/build/kernel_compiler.hpp"
#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "paraiso/support/place.hpp"

namespace paraiso::runtime {

struct CompileOptions {
  std::string compiler = "g++";  // a toolchain's name, "g++" or "clang++"
  std::string optimization = "-O3";
  std::string target = default_target();  // its name
  int threads = 0;                        // 0: all of the machine's
  std::filesystem::path cache = {};       // empty: cache_folder()
  double seconds = kHanging;              // the compiler's time limit per program
  // Of text that it is given at once: it takes up to a kilobyte of memory for each byte.
  std::size_t most_bytes = 4'000'000;
};

/// A loaded program. Copies share it; it is unloaded with the last copy and instance.
class Library {
 public:
  /// When its loops use all threads: when they are worth it, or `always`, for tests.
  enum class Sharing { worthwhile, always };
  /// A new instance; throws Error with the number of bytes if memory does not suffice.
  [[nodiscard]] std::unique_ptr<Instance> instance(std::vector<std::int64_t> size,
                                                   Sharing sharing = Sharing::worthwhile) const;
  /// One part of a grid, all parts of which must run the same versions of kernels, whose ghost
  /// cells in other parts the caller fills before each kernel, by so many threads. Throws Error
  /// also where the back end has no parts.
  [[nodiscard]] std::unique_ptr<Instance> part(const paraiso_support::Place& place, int threads,
                                               Sharing sharing = Sharing::worthwhile) const;
  /// What each kernel reads beside a part.
  [[nodiscard]] const std::vector<std::vector<om::Want>>& part_wants() const;
  /// Whether a kernel calls Exchange::receive itself, having computed what it can.
  [[nodiscard]] bool receives(std::size_t kernel) const;
  /// The same library, whose instances have these thresholds. Throws Error, with the nearest name,
  /// where the program has no such threshold, or a value is negative.
  [[nodiscard]] Library with_thresholds(const plan::Thresholds& tuning) const;
  /// The versions of one of its kernels, with the thresholds that instances will have.
  [[nodiscard]] const std::optional<plan::Dispatch>& dispatch() const;
  /// Bytes that an instance of that size allocates, without allocating it.
  [[nodiscard]] double bytes(const std::vector<std::int64_t>& size) const;
  [[nodiscard]] const om::Machine& machine() const;  // as prepared
  [[nodiscard]] const std::string& source() const;   // the generated kernel source
  [[nodiscard]] double compile_seconds() const;      // 0 if it came from the cache
  [[nodiscard]] const std::filesystem::path& folder()
      const;  // the cache entry: sources and library
  [[nodiscard]] const std::string& schedule_hash() const;
  [[nodiscard]] const std::string& compiler_version() const;  // first line of its `--version`
  [[nodiscard]] int threads() const;

  struct Loaded;
  explicit Library(std::shared_ptr<const Loaded> loaded);

 private:
  std::shared_ptr<const Loaded> loaded_;
  std::optional<plan::Dispatch> dispatch_;
  plan::Thresholds loops_;  // thresholds of its loops, as the user set them
};

/// What makes C++ of a plan: the part of a back end that this room doesn't know. Taken by
/// reference, so that there is always one: `{}` makes none.
using Generator = std::vector<codegen::SourceFile>(const plan::Plan&,
                                                   const codegen::GenerateOptions&);

/// One program, or several through one run of the compiler (several runs if they are large), each
/// loaded on its own: for testing many schedules, where starting the compiler costs more than the
/// programs do. Throws Error: no
/// compiler (with the package that has it), a target that this host can't run, a compiler that
/// fails (its first lines, and the kept source), a cache folder that is not writable or belongs to
/// someone else. `kernels` compiles those that the generator puts into sources of their own.
[[nodiscard]] std::vector<Library> compile_together(
    std::span<const plan::Plan> plans, Generator& generate, const CompileOptions& options = {},
    const std::optional<KernelCompiler>& kernels = {});

}  // namespace paraiso::runtime
