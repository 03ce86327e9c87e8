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

const Known& known_as(bool clang) { return kKnown[clang ? 1 : 0]; }

/// A process has one runtime of its sanitizers: what it loads must be made by the compiler that
/// made it.
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
  // Of a loop's thousands of inlined temporaries, the scopes alone take g++ most of its time.
  if (kSanitizers.find("address") != kSanitizers.npos)
    flags.push_back("-fno-sanitize-address-use-after-scope");
}

std::string sanitizer_problem(const Toolchain& toolchain) {
  if (kSanitizers.empty() || toolchain.clang == kBuiltByClang) return {};
  return fmt::format("this build of Paraiso has the sanitizers of {}, and loads nothing else",
                     known_as(kBuiltByClang).name);
}

std::string first_line(const std::string& text) { return split(text, '\n')[0]; }

/// Of `g++ (Debian 12.2.0-14) 12.2.0` and `Debian clang version 14.0.6` 12 and 14; else 0.
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

/// What runs in one folder, on sources that are named relative to it: where a build fails, the
/// folder moves, and messages that name a path would be wrong then.
struct Build {
  const Toolchain& toolchain;
  std::filesystem::path folder;
  double timeout_seconds;

  void run(const std::vector<std::string>& flags, const std::vector<std::string>& rest,
           const std::string& subject) const {
    auto result = run_program(command(toolchain, flags, rest), folder, timeout_seconds);
    if (result.timed_out)
      throw Error(fmt::format("compiling took too long: `{}` was stopped on `{}` after {:g} s",
                              toolchain.name, subject, timeout_seconds));
    if (result.status == 0) return;
    if (result.status == 128 + SIGXFSZ || mentions_a_full_disk(result.output))
      throw CannotWrite(
          fmt::format("`{}` on `{}`: its files exceed the file size limit "
                      "(`ulimit -f`), or the disk is full",
                      toolchain.name, subject));
    if (result.status > 128)
      throw Error(fmt::format("`{}` was ended on `{}` by signal {} ({})", toolchain.name, subject,
                              result.status - 128, strsignal(result.status - 128)));
    Error error(fmt::format("`{}` fails on `{}` with status {}:\n{}", toolchain.name, subject,
                            result.status, first_lines(result.output, 12)));
    auto problem = openmp_problem(toolchain);
    throw problem.empty() ? error : error.with_hint(problem);
  }
};

ToolchainReport survey(const std::string& name) {
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
  return report;
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
  // Loops like a Riemann solver's need more registers than there are: ordered for fewer, they run
  // up to a tenth faster.
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

std::vector<std::string> link_flags(const Toolchain&) {
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

void build_library(const Toolchain& toolchain, const std::string& optimization,
                   const plan::Target& target, const std::filesystem::path& folder,
                   const std::string& kernels, const std::string& support, double timeout_seconds) {
  Build build{toolchain, folder, timeout_seconds};
  auto side_by_side = std::async(std::launch::async, [&] {
    build.run(support_flags(toolchain, target), {"-c", support, "-o", "support.o"}, support);
  });
  build.run(kernel_flags(toolchain, optimization, target), {"-c", kernels, "-o", "kernels.o"},
            kernels);
  side_by_side.get();
  build.run(link_flags(toolchain), {"kernels.o", "support.o", "-o", "library.so"}, "library.so");
  std::filesystem::remove(folder / "kernels.o");
  std::filesystem::remove(folder / "support.o");
}

std::vector<ToolchainReport> survey_toolchains() {
  std::vector<ToolchainReport> reports;
  for (const auto& known : kKnown) reports.push_back(survey(known.name));
  return reports;
}

}  // namespace paraiso::runtime
