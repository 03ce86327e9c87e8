// MachineModel: what the cost model knows about a processor, as one plain value.
// Gives: CacheModel, MachineModel, documented_machine, machine_model, planned_machine. Needs:
// nothing.
//
// Rates are those of one thread unless said otherwise.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paraiso::plan {

struct CacheModel {
  double bytes = 0;  // that one thread may fill: its share, where threads share the cache
  double bytes_per_second = 0;  // that it gives to the next smaller one
};

struct MachineModel {
  std::string processor;  // for people
  int threads = 1;
  double hertz = 0;
  double vector_bytes = 0;  // of a machine vector

  // Whole vectors in a second; as many are loaded, and half as many stored.
  double operations_per_second = 0;
  // Lanes in a second.
  double divides_f64 = 0, divides_f32 = 0, roots_f64 = 0, roots_f32 = 0;
  double window = 0;      // instructions that a core looks ahead
  double registers = 0;   // that hold a vector
  double code_bytes = 0;  // that the first-level cache of instructions holds

  std::vector<CacheModel> caches;  // the smallest first
  double last_level_bytes = 0;     // of all threads, as the system tells; 0: that is not known
  double memory_fetch = 0;         // bytes a second that a thread gets from memory
  double memory_all = 0;           // that all threads together read and write there
  double memory_beside_cache = 0;  // by copies: all threads' there over one's in the last cache
  double turns_from_memory = 1;    // times as long, where loops take rows of several planes in turn
  double memory_latency = 0;       // seconds
  // Of the time that loops and each level of memory would take by themselves, what does not hide
  // behind the longest: nothing where a core computes and moves lines between all levels at once,
  // all where it does one after the other.
  double transfers_exposed = 0.25;
  double parallel_region = 0;      // seconds to start and end one with all threads

  /// "2 threads of Zen 5"
  [[nodiscard]] std::string text() const;
};

/// Two threads of a server's processor with AVX-512, measured once: what plans are made for where
/// nothing is said about the machine.
[[nodiscard]] const MachineModel& documented_machine();

/// Two threads of the processor of such a family (as in runtime::Host), for predictions of what is
/// measured there; documented_machine where nobody has measured its rates.
[[nodiscard]] const MachineModel& machine_model(std::string_view family);

/// What plans are made for on a processor of such a family: documented_machine, but for what makes
/// a choice there the wrong one elsewhere.
[[nodiscard]] MachineModel planned_machine(std::string_view family);

}  // namespace paraiso::plan
