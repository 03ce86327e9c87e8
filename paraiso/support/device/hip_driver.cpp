// HIP's runtime, libamdhip64.so of ROCm, as the table of CUDA's driver. Its functions have the same
// meaning; what differs is told at each. Names, numbers and types are those of hip_runtime_api.h,
// of ROCm 5.2, as far as 6 and 7 have left them as they were.
#include <dlfcn.h>

#include <cstring>

#include "paraiso/support/device/cuda_driver.hpp"
#include "paraiso/support/device/hip_layer.hpp"

namespace paraiso_hip {
namespace {

using paraiso_cuda::CudaDriver;

constexpr int kToDevice = 1, kToHost = 2, kOnDevice = 3;  // hipMemcpyKind
constexpr int kInvalidDevice = 101;

// Each function's name in the library without `hip`, and its parameters. All but the first give a
// status, whose numbers are CUDA's as far as any is told apart.
#define PARAISO_HIP(ROW)                                                                           \
  ROW(GetErrorName, const char*, (int))                                                            \
  ROW(GetErrorString, const char*, (int))                                                          \
  ROW(Init, int, (unsigned))                                                                       \
  ROW(RuntimeGetVersion, int, (int*))                                                              \
  ROW(GetDeviceCount, int, (int*))                                                                 \
  ROW(DeviceGet, int, (int*, int))                                                                 \
  ROW(DeviceGetName, int, (char*, int, int))                                                       \
  ROW(DeviceTotalMem, int, (std::size_t*, int))                                                    \
  ROW(DeviceGetAttribute, int, (int*, int, int))                                                   \
  ROW(GetDeviceProperties, int, (void*, int))                                                      \
  ROW(SetDevice, int, (int))                                                                       \
  ROW(DeviceSynchronize, int, ())                                                                  \
  ROW(MemGetInfo, int, (std::size_t*, std::size_t*))                                               \
  ROW(Malloc, int, (void**, std::size_t))                                                          \
  ROW(Free, int, (void*))                                                                          \
  ROW(Memset, int, (void*, int, std::size_t))                                                      \
  ROW(Memcpy, int, (void*, const void*, std::size_t, int))                                         \
  ROW(ModuleLoadData, int, (void**, const void*))                                                  \
  ROW(ModuleUnload, int, (void*))                                                                  \
  ROW(ModuleGetFunction, int, (void**, void*, const char*))                                        \
  ROW(ModuleLaunchKernel, int,                                                                     \
      (void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, \
       void**))

// Of graphs, without which everything runs as well. The node of an error, and a log, are not asked
// for.
#define PARAISO_HIP_GRAPHS(ROW)                                           \
  ROW(StreamCreateWithFlags, int, (void**, unsigned))                     \
  ROW(StreamDestroy, int, (void*))                                        \
  ROW(StreamBeginCapture, int, (void*, int))                              \
  ROW(StreamEndCapture, int, (void*, void**))                             \
  ROW(GraphInstantiate, int, (void**, void*, void**, char*, std::size_t)) \
  ROW(GraphLaunch, int, (void*, void*))                                   \
  ROW(GraphExecDestroy, int, (void*))                                     \
  ROW(GraphDestroy, int, (void*))

struct Runtime {
#define PARAISO_MEMBER(name, result, parameters) result(*name) parameters;
  PARAISO_HIP(PARAISO_MEMBER)
  PARAISO_HIP_GRAPHS(PARAISO_MEMBER)
#undef PARAISO_MEMBER
};

Runtime& hip() {
  static Runtime all;
  return all;
}

void* pointer(std::uint64_t address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

// --- what is asked, by CUDA's numbers ---

/// Where there is no card at all, it may also say that the device is invalid.
int start(unsigned flags) {
  const int status = hip().Init(flags);
  return status == kInvalidDevice ? paraiso_cuda::kCudaNoDevice : status;
}
int error_name(int status, const char** text) { return *text = hip().GetErrorName(status), 0; }
int error_string(int status, const char** text) { return *text = hip().GetErrorString(status), 0; }

/// 50,200,000 and more is 5.2.
int version(int* number) {
  int whole = 0;
  const int status = hip().RuntimeGetVersion(&whole);
  *number = 1000 * (whole / 10'000'000) + 10 * (whole / 100'000 % 100);
  return status;
}

int attribute(int* value, int what, int device) {
  using namespace paraiso_cuda;
  constexpr struct {
    int cuda, hip;
  } kAttributes[] = {
      {kCudaBlockShared, 74}, {kCudaWarp, 87},       {kCudaClock, 5},      {kCudaUnits, 63},
      {kCudaMemoryClock, 60}, {kCudaMemoryBits, 59}, {kCudaL2, 19},        {kCudaThreads, 57},
      {kCudaPciDomain, 69},   {kCudaPciBus, 67},     {kCudaPciDevice, 68}, {kCudaRegisters, 72},
      {kCudaShared, 10002},
  };
  *value = 0;
  // Vectors of 64 lanes, and f64 at half their speed, as cards for computing have them.
  if (what == kCudaCapability) return *value = 7, 0;
  if (what == kCudaF32ToF64) return *value = 2, 0;
  for (const auto& row : kAttributes)
    if (row.cuda == what) return hip().DeviceGetAttribute(value, row.hip, device);
  return paraiso_cuda::kCudaInvalidValue;
}

/// "gfx90a": gcnArchName, the first word of the properties that begins so. Where it stands in them
/// differs between versions; what follows a colon is the state of features.
std::string architecture(const CudaDriver&, int device) {
  char properties[8192] = {};
  hip().GetDeviceProperties(properties, device);
  constexpr std::size_t longest = 16;
  for (std::size_t at = 0; at + longest < sizeof properties; ++at) {
    if (std::memcmp(properties + at, "gfx", 3) != 0) continue;
    const std::string name(properties + at, strnlen(properties + at, longest));
    return name.substr(0, name.find(':'));
  }
  return "gfx";
}

// --- what is told: devices are chosen by number, and have no contexts ---

int retain(void** context, int device) {
  *context = pointer(static_cast<std::uint64_t>(device));
  return 0;
}
int release(int) { return 0; }
int use(void* context) {
  return hip().SetDevice(static_cast<int>(reinterpret_cast<std::uintptr_t>(context)));
}

int allocate(std::uint64_t* address, std::size_t bytes) {
  void* there = nullptr;
  const int status = hip().Malloc(&there, bytes);
  *address = reinterpret_cast<std::uintptr_t>(there);
  return status;
}
int free_memory(std::uint64_t address) { return hip().Free(pointer(address)); }
int fill(std::uint64_t to, unsigned char value, std::size_t bytes) {
  return hip().Memset(pointer(to), value, bytes);
}
int upload(std::uint64_t to, const void* from, std::size_t bytes) {
  return hip().Memcpy(pointer(to), from, bytes, kToDevice);
}
int download(void* to, std::uint64_t from, std::size_t bytes) {
  return hip().Memcpy(to, pointer(from), bytes, kToHost);
}
int copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  return hip().Memcpy(pointer(to), pointer(from), bytes, kOnDevice);
}
int make_executable(void** made, void* graph, std::uint64_t) {
  return hip().GraphInstantiate(made, graph, nullptr, nullptr, 0);
}

/// Launches need not ask for the shared memory that a block may have.
int set_attribute(void*, int, int) { return 0; }

CudaDriver table() {
  const Runtime& all = hip();
  CudaDriver driver{};
  driver.Init = start;
  driver.DriverGetVersion = version;
  driver.GetErrorName = error_name;
  driver.GetErrorString = error_string;
  driver.DeviceGetCount = all.GetDeviceCount;
  driver.DeviceGet = all.DeviceGet;
  driver.DeviceGetName = all.DeviceGetName;
  driver.DeviceTotalMem_v2 = all.DeviceTotalMem;
  driver.DeviceGetAttribute = attribute;
  driver.DevicePrimaryCtxRetain = retain;
  driver.DevicePrimaryCtxRelease_v2 = release;
  driver.CtxSetCurrent = use;
  driver.CtxSynchronize = all.DeviceSynchronize;
  driver.MemGetInfo_v2 = all.MemGetInfo;
  driver.MemAlloc_v2 = allocate;
  driver.MemFree_v2 = free_memory;
  driver.MemsetD8_v2 = fill;
  driver.MemcpyHtoD_v2 = upload;
  driver.MemcpyDtoH_v2 = download;
  driver.MemcpyDtoD_v2 = copy;
  driver.ModuleLoadData = all.ModuleLoadData;
  driver.ModuleUnload = all.ModuleUnload;
  driver.ModuleGetFunction = all.ModuleGetFunction;
  driver.FuncSetAttribute = set_attribute;
  driver.LaunchKernel = all.ModuleLaunchKernel;
  driver.StreamCreate = all.StreamCreateWithFlags;
  driver.StreamDestroy_v2 = all.StreamDestroy;
  driver.StreamBeginCapture_v2 = all.StreamBeginCapture;
  driver.StreamEndCapture = all.StreamEndCapture;
  driver.GraphInstantiateWithFlags = all.GraphInstantiate ? make_executable : nullptr;
  driver.GraphLaunch = all.GraphLaunch;
  driver.GraphExecDestroy = all.GraphExecDestroy;
  driver.GraphDestroy = all.GraphDestroy;
  return driver;
}

void* open_library() {
  for (const char* name :
       {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"})
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

const CudaDriver* load(std::string& why) {
  static const std::string problem = []() -> std::string {
    void* const library = open_library();
    if (!library) return "there is no `libamdhip64.so`, which ROCm has";
    std::string missing;
    const auto find = [&](const char* name, auto& function) {
      void* const symbol = dlsym(library, name);
      std::memcpy(&function, &symbol, sizeof symbol);
      return symbol != nullptr;
    };
#define PARAISO_FIND(name, result, parameters) \
  if (!find("hip" #name, hip().name)) missing = "hip" #name;
    PARAISO_HIP(PARAISO_FIND)
#undef PARAISO_FIND
#define PARAISO_FIND(name, result, parameters) find("hip" #name, hip().name);
    PARAISO_HIP_GRAPHS(PARAISO_FIND)
#undef PARAISO_FIND
    if (missing.empty()) return {};
    return "ROCm is too old: `libamdhip64.so` lacks `" + missing + "`";
  }();
  static const CudaDriver driver = table();
  why = problem;
  return problem.empty() ? &driver : nullptr;
}

}  // namespace

const paraiso_cuda::Interface hip_interface{"HIP", 5000, load, architecture};

}  // namespace paraiso_hip
