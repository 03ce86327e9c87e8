// The driver of the device `emulated`.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <utility>
#include <vector>

#include "paraiso/support/device/cuda_driver.hpp"
#include "paraiso/support/device/emulated_launch.hpp"

namespace paraiso_cuda {
namespace {

constexpr int kNotFound = 500;

int name_of(int, const char** name) {
  *name = nullptr;
  return 0;
}

int meaning_of(int status, const char** text) {
  *text = status == kNotFound          ? "there is none of that name"
          : status == kCudaOutOfMemory ? "the system gives no more memory"
                                       : emulated_complaint().c_str();
  return 0;
}

int memory_of(std::size_t* bytes, int) {
  *bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return 0;
}

/// What is free the system tells when it is asked for memory.
int free_memory(std::size_t* free, std::size_t* all) {
  memory_of(all, 0);
  *free = *all;
  return 0;
}

int allocate(std::uint64_t* address, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t inside = (bytes + page - 1) / page * page, all = inside + 2 * page;
  void* const mapped =
      mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return kCudaOutOfMemory;
  char* const first = static_cast<char*>(mapped) + page;
  if (mprotect(first, inside, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapped, all);
    return kCudaOutOfMemory;
  }
  const std::lock_guard<std::mutex> lock(emulated_calls());
  // Half of them end where nobody may read on, half of them begin so.
  char* const begin = emulated_random().below(2) ? first : first + inside - bytes;
  *address = reinterpret_cast<std::uintptr_t>(begin);
  emulated_pieces()[*address] = {static_cast<char*>(mapped), all, bytes};
  return 0;
}

int release(std::uint64_t address) {
  const std::lock_guard<std::mutex> lock(emulated_calls());
  const auto piece = emulated_pieces().find(address);
  if (piece == emulated_pieces().end()) return kCudaInvalidValue;
  munmap(piece->second.mapped, piece->second.mapped_bytes);
  emulated_pieces().erase(piece);
  return 0;
}

char* pointer(std::uint64_t address) {
  return reinterpret_cast<char*>(static_cast<std::uintptr_t>(address));
}

int fill(std::uint64_t to, unsigned char value, std::size_t bytes) {
  std::memset(pointer(to), value, bytes);
  return 0;
}

int upload(std::uint64_t to, const void* from, std::size_t bytes) {
  std::memcpy(pointer(to), from, bytes);
  return 0;
}

int download(void* to, std::uint64_t from, std::size_t bytes) {
  std::memcpy(to, pointer(from), bytes);
  return 0;
}

int copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  std::memcpy(pointer(to), pointer(from), bytes);
  return 0;
}

/// A kernel, and the source that it is of.
struct Function {
  const EmulatedKernels* source;
  const EmulatedKernel* kernel;
};

int find_kernel(void** function, void* module, const char* name) {
  static std::map<const EmulatedKernel*, Function> known;
  const std::lock_guard<std::mutex> lock(emulated_calls());
  const auto& source = *static_cast<const EmulatedKernels*>(module);
  for (std::size_t k = 0; k < source.count; ++k) {
    if (std::strcmp(source.kernels[k].name, name) != 0) continue;
    Function& found = known[&source.kernels[k]];
    found = {&source, &source.kernels[k]};
    *function = &found;
    return 0;
  }
  return kNotFound;
}

/// A launch that a graph has, with copies of its arguments.
struct Captured {
  const Function* function;
  EmulatedIndex blocks, block;
  std::vector<std::vector<char>> arguments;
};
/// What a stream captures, a graph, and one that can be launched are all such a list.
using Launches = std::vector<Captured>;

int capture(void* stream, const Captured& bare, void** arguments) {
  const EmulatedKernel& kernel = *bare.function->kernel;
  Captured launch = bare;
  for (std::size_t a = 0; a < kernel.parameters; ++a) {
    const char* const first = static_cast<const char*>(arguments[a]);
    launch.arguments.emplace_back(first, first + kernel.bytes[a]);
  }
  static_cast<Launches*>(stream)->push_back(std::move(launch));
  return 0;
}

int launch(void* function, unsigned x, unsigned y, unsigned z, unsigned block_x, unsigned block_y,
           unsigned block_z, unsigned, void* stream, void** arguments, void**) {
  const auto* const one = static_cast<const Function*>(function);
  const EmulatedIndex blocks{x, y, z}, block{block_x, block_y, block_z};
  if (stream) return capture(stream, {one, blocks, block, {}}, arguments);
  return emulate_launch(*one->source, *one->kernel, blocks, block, arguments);
}

int launch_graph(void* graph, void*) {
  for (Captured& one : *static_cast<Launches*>(graph)) {
    std::vector<void*> places;
    for (std::vector<char>& argument : one.arguments) places.push_back(argument.data());
    const int status = emulate_launch(*one.function->source, *one.function->kernel, one.blocks,
                                      one.block, places.data());
    if (status != 0) return status;
  }
  return 0;
}

int new_launches(void** made, void* of) {
  *made = of ? new Launches(*static_cast<Launches*>(of)) : new Launches;
  return 0;
}

int delete_launches(void* list) {
  delete static_cast<Launches*>(list);
  return 0;
}

void add_graphs(CudaDriver& driver) {
  driver.StreamCreate = [](void** stream, unsigned) { return new_launches(stream, nullptr); };
  driver.StreamDestroy_v2 = delete_launches;
  driver.StreamBeginCapture_v2 = [](void*, int) { return 0; };
  driver.StreamEndCapture = [](void* stream, void** graph) { return new_launches(graph, stream); };
  driver.GraphInstantiateWithFlags = [](void** made, void* graph, std::uint64_t) {
    return new_launches(made, graph);
  };
  driver.GraphLaunch = launch_graph;
  driver.GraphExecDestroy = delete_launches;
  driver.GraphDestroy = delete_launches;
}

template <class Number>
int gives(Number* result, Number value) {
  *result = value;
  return 0;
}

CudaDriver make_driver() {
  CudaDriver driver;
  driver.Init = [](unsigned) { return start_emulation(); };
  driver.DriverGetVersion = [](int* version) { return gives(version, 12000); };
  driver.GetErrorName = name_of;
  driver.GetErrorString = meaning_of;
  driver.DeviceGetCount = [](int* count) { return gives(count, 1); };
  driver.DeviceGet = [](int* device, int) { return gives(device, 0); };
  driver.DeviceGetName = [](char* name, int, int) { return gives(name, '\0'); };
  driver.DeviceTotalMem_v2 = memory_of;
  driver.DeviceGetAttribute = [](int* value, int, int) { return gives(value, 0); };
  driver.DevicePrimaryCtxRetain = [](void** context, int) {
    return gives<void*>(context, nullptr);
  };
  driver.DevicePrimaryCtxRelease_v2 = [](int) { return 0; };
  driver.CtxSetCurrent = [](void*) { return 0; };
  driver.CtxSynchronize = [] { return 0; };
  driver.MemGetInfo_v2 = free_memory;
  driver.MemAlloc_v2 = allocate;
  driver.MemFree_v2 = release;
  driver.MemsetD8_v2 = fill;
  driver.MemcpyHtoD_v2 = upload;
  driver.MemcpyDtoH_v2 = download;
  driver.MemcpyDtoD_v2 = copy;
  driver.ModuleLoadData = [](void** module, const void* image) {
    return gives(module, const_cast<void*>(image));
  };
  driver.ModuleUnload = [](void*) { return 0; };
  driver.ModuleGetFunction = find_kernel;
  driver.FuncSetAttribute = [](void*, int, int) { return 0; };
  driver.LaunchKernel = launch;
  add_graphs(driver);
  return driver;
}

}  // namespace

const CudaDriver& emulated_cuda_driver() {
  static const CudaDriver driver = make_driver();
  return driver;
}

}  // namespace paraiso_cuda
