#include "paraiso/runtime/calibrate/calibrate.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/codegen/support_text.hpp"
#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/build/library.hpp"
#include "paraiso/runtime/system/digest.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"

namespace paraiso::runtime {
namespace {

constexpr const char* kOptimization = "-O3";
constexpr int kEvaluation = 2;  // grows when the same samples make another machine
// Tiles should leave a third of L2 and beyond to data that streams through.
constexpr double kMayFill = 2.0 / 3;
// Separate units make a mixture of additions and multiply-adds at most this many times as fast as
// multiply-adds alone; if those are slower still, they are not one instruction.
constexpr double kOwnUnits = 4;
constexpr int kRounds = 3;
constexpr double kLong = 64e6;  // bytes that take long to go through
// Bytes gone through to measure memory: a multiple of the last-level cache, which threads share,
// within these bounds; the system takes long to give more.
constexpr double kBeyondCaches = 4, kLeastBytes = 64e6, kMostBytes = 256e6;
constexpr double kMostOfEach = 128e6;  // where all threads go through as many

/// A number of bytes, and the bytes per second that each thread fetches when all go through as
/// many.
struct Fetched {
  double bytes, rate;
};

/// From L1 to memory, two sizes per octave, and one where each takes long; for each the best of
/// several rounds, since other programs come and go.
std::vector<Fetched> sweep(const Sampler& probe, int threads, double most) {
  std::vector<Fetched> list;
  for (double bytes = 1 << 14; bytes < 1.1 * most; bytes *= bytes < kLong ? std::sqrt(2) : 2)
    list.push_back({bytes, 0});
  for (int round = 0; round < kRounds; ++round)
    for (auto one = list.rbegin(); one != list.rend(); ++one)  // the largest memory serves for all
      one->rate = std::max(one->rate, probe("stencil", one->bytes, threads));
  return list;
}

/// The best of the sizes that lie well within a level and well beyond the one before.
double rate_within(const std::vector<Fetched>& list, double smaller, double bytes) {
  double best = 0;
  for (const Fetched& one : list)
    if (one.bytes > 1.4 * smaller && one.bytes < 0.8 * bytes) best = std::max(best, one.rate);
  return best;
}

/// How much of a shared cache a thread's data fits in: up to where rates are closer to the cache's
/// rate than to memory's; at most what the system reports, and at least a quarter: other programs
/// may be at work.
double bytes_that_fit(const std::vector<Fetched>& list, double told, double rate, double next) {
  double fit = told / 4;
  for (const Fetched& one : list)
    if (one.rate > std::sqrt(rate * next)) fit = std::max(fit, one.bytes);
  return std::min(fit, told);
}

/// The caches that the system reports, or those that most processors have: a thread's part where
/// several threads have one, and all of the last one, whose part is measured.
std::vector<double> told_caches(const Host& host) {
  std::vector<double> list;
  for (const HostCache& cache : host.caches) {
    const bool measured = host.caches.size() > 2 && &cache == &host.caches.back();
    const double parts = measured ? 1 : std::max(1.0, double(host.threads) / cache.count);
    list.push_back(static_cast<double>(cache.bytes) / parts);
  }
  constexpr double kUsual[] = {32e3, 512e3, 8e6};
  while (list.size() < std::size(kUsual)) list.push_back(kUsual[list.size()]);
  return list;
}

std::vector<plan::CacheModel> caches_of(const std::vector<Fetched>& list,
                                        const std::vector<double>& told, double loads,
                                        double memory) {
  std::vector<double> rates = {loads};
  for (std::size_t level = 1; level < told.size(); ++level) {
    const double rate = rate_within(list, told[level - 1], told[level]);
    rates.push_back(rate > 0 ? std::min(rate, rates.back()) : rates.back());
  }
  std::vector<plan::CacheModel> caches = {{told[0], loads}};
  for (std::size_t level = 1; level < told.size(); ++level) {
    const bool last = level > 1 && level + 1 == told.size();
    const double fit = last ? bytes_that_fit(list, told[level], rates[level], memory) : told[level];
    caches.push_back({kMayFill * fit, rates[level]});
  }
  return caches;
}

void measure_arithmetic(const Sampler& probe, plan::MachineModel& machine) {
  const auto rate = [&](const char* name) { return probe(name, 0, machine.threads); };
  const double sums = rate("add"), fused = rate("madd"), both = rate("add and madd");
  machine.hertz = rate("cycles");
  machine.operations_per_second = std::max(sums, both);
  const double slower = machine.operations_per_second / fused;
  machine.fused_operations = slower > kOwnUnits ? slower : 1;
  machine.divides_f64 = rate("divide f64");
  machine.divides_f32 = rate("divide f32");
  machine.roots_f64 = rate("root f64");
  machine.roots_f32 = rate("root f32");
}

void keep_within_bounds(plan::MachineModel& machine) {
  for (const plan::MachineField& field : plan::machine_fields())
    machine.*field.value = std::clamp(machine.*field.value, field.least, field.most);
  for (plan::CacheModel& cache : machine.caches) {
    cache.bytes = std::clamp(cache.bytes, plan::kLeastCache, plan::kMostCache);
    cache.bytes_per_second =
        std::clamp(cache.bytes_per_second, plan::kSlowestCache, plan::kFastestCache);
  }
}

struct Unload {
  void operator()(void* handle) const { dlclose(handle); }
};

}  // namespace

plan::MachineModel measured_machine(const Sampler& probe, const Host& host,
                                    const plan::Target& target, double bytes) {
  plan::MachineModel machine;
  machine.processor = host.cpu;
  machine.threads = host.threads;
  machine.vector_bytes = target.vector_bytes;
  machine.registers = target.vector_registers;
  measure_arithmetic(probe, machine);
  const std::vector<double> told = told_caches(host);
  const double beyond = kBeyondCaches * told.back();
  const double most = std::min(bytes, std::clamp(beyond, kLeastBytes, kMostBytes));
  const double each =
      std::min(bytes, std::clamp(beyond / machine.threads, kLeastBytes, kMostOfEach));
  const auto list = sweep(probe, machine.threads, each);
  for (int round = 0; round < kRounds; ++round) {
    machine.memory_fetch = std::max(machine.memory_fetch, probe("arrays", most, 1));
    machine.memory_all =
        std::max(machine.memory_all, probe("copy together", each, machine.threads));
  }
  machine.caches = caches_of(list, told, probe("load", 0, machine.threads) * machine.vector_bytes,
                             std::min(machine.memory_fetch, list.back().rate));
  if (host.caches.size() > 2)
    machine.last_level_bytes = static_cast<double>(host.caches.back().bytes);
  machine.parallel_region = 1 / probe("region", 0, machine.threads);
  machine.miss_seconds = 1 / probe("miss", most, 1);
  keep_within_bounds(machine);
  return machine;
}

MachineFile calibrate(const Toolchain& toolchain, const plan::Target& target) {
  const TemporaryFolder folder;
  write_file(folder.path() / "paraiso_support.hpp", codegen::support_header());
  write_file(folder.path() / "paraiso_support.cpp", "");  // probes call no elementary functions
  write_file(folder.path() / "probe.cpp",
             fmt::format("#include \"paraiso_support.hpp\"\n\n{}", probe_source()));
  build_library(toolchain, kOptimization, target, folder.path(), "probe.cpp",
                "paraiso_support.cpp");
  const auto library = folder.path() / "library.so";
  const std::unique_ptr<void, Unload> handle(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!handle) throw Error(fmt::format("can't load `{}`: {}", library.string(), dlerror()));
  keep_openmp_loaded();
  WatchedProbe probe(reinterpret_cast<Probe>(dlsym(handle.get(), "paraiso_probe")), this_process());
  const double bytes = available_memory().bytes / 4 / host().threads;
  const auto machine = measured_machine(std::ref(probe), host(), target, bytes);
  return {machine, target.name, toolchain.version, fingerprint(host()), probe.busy()};
}

std::filesystem::path kept_machine_path(const Toolchain& toolchain, const plan::Target& target,
                                        const Host& measured) {
  nlohmann::ordered_json all = {{"compiler", toolchain.path.string()},
                                {"compiler_version", toolchain.version},
                                {"flags", kernel_flags(toolchain, kOptimization, target)},
                                {"host", fingerprint(measured)},
                                {"threads", measured.threads},
                                {"probe", sha256(probe_source())},
                                {"evaluation", kEvaluation},
                                {"support", sha256(codegen::support_header())}};
  return Cache(cache_folder()).folder() /
         fmt::format("machine-{}.json", sha256(all.dump()).substr(0, 16));
}

}  // namespace paraiso::runtime
