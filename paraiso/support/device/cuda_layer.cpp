#include "paraiso/support/device/cuda_layer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "paraiso/support/device/cuda_driver.hpp"

namespace paraiso_cuda {

using paraiso_support::amount_text;
using paraiso_support::quoted;

/// A device, and how it is reached.
struct FoundDevice {
  const Interface* cards;
  const CudaDriver* driver;
  int handle;
  DeviceReport report;
};

namespace {

[[noreturn]] void fail(const std::string& message) { throw std::runtime_error(message); }

/// "error 2, CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
std::string error_text(const CudaDriver& driver, int status) {
  std::string text = "error " + std::to_string(status);
  const char *name = nullptr, *meaning = nullptr;
  if (driver.GetErrorName(status, &name) == 0 && name) text += std::string(", ") + name;
  if (driver.GetErrorString(status, &meaning) == 0 && meaning)
    text += std::string(" (") + meaning + ")";
  return text;
}

void check(const FoundDevice& device, int status, const std::string& what) {
  if (status != 0)
    fail(std::string(device.cards->language) + " " + what + ": " +
         error_text(*device.driver, status));
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// What a launch is told of a kernel before it: an illegal address, a time-out, a broken assertion,
/// an instruction that the card can't do, a failed launch; memory or a link that is broken.
bool is_of_earlier_kernel(int status) {
  return status == 214 || status == 226 || status == 700 || status == 702 || status == 710 ||
         (status >= 714 && status <= 719);
}

/// What $PARAISO_EMULATED_SHARED says: as much as a block wants, unless it is set.
void take_shared(DeviceReport& report) {
  const char* const text = std::getenv("PARAISO_EMULATED_SHARED");
  if (!text) return;
  const std::string digits = text;
  if (digits.empty() || digits.size() > 15 ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    report.problems.push_back("$PARAISO_EMULATED_SHARED is a number of bytes, not " +
                              quoted(digits));
  else
    report.parts.block_shared_bytes = static_cast<double>(std::stoll(digits));
}

FoundDevice emulated(const Interface& cards) {
  const CudaDriver& driver = emulated_cuda_driver();
  std::size_t memory = 0;
  driver.DeviceTotalMem_v2(&memory, 0);
  DeviceReport report;
  report.name = "emulated";
  report.platform = std::string(cards.language) + "'s kernels on the processor, for tests";
  report.memory_bytes = report.largest_bytes = static_cast<double>(memory);
  report.fp64 = true;
  take_shared(report);
  report.usable = report.problems.empty();
  return {&cards, &driver, 0, report};
}

int property(const CudaDriver& driver, int what, int device) {
  int value = 0;
  driver.DeviceGetAttribute(&value, what, device);
  return value;
}

paraiso_support::DeviceParts parts_of(const CudaDriver& driver, int device) {
  const auto number = [&](int what) { return static_cast<double>(property(driver, what, device)); };
  paraiso_support::DeviceParts parts;
  parts.units = number(kCudaUnits);
  parts.threads = number(kCudaThreads);
  parts.blocks = number(kCudaBlocks);
  parts.warp = number(kCudaWarp);
  parts.registers = number(kCudaRegisters);
  parts.shared_bytes = number(kCudaShared);
  parts.block_shared_bytes = std::max(number(kCudaBlockShared), number(kCudaBlockSharedAsked));
  parts.hertz = 1e3 * number(kCudaClock);
  // CUDA C++ Programming Guide, throughput of arithmetic instructions.
  const int capability = 10 * property(driver, kCudaCapability, device) +
                         property(driver, kCudaCapabilityMinor, device);
  parts.f32_lanes = capability <= 80 ? 64 : 128;
  parts.f32_to_f64 = number(kCudaF32ToF64);
  parts.l2_bytes = number(kCudaL2);
  parts.memory_second_bytes = 2 * 1e3 * number(kCudaMemoryClock) * number(kCudaMemoryBits) / 8;
  return parts;
}

FoundDevice look_at(const Interface& cards, const CudaDriver& driver, int number) {
  FoundDevice found{&cards, &driver, 0, {}};
  check(found, driver.DeviceGet(&found.handle, number), "can't look at its devices");
  char name[256] = {};
  driver.DeviceGetName(name, sizeof name - 1, found.handle);
  std::size_t memory = 0;
  driver.DeviceTotalMem_v2(&memory, found.handle);
  int version = 0;
  driver.DriverGetVersion(&version);
  DeviceReport& report = found.report;
  report.name = name;
  const std::string language = cards.language;
  report.platform = language;
  report.version = "driver for " + language + " " + version_text(version);
  report.architecture = cards.architecture(driver, found.handle);
  report.place = std::to_string(property(driver, kCudaPciDomain, found.handle)) + ":" +
                 std::to_string(property(driver, kCudaPciBus, found.handle)) + ":" +
                 std::to_string(property(driver, kCudaPciDevice, found.handle));
  report.gpu = true;
  report.memory_bytes = report.largest_bytes = static_cast<double>(memory);
  report.fp64 = true;
  if (version < cards.oldest)
    report.problems.push_back("its driver is for " + language + " " + version_text(version) +
                              ", and " + version_text(cards.oldest) + " is needed");
  report.usable = report.problems.empty();
  report.parts = parts_of(driver, found.handle);
  return found;
}

/// `emulated` is the last; `why` says what is amiss if it is the only one.
std::vector<FoundDevice> find_all(const Interface& cards, std::string& why) {
  std::vector<FoundDevice> all;
  if (const CudaDriver* driver = cards.load(why)) {
    int count = 0;
    const int status = driver->Init(0);
    if (status == 0) driver->DeviceGetCount(&count);
    if (status != 0 && status != kCudaNoDevice)
      why = "its driver does not start, " + error_text(*driver, status);
    else
      why = count > 0 ? "" : "its driver finds none";
    for (int number = 0; number < count; ++number) all.push_back(look_at(cards, *driver, number));
  }
  all.push_back(emulated(cards));
  return all;
}

std::vector<DeviceReport> reports_of(const std::vector<FoundDevice>& all) {
  std::vector<DeviceReport> reports;
  for (const FoundDevice& found : all) reports.push_back(found.report);
  return reports;
}

FoundDevice choose(const std::string& wanted, const Interface& cards) {
  std::string why;
  const std::vector<FoundDevice> all = find_all(cards, why);
  const char* const usual = std::getenv("PARAISO_DEVICE");
  const bool named = !wanted.empty() || (usual && *usual);
  if (!named && all.size() == 1)
    fail("no " + std::string(cards.language) + " device on this machine: " + why +
         "; the device `emulated` runs the same kernels on the processor");
  const FoundDevice& found = all[choose_device(reports_of(all), wanted)];
  if (!found.report.usable)
    fail("device " + quoted(found.report.name) + " can't be used: " + found.report.problems[0]);
  return found;
}

}  // namespace

std::vector<DeviceReport> survey(std::string& why, const Interface& cards) {
  return reports_of(find_all(cards, why));
}

DeviceReport chosen(const std::string& wanted, const Interface& cards) {
  return choose(wanted, cards).report;
}

struct Device::State : FoundDevice {
  void* context = nullptr;
  paraiso_support::RunningKernels running;
  LaunchQueue queue;

  explicit State(FoundDevice found)
      : FoundDevice(std::move(found)),
        queue(*driver, [this](const Launch& launch, int status) { check_launch(launch, status); }) {
    check(*this, driver->Init(0), "does not start");
    check(*this, driver->DevicePrimaryCtxRetain(&context, handle), "can't open " + name());
  }
  ~State() {
    driver->CtxSetCurrent(context);
    queue.forget_graphs();
    driver->DevicePrimaryCtxRelease_v2(handle);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::string name() const { return "device " + quoted(report.name); }

  /// Before anything is told to the device: the driver has a device of each thread.
  const CudaDriver& use() const {
    check(*this, driver->CtxSetCurrent(context), "can't use " + name());
    return *driver;
  }
  /// The same, after all launches that it is still to be told.
  const CudaDriver& use_next() {
    use();
    queue.flush();
    return *driver;
  }
  /// The same for a destructor: who waits next is told of errors.
  const CudaDriver& use_last() {
    try {
      use_next();
    } catch (const std::runtime_error&) {
    }
    return *driver;
  }
  /// Of what waits for the device, and so is told of errors in kernels that ran before.
  void check_wait(int status, const std::string& what) const {
    if (status != 0) check(*this, status, what + running.text());
  }
  void check_launch(const Launch& launch, int status) {
    if (is_of_earlier_kernel(status) && report.gpu) check_wait(status, "stopped on " + name());
    if (status != 0)
      check(*this, status,
            "can't run kernel " + quoted(launch.kernel) + " on " + name() + " in blocks of " +
                std::to_string(launch.block[0]) + " x " + std::to_string(launch.block[1]) + " x " +
                std::to_string(launch.block[2]));
    if (!report.gpu) return;  // the emulation has run it
    running.add(launch.kernel);
    if (paraiso_support::waits_for_each_kernel()) wait();
  }
  void wait() {
    check_wait(use_next().CtxSynchronize(), "stopped on " + name());
    running.clear();
  }
};

Device::Device(const std::string& wanted, const Interface& cards)
    : state_(std::make_shared<State>(choose(wanted, cards))) {}

const DeviceReport& Device::report() const { return state_->report; }

void Device::require(double bytes, double largest) const {
  require_on_device(report(), bytes, largest);
  std::size_t free = 0, all = 0;
  if (state_->use().MemGetInfo_v2(&free, &all) == 0)
    require_free(report(), bytes, static_cast<double>(free));
}

void Device::finish() const { state_->wait(); }

void Device::begin_call(bool collects) const {
  state_->use();
  state_->queue.begin_call(collects);
}
void Device::end_call() const { state_->queue.end_call(); }
std::int64_t Device::graphs() const { return state_->queue.graphs(); }

// --- memory ---

Memory::Memory(const Device& device, std::size_t bytes) : device_(device.state_), bytes_(bytes) {
  require_on_device(device.report(), static_cast<double>(bytes), static_cast<double>(bytes));
  if (bytes == 0) return;
  const std::string what = no_memory_text(device_->report, bytes);
  std::uint64_t address = 0;
  check(*device_, device_->use().MemAlloc_v2(&address, bytes), what);
  address_ = {new std::uint64_t(address), [state = device_](std::uint64_t* there) {
                state->use_last().MemFree_v2(*there);
                delete there;
              }};
  check(*device_, device_->use().MemsetD8_v2(address, 0, bytes), what);
}

void Memory::upload(const void* from, std::size_t bytes, std::size_t first) {
  if (bytes == 0) return;
  device_->check_wait(device_->use_next().MemcpyHtoD_v2(*address_ + first, from, bytes),
                      "can't copy to " + device_->name());
}

void Memory::download(void* to, std::size_t bytes, std::size_t first) const {
  if (bytes == 0) return;
  device_->check_wait(device_->use_next().MemcpyDtoH_v2(to, *address_ + first, bytes),
                      "can't copy from " + device_->name());
  device_->running.clear();
}

void Memory::copy(const Memory& from) {
  if (bytes_ == 0) return;
  device_->check_wait(device_->use_next().MemcpyDtoD_v2(*address_, *from.address_, bytes_),
                      "can't copy on " + device_->name());
}

// --- kernels ---

Program::Program(const Device& device, const std::string& name, const Image& image)
    : device_(device.state_) {
  const bool emulated = !device_->report.gpu;
  const void* const kernels = emulated ? image.emulated : image.compiled;
  if (!kernels)
    fail(quoted(name) + " was compiled " +
         (emulated ? "for a graphics card, and not for the device `emulated`"
                   : "for the device `emulated`, and not for " + device_->name()));
  void* module = nullptr;
  const int status = device_->use().ModuleLoadData(&module, kernels);
  std::string why;
  if (status == kCudaNoImage) why = ", since they are compiled for another card";
  if (status == kCudaPtxTooNew) why = ", whose driver is older than the compiler of the kernels";
  check(*device_, status,
        "can't load the kernels of " + quoted(name) + " on " + device_->name() + why);
  handle_ = {module, [state = device_](void* loaded) {
               state->use_last();
               state->queue.forget_graphs();
               state->driver->ModuleUnload(loaded);
             }};
}

Kernel::Kernel(const Program& program, const std::string& name, std::size_t shared_bytes,
               bool is_needed)
    : device_(program.device_), program_(program.handle_) {
  launch_.kernel = name;
  launch_.shared_bytes = shared_bytes;
  if (!is_needed && !gives_shared(device_->report, shared_bytes)) return;
  require_shared(device_->report, name, shared_bytes);
  check(*device_, device_->use().ModuleGetFunction(&launch_.function, program_.get(), name.c_str()),
        "has no kernel " + quoted(name) + " for " + device_->name());
  if (shared_bytes == 0) return;
  check(*device_,
        device_->use().FuncSetAttribute(launch_.function, kCudaSharedOfLaunch,
                                        static_cast<int>(shared_bytes)),
        "gives no " + amount_text(static_cast<double>(shared_bytes)) +
            " of shared memory to kernel " + quoted(name) + " on " + device_->name());
}

void Kernel::add(const Memory& memory) {
  const std::uint64_t address = memory.address_ ? *memory.address_ : 0;
  launch_.add(sizeof address, &address);
}

void Kernel::run(const Extent& threads, const Extent& block) {
  if (!launch_.function) require_shared(device_->report, launch_.kernel, launch_.shared_bytes);
  for (std::size_t a = 0; a < 3; ++a) launch_.blocks[a] = (threads[a] + block[a] - 1) / block[a];
  launch_.block = block;
  if (launch_.blocks[0] == 0 || launch_.blocks[1] == 0 || launch_.blocks[2] == 0) return;
  device_->use();
  device_->queue.add(launch_);
}

}  // namespace paraiso_cuda
