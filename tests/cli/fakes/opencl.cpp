// An OpenCL loader for tests, with one device that does nothing: a stand-in for libOpenCL.so.1.
// $FAKE_OPENCL has words that say what is amiss:
//   no_driver, no_device, no_fp64, no_fma      of the machine, and of the device
//   old                                        the device is of OpenCL 1.1
//   beside                                     there is one without f64 before it
//   full, broken_build                         others have its memory; no program can be built
//   refused                                    a launch is refused
//   least_shared                               a block has 48 KiB of shared memory
//   lost                                       after four launches whatever waits for it fails
// $FAKE_OPENCL_LOG names a file that has a line for each context, program that is built (and with
// what options), kernel, buffer, and copy to or from the host.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool amiss(const char* word) {
  const char* const all = std::getenv("FAKE_OPENCL");
  return all && std::string(" ").append(all).append(" ").find(std::string(" ") + word + " ") !=
                    std::string::npos;
}

using Bytes = std::size_t;

void log(const char* what, const std::string& which) {
  const char* const path = std::getenv("FAKE_OPENCL_LOG");
  if (!path) return;
  if (std::FILE* file = std::fopen(path, "a")) {
    std::fprintf(file, "%s %s\n", what, which.c_str());
    std::fclose(file);
  }
}
void log(const char* what, Bytes bytes) { log(what, std::to_string(bytes)); }

int give(const std::string& text, Bytes room, void* to, Bytes* size) {
  if (size) *size = text.size() + 1;
  if (to && room > text.size()) std::memcpy(to, text.c_str(), text.size() + 1);
  return 0;
}

int give(std::uint64_t number, Bytes room, void* to, Bytes* size) {
  if (size) *size = sizeof number;
  if (to && room >= sizeof number) std::memcpy(to, &number, sizeof number);
  return 0;
}

int token, without_f64, launches = 0;

int waited() { return launches >= 4 && amiss("lost") ? -5 : 0; }

void* made(int* status) { return *status = 0, &token; }

}  // namespace

extern "C" {

int clGetPlatformIDs(unsigned, void** platforms, unsigned* count) {
  if (amiss("no_driver")) return -1001;
  if (count) *count = 1;
  if (platforms) *platforms = &token;
  return 0;
}
int clGetPlatformInfo(void*, unsigned, Bytes room, void* to, Bytes* size) {
  return give("Counting Frame", room, to, size);
}
int clGetDeviceIDs(void*, std::uint64_t, unsigned, void** devices, unsigned* count) {
  if (amiss("no_device")) return -1;
  const bool two = amiss("beside");
  if (count) *count = two ? 2 : 1;
  if (devices) *devices = two ? &without_f64 : &token;
  if (devices && two) devices[1] = &token;
  return 0;
}
int clGetDeviceInfo(void* device, unsigned what, Bytes room, void* to, Bytes* size) {
  const std::uint64_t memory = 80'000'000'000;
  const bool no_f64 = device == &without_f64 || amiss("no_fp64");
  const std::uint64_t floats = amiss("no_fma") ? 0xFF & ~(1 << 5) : 0xFF;
  switch (what) {
    case 0x1000: return give(std::uint64_t{4}, room, to, size);  // a GPU
    case 0x1010: return give(memory / 4, room, to, size);
    case 0x101F: return give(memory, room, to, size);
    case 0x1023: return give(std::uint64_t{amiss("least_shared") ? 49152u : 0u}, room, to, size);
    case 0x101B: return give(floats, room, to, size);
    case 0x1032: return give(no_f64 ? std::uint64_t{0} : floats, room, to, size);
    case 0x102B: return give(device == &without_f64 ? "Pebbles" : "Abacus 12", room, to, size);
    case 0x102F: return give(amiss("old") ? "OpenCL 1.1 Beads" : "OpenCL 1.2", room, to, size);
    case 0x410F: return -30;  // it does not know its place
    default: return give("OpenCL 1.2", room, to, size);
  }
}
void* clCreateContext(const void*, unsigned, void* const*, void*, void*, int* status) {
  log("open", 1);
  return made(status);
}
void* clCreateCommandQueue(void*, void*, std::uint64_t, int* status) { return made(status); }
void* clCreateBuffer(void*, std::uint64_t, Bytes bytes, void*, int* status) {
  log("allocate", bytes);
  if (amiss("full")) return *status = -4, nullptr;
  return made(status);
}
void* clCreateProgramWithSource(void*, unsigned, const char* const*, const Bytes*, int* status) {
  return made(status);
}
int clBuildProgram(void*, unsigned, void* const*, const char* options, void*, void*) {
  log("build", options);
  return amiss("broken_build") ? -11 : 0;
}
int clGetProgramBuildInfo(void*, void*, unsigned, Bytes room, void* to, Bytes* size) {
  return give("line 1: beads expected", room, to, size);
}
void* clCreateKernel(void*, const char* name, int* status) {
  log("kernel", name);
  return made(status);
}
int clSetKernelArg(void*, unsigned, Bytes, const void*) { return 0; }
int clEnqueueNDRangeKernel(void*, void*, unsigned, const Bytes*, const Bytes*, const Bytes*,
                           unsigned, void*, void*) {
  return ++launches, amiss("refused") ? -54 : 0;
}
int clEnqueueFillBuffer(void*, void*, const void*, Bytes, Bytes, Bytes, unsigned, void*, void*) {
  return 0;
}
int clEnqueueCopyBuffer(void*, void*, void*, Bytes, Bytes, Bytes, unsigned, void*, void*) {
  return waited();
}
int clEnqueueWriteBuffer(void*, void*, unsigned, Bytes, Bytes bytes, const void*, unsigned, void*,
                         void*) {
  log("bring", bytes);
  return waited();
}
int clEnqueueReadBuffer(void*, void*, unsigned, Bytes, Bytes bytes, void* to, unsigned, void*,
                        void*) {
  log("fetch", bytes);
  std::memset(to, 0, bytes);
  return waited();
}
int clFinish(void*) { return waited(); }
int clReleaseContext(void*) { return 0; }
int clReleaseCommandQueue(void*) { return 0; }
int clReleaseMemObject(void*) { return 0; }
int clReleaseProgram(void*) { return 0; }
int clReleaseKernel(void*) { return 0; }
}
