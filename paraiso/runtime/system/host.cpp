#include "paraiso/runtime/system/host.hpp"

#include <hwloc.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace paraiso::runtime {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

Topology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  Topology topology(raw);
  return hwloc_topology_load(raw) == 0 ? std::move(topology) : nullptr;
}

/// The value of the first `key : value` line of /proc/cpuinfo whose key is one of `keys`.
std::string cpuinfo(std::initializer_list<const char*> keys) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    auto key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    for (const char* wanted : keys)
      if (key == wanted && colon + 2 <= line.size()) return line.substr(colon + 2);
  }
  return {};
}

// Only what changes the code that compilers make, in /proc/cpuinfo's spelling (x86, then Arm).
constexpr const char* kSimd[] = {
    "sse4_2",      "avx",      "avx2",     "fma",      "f16c",
    "avx512f",     "avx512dq", "avx512bw", "avx512vl", "avx512_vnni",
    "avx512_fp16", "amx_tile", "asimd",    "sve",      "sve2",
};

std::vector<std::string> features() {
  std::istringstream words(cpuinfo({"flags", "Features"}));
  std::vector<std::string> found;
  for (std::string word; words >> word;) found.push_back(word);
  return found;
}

std::vector<std::string> simd(const std::vector<std::string>& features) {
  std::vector<std::string> found;
  for (const char* name : kSimd)
    if (std::ranges::count(features, name)) found.push_back(name);
  return found;
}

void read_caches(hwloc_topology_t topology, Host& host) {
  for (int level = 1; level <= 5; ++level) {
    int depth =
        hwloc_get_cache_type_depth(topology, static_cast<unsigned>(level), HWLOC_OBJ_CACHE_DATA);
    if (depth < 0) continue;
    int count = static_cast<int>(hwloc_get_nbobjs_by_depth(topology, depth));
    if (auto* object = hwloc_get_obj_by_depth(topology, depth, 0))
      host.caches.push_back({level, static_cast<std::int64_t>(object->attr->cache.size), count});
  }
}

void read_topology(Host& host) {
  auto topology = load_topology();
  if (!topology) return;
  auto count = [&](hwloc_obj_type_t type) {
    return std::max(1, hwloc_get_nbobjs_by_type(topology.get(), type));
  };
  host.numa_nodes = count(HWLOC_OBJ_NUMANODE);
  host.cores = std::min(count(HWLOC_OBJ_CORE), host.threads);
  read_caches(topology.get(), host);
}

Host look_up() {
  Host host;
  utsname names;
  if (uname(&names) == 0) {
    host.name = names.nodename;
    host.architecture = names.machine;
  }
  host.cpu = cpuinfo({"model name", "Model", "Hardware"});
  if (host.cpu.empty()) host.cpu = host.architecture;
  if (const std::string vendor = cpuinfo({"vendor_id"}); !vendor.empty())
    host.family = vendor + ' ' + cpuinfo({"cpu family"}) + ' ' + cpuinfo({"model"});
  host.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  host.cores = host.threads;
  host.features = features();
  host.simd = simd(host.features);
  // Not hwloc's sum over nodes, which leaves out memory that was added while the machine ran.
  host.memory_bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  read_topology(host);
  return host;
}

}  // namespace

bool Host::has(std::string_view simd_name) const {
  return std::find(simd.begin(), simd.end(), simd_name) != simd.end();
}

const Host& host() {
  static const Host found = look_up();
  return found;
}

std::string fingerprint(const Host& host) {
  std::ostringstream text;
  text << host.architecture << "; " << host.cpu << "; " << host.cores << " cores; caches";
  for (const auto& cache : host.caches) text << ' ' << cache.bytes << 'x' << cache.count;
  text << ';';
  for (const auto& name : host.simd) text << ' ' << name;
  return text.str();
}

}  // namespace paraiso::runtime
