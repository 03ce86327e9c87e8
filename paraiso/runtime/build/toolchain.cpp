#include "paraiso/runtime/build/toolchain.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <future>
#include <regex>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"

namespace paraiso::runtime {
namespace {

/// The compilers that Paraiso knows, and the Debian packages that have them and their OpenMP.
struct Known {
  const char *name, *package, *openmp_package;
};
constexpr Known kKnown[] = {
    {"g++", "g++", "libgomp1"},
    {"clang++", "clang", "libomp-dev"},
};

// The version from which g++ has `-mmove-max` and `-mstore-max`.
constexpr int kMoveMax = 12;

constexpr std::string_view kPrecompiled = ".gch";  // behind the name of a header

const Known& known_as(bool clang) { return kKnown[clang ? 1 : 0]; }

/// A process has one sanitizer runtime: libraries that it loads must be compiled by the compiler
/// that compiled it.
constexpr std::string_view kSanitizers = PARAISO_SANITIZE;
#ifdef __clang__
constexpr bool kBuiltByClang = true;
#else
constexpr bool kBuiltByClang = false;
#endif

void add_sanitizers(std::vector<std::string>& flags) {
  if (kSanitizers.empty()) return;
  flags.push_back(fmt::format("-fsanitize={}", kSanitizers));
  flags.insert(flags.end(), {"-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g1"});
  flags.push_back("-O1");  // the last one counts; more takes twice as long to compile
  // Scopes of a loop's thousands of inlined temporaries take g++ most of its time.
  if (kSanitizers.find("address") != kSanitizers.npos)
    flags.push_back("-fno-sanitize-address-use-after-scope");
}

std::string sanitizer_problem(const Toolchain& toolchain) {
  if (kSanitizers.empty() || toolchain.clang == kBuiltByClang) return {};
  return fmt::format("this build of Paraiso has the sanitizers of {}, and loads nothing else",
                     known_as(kBuiltByClang).name);
}

std::string first_line(const std::string& text) { return split(text, '\n')[0]; }

/// 12 and 14 for `g++ (Debian 12.2.0-14) 12.2.0` and `Debian clang version 14.0.6`; else 0.
int major_version(const std::string& version) {
  std::smatch found;
  const std::regex last_number(R"(.*\s(\d{1,4})\.\d+(\.\d+)?\S*(\s.*)?$)");
  return std::regex_match(version, found, last_number) ? std::stoi(found[1]) : 0;
}

bool has_flag(const Toolchain& toolchain, const std::string& flag) {
  const bool moves = flag.starts_with("-mmove-max") || flag.starts_with("-mstore-max");
  return !moves || (!toolchain.clang && toolchain.major >= kMoveMax);
}

std::vector<std::string> target_flags(const Toolchain& toolchain, const plan::Target& target) {
  std::vector<std::string> flags{target.march};
  for (const std::string& flag : target.more_flags())
    if (has_flag(toolchain, flag)) flags.push_back(flag);
  return flags;
}

std::string first_lines(const std::string& text, std::size_t count) {
  auto lines = split(text, '\n');
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  bool more = lines.size() > count;
  lines.resize(std::min(lines.size(), count));
  return fmt::format("{}{}", fmt::join(lines, "\n"), more ? "\n..." : "");
}

Error not_found(const std::string& name) {
  Error error(fmt::format("no compiler `{}` is on PATH", name));
  for (const auto& known : kKnown)
    if (name == known.name)
      return error.with_hint(fmt::format("`apt install {}` has it", known.package));
  return error.with_hint("Paraiso knows `g++` and `clang++`");
}

std::vector<std::string> command(const Toolchain& toolchain, std::vector<std::string> flags,
                                 std::vector<std::string> rest) {
  std::vector<std::string> all{toolchain.path.string()};
  all.insert(all.end(), flags.begin(), flags.end());
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

bool mentions_a_full_disk(const std::string& output) {
  return output.find(strerror(ENOSPC)) != std::string::npos ||
         output.find(strerror(EDQUOT)) != std::string::npos;
}

using Flags = std::vector<std::string>;

Flags operator+(Flags all, const Flags& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// A symbolic link, as long as it is needed.
struct Symlink {
  std::filesystem::path path;
  Symlink(const std::filesystem::path& to, std::filesystem::path at) : path(std::move(at)) {
    std::filesystem::create_symlink(to, path);
  }
  ~Symlink() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  Symlink(const Symlink&) = delete;
  Symlink& operator=(const Symlink&) = delete;
};

/// Runs commands in one folder, on sources named relative to it: if a build fails the folder moves,
/// and messages with a path would then be wrong.
struct Build {
  const Toolchain& toolchain;
  std::filesystem::path folder;
  double timeout_seconds;
  std::filesystem::path input = "/dev/null";  // what the compiler reads from

  void run(const Flags& flags, const Flags& rest, const std::string& subject) const {
    const auto error = attempt(toolchain.name, command(toolchain, flags, rest), subject);
    if (!error) return;
    auto problem = openmp_problem(toolchain);
    throw problem.empty() ? *error : error->with_hint(problem);
  }
  /// With a header that is precompiled, unless that is empty. What g++ can't read as that it reads
  /// as text or, rarely, fails on (it wants a certain address), as clang++ does if a header of the
  /// system has changed: a failure says nothing of the sources.
  void run(const Flags& flags, const Flags& rest, const std::string& subject,
           const std::filesystem::path& precompiled) const {
    if (!precompiled.empty()) {
      std::optional<Symlink> beside;  // where g++ looks
      if (!toolchain.clang) beside.emplace(precompiled, folder / precompiled.filename());
      const Flags include = toolchain.clang ? Flags{"-include-pch", precompiled.string()}
                                            : Flags{"-include", precompiled.stem().string()};
      if (!attempt(toolchain.name, command(toolchain, flags + include, rest), subject)) return;
    }
    run(flags, rest, subject);
  }
  /// A compiler that is none of C++.
  void run(const std::filesystem::path& compiler, const std::vector<std::string>& arguments,
           const std::string& subject) const {
    std::vector<std::string> all{compiler.string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    if (const auto error = attempt(compiler.filename().string(), all, subject)) throw *error;
  }

 private:
  /// What the compiler complains of; throws where it is not the sources' fault.
  [[nodiscard]] std::optional<Error> attempt(const std::string& name,
                                             const std::vector<std::string>& arguments,
                                             const std::string& subject) const {
    auto result = run_program(arguments, folder, timeout_seconds, input);
    if (result.timed_out)
      throw Error(fmt::format("compiling took too long: `{}` was stopped on `{}` after {:g} s",
                              name, subject, timeout_seconds));
    if (result.status == 0) return std::nullopt;
    if (result.status == 128 + SIGXFSZ || mentions_a_full_disk(result.output))
      throw CannotWrite(
          fmt::format("`{}` on `{}`: its files exceed the file size limit "
                      "(`ulimit -f`), or the disk is full",
                      name, subject));
    if (result.status > 128)
      throw Error(fmt::format("`{}` was ended on `{}` by signal {} ({})", name, subject,
                              result.status - 128, strsignal(result.status - 128)));
    return Error(fmt::format("`{}` fails on `{}` with status {}:\n{}", name, subject, result.status,
                             first_lines(result.output, 12)));
  }
};

/// Waits for all of them, then throws what the first one that failed threw.
void wait_for(std::vector<std::future<void>>& jobs) {
  for (auto& job : jobs) job.wait();
  for (auto& job : jobs) job.get();
}

/// The files of `more`, side by side; gives the objects to link.
std::vector<std::string> compile_more(const Build& build, const MoreSources& more,
                                      const Flags& cpp_flags) {
  std::vector<std::string> objects;
  std::vector<std::future<void>> jobs;
  for (const std::string& file : more.files) {
    const bool emulated = more.compiler.empty();
    if (emulated) objects.push_back(file + ".o");
    jobs.push_back(std::async(std::launch::async, [&build, &more, &cpp_flags, file, emulated] {
      if (emulated) return build.run(cpp_flags, {"-x", "c++", "-c", file, "-o", file + ".o"}, file);
      const std::string made = std::filesystem::path(file).replace_extension(".fatbin").string();
      build.run(more.compiler, more.flags + Flags{file, "-o", made}, file);
    }));
  }
  wait_for(jobs);
  return objects;
}

}  // namespace

Toolchain find_toolchain(const std::string& name) {
  auto path = find_program(name);
  if (!path) throw not_found(name);
  auto answer = run_program({path->string(), "--version"}, {}, 30);
  if (answer.status != 0 || first_line(answer.output).empty())
    throw Error(fmt::format("`{} --version` fails: is it a C++ compiler?", path->string()));
  const std::string version = first_line(answer.output);
  const bool clang = answer.output.find("clang") != std::string::npos;
  return {name, *path, version, clang, major_version(version)};
}

std::vector<std::string> kernel_flags(const Toolchain& toolchain, const std::string& optimization,
                                      const plan::Target& target) {
  std::vector<std::string> flags{"-std=c++17"};
  for (std::string& flag : split(optimization, ' ')) flags.push_back(std::move(flag));
  for (std::string& flag : target_flags(toolchain, target)) flags.push_back(std::move(flag));
  flags.insert(flags.end(),
               {"-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fopenmp", "-fPIC"});
  add_sanitizers(flags);
  if (toolchain.clang) return flags;
  // Unique symbols would be shared between loaded libraries and keep them from being unloaded.
  flags.push_back("-fno-gnu-unique");
  // Loops such as a Riemann solver's need more registers than there are: scheduled for register
  // pressure, they run up to a tenth faster.
  flags.insert(flags.end(), {"-fschedule-insns", "-fsched-pressure"});
  return flags;
}

std::vector<std::string> support_flags(const Toolchain& toolchain, const plan::Target& target) {
  std::vector<std::string> flags{"-std=c++17", "-O2"};
  for (std::string& flag : target_flags(toolchain, target)) flags.push_back(std::move(flag));
  flags.insert(flags.end(), {"-ffp-contract=off", "-fno-math-errno", "-fPIC"});
  if (!toolchain.clang) flags.push_back("-fno-gnu-unique");
  add_sanitizers(flags);
  return flags;
}

std::vector<std::string> link_flags() {
  std::vector<std::string> flags{"-shared", "-fopenmp", "-Wl,-Bsymbolic"};
  add_sanitizers(flags);
  return flags;
}

std::string openmp_problem(const Toolchain& toolchain) {
  TemporaryFolder folder;
  auto source = folder.path() / "probe.cpp";
  write_file(
      source,
      "#include <omp.h>\n#include <cmath>\nint threads() { return omp_get_max_threads(); }\n");
  auto result = run_program(command(toolchain, {"-std=c++17", "-fopenmp", "-fPIC", "-shared"},
                                    {source.string(), "-o", (folder.path() / "probe.so").string()}),
                            {}, 60);
  if (result.status == 0) return {};
  const auto& known = known_as(toolchain.clang);
  return fmt::format(
      "`{}` can't build OpenMP libraries here: `apt install {} {}` has what is missing",
      toolchain.name, known.package, known.openmp_package);
}

std::filesystem::path compile_support(const Toolchain& toolchain, const plan::Target& target,
                                      const std::filesystem::path& folder,
                                      const std::string& support, double timeout_seconds) {
  const Build build{toolchain, folder, timeout_seconds};
  build.run(support_flags(toolchain, target), {"-c", support, "-o", "support.o"}, support);
  return folder / "support.o";
}

std::vector<std::string> source_flags(const Toolchain& toolchain, const std::string& optimization,
                                      const plan::Target& target, const MoreSources& more) {
  return kernel_flags(toolchain, optimization, target) + more.host_flags;
}

std::string precompiled_name(const std::string& header) {
  return fmt::format("{}{}", header, kPrecompiled);
}

void precompile(const Toolchain& toolchain, const std::vector<std::string>& flags,
                const std::filesystem::path& folder, const std::string& header) {
  // By name, clang++ would want the very file to be where it was whenever it is used.
  Build{toolchain, folder, 60, folder / header}.run(
      flags, {"-x", "c++-header", toolchain.clang ? "-" : header, "-o", precompiled_name(header)},
      header);
}

void build_library(const Toolchain& toolchain, const std::string& optimization,
                   const plan::Target& target, const std::filesystem::path& folder,
                   const std::vector<std::string>& kernels,
                   const std::function<std::filesystem::path()>& support, double timeout_seconds,
                   const MoreSources& more, const std::filesystem::path& precompiled) {
  const Build build{toolchain, folder, timeout_seconds};
  auto side_by_side = std::async(std::launch::async, support);
  const Flags flags = source_flags(toolchain, optimization, target, more);
  Flags objects = compile_more(build, more, flags);
  for (const std::string& source : kernels) {
    objects.push_back(source + ".o");
    build.run(flags, {"-c", source, "-o", objects.back()}, source, precompiled);
  }
  build.run(link_flags(), objects + Flags{side_by_side.get().string(), "-o", "library.so"},
            "library.so");
  for (const std::string& object : objects) std::filesystem::remove(folder / object);
}

void build_library(const Toolchain& toolchain, const std::string& optimization,
                   const plan::Target& target, const std::filesystem::path& folder,
                   const std::string& kernels, const std::string& support, double timeout_seconds) {
  const auto compile = [&] {
    return compile_support(toolchain, target, folder, support, timeout_seconds);
  };
  build_library(toolchain, optimization, target, folder, {{kernels}}, compile, timeout_seconds);
  std::filesystem::remove(folder / "support.o");
}

ToolchainReport survey_toolchain(const std::string& name) {
  ToolchainReport report;
  report.name = name;
  try {
    auto toolchain = find_toolchain(name);
    report.path = toolchain.path.string();
    report.version = toolchain.version;
    report.problem = sanitizer_problem(toolchain);
    if (report.problem.empty()) report.problem = openmp_problem(toolchain);
  } catch (const Error& error) {
    report.problem = error.what();
  }
  report.usable = report.problem.empty();
  if (report.usable) report.works = "OpenMP works";
  return report;
}

std::vector<ToolchainReport> survey_toolchains() {
  std::vector<ToolchainReport> reports;
  for (const auto& known : kKnown) reports.push_back(survey_toolchain(known.name));
  return reports;
}

std::vector<std::string> toolchain_names() {
  std::vector<std::string> names;
  for (const auto& known : kKnown) names.emplace_back(known.name);
  return names;
}

}  // namespace paraiso::runtime
