#include "tests/device/emulated.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "paraiso/base/error.hpp"
#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/codegen/support_text.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"

namespace paraiso {

EmulatedSource::EmulatedSource(const std::string& text,
                               const std::vector<std::string>& with_barriers,
                               const std::vector<std::string>& without) {
  const runtime::TemporaryFolder folder;
  std::string rows;
  for (const auto& [names, barriers] : {std::pair(&with_barriers, true), {&without, false}})
    for (const std::string& name : *names)
      rows += fmt::format("PARAISO_EMULATED_KERNEL({}, {}),\n", name, barriers);
  runtime::write_file(folder.path() / "paraiso_emulation.hpp", codegen::emulation_header());
  runtime::write_file(
      folder.path() / "text.cu",
      fmt::format("{}{}\nstatic const paraiso_cuda::EmulatedKernel emulated_kernels[] = {{\n{}}};\n"
                  "PARAISO_EMULATED_KERNELS(emulated_text, emulated_kernels)\n",
                  codegen::find_dialect("cuda").head, text, rows));
  const auto built = runtime::run_program(
      {"/usr/bin/g++", "-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-fPIC",
       "-shared", "-x", "c++", "text.cu", "-o", "library.so"},
      folder.path(), 300);
  if (built.status != 0) throw Error(built.output);
  library_ = dlopen((folder.path() / "library.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) throw Error(dlerror());
  image_.emulated =
      static_cast<const paraiso_cuda::EmulatedKernels*>(dlsym(library_, "emulated_text"));
}

EmulatedSource::~EmulatedSource() { dlclose(library_); }

}  // namespace paraiso
