// The back ends of devices: kernels in a dialect, their host's side in C++.
// Gives: generate_opencl, generate_cuda, generate_hip. Needs: plan, generate.
#pragma once

#include "paraiso/codegen/generate.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// `plan` is one of plan::device_plan. Files: NAME.hpp, NAME.cpp with the kernels' text in it,
/// paraiso_support.hpp, paraiso_device.hpp, paraiso_support.cpp; of a standalone project also
/// CMakeLists.txt, main.cpp and README.md.
[[nodiscard]] std::vector<SourceFile> generate_opencl(const plan::Plan& plan,
                                                      const GenerateOptions& options);

/// The same, but for the kernels, which are in NAME.cu; and paraiso_emulation.hpp, which a C++
/// compiler needs to compile that. What of NAME.cu is compiled first: NAME.cpp takes in NAME.fatbin
/// or, with PARAISO_EMULATED, is linked to the object.
[[nodiscard]] std::vector<SourceFile> generate_cuda(const plan::Plan& plan,
                                                    const GenerateOptions& options);

/// The same in HIP, with the kernels in NAME.hip.
[[nodiscard]] std::vector<SourceFile> generate_hip(const plan::Plan& plan,
                                                   const GenerateOptions& options);

}  // namespace paraiso::codegen
