#include "paraiso/plan/machine_model.hpp"

namespace paraiso::plan {

const MachineModel& documented_machine() {
  // Two virtual cores of an Emerald Rapids Xeon, g++ 12. Rates: `reference_limits`, and copies of
  // arrays of 8 KB to 256 MB (what is overwritten counts as fetched, too). Of the third-level cache
  // a guest gets a share of which the system tells nothing: 48 MB a thread, by the same copies. Of
  // the second-level cache's 2 MB a tile had better leave a third to what streams through: so the
  // tiles of heat and acoustic that were fastest among 4 to 64 rows, of 256 and 512 cells. The
  // window is what fits loops of 40 to 330 instructions best: less than the processor's, which also
  // runs out of schedulers.
  static const MachineModel machine = {
      .source = "documented: 2 threads with AVX-512",
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
      .caches = {{48e3, 350e9}, {1.3e6, 78e9}, {48e6, 29e9}},
      .memory_fetch = 15.5e9,
      .memory_all = 38e9,
      .memory_latency = 110e-9,
      .parallel_region = 1.5e-6,
  };
  return machine;
}

namespace {

const MachineModel& zen5() {
  // Two virtual cores of an EPYC, g++ 12, measured and fitted in the same way. The second-level
  // cache has 1 MB a core, the third 32 MB for both.
  static const MachineModel machine = {
      .source = "2 threads of Zen 5",
      .threads = 2,
      .hertz = 3.7e9,
      .vector_bytes = 64,
      .operations_per_second = 14.8e9,
      .divides_f64 = 7.4e9,
      .divides_f32 = 24e9,
      .roots_f64 = 4e9,
      .roots_f32 = 13.3e9,
      .window = 256,
      .registers = 32,
      .caches = {{48e3, 470e9}, {0.5e6, 96e9}, {24e6, 77e9}},
      .memory_fetch = 27e9,
      .memory_all = 70e9,
      .memory_latency = 110e-9,
      .parallel_region = 2e-6,
  };
  return machine;
}

}  // namespace

const MachineModel& machine_model(std::string_view family) {
  return family.starts_with("AuthenticAMD 26 ") ? zen5() : documented_machine();
}

}  // namespace paraiso::plan
