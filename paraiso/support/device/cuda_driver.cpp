#include "paraiso/support/device/cuda_driver.hpp"

#include <dlfcn.h>

#include <cstring>

#include "paraiso/support/device/cuda_layer.hpp"

namespace paraiso_cuda {
namespace {

const CudaDriver* load(std::string& why) {
  static CudaDriver driver;
  static const std::string problem = []() -> std::string {
    void* const loader = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!loader) return "there is no `libcuda.so.1`, which the driver of a graphics card has";
    std::string missing;
    const auto find = [&](const char* name, auto& function) {
      void* const symbol = dlsym(loader, name);
      std::memcpy(&function, &symbol, sizeof symbol);
      return symbol != nullptr;
    };
#define PARAISO_FIND(name, parameters) \
  if (!find("cu" #name, driver.name)) missing = "cu" #name;
    PARAISO_CUDA_DRIVER(PARAISO_FIND)
#undef PARAISO_FIND
#define PARAISO_FIND(name, parameters) find("cu" #name, driver.name);
    PARAISO_CUDA_GRAPHS(PARAISO_FIND)
#undef PARAISO_FIND
    if (missing.empty()) return {};
    return "its driver is too old: `libcuda.so.1` lacks `" + missing + "`";
  }();
  why = problem;
  return problem.empty() ? &driver : nullptr;
}

std::string architecture(const CudaDriver& driver, int device) {
  int major = 0, minor = 0;
  driver.DeviceGetAttribute(&major, kCudaCapability, device);
  driver.DeviceGetAttribute(&minor, kCudaCapabilityMinor, device);
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

}  // namespace

const Interface cuda_interface{"CUDA", 12000, load, architecture};

}  // namespace paraiso_cuda
