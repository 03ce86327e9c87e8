// Prepared: a program with its grid, parameters and compiler, at rest, and the call that it is for.
// Gives: Execution, Prepared, ranks_of, largest_part, declare_execution, declare_database,
// read_names. Needs: building, machine_choice, division_choice.
#pragma once

#include <memory>
#include <optional>

#include "cli/choices/division_choice.hpp"
#include "cli/prepared/building.hpp"
#include "cli/prepared/machine_choice.hpp"
#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/fields/parameters.hpp"
#include "paraiso/runtime/fields/record.hpp"

namespace paraiso::cli {

struct Execution {
  MachineChoice machine;
  Building building;
  std::string size;                               // as typed; empty: the problem's own
  std::vector<std::string> set;                   // "name=value"
  std::optional<runtime::Parameters> parameters;  // instead: values, in a worker's task
  bool restarts = false;  // from a checkpoint, which may have a domain of its own
  std::string database;   // of tuning results; empty: the user's
  DivisionChoice division;
  int threads = 0;  // within each rank; 0: all that this process may use, divided among the ranks
  bool json = false;
};

/// A program in memory, at rest before its initial kernel.
struct Prepared {
  ChosenMachine chosen;
  om::Machine program;  // after all passes
  passes::Fusion fusion;
  std::vector<std::int64_t> size;
  runtime::Parameters parameters;
  std::vector<plan::Gene>
      genes;          // of the program; for the interpreter those of the default backend
  bool skew = false;  // a tuner may shift storage, too
  ScheduleChoice schedule;
  std::optional<plan::Plan> plan;  // of the program under that schedule; none for the interpreter
  plan::Thresholds tuning;         // of its loops and versions, where asked for
  std::string version;             // that runs; empty if there are none
  std::unique_ptr<runtime::Instance> instance;
  std::string compiler;               // "g++"; empty for the interpreter
  std::string device;                 // its name; empty where threads of this host run
  plan::Target target;                // without a name for the interpreter
  std::optional<om::Orthotree> tree;  // of a divided grid
  std::vector<double> rank_memory;    // bytes that a graph of the hardware has for each rank
  int threads = 1;                    // within each rank
  double sharing = 1;                 // ranks of this host that share a last cache
  double bytes = 0;                   // of the instance
  std::vector<double> process_bytes;  // of each rank, if each has a process: all that it takes
  double compile_seconds = 0;         // 0 if it came from the cache
  runtime::Record record;
};

/// Of the grid: 1 if it is not divided.
[[nodiscard]] inline std::size_t ranks_of(const Prepared& prepared) {
  return prepared.tree ? prepared.tree->leaf_count() : 1;
}
/// The cells along each axis of the part that has the most; of a whole grid its size.
[[nodiscard]] std::vector<std::int64_t> largest_part(const Prepared& prepared);
[[nodiscard]] std::vector<std::int64_t> largest_part(const std::vector<std::int64_t>& size,
                                                     const std::optional<om::Orthotree>& tree);

void declare_execution(CLI::App& command, Execution& execution, bool interprets);
void declare_database(CLI::App& command, Execution& execution);

/// Everything that is known before anything is planned: sizes, names, parameters, and for generated
/// code what it is compiled by and for. `work` is what a program without steps can't do.
[[nodiscard]] Prepared read_names(const Session& session, const Execution& execution,
                                  const char* work);

}  // namespace paraiso::cli
