// CudaDriver: what of CUDA's driver interface is needed, as a table: that of a card's driver, that
// of HIP's runtime, which is asked the same, or that of the emulation.
// Gives: CudaDriver, Interface, emulated_cuda_driver in paraiso_cuda. Needs: dlopen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace paraiso_cuda {

// Statuses that are told apart, and properties that are asked for.
inline constexpr int kCudaInvalidValue = 1, kCudaOutOfMemory = 2, kCudaNoDevice = 100,
                     kCudaNoImage = 209, kCudaPtxTooNew = 222;
inline constexpr int kCudaCapability = 75, kCudaCapabilityMinor = 76;
inline constexpr int kCudaBlockShared = 8, kCudaWarp = 10, kCudaClock = 13, kCudaUnits = 16,
                     kCudaPciBus = 33, kCudaPciDevice = 34, kCudaPciDomain = 50,
                     kCudaMemoryClock = 36, kCudaMemoryBits = 37, kCudaL2 = 38, kCudaThreads = 39,
                     kCudaShared = 81, kCudaRegisters = 82, kCudaF32ToF64 = 87,
                     kCudaBlockSharedAsked = 97, kCudaBlocks = 106;
inline constexpr int kCudaSharedOfLaunch = 8;  // the most, of a function

// Each function's name in the driver without `cu`, and its parameters. All give a status.
#define PARAISO_CUDA_DRIVER(ROW)                                                                  \
  ROW(Init, (unsigned))                                                                           \
  ROW(DriverGetVersion, (int*))                                                                   \
  ROW(GetErrorName, (int, const char**))                                                          \
  ROW(GetErrorString, (int, const char**))                                                        \
  ROW(DeviceGetCount, (int*))                                                                     \
  ROW(DeviceGet, (int*, int))                                                                     \
  ROW(DeviceGetName, (char*, int, int))                                                           \
  ROW(DeviceTotalMem_v2, (std::size_t*, int))                                                     \
  ROW(DeviceGetAttribute, (int*, int, int))                                                       \
  ROW(DevicePrimaryCtxRetain, (void**, int))                                                      \
  ROW(DevicePrimaryCtxRelease_v2, (int))                                                          \
  ROW(CtxSetCurrent, (void*))                                                                     \
  ROW(CtxSynchronize, ())                                                                         \
  ROW(MemGetInfo_v2, (std::size_t*, std::size_t*))                                                \
  ROW(MemAlloc_v2, (std::uint64_t*, std::size_t))                                                 \
  ROW(MemFree_v2, (std::uint64_t))                                                                \
  ROW(MemsetD8_v2, (std::uint64_t, unsigned char, std::size_t))                                   \
  ROW(MemcpyHtoD_v2, (std::uint64_t, const void*, std::size_t))                                   \
  ROW(MemcpyDtoH_v2, (void*, std::uint64_t, std::size_t))                                         \
  ROW(MemcpyDtoD_v2, (std::uint64_t, std::uint64_t, std::size_t))                                 \
  ROW(ModuleLoadData, (void**, const void*))                                                      \
  ROW(ModuleUnload, (void*))                                                                      \
  ROW(ModuleGetFunction, (void**, void*, const char*))                                            \
  ROW(FuncSetAttribute, (void*, int, int))                                                        \
  ROW(LaunchKernel, (void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                     void*, void**, void**))

// The same of graphs, without which everything runs as well: nullptr where a driver lacks them.
#define PARAISO_CUDA_GRAPHS(ROW)                                 \
  ROW(StreamCreate, (void**, unsigned))                          \
  ROW(StreamDestroy_v2, (void*))                                 \
  ROW(StreamBeginCapture_v2, (void*, int))                       \
  ROW(StreamEndCapture, (void*, void**))                         \
  ROW(GraphInstantiateWithFlags, (void**, void*, std::uint64_t)) \
  ROW(GraphLaunch, (void*, void*))                               \
  ROW(GraphExecDestroy, (void*))                                 \
  ROW(GraphDestroy, (void*))

struct CudaDriver {
#define PARAISO_MEMBER(name, parameters) int(*name) parameters;
  PARAISO_CUDA_DRIVER(PARAISO_MEMBER)
#undef PARAISO_MEMBER
#define PARAISO_MEMBER(name, parameters) int(*name) parameters = nullptr;
  PARAISO_CUDA_GRAPHS(PARAISO_MEMBER)
#undef PARAISO_MEMBER
};

/// A vendor's cards. cuda_interface and hip_interface are such.
struct Interface {
  const char* language;  // "CUDA"
  int oldest;            // driver: 1000 times the version, and 10 times its second part
  /// The driver of this machine's cards; nullptr where there is none, and `why`.
  const CudaDriver* (*load)(std::string& why);
  /// What a card's compiler calls it: "sm_90".
  std::string (*architecture)(const CudaDriver&, int device);
};

/// Kernels run on the processor when they are launched, all of it in one thread.
const CudaDriver& emulated_cuda_driver();

}  // namespace paraiso_cuda
