// Host: the hardware of this machine, for `doctor`, the cost model and cache keys.
// Gives: HostCache, Host, host, fingerprint. Needs: hwloc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace paraiso::runtime {

struct HostCache {
  int level = 1;
  std::int64_t bytes = 0;  // of one such cache
  int count = 1;           // how many of them
};

struct Host {
  std::string name;          // as in `uname -n`
  std::string cpu;           // "Intel(R) Xeon(R) Platinum 8481C"
  std::string family;        // "GenuineIntel 6 207": vendor, family, model; empty if unknown
  std::string architecture;  // "x86_64"
  int cores = 1;             // physical ones that this process may use
  int threads = 1;           // hardware threads that this process may use
  int numa_nodes = 1;
  std::vector<HostCache> caches;           // data caches, level 1 first
  std::vector<std::string> simd;           // "sse4_2", "avx", "avx2", "fma", "avx512f", ...
  std::vector<std::string> features = {};  // all that Linux reports of the processor
  double memory_bytes = 0;                 // installed

  [[nodiscard]] bool has(std::string_view simd_name) const;
};

/// Determined once per process.
[[nodiscard]] const Host& host();

/// Equal if compiled code and tuning results may be shared: CPU, SIMD, caches; not the name.
[[nodiscard]] std::string fingerprint(const Host& host);

}  // namespace paraiso::runtime
