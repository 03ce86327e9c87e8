// forecast: how long steps of a program take on hardware that need not be here.
// Gives: kValidated, memory_bandwidth, assumed_machine, seconds_of_packing, Forecaster, Forecast.
// Needs: step_work, the cost model.
#pragma once

#include <map>

#include "paraiso/hardware/simulate/step_work.hpp"
#include "paraiso/plan/cost/describe.hpp"

namespace paraiso::hardware {

/// How far forecasts were from what was measured, in words that stand beside each of them.
extern const char* const kValidated;

/// Of the slowest interconnect between a processor and its storage: bytes a second.
[[nodiscard]] double memory_bandwidth(const Hardware& hardware, std::size_t component);

/// The documented machine made as fast as the graph says: its calculation and caches by the
/// processor's performance, its memory by the slowest interconnect between it and its storage.
[[nodiscard]] plan::MachineModel assumed_machine(const Hardware& hardware, std::size_t component);

/// To copy a message of so many rows and bytes: by as many threads as ranks do it by
/// (support/mpi/copy.hpp), where `sharing` ranks share those of a processor and its memory.
[[nodiscard]] double seconds_of_packing(const plan::MachineModel& machine, double rows,
                                        double bytes, std::size_t sharing);

/// Of a number of ranks on a grid.
struct Forecast {
  std::size_t ranks = 0;
  om::Cell size;
  double seconds = 0;              // of a step, on average,
  double least = 0, most = 0;      // and of the fastest and the slowest one
  double working = 0;              // part of that time in which ranks do not wait, on average
  double computing = 0;            // seconds of a step that the busiest part computes
  double messages = 0, bytes = 0;  // of a step
  [[nodiscard]] double cells() const;
};

struct Question {
  om::Orthotree tree;
  om::Cell size;
  std::int64_t steps = 100;  // or a few more, so that they are whole calls
  Collectives collectives = Collectives::star;
  Noise noise = {};
};

/// The steps for which one exchange is enough, or is to be: of one call of a kernel, or one by one.
struct StepsTogether {
  int steps = 1;
  bool one_by_one = false;
};

/// Of one kernel of one plan.
class Forecaster {
 public:
  /// `machines`: of the graph's components, used for processors. What it is given outlives it.
  Forecaster(Network& network, const std::vector<plan::MachineModel>& machines,
             const om::Machine& program, const plan::KernelPlan& kernel, plan::Predictor predict,
             StepsTogether together = {});

  /// Parts are put on processors in order, as evenly as may be; those on one processor share its
  /// threads and its memory. Throws Error if the tree can't divide that size.
  [[nodiscard]] Forecast forecast(const Question& question);

 private:
  [[nodiscard]] double seconds_of(std::size_t component, const om::Cell& cells,
                                  std::size_t sharing);
  [[nodiscard]] double share_ahead(const om::Box& part,
                                   const std::vector<std::array<bool, 2>>& received) const;

  const std::vector<plan::MachineModel>& machines_;
  const om::Machine& program_;
  const plan::KernelPlan& kernel_;
  plan::Predictor predict_;
  StepsTogether together_;
  Network& network_;
  std::map<std::tuple<std::size_t, om::Cell, std::size_t>, double> known_;  // by equal parts
};

}  // namespace paraiso::hardware
