// A stand-in for ROCm's runtime, libamdhip64.so, for tests: one card, whose memory and kernels are
// the emulation's. A module is a shared object that a stand-in for hipcc made, with a symbol
// `paraiso_emulated`. $FAKE_HIP has words that say what is amiss:
//   none, old       no card; ROCm 4.3
//   refused, lost   a launch is refused; after four launches what waits for the card fails
//   full            others have the card's memory
//   no_capture      launches can't be captured
// $FAKE_HIP_LOG names a file that has a line for each launch, and each graph that is launched.
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "paraiso/support/device/cuda_driver.hpp"

namespace {

const paraiso_cuda::CudaDriver& emulation() { return paraiso_cuda::emulated_cuda_driver(); }

bool amiss(const char* word) {
  const char* const all = std::getenv("FAKE_HIP");
  return all && std::string(" ").append(all).append(" ").find(std::string(" ") + word + " ") !=
                    std::string::npos;
}

int launches = 0;

int waited() { return launches >= 4 && amiss("lost") ? 719 : 0; }

void log(const char* line) {
  const char* const path = std::getenv("FAKE_HIP_LOG");
  if (!path) return;
  if (std::FILE* file = std::fopen(path, "a")) {
    std::fprintf(file, "%s\n", line);
    std::fclose(file);
  }
}

}  // namespace

extern "C" {

int hipInit(unsigned flags) { return amiss("none") ? 100 : emulation().Init(flags); }
int hipRuntimeGetVersion(int* version) {
  return *version = amiss("old") ? 40'321'300 : 50'221'153, 0;
}
const char* hipGetErrorName(int) { return "hipErrorOfTheTest"; }
const char* hipGetErrorString(int) { return "as the test wished"; }
int hipGetDeviceCount(int* count) { return *count = 1, 0; }
int hipDeviceGet(int* device, int number) { return *device = number, 0; }
int hipDeviceGetName(char* name, int size, int) {
  std::snprintf(name, static_cast<std::size_t>(size), "Soroban 27");
  return 0;
}
int hipDeviceTotalMem(std::size_t* bytes, int device) {
  return emulation().DeviceTotalMem_v2(bytes, device);
}
int hipMemGetInfo(std::size_t* free, std::size_t* all) {
  return emulation().MemGetInfo_v2(free, all);
}
int hipDeviceGetAttribute(int* value, int what, int) {
  return *value = what == 87 ? 64 : what == 63 ? 104 : 0, 0;  // lanes of a wavefront, units
}
int hipGetDeviceProperties(char* properties, int) {
  std::strcpy(properties, "Soroban 27");
  std::strcpy(properties + 396, "gfx90a:sramecc+:xnack-");
  return 0;
}
int hipSetDevice(int device) { return device == 0 ? 0 : 101; }
int hipDeviceSynchronize() { return waited(); }

int hipMalloc(void** there, std::size_t bytes) {
  if (amiss("full")) return 2;
  std::uint64_t address = 0;
  const int status = emulation().MemAlloc_v2(&address, bytes);
  *there = reinterpret_cast<void*>(address);
  return status;
}
int hipFree(void* there) { return emulation().MemFree_v2(reinterpret_cast<std::uintptr_t>(there)); }
int hipMemset(void* to, int value, std::size_t bytes) {
  std::memset(to, value, bytes);
  return 0;
}
int hipMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  if (kind < 1 || kind > 3) return 1;
  std::memcpy(to, from, bytes);
  return waited();
}

int hipModuleLoadData(void** module, const void* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return 209;
  const std::size_t bytes = header.e_shoff + std::size_t{header.e_shentsize} * header.e_shnum;
  const int file = memfd_create("kernels", 0);
  if (write(file, image, bytes) != static_cast<ssize_t>(bytes)) return 209;
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  *module = library ? dlsym(library, "paraiso_emulated") : nullptr;
  return *module ? 0 : 209;
}
int hipModuleUnload(void*) { return 0; }
int hipModuleGetFunction(void** function, void* module, const char* name) {
  return emulation().ModuleGetFunction(function, module, name);
}
int hipModuleLaunchKernel(void* function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared, void* stream,
                          void** arguments, void** more) {
  if (amiss("refused")) return 701;
  if (!stream) log("launch"), ++launches;
  return emulation().LaunchKernel(function, x, y, z, block_x, block_y, block_z, shared, stream,
                                  arguments, more);
}
int hipStreamCreateWithFlags(void** stream, unsigned flags) {
  return emulation().StreamCreate(stream, flags);
}
int hipStreamDestroy(void* stream) { return emulation().StreamDestroy_v2(stream); }
int hipStreamBeginCapture(void* stream, int mode) {
  return amiss("no_capture") ? 801 : emulation().StreamBeginCapture_v2(stream, mode);
}
int hipStreamEndCapture(void* stream, void** graph) {
  return emulation().StreamEndCapture(stream, graph);
}
int hipGraphInstantiate(void** made, void* graph, void**, char*, std::size_t) {
  return emulation().GraphInstantiateWithFlags(made, graph, 0);
}
int hipGraphLaunch(void* graph, void* stream) {
  log("graph");
  return emulation().GraphLaunch(graph, stream);
}
int hipGraphExecDestroy(void* made) { return emulation().GraphExecDestroy(made); }
int hipGraphDestroy(void* graph) { return emulation().GraphDestroy(graph); }
}
