#include "paraiso/plan/cost/machine_model.hpp"

#include <fmt/format.h>

namespace paraiso::plan {

namespace {

// The fraction of a thread's measured last-level cache that plans count on: a virtual machine gets
// a share of L3 that the system does not report.
constexpr double kSurePart = 0.4;

using M = MachineModel;
constexpr MachineField kFields[] = {
    {"hertz", &M::hertz, 2e8, 2e10, "cycles a second"},
    {"vector_bytes", &M::vector_bytes, 8, 256, "bytes of a machine vector"},
    {"registers", &M::registers, 8, 128, "registers that hold one"},
    {"operations_per_second", &M::operations_per_second, 1e8, 1e12,
     "operations on vectors a second"},
    {"fused_operations", &M::fused_operations, 1, 1000, "operations that a multiply-add takes"},
    {"divides_f64", &M::divides_f64, 1e7, 1e12, "f64 divides a second"},
    {"divides_f32", &M::divides_f32, 1e7, 1e12, "f32 divides a second"},
    {"roots_f64", &M::roots_f64, 1e7, 1e12, "f64 roots a second"},
    {"roots_f32", &M::roots_f32, 1e7, 1e12, "f32 roots a second"},
    {"last_level_bytes", &M::last_level_bytes, 0, 1e11, "bytes of the last-level cache, of all"},
    {"memory_fetch", &M::memory_fetch, 1e8, 1e13, "bytes a second from memory for a thread"},
    {"memory_all", &M::memory_all, 1e8, 1e14, "bytes a second from and to memory for all"},
    {"parallel_region", &M::parallel_region, 0, 2e-5, "seconds to start all threads"},
    {"miss_seconds", &M::miss_seconds, 0, 1e-5, "seconds until a miss comes from memory", true},
};

using C = ModelConstants;
constexpr ModelConstant kConstants[] = {
    {"window", &C::window},
    {"arithmetic_latency", &C::arithmetic_latency},
    {"load_latency", &C::load_latency},
    {"exposed", &C::exposed},
    {"transfers_exposed", &C::transfers_exposed},
    {"row_cycles", &C::row_cycles},
    {"row_pointer_cycles", &C::row_pointer_cycles},
    {"row_end_cycles", &C::row_end_cycles},
    {"own_end_cycles", &C::own_end_cycles},
    {"turns_from_memory", &C::turns_from_memory},
    {"cache_edge", &C::cache_edge},
    {"cache_softness", &C::cache_softness},
    {"bytes_ahead", &C::bytes_ahead},
    {"misses_a_page", &C::misses_a_page},
};

}  // namespace

std::span<const MachineField> machine_fields() { return kFields; }
std::span<const ModelConstant> model_constants() { return kConstants; }

const MachineModel& documented_machine() {
  static const MachineModel machine = {
      .processor = "the documented machine with AVX-512",
      .threads = 2,
      .hertz = 3e9,
      .vector_bytes = 64,
      .registers = 32,
      .operations_per_second = 6e9,
      .fused_operations = 1,
      .divides_f64 = 1.5e9,
      .divides_f32 = 5e9,
      .roots_f64 = 1.25e9,
      .roots_f32 = 4e9,
      .caches = {{48e3, 400e9}, {1.3e6, 48e9}, {20e6, 18e9}},
      .last_level_bytes = 0,
      .memory_fetch = 9e9,
      .memory_all = 40e9,
      .parallel_region = 1.5e-6,
      .miss_seconds = 100e-9,
  };
  return machine;
}

MachineModel cautious(MachineModel machine) {
  if (machine.caches.size() > 2) machine.caches.back().bytes *= kSurePart;
  return machine;
}

std::string MachineModel::text() const {
  return fmt::format("{} thread{} of {}", threads, threads == 1 ? "" : "s", processor);
}

}  // namespace paraiso::plan
