#include "paraiso/plan/device/cost/serial_cost.hpp"

#include <set>

#include "paraiso/plan/device/cost/block_work.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

// Guesses, not fitted: they keep the order in which PoCL was once measured, hydro in two dimensions
// with values in arrays before the same with values kept.
constexpr double kTurnOperations = 4;  // to come to a thread's cell
constexpr double kKeptOperations = 3;  // to read or write what is kept, in memory

/// Reads and writes of what the block keeps, for one cell.
double kept_accesses(const Stage& stage) {
  double count = static_cast<double>(stage.buffer_writes.size());
  for (const Term& term : stage.expansion.terms) count += term.kind == Term::Kind::read_buffer;
  return count;
}

double loads_and_stores(const Stage& stage) {
  double count = static_cast<double>(stage.outputs.size());
  for (const Term& term : stage.expansion.terms) count += term.reads_array();
  return count;
}

double bytes_of_cell(const KernelPlan& kernel, const Group& group) {
  std::set<ArrayRef> touched;
  for (const Stage& stage : group.stages) {
    for (const Output& output : stage.outputs) touched.insert(output.array);
    for (const Term& term : stage.expansion.terms)
      if (const auto array = kernel.array_read(group, term)) touched.insert(*array);
  }
  double bytes = 0;
  for (const ArrayRef& array : touched) bytes += static_cast<double>(size_of(array.element));
  return bytes;
}

}  // namespace

SerialTime serial_time(const KernelPlan& kernel, const Group& group, const Setting& setting,
                       const DeviceModel& device) {
  const LaunchShape shape = launch_shape(group, setting.size);
  double operations = 0, kept = 0;  // of all blocks
  for (const Stage& stage : group.stages) {
    double columns = 1, threads = 1;
    for (std::size_t t = 0; t < shape.block.axes.size(); ++t) {
      columns *= shape.columns_of(stage, t);
      threads *= shape.block.threads[t];
    }
    const double planes = shape.blocks * shape.filled * shape.planes_of(stage);
    operations += planes * columns *
                  (stage.expansion.operations(kernel.kernel->graph) + loads_and_stores(stage));
    kept += planes * (threads * kTurnOperations + columns * kKeptOperations * kept_accesses(stage));
  }
  const double rate = device.units * setting.machine.operations_per_second;
  return {operations / rate,
          shape.all_cells * bytes_of_cell(kernel, group) / setting.machine.memory_all, kept / rate};
}

}  // namespace paraiso::plan
