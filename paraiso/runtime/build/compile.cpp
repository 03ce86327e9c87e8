#include "paraiso/runtime/build/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>

#include "paraiso/base/error.hpp"
#include "paraiso/plan/make/part_margin.hpp"
#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/build/library.hpp"
#include "paraiso/runtime/build/recipe.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/runtime/system/digest.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::runtime {
namespace {

using codegen::SourceFile;

constexpr const char* kSupport = "paraiso_support.cpp";
constexpr const char* kHeader = "paraiso_support.hpp";  // which every program includes first
// From which on it is precompiled: that takes g++ 2.5 s and 85 MB, clang++ 1.5 s and 13 MB.
constexpr std::uintmax_t kUses = 3;

/// The one C++ source that is not the support.
const SourceFile& kernel_source(const std::vector<SourceFile>& files) {
  for (const auto& file : files)
    if (file.name.ends_with(".cpp") && file.name != kSupport) return file;
  throw Error("the generator gave no C++ source");
}

/// What goes into one library, and the programs in it.
struct SharedBuild {
  CompileOptions options;
  Ingredients ingredients;
  std::vector<std::string> sources;  // those of its files that are compiled
  std::vector<std::shared_ptr<Library::Loaded>> libraries;
  std::vector<std::string> class_names;
};

/// Generates a program's sources and adds them to the build.
void add_program(SharedBuild& build, const plan::Plan& plan, Generator& generate,
                 const std::string& class_name) {
  codegen::GenerateOptions generate_options;
  generate_options.plugin = true;
  generate_options.class_name = class_name;
  auto library = std::make_shared<Library::Loaded>();
  library->machine = plan.machine;
  library->dispatch = plan.dispatch;
  for (const auto& kernel : plan.kernels) {
    library->part_wants.push_back(plan::part_wants(kernel));
    // A kernel with versions may run one that receives nothing.
    library->overlapped.push_back(!plan.dispatch &&
                                  std::ranges::any_of(kernel.groups, [](const auto& group) {
                                    return group.cpu.overlapped.has_value();
                                  }));
  }
  library->threads = build.options.threads > 0 ? build.options.threads : host().threads;
  library->schedule_text = plan::print(plan.schedule, plan.machine);
  library->schedule_hash = plan::schedule_hash(plan.schedule);
  library->compiler_version = build.ingredients.toolchain.version;
  auto generated = generate(plan, generate_options);
  const auto& kernels = kernel_source(generated);
  library->source = kernels.text;
  build.sources.push_back(kernels.name);
  build.class_names.push_back(kernels.name.substr(0, kernels.name.size() - 4));
  std::ranges::move(generated, std::back_inserter(build.ingredients.files));
  build.libraries.push_back(std::move(library));
}

/// A few sources that include those of the programs, as many in each as the compiler takes at once.
void join_sources(SharedBuild& build) {
  std::vector<std::string> joined;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < build.sources.size(); ++i) {
    const std::size_t more = build.libraries[i]->source.size();
    if (joined.empty() || bytes + more > build.options.most_bytes) {
      joined.emplace_back("// Programs compiled together.\n");
      bytes = 0;
    }
    bytes += more;
    joined.back() += fmt::format("#include \"{}\"\n", build.sources[i]);
  }
  build.sources.clear();
  for (std::string& text : joined) {
    build.sources.push_back(build.sources.empty()
                                ? "programs.cpp"
                                : fmt::format("programs_{}.cpp", build.sources.size()));
    build.ingredients.files.push_back({build.sources.back(), std::move(text)});
  }
}

/// Kernels of devices in sources of their own.
MoreSources more_sources(const Ingredients& ingredients) {
  if (!ingredients.kernels) return {};
  const KernelCompiler& compiler = *ingredients.kernels;
  MoreSources more{{}, compiler.path, {}, compiler.host_flags()};
  if (!compiler.emulates()) more.flags = compiler.flags(ingredients.toolchain);
  for (const auto& file : ingredients.files)
    if (file.name.ends_with(".cu") || file.name.ends_with(".hip")) more.files.push_back(file.name);
  return more;
}

/// The support's object: the same for all programs of a back end, so that one run of the compiler
/// is for all.
std::filesystem::path support_object(const std::filesystem::path& folder,
                                     const Ingredients& ingredients, double seconds) {
  const Cache cache(folder, "support.o");
  const auto all = support_recipe(ingredients), key = sha256(all);
  if (auto entry = cache.find(key)) return *entry / "support.o";
  const auto made = cache.make(key, all, [&](const std::filesystem::path& making) {
    for (const auto& file : support_files(ingredients)) write_file(making / file.name, file.text);
    compile_support(ingredients.toolchain, ingredients.target, making, kSupport, seconds);
  });
  return made / "support.o";
}

/// How often programs with this header were compiled, as the size of a file in the cache's folder;
/// and whether it could not be precompiled.
class Uses {
 public:
  Uses(const std::filesystem::path& folder, const std::string& key)
      : file_(folder / ("uses-" + key)), failed_(folder / ("unused-" + key)) {}
  [[nodiscard]] std::uintmax_t count() const {
    std::error_code error;
    const std::uintmax_t count = std::filesystem::file_size(file_, error);
    return error ? 0 : count;
  }
  void add() const { std::ofstream(file_, std::ios::app) << '.'; }
  [[nodiscard]] bool failed() const { return std::filesystem::exists(failed_); }
  void fail() const { std::ofstream{failed_}; }

 private:
  std::filesystem::path file_, failed_;
};

/// The header of all programs as the compiler reads it at once (of 2 s for a small program it saves
/// 0.7); empty where it was not asked for often. That it can't be made is no error: the text is
/// read then.
std::filesystem::path precompiled_header(const std::filesystem::path& folder,
                                         const Ingredients& ingredients, const MoreSources& more) {
  const auto header = std::ranges::find(ingredients.files, kHeader, &SourceFile::name);
  if (header == ingredients.files.end()) return {};
  const auto flags =
      source_flags(ingredients.toolchain, ingredients.optimization, ingredients.target, more);
  const std::string product = precompiled_name(kHeader);
  const Cache cache(folder, product, Seal::size);
  const auto all = header_recipe(ingredients, *header, flags), key = sha256(all);
  if (auto entry = cache.find(key)) return *entry / product;
  const Uses uses(folder, key);
  if (uses.count() < kUses) uses.add();
  if (uses.count() < kUses || uses.failed()) return {};
  try {
    return cache.make(key, all, [&](const std::filesystem::path& making) {
      write_file(making / kHeader, header->text);
      precompile(ingredients.toolchain, flags, making, kHeader);
    }) / product;
  } catch (const Stopped&) {
    throw;
  } catch (const Error&) {
    uses.fail();
    return {};
  }
}

/// The cache entry, made if it is missing; `seconds` is the time that this took.
std::filesystem::path find_or_make(const SharedBuild& build, double& seconds) {
  const Cache cache(build.options.cache.empty() ? cache_folder() : build.options.cache);
  const Ingredients& ingredients = build.ingredients;
  const double limit = build.options.seconds * static_cast<double>(build.libraries.size());
  const auto all = recipe(ingredients), key = sha256(all);
  if (auto entry = cache.find(key)) return *entry;
  const auto start = std::chrono::steady_clock::now();
  try {
    auto entry = cache.make(key, all, [&](const std::filesystem::path& folder) {
      for (const auto& file : ingredients.files) write_file(folder / file.name, file.text);
      const MoreSources more = more_sources(ingredients);
      build_library(
          ingredients.toolchain, ingredients.optimization, ingredients.target, folder,
          build.sources, [&] { return support_object(cache.folder(), ingredients, limit); }, limit,
          more, precompiled_header(cache.folder(), ingredients, more));
    });
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return entry;
  } catch (const CannotWrite&) {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    if (!std::filesystem::exists(cache.failed(key))) throw;
    throw error.with_note({},
                          fmt::format("the sources are kept in `{}`", cache.failed(key).string()));
  }
}

SharedBuild start_build(const CompileOptions& options) {
  SharedBuild build{options, {}, {}, {}, {}};
  build.ingredients.toolchain = find_toolchain(options.compiler);
  build.ingredients.optimization = options.optimization;
  build.ingredients.target = find_target(options.target);
  require_runnable(build.ingredients.target);
  build.ingredients.host = fingerprint(host());
  return build;
}

std::vector<Library> finish_build(SharedBuild& build) {
  double seconds = 0;
  const auto folder = find_or_make(build, seconds);
  std::vector<Library> loaded;
  for (std::size_t i = 0; i < build.libraries.size(); ++i) {
    build.libraries[i]->folder = folder;
    build.libraries[i]->compile_seconds = seconds;
    build.libraries[i]->load(folder / "library.so", build.class_names[i]);
    loaded.emplace_back(std::move(build.libraries[i]));
  }
  return loaded;
}

}  // namespace

std::vector<Library> compile_together(std::span<const plan::Plan> plans, Generator& generate,
                                      const CompileOptions& options,
                                      const std::optional<KernelCompiler>& kernels) {
  SharedBuild build = start_build(options);
  build.ingredients.kernels = kernels;
  for (std::size_t i = 0; i < plans.size(); ++i)
    add_program(build, plans[i], generate,
                plans.size() == 1 ? "" : fmt::format("{}_{}", plans[i].machine.name, i));
  if (plans.size() != 1) join_sources(build);
  return finish_build(build);
}

}  // namespace paraiso::runtime
