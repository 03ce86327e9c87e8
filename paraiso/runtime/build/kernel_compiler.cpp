#include "paraiso/runtime/build/kernel_compiler.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <regex>

#include "paraiso/base/error.hpp"
#include "paraiso/codegen/generate.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

constexpr int kOldest = 12;
constexpr const char* kHint =
    "the CUDA toolkit has it: NVIDIA's own, or `apt install nvidia-cuda-toolkit` where that is new "
    "enough; `--device emulated` needs none";

std::filesystem::path path_of_nvcc() {
  if (const auto found = find_program("nvcc")) return *found;
  std::vector<std::filesystem::path> folders{"/usr/local/cuda"};
  if (const char* own = std::getenv("CUDA_PATH")) folders.insert(folders.begin(), own);
  for (const auto& folder : folders) {
    std::error_code ignored;
    const auto path = folder / "bin" / "nvcc";
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  throw Error("no compiler `nvcc` is on PATH, in $CUDA_PATH/bin or in /usr/local/cuda/bin")
      .with_hint(kHint);
}

/// "13.0" of "Cuda compilation tools, release 13.0, V13.0.88".
std::string version_of(const std::filesystem::path& path) {
  const auto answer = run_program({path.string(), "--version"}, {}, 30);
  std::smatch found;
  if (answer.status != 0 ||
      !std::regex_search(answer.output, found, std::regex(R"(release (\d{1,4}\.\d{1,4}))")))
    throw Error(fmt::format("`{} --version` fails: is it NVIDIA's compiler?", path.string()));
  return found[1];
}

}  // namespace

std::vector<std::string> KernelCompiler::flags(const Toolchain& host) const {
  std::vector<std::string> all{"-fatbin", "-std=c++17", "-arch=" + architecture,
                               "-ccbin=" + host.path.string()};
  for (const std::string& flag : codegen::nvcc_flags()) all.push_back(flag);
  return all;
}

std::vector<std::string> KernelCompiler::host_flags() const {
  if (emulates()) return {"-DPARAISO_EMULATED"};
  return {};
}

KernelCompiler find_nvcc(const std::string& architecture) {
  KernelCompiler found{path_of_nvcc(), {}, architecture};
  found.version = version_of(found.path);
  if (std::stoi(found.version) < kOldest)
    throw Error(fmt::format("`{}` is of CUDA {}, and {}.0 is needed", found.path.string(),
                            found.version, kOldest))
        .with_hint(kHint);
  return found;
}

ToolchainReport survey_nvcc() {
  ToolchainReport report;
  report.name = "nvcc";
  report.works = "compiles for cards";
  try {
    const KernelCompiler found = find_nvcc("");
    report.path = found.path.string();
    report.version = found.version;
    report.usable = true;
  } catch (const Error& error) {
    report.problem = error.what();
  }
  return report;
}

}  // namespace paraiso::runtime
