#include "paraiso/runtime/build/kernel_compiler.hpp"

#include <fmt/format.h>

#include <regex>

#include "paraiso/base/error.hpp"
#include "paraiso/codegen/generate.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/user_folder.hpp"

namespace paraiso::runtime {
namespace {

struct Vendor {
  const char *compiler, *kit;  // "nvcc", "CUDA"
  const char *home, *usual;    // the variable that names the kit's folder; where it usually lies
  const char* version;         // how `--version` tells it
  int oldest;
  const char* hint;
};

constexpr Vendor kCuda{
    "nvcc",
    "CUDA",
    "CUDA_PATH",
    "/usr/local/cuda",
    R"(release (\d{1,4}\.\d{1,4}))",
    12,
    "the CUDA toolkit has it: NVIDIA's own, or `apt install nvidia-cuda-toolkit` where that is new "
    "enough; `--device emulated` needs none",
};
constexpr Vendor kRocm{
    "hipcc",
    "ROCm",
    "ROCM_PATH",
    "/opt/rocm",
    R"(HIP version: (\d{1,4}\.\d{1,4}))",
    5,
    "ROCm has it: AMD's own, or `apt install hipcc`; `--device emulated` needs none",
};

std::filesystem::path path_of(const Vendor& vendor) {
  if (const auto found = find_program(vendor.compiler)) return *found;
  std::vector<std::filesystem::path> folders{vendor.usual};
  if (const auto own = environment(vendor.home); !own.empty()) folders.insert(folders.begin(), own);
  for (const auto& folder : folders)
    if (const auto found = find_program((folder / "bin" / vendor.compiler).string())) return *found;
  throw Error(fmt::format("no compiler `{}` is on PATH, in ${}/bin or in {}/bin", vendor.compiler,
                          vendor.home, vendor.usual))
      .with_hint(vendor.hint);
}

/// "13.0" of "Cuda compilation tools, release 13.0, V13.0.88".
std::string version_of(const Vendor& vendor, const std::filesystem::path& path) {
  const auto answer = run_program({path.string(), "--version"}, {}, 30);
  std::smatch found;
  if (answer.status != 0 || !std::regex_search(answer.output, found, std::regex(vendor.version)))
    throw Error(
        fmt::format("`{} --version` fails: is it {}'s compiler?", path.string(), vendor.kit));
  return found[1];
}

KernelCompiler find(const Vendor& vendor) {
  KernelCompiler found;
  found.path = path_of(vendor);
  found.version = version_of(vendor, found.path);
  if (std::stoi(found.version) < vendor.oldest)
    throw Error(fmt::format("`{}` is of {} {}, and {}.0 is needed", found.path.string(), vendor.kit,
                            found.version, vendor.oldest))
        .with_hint(vendor.hint);
  return found;
}

ToolchainReport survey(const Vendor& vendor) {
  ToolchainReport report;
  report.name = vendor.compiler;
  report.works = "compiles for cards";
  try {
    const KernelCompiler found = find(vendor);
    report.path = found.path.string();
    report.version = found.version;
    report.usable = true;
  } catch (const Error& error) {
    report.problem = error.what();
  }
  return report;
}

}  // namespace

std::vector<std::string> KernelCompiler::flags(const Toolchain& host) const {
  std::vector<std::string> all = own_flags;
  if (asks_host) all.push_back("-ccbin=" + host.path.string());
  return all;
}

std::vector<std::string> KernelCompiler::host_flags() const {
  if (!emulates()) return {};
  std::vector<std::string> flags = codegen::emulation_flags();
  flags.push_back("-DPARAISO_EMULATED");
  return flags;
}

KernelCompiler find_nvcc(const std::string& architecture) {
  KernelCompiler found = find(kCuda);
  found.own_flags = codegen::nvcc_flags();
  found.own_flags.insert(found.own_flags.begin(),
                         {"-fatbin", "-std=c++17", "-arch=" + architecture});
  found.asks_host = true;
  return found;
}

KernelCompiler find_hipcc(const std::string& architecture) {
  KernelCompiler found = find(kRocm);
  found.own_flags = codegen::hipcc_flags();
  found.own_flags.insert(found.own_flags.begin(),
                         {"--genco", "-std=c++17", "--offload-arch=" + architecture});
  return found;
}

ToolchainReport survey_nvcc() { return survey(kCuda); }

ToolchainReport survey_hipcc() { return survey(kRocm); }

}  // namespace paraiso::runtime
