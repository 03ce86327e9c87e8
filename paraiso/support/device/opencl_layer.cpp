#include "paraiso/support/device/opencl_layer.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <list>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace paraiso_opencl {

using paraiso_support::amount_text;
using paraiso_support::quoted;

namespace {

// What of OpenCL 1.2 is needed; its types are pointers, numbers of 32 bits, and of 64 bits in masks
// and properties.
using Int = std::int32_t;
using Unsigned = std::uint32_t;
using Flags = std::uint64_t;

enum : Unsigned {
  kPlatformName = 0x0902,
  kDeviceType = 0x1000,
  kDeviceUnits = 0x1002,
  kDeviceMegahertz = 0x100C,
  kDeviceLargest = 0x1010,
  kDeviceSingle = 0x101B,
  kDeviceCache = 0x101E,
  kDeviceMemory = 0x101F,
  kDeviceShared = 0x1023,
  kDeviceName = 0x102B,
  kDeviceVersion = 0x102F,
  kDeviceDouble = 0x1032,
  kDevicePlace = 0x410F,  // of cl_khr_pci_bus_info
  kBuildLog = 0x1183,
};
constexpr Flags kAllDevices = 0xFFFFFFFF, kGpu = 1 << 2;
constexpr Flags kDenormals = 1 << 0, kFma = 1 << 5, kRoundedQuotients = 1 << 7;
constexpr Int kNoPlatform = -1001;

using Bytes = std::size_t;

// Each function's name, its result, its parameters.
#define PARAISO_OPENCL(ROW)                                                                       \
  ROW(GetPlatformIDs, Int, (Unsigned, void**, Unsigned*))                                         \
  ROW(GetPlatformInfo, Int, (void*, Unsigned, Bytes, void*, Bytes*))                              \
  ROW(GetDeviceIDs, Int, (void*, Flags, Unsigned, void**, Unsigned*))                             \
  ROW(GetDeviceInfo, Int, (void*, Unsigned, Bytes, void*, Bytes*))                                \
  ROW(CreateContext, void*, (const void*, Unsigned, void* const*, void*, void*, Int*))            \
  ROW(CreateCommandQueue, void*, (void*, void*, Flags, Int*))                                     \
  ROW(CreateBuffer, void*, (void*, Flags, Bytes, void*, Int*))                                    \
  ROW(CreateProgramWithSource, void*, (void*, Unsigned, const char* const*, const Bytes*, Int*))  \
  ROW(BuildProgram, Int, (void*, Unsigned, void* const*, const char*, void*, void*))              \
  ROW(GetProgramBuildInfo, Int, (void*, void*, Unsigned, Bytes, void*, Bytes*))                   \
  ROW(CreateKernel, void*, (void*, const char*, Int*))                                            \
  ROW(SetKernelArg, Int, (void*, Unsigned, Bytes, const void*))                                   \
  ROW(EnqueueNDRangeKernel, Int,                                                                  \
      (void*, void*, Unsigned, const Bytes*, const Bytes*, const Bytes*, Unsigned, void*, void*)) \
  ROW(EnqueueFillBuffer, Int,                                                                     \
      (void*, void*, const void*, Bytes, Bytes, Bytes, Unsigned, void*, void*))                   \
  ROW(EnqueueCopyBuffer, Int, (void*, void*, void*, Bytes, Bytes, Bytes, Unsigned, void*, void*)) \
  ROW(EnqueueWriteBuffer, Int,                                                                    \
      (void*, void*, Unsigned, Bytes, Bytes, const void*, Unsigned, void*, void*))                \
  ROW(EnqueueReadBuffer, Int,                                                                     \
      (void*, void*, Unsigned, Bytes, Bytes, void*, Unsigned, void*, void*))                      \
  ROW(Finish, Int, (void*))                                                                       \
  ROW(ReleaseContext, Int, (void*))                                                               \
  ROW(ReleaseCommandQueue, Int, (void*))                                                          \
  ROW(ReleaseMemObject, Int, (void*))                                                             \
  ROW(ReleaseProgram, Int, (void*))                                                               \
  ROW(ReleaseKernel, Int, (void*))

struct Library {
#define PARAISO_MEMBER(name, result, parameters) result(*name) parameters;
  PARAISO_OPENCL(PARAISO_MEMBER)
#undef PARAISO_MEMBER
};

[[noreturn]] void fail(const std::string& message) { throw std::runtime_error(message); }

Library load() {
  void* const loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!loader)
    fail("no OpenCL on this machine: there is no `libOpenCL.so.1`, which `ocl-icd-libopencl1` has");
  Library library;
  const auto find = [&](const char* name, auto& function) {
    void* const symbol = dlsym(loader, name);
    if (!symbol)
      fail(std::string("`libOpenCL.so.1` is older than OpenCL 1.2: it lacks ") + quoted(name));
    std::memcpy(&function, &symbol, sizeof symbol);
  };
#define PARAISO_FIND(name, result, parameters) find("cl" #name, library.name);
  PARAISO_OPENCL(PARAISO_FIND)
#undef PARAISO_FIND
  return library;
}

const Library& opencl() {
  static const Library library = load();
  return library;
}

void check(Int status, const std::string& what) {
  if (status != 0) fail("OpenCL " + what + ": error " + std::to_string(status));
}

/// What an information function gives as text, without the zeros and blanks around it.
template <class Get>
std::string text_of(Get&& get) {
  std::size_t size = 0;
  if (get(0, nullptr, &size) != 0) return {};
  std::string text(size, '\0');
  if (get(size, text.data(), nullptr) != 0) return {};
  const auto visible = [](char c) {
    return c != '\0' && !std::isspace(static_cast<unsigned char>(c));
  };
  text.erase(std::find_if(text.rbegin(), text.rend(), visible).base(), text.end());
  text.erase(text.begin(), std::find_if(text.begin(), text.end(), visible));
  return text;
}

std::string device_text(void* device, Unsigned what) {
  return text_of([&](auto... rest) { return opencl().GetDeviceInfo(device, what, rest...); });
}

Flags device_number(void* device, Unsigned what) {
  Flags number = 0;
  opencl().GetDeviceInfo(device, what, sizeof number, &number, nullptr);
  return number;
}

/// Whether "OpenCL 3.0 ..." is older than 1.2; what says nothing is not.
bool is_too_old(const std::string& version) {
  int major = 0, minor = 0;
  return std::sscanf(version.c_str(), "OpenCL %d.%d", &major, &minor) == 2 &&
         10 * major + minor < 12;
}

/// Why no solver runs on a device, if none does.
std::vector<std::string> hindrances_of(const DeviceReport& report) {
  if (is_too_old(report.version)) return {"it is of " + report.version + ", and 1.2 is needed"};
  if (!report.fp64) return {"it has no f64 (`cl_khr_fp64`), without which no solver runs"};
  return {};
}

/// What its bits need that a device lacks.
std::vector<std::string> problems_of(void* device) {
  std::vector<std::string> problems;
  const auto promise = [&](Unsigned floats, const char* type, Flags needed, const char* what) {
    if ((device_number(device, floats) & needed) == 0)
      problems.push_back(std::string("the bits of ") + type + " are not promised: it has no " +
                         what);
  };
  promise(kDeviceDouble, "f64", kFma, "`CL_FP_FMA`");
  promise(kDeviceDouble, "f64", kDenormals, "`CL_FP_DENORM`");
  promise(kDeviceSingle, "f32", kFma, "`CL_FP_FMA`");
  promise(kDeviceSingle, "f32", kDenormals, "`CL_FP_DENORM`");
  promise(kDeviceSingle, "f32", kRoundedQuotients, "`CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT`");
  return problems;
}

struct Found {
  void* handle;
  DeviceReport report;
};

Found look_at(void* platform, void* device) {
  DeviceReport report;
  report.name = device_text(device, kDeviceName);
  report.platform = text_of(
      [&](auto... rest) { return opencl().GetPlatformInfo(platform, kPlatformName, rest...); });
  report.version = device_text(device, kDeviceVersion);
  Unsigned place[4];  // domain, bus, device, function
  if (opencl().GetDeviceInfo(device, kDevicePlace, sizeof place, place, nullptr) == 0)
    report.place =
        std::to_string(place[0]) + ":" + std::to_string(place[1]) + ":" + std::to_string(place[2]);
  report.gpu = (device_number(device, kDeviceType) & kGpu) != 0;
  report.memory_bytes = static_cast<double>(device_number(device, kDeviceMemory));
  report.largest_bytes = static_cast<double>(device_number(device, kDeviceLargest));
  report.fp64 = device_number(device, kDeviceDouble) != 0;
  report.problems = hindrances_of(report);
  report.usable = report.problems.empty();
  if (report.usable) report.problems = problems_of(device);
  const auto number = [&](Unsigned what) {
    return static_cast<double>(device_number(device, what));
  };
  report.parts.units = number(kDeviceUnits);
  report.parts.hertz = 1e6 * number(kDeviceMegahertz);
  report.parts.l2_bytes = number(kDeviceCache);
  report.parts.block_shared_bytes = number(kDeviceShared);
  return {device, report};
}

std::vector<Found> find_all() {
  Unsigned count = 0;
  const Int status = opencl().GetPlatformIDs(0, nullptr, &count);
  if (status == kNoPlatform || count == 0)
    fail(
        "no OpenCL driver on this machine: that of a GPU's maker, or `pocl-opencl-icd` for the "
        "processor, brings one");
  check(status, "can't list its platforms");
  std::vector<void*> platforms(count);
  check(opencl().GetPlatformIDs(count, platforms.data(), nullptr), "can't list its platforms");
  std::vector<Found> all;
  for (void* platform : platforms) {
    const Int answer = opencl().GetDeviceIDs(platform, kAllDevices, 0, nullptr, &count);
    if (answer != 0 || count == 0) continue;  // none, or a driver that fails: others may not
    std::vector<void*> devices(count);
    check(opencl().GetDeviceIDs(platform, kAllDevices, count, devices.data(), nullptr),
          "can't list its devices");
    for (void* device : devices) all.push_back(look_at(platform, device));
  }
  if (all.empty()) fail("OpenCL's drivers find no device on this machine");
  return all;
}

std::vector<DeviceReport> reports_of(const std::vector<Found>& all) {
  std::vector<DeviceReport> reports;
  for (const Found& found : all) reports.push_back(found.report);
  return reports;
}

/// What was made, unless that failed; it is released with its last owner.
std::shared_ptr<void> owned(void* object, Int status, Int (*release)(void*),
                            const std::string& what) {
  check(status, what);
  return {object, release};
}

}  // namespace

/// A device as all solvers of this process have it open, and what they built for it last. Drivers
/// read a source anew each time: PoCL takes 30 ms even where it has kept the binary.
struct Context {
  static constexpr std::size_t kMost = 8;  // programs
  void* device;
  std::shared_ptr<void> handle;
  // By options and source, the last first.
  std::list<std::pair<std::string, std::shared_ptr<void>>> programs;

  std::shared_ptr<void> built(const std::string& key) {
    const auto known = std::find_if(programs.begin(), programs.end(),
                                    [&](const auto& program) { return program.first == key; });
    if (known == programs.end()) return nullptr;
    programs.splice(programs.begin(), programs, known);
    return known->second;
  }
  void keep(const std::string& key, std::shared_ptr<void> program) {
    programs.emplace_front(key, std::move(program));
    if (programs.size() > kMost) programs.pop_back();
  }
};

namespace {

/// The contexts that the next solvers find. First asked for when drivers are loaded, which so
/// outlive it.
struct Contexts {
  std::mutex mutex;  // of all contexts' programs, too
  std::list<std::shared_ptr<Context>> all;
};

Contexts& contexts() {
  static Contexts contexts;
  return contexts;
}

std::shared_ptr<Context> context_of(void* device, const std::string& what) {
  const std::lock_guard lock(contexts().mutex);
  for (const auto& context : contexts().all)
    if (context->device == device) return context;
  Int status = 0;
  void* const handle = opencl().CreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  contexts().all.push_back(std::make_shared<Context>(
      Context{device, owned(handle, status, opencl().ReleaseContext, what), {}}));
  return contexts().all.back();
}

/// After an error that may have spoilt it: the next solver opens another one.
void forget(const std::shared_ptr<Context>& context) {
  const std::lock_guard lock(contexts().mutex);
  contexts().all.remove(context);
}

}  // namespace

std::vector<DeviceReport> survey() { return reports_of(find_all()); }

struct Device::State {
  void* handle;
  DeviceReport report;
  std::shared_ptr<Context> context;
  std::shared_ptr<void> queue;
  paraiso_support::RunningKernels running;

  std::string name() const { return "device " + quoted(report.name); }

  std::string build_options(const std::string& source, bool optimized) const {
    std::string options = "-cl-std=CL1.2";
    if (!optimized) options += " -cl-opt-disable";
    if (device_number(handle, kDeviceSingle) & kRoundedQuotients)
      options += " -cl-fp32-correctly-rounded-divide-sqrt";
    const double shared = report.parts.block_shared_bytes;
    if (shared > 0 && source.find("BLOCK_SHARED") != std::string::npos)
      options += " -DBLOCK_SHARED=" + std::to_string(static_cast<std::int64_t>(shared));
    return options;
  }

  /// Of what waits for the device, and so is told of errors in kernels that ran before.
  void check_wait(Int status, const std::string& what) const {
    if (status == 0) return;
    forget(context);
    check(status, what + running.text());
  }
  void wait() {
    check_wait(opencl().Finish(queue.get()), "stopped on " + name());
    running.clear();
  }
};

Device::Device(const std::string& wanted) : state_(std::make_shared<State>()) {
  std::vector<Found> all = find_all();
  Found& found = all[choose_device(reports_of(all), wanted)];
  state_->handle = found.handle;
  state_->report = std::move(found.report);
  if (!report().usable) fail(state_->name() + " can't be used: " + report().problems[0]);
  const std::string what = "can't open " + state_->name();
  state_->context = context_of(state_->handle, what);
  Int status = 0;
  void* const queue =
      opencl().CreateCommandQueue(state_->context->handle.get(), state_->handle, 0, &status);
  state_->queue = owned(queue, status, opencl().ReleaseCommandQueue, what);
}

const DeviceReport& Device::report() const { return state_->report; }

void Device::require(double bytes, double largest) const {
  require_on_device(report(), bytes, largest);
}

void Device::finish() const { state_->wait(); }

Memory::Memory(const Device& device, std::size_t bytes) : device_(device.state_), bytes_(bytes) {
  device.require(static_cast<double>(bytes), static_cast<double>(bytes));
  if (bytes == 0) return;
  const std::string what = no_memory_text(device_->report, bytes);
  Int status = 0;
  void* const buffer =
      opencl().CreateBuffer(device_->context->handle.get(), 0, bytes, nullptr, &status);
  handle_ = owned(buffer, status, opencl().ReleaseMemObject, what);
  const unsigned char zero = 0;
  check(opencl().EnqueueFillBuffer(device_->queue.get(), buffer, &zero, 1, 0, bytes, 0, nullptr,
                                   nullptr),
        what);
}

void Memory::upload(const void* from, std::size_t bytes, std::size_t first) {
  if (bytes == 0) return;
  device_->check_wait(opencl().EnqueueWriteBuffer(device_->queue.get(), handle_.get(), 1, first,
                                                  bytes, from, 0, nullptr, nullptr),
                      "can't copy to " + device_->name());
}

void Memory::download(void* to, std::size_t bytes, std::size_t first) const {
  if (bytes == 0) return;
  device_->check_wait(opencl().EnqueueReadBuffer(device_->queue.get(), handle_.get(), 1, first,
                                                 bytes, to, 0, nullptr, nullptr),
                      "can't copy from " + device_->name());
  device_->running.clear();
}

void Memory::copy(const Memory& from) {
  if (bytes_ == 0) return;
  device_->check_wait(opencl().EnqueueCopyBuffer(device_->queue.get(), from.handle_.get(),
                                                 handle_.get(), 0, 0, bytes_, 0, nullptr, nullptr),
                      "can't copy on " + device_->name());
}

Program::Program(const Device& device, const std::string& name, const std::string& source,
                 bool optimized)
    : device_(device.state_) {
  Context& context = *device_->context;
  const std::string options = device_->build_options(source, optimized);
  const std::string key = options + '\n' + source;
  {
    const std::lock_guard lock(contexts().mutex);
    handle_ = context.built(key);
  }
  if (handle_) return;
  const std::string what = "can't build " + quoted(name) + " for " + device_->name();
  const char* const text = source.c_str();
  Int status = 0;
  void* const program =
      opencl().CreateProgramWithSource(context.handle.get(), 1, &text, nullptr, &status);
  handle_ = owned(program, status, opencl().ReleaseProgram, what);
  void* const handle = device_->handle;
  status = opencl().BuildProgram(program, 1, &handle, options.c_str(), nullptr, nullptr);
  if (status != 0) {
    const std::string log = text_of([&](auto... rest) {
      return opencl().GetProgramBuildInfo(program, handle, kBuildLog, rest...);
    });
    fail("OpenCL " + what + "; its source is " + paraiso_support::keep_source(name, ".cl", source) +
         "\n" + paraiso_support::first_lines(log));
  }
  const std::lock_guard lock(contexts().mutex);
  context.keep(key, handle_);
}

Kernel::Kernel(const Program& program, const std::string& name, std::size_t shared_bytes,
               bool is_needed)
    : device_(program.device_), name_(name), shared_bytes_(shared_bytes) {
  if (!is_needed && !gives_shared(device_->report, shared_bytes)) return;
  require_shared(device_->report, name, shared_bytes);
  Int status = 0;
  void* const kernel = opencl().CreateKernel(program.handle_.get(), name.c_str(), &status);
  handle_ = owned(kernel, status, opencl().ReleaseKernel,
                  "has no kernel " + quoted(name) + " for " + device_->name());
}

void Kernel::set(unsigned place, const Memory& memory) {
  void* const handle = memory.handle_.get();
  set(place, sizeof handle, &handle);
}

void Kernel::set(unsigned place, std::size_t bytes, const void* value) {
  if (!handle_) require_shared(device_->report, name_, shared_bytes_);
  check(opencl().SetKernelArg(handle_.get(), place, bytes, value),
        "refuses argument " + std::to_string(place) + " of kernel " + quoted(name_));
}

void Kernel::run(const Extent& threads, const Extent& block) {
  Extent all;
  for (std::size_t a = 0; a < 3; ++a) all[a] = (threads[a] + block[a] - 1) / block[a] * block[a];
  if (all[0] == 0 || all[1] == 0 || all[2] == 0) return;
  check(opencl().EnqueueNDRangeKernel(device_->queue.get(), handle_.get(), 3, nullptr, all.data(),
                                      block.data(), 0, nullptr, nullptr),
        "can't run kernel " + quoted(name_) + " on " + device_->name() + " in blocks of " +
            std::to_string(block[0]) + " x " + std::to_string(block[1]) + " x " +
            std::to_string(block[2]));
  device_->running.add(name_);
  if (paraiso_support::waits_for_each_kernel()) device_->wait();
}

}  // namespace paraiso_opencl
