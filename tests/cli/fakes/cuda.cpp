// A driver of CUDA for tests, with one card that does nothing: a stand-in for libcuda.so.1. Kernels
// change no memory. $FAKE_CUDA has words that say what is amiss:
//   none, broken, old         no card; it does not start; it is for CUDA 11.4
//   busy, full                others have all but 1 kB of the card's memory; it has none when
//                             it is asked for some
//   too_new, other_card       kernels can't be loaded, for these reasons
//   refused                   a launch is refused
//   lost                      after four launches all fail, and whatever waits for the card
//   little_shared, no_shared  a block has 64 KiB of shared memory; a kernel is given none
//   least_shared              a block has 48 KiB of it
//   no_capture                launches can't be captured
// $FAKE_CUDA_LOG names a file that has a line for each allocation, launch and copy to or from the
// host, and for each graph that is launched.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool amiss(const char* word) {
  const char* const all = std::getenv("FAKE_CUDA");
  return all && std::string(" ").append(all).append(" ").find(std::string(" ") + word + " ") !=
                    std::string::npos;
}

void log(const std::string& line) {
  const char* const path = std::getenv("FAKE_CUDA_LOG");
  if (!path) return;
  if (std::FILE* file = std::fopen(path, "a")) {
    std::fprintf(file, "%s\n", line.c_str());
    std::fclose(file);
  }
}

int launches = 0;

int waited() { return launches >= 4 && amiss("lost") ? 700 : 0; }

}  // namespace

extern "C" {

int cuInit(unsigned) { return amiss("none") ? 100 : amiss("broken") ? 803 : 0; }
int cuDriverGetVersion(int* version) { return *version = amiss("old") ? 11040 : 13000, 0; }
int cuGetErrorName(int status, const char** name) {
  *name = status == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR";
  return 0;
}
int cuGetErrorString(int, const char** text) { return *text = "as the test wished", 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int number) { return *device = number, 0; }
int cuDeviceGetName(char* name, int size, int) {
  std::snprintf(name, static_cast<std::size_t>(size), "Abacus 9000");
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = 80'000'000'000, 0; }
int cuDeviceGetAttribute(int* value, int what, int) {
  const int shared = amiss("little_shared") ? 65536 : amiss("least_shared") ? 49152 : 0;
  return *value = what == 75 ? 9 : what == 97 ? shared : 0, 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = nullptr, 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void*) { return 0; }
int cuCtxSynchronize() { return waited(); }
int cuMemGetInfo_v2(std::size_t* free, std::size_t* all) {
  *all = 80'000'000'000;
  *free = amiss("busy") ? 1'000 : *all;
  return 0;
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  log("allocate " + std::to_string(bytes));
  if (amiss("full")) return 2;
  *address = reinterpret_cast<std::uintptr_t>(std::calloc(bytes, 1));
  return *address ? 0 : 2;
}
int cuMemFree_v2(std::uint64_t address) {
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
int cuMemsetD8_v2(std::uint64_t to, unsigned char value, std::size_t bytes) {
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return 0;
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  log("bring " + std::to_string(bytes));
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return waited();
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  log("fetch " + std::to_string(bytes));
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return waited();
}
int cuMemcpyDtoD_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return waited();
}
int cuModuleLoadData(void** module, const void* image) {
  std::uint32_t magic;
  std::memcpy(&magic, image, sizeof magic);
  if (magic != 0xBA55ED50) return 200;  // no fat binary
  *module = const_cast<void*>(image);
  return amiss("too_new") ? 222 : amiss("other_card") ? 209 : 0;
}
int cuModuleUnload(void*) { return 0; }
int cuFuncSetAttribute(void*, int, int) { return amiss("no_shared") ? 1 : 0; }
int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = strdup(name);
  return 0;
}
int cuLaunchKernel(void* function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned, void* stream, void**, void**) {
  if (stream) return ++*static_cast<int*>(stream), 0;
  char line[256];
  std::snprintf(line, sizeof line, "launch %s %ux%ux%u of %ux%ux%u",
                static_cast<const char*>(function), x, y, z, block_x, block_y, block_z);
  log(line);
  if (const int status = waited()) return status;
  return ++launches, amiss("refused") ? 701 : 0;
}
int cuStreamCreate(void** stream, unsigned) { return *stream = new int(0), 0; }
int cuStreamDestroy_v2(void* stream) { return delete static_cast<int*>(stream), 0; }
int cuStreamBeginCapture_v2(void*, int) { return amiss("no_capture") ? 801 : 0; }
int cuStreamEndCapture(void* stream, void** graph) {
  return *graph = new int(*static_cast<int*>(stream)), 0;
}
int cuGraphInstantiateWithFlags(void** made, void* graph, unsigned long long) {
  return *made = new int(*static_cast<int*>(graph)), 0;
}
int cuGraphLaunch(void* graph, void*) {
  log("graph of " + std::to_string(*static_cast<int*>(graph)));
  return waited();
}
int cuGraphExecDestroy(void* made) { return delete static_cast<int*>(made), 0; }
int cuGraphDestroy(void* graph) { return delete static_cast<int*>(graph), 0; }
}
