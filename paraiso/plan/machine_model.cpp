#include "paraiso/plan/machine_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace paraiso::plan {

namespace {

const MachineModel& emerald_rapids() {
  // Two virtual cores of an Emerald Rapids Xeon, g++ 12. Rates: `reference_limits`, and copies of
  // arrays of 8 KB to 256 MB (what is overwritten counts as fetched, too). Of the third-level cache
  // a guest gets a share of which the system tells nothing: 48 MB a thread, by the same copies; its
  // whole size was not noted. Of the second-level cache's 2 MB a tile had better leave a third to
  // what streams through: so the tiles of heat and acoustic that were fastest among 4 to 64 rows,
  // of 256 and 512 cells. The window is what fits loops of 40 to 330 instructions best: less than
  // the processor's, which also runs out of schedulers.
  static const MachineModel machine = {
      .processor = "Emerald Rapids",
      .threads = 2,
      .hertz = 2.8e9,
      .vector_bytes = 64,
      .operations_per_second = 5.5e9,
      .divides_f64 = 1.45e9,
      .divides_f32 = 4.7e9,
      .roots_f64 = 1.3e9,
      .roots_f32 = 3.9e9,
      .window = 256,
      .registers = 32,
      .code_bytes = 32e3,
      .caches = {{48e3, 350e9}, {1.3e6, 78e9}, {48e6, 29e9}},
      .memory_fetch = 15.5e9,
      .memory_all = 38e9,
      .memory_beside_cache = 38.0 / 29,
      .memory_latency = 110e-9,
      .parallel_region = 1.5e-6,
  };
  return machine;
}

const MachineModel& zen5() {
  // Two virtual cores of an EPYC, g++ 12. Arithmetic: `reference_limits`, and that additions and
  // multiply-adds have units of their own. The rest is fitted to the apps at 49 sizes, the best of
  // runs at different hours: neighbours share the third-level cache and the memory. Of the second
  // level's 1 MB a tile had better leave a third; of the third's 32 MB a thread gets two thirds.
  static const MachineModel machine = {
      .processor = "Zen 5",
      .threads = 2,
      .hertz = 3.7e9,
      .vector_bytes = 64,
      .operations_per_second = 14.8e9,
      .divides_f64 = 7.4e9,
      .divides_f32 = 24e9,
      .roots_f64 = 4e9,
      .roots_f32 = 13.3e9,
      .window = 170,
      .registers = 32,
      .code_bytes = 32e3,
      .caches = {{48e3, 470e9}, {0.7e6, 120e9}, {20e6, 95e9}},
      .last_level_bytes = 32768.0 * 1024,
      .memory_fetch = 25e9,
      .memory_all = 75e9,
      .memory_beside_cache = 75.0 / 95,
      .turns_from_memory = 1.12,
      .memory_latency = 50e-9,
      .parallel_region = 0.5e-6,
  };
  return machine;
}

const MachineModel& xeon_167() {
  // Two virtual cores of a Xeon with AMX, 2 MB of second-level and 480 MB of third-level cache (by
  // that, a Granite Rapids, though it calls itself model 167), g++ 12. Arithmetic:
  // `reference_limits`. Caches and memory: fitted to the apps at 49 sizes, since Intel's cores move
  // lines between two levels and compute for the most part one after the other (as the
  // execution-cache-memory model has it): the copies that `reference_limits` times take all levels
  // together, and so say less of each than these rates. Pages that follow each other are fetched
  // ahead. Or else Emerald Rapids'.
  static const MachineModel machine = [] {
    MachineModel xeon = emerald_rapids();
    xeon.processor = "Xeon (model 167)";
    xeon.hertz = 3.5e9;
    xeon.operations_per_second = 6.9e9;
    xeon.divides_f64 = 1.78e9;
    xeon.divides_f32 = 5.7e9;
    xeon.roots_f64 = 1.58e9;
    xeon.roots_f32 = 4.8e9;
    xeon.caches = {{48e3, 440e9}, {2.4e6, 200e9}, {47e6, 41e9}};
    xeon.last_level_bytes = 491520.0 * 1024;
    xeon.memory_fetch = 22e9;
    xeon.memory_all = 59e9;
    xeon.memory_beside_cache = 48.0 / 28;
    xeon.memory_latency = 20e-9;
    xeon.transfers_exposed = 0.55;
    xeon.parallel_region = 5.5e-6;
    return xeon;
  }();
  return machine;
}

}  // namespace

const MachineModel& documented_machine() {
  // Emerald Rapids among neighbours that use the third-level cache, too: tiles for 8 MB a thread
  // cost little where more is there, and lose up to half of their time where it is not.
  static const MachineModel machine = [] {
    MachineModel guest = emerald_rapids();
    guest.processor = "the documented processor with AVX-512";
    guest.caches.back().bytes = 8e6;
    return guest;
  }();
  return machine;
}

std::string MachineModel::text() const {
  return fmt::format("{} thread{} of {}", threads, threads == 1 ? "" : "s", processor);
}

const MachineModel& machine_model(std::string_view family) {
  if (family.starts_with("AuthenticAMD 26 ")) return zen5();
  if (family == "GenuineIntel 6 207") return emerald_rapids();
  if (family == "GenuineIntel 6 167") return xeon_167();
  return documented_machine();
}

MachineModel planned_machine(std::string_view family) {
  MachineModel machine = documented_machine();
  const MachineModel& own = machine_model(family);
  machine.turns_from_memory = own.turns_from_memory;
  // Where memory gives nearly as much as the third-level cache, tiles had better lie in the second.
  const double beside = own.memory_beside_cache * machine.caches.back().bytes_per_second;
  machine.memory_all = std::max(machine.memory_all, beside);
  return machine;
}

}  // namespace paraiso::plan
