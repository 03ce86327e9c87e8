#include "tests/device/card.hpp"

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/build/kernel_compiler.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"

namespace paraiso {

const std::string& no_card() {
  static const std::string why = [] {
    std::string reason;
    if (!paraiso_cuda::survey(reason).front().gpu) return reason;
    return runtime::survey_nvcc().problem;
  }();
  return why;
}

CardSource::CardSource(const std::string& text, const std::string& architecture) {
  const runtime::TemporaryFolder folder;
  runtime::write_file(folder.path() / "text.cu", text);
  const runtime::KernelCompiler nvcc = runtime::find_nvcc(architecture);
  std::vector<std::string> command{nvcc.path.string()};
  command.insert(command.end(), nvcc.own_flags.begin(), nvcc.own_flags.end());
  command.insert(command.end(), {"text.cu", "-o", "text.fatbin"});
  const auto built = runtime::run_program(command, folder.path(), 300);
  if (built.status != 0) throw Error(built.output);
  compiled_ = runtime::read_file(folder.path() / "text.fatbin");
}

}  // namespace paraiso
