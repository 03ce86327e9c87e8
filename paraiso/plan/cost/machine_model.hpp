// MachineModel: what the cost model knows about a processor, as one plain value.
// Gives: CacheModel, ModelConstants, MachineModel, MachineField, machine_fields, ModelConstant,
// model_constants, documented_machine, cautious. Needs: nothing.
//
// What differs between machines is measured on each (runtime/calibrate.hpp) and kept in a file
// (runtime/machine_file.hpp); what nobody can measure is one constant for all of them. Rates are
// those of one thread unless said otherwise.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace paraiso::plan {

struct CacheModel {
  double bytes = 0;  // that one thread may fill: its share, where threads share the cache
  double bytes_per_second = 0;  // that it gives to the next smaller one
};

/// Of all machines: fitted to the built-in apps (bench/predicted.py), but for what is said.
struct ModelConstants {
  double window = 200;            // instructions that a core looks ahead
  double arithmetic_latency = 3;  // cycles until a result can be used: of simple arithmetic,
  double load_latency = 6;        // of a load,
  double divider_latency = 12;    // of a divide or root, beside what the divider is busy
  double exposed = 0.25;  // of a core's shorter limits, what does not hide behind the longest
  double transfers_exposed = 0.25;   // the same between the core and the levels of memory
  double code_bytes = 32e3;          // of the first-level cache of instructions: any processor's
  double code_bytes_per_cycle = 16;  // that come from the second level
  double row_cycles = 25;            // to start a loop over a row
  double row_pointer_cycles = 0.7;   // for each row that it reads or writes
  double row_end_cycles = 30;        // to fill the halo cells at both ends of a row
  double own_end_cycles = 20;        // to make them where the row is read
  double copy_bytes_per_cycle = 16;  // of halo rows in cache
  double page_seconds = 200e-9;      // waited at the beginning of a page that nobody asked for
  double turns_from_memory = 1.12;   // times as long, where rows of several planes come in turn
  double transfer_part = 0.6;        // of what copies move in a second, what loops over rows do
  double cache_edge = 0.5;           // the part of a cache from which on something is lost from it,
  double cache_softness = 0.75;      // and how much more, until all is
};

struct MachineModel {
  std::string processor;  // for people
  int threads = 1;
  double hertz = 0;
  double vector_bytes = 0;  // of a machine vector
  double registers = 0;     // that hold one

  double operations_per_second = 0;  // whole vectors
  double fused_operations = 1;       // that a fused multiply-add takes: more where there is none
  // Lanes in a second.
  double divides_f64 = 0, divides_f32 = 0, roots_f64 = 0, roots_f32 = 0;

  // The smallest first. Of the first one, what loads get; stores take two turns of it.
  std::vector<CacheModel> caches;
  double last_level_bytes = 0;  // of all threads, as the system tells; 0: that is not known
  double memory_fetch = 0;      // bytes a second that a thread gets from memory
  double memory_all = 0;        // that all threads together read and write there
  double parallel_region = 0;   // seconds to start and end one with all threads

  ModelConstants constants = {};

  /// "2 threads of Zen 5"
  [[nodiscard]] std::string text() const;
};

/// What is measured, but for the caches: how a file calls it, and between what it is believed.
struct MachineField {
  const char* name;
  double MachineModel::*value;
  double least, most;
  const char* text;  // for people, with the unit
};
[[nodiscard]] std::span<const MachineField> machine_fields();
/// Caches alike: least and most of their bytes, and of their bytes a second.
inline constexpr double kLeastCache = 4e3, kMostCache = 4e9, kSlowestCache = 1e9,
                        kFastestCache = 1e13;

struct ModelConstant {
  const char* name;
  double ModelConstants::*value;
};
[[nodiscard]] std::span<const ModelConstant> model_constants();

/// A machine of round numbers that nobody has measured, two threads of a server with AVX-512: what
/// is planned for where nothing is said about the machine, and what the number of threads that a
/// loop is worth is reckoned for, so that generated code is the same everywhere.
[[nodiscard]] const MachineModel& documented_machine();

/// What plans are made for on a machine: neighbours use the last-level cache, too. Tiles for a part
/// of it cost little where more is there, and lose up to half of their time where it is not.
[[nodiscard]] MachineModel cautious(MachineModel machine);

}  // namespace paraiso::plan
