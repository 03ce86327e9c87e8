// MachineModel: what the cost model knows about a processor, as one plain value.
// Gives: CacheModel, ModelConstants, MachineModel, MachineField, machine_fields, ModelConstant,
// model_constants, documented_machine, cautious. Needs: nothing.
//
// What differs between machines is measured on each (runtime/calibrate) and kept in a file
// (runtime/calibrate/machine_file.hpp). What can't be measured is one constant for all of them.
// Rates are those of one thread unless stated otherwise.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace paraiso::plan {

struct DeviceModel;  // device/cost/device_model.hpp

struct CacheModel {
  double bytes = 0;             // available to one thread: its share, where threads share the cache
  double bytes_per_second = 0;  // from it to the next smaller one
};

/// The same for all machines, and fitted to the built-in apps (bench/predicted.py) unless stated
/// otherwise.
struct ModelConstants {
  double window = 200;            // instructions that a core looks ahead
  double arithmetic_latency = 3;  // cycles until a result can be used: of simple arithmetic,
  double load_latency = 6;        // of a load,
  double exposed = 0.25;  // fraction of a core's shorter limits that the longest does not hide
  double transfers_exposed = 0.25;  // the same between the core and the levels of memory
  double row_cycles = 25;           // to start a loop over a row
  double row_pointer_cycles = 0.7;  // for each row that it reads or writes
  double row_end_cycles = 30;       // to fill the ghost cells at both ends of a row
  double own_end_cycles = 20;       // to compute them where the row is read
  double turns_from_memory = 1.12;  // times as long where unroll-and-jam reads several planes
  double cache_edge = 0.5;          // data starts to be evicted at this fraction of a cache,
  double cache_softness = 0.75;     // and all of it is evicted at this fraction more
  double bytes_ahead = 512;         // that prefetchers fetch beyond the end of a piece of a row
  double misses_a_page = 2;         // until they see a stream
};

struct MachineModel {
  std::string processor;  // for people
  int threads = 1;
  double hertz = 0;
  double vector_bytes = 0;  // of a machine vector
  double registers = 0;     // for vectors

  double operations_per_second = 0;  // whole vectors
  double fused_operations = 1;       // of a fused multiply-add: more where it is emulated
  // Lanes in a second.
  double divides_f64 = 0, divides_f32 = 0, roots_f64 = 0, roots_f32 = 0;

  // The smallest first. The rate of the first one is that of loads; stores take twice as long.
  std::vector<CacheModel> caches;
  double last_level_bytes = 0;   // the whole cache, as the system reports it; 0: not known
  double memory_fetch = 0;       // bytes a second from memory for one thread's loop over arrays
  double memory_all = 0;         // read and written by all threads together
  double parallel_region = 0;    // seconds to start and end one with all threads
  double miss_seconds = 100e-9;  // until what a core waits for comes from memory

  ModelConstants constants = {};

  // That programs run on beside the processor; nullptr: none, or one that says nothing of itself.
  std::shared_ptr<const DeviceModel> device = nullptr;

  /// "2 threads of Zen 5"
  [[nodiscard]] std::string text() const;
};

/// One measured value (caches are apart): its name in files, and the range that is accepted.
struct MachineField {
  const char* name;
  double MachineModel::*value;
  double least, most;
  const char* text;    // for people, with the unit
  bool newer = false;  // than kept files and features: they may lack it, and mean the default
};
[[nodiscard]] std::span<const MachineField> machine_fields();
/// The same for caches: bounds of their bytes, and of their bytes a second.
inline constexpr double kLeastCache = 4e3, kMostCache = 4e9, kSlowestCache = 1e9,
                        kFastestCache = 1e13;

struct ModelConstant {
  const char* name;
  double ModelConstants::*value;
};
[[nodiscard]] std::span<const ModelConstant> model_constants();

/// A machine of round numbers, not measured: two threads of a server with AVX-512. Plans are made
/// for it where no machine is given. Generated code decides by its speed how many threads a loop is
/// worth, so that the code is the same everywhere.
[[nodiscard]] const MachineModel& documented_machine();

/// The machine to plan for: with only part of the last-level cache, which neighbours use too. Tiles
/// that fit that part cost little where more is available; tiles that need more cache than there is
/// take up to twice as long.
[[nodiscard]] MachineModel cautious(MachineModel machine);

}  // namespace paraiso::plan
