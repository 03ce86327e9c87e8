// ReferenceTimer: times the default schedule now and then while a tuning goes on, so that one can
// tell later what the machine did meanwhile. Gives: ReferenceTimer. Needs: tuning_run.
#pragma once

#include "paraiso/tune/tuning/tuning_run.hpp"

namespace paraiso::tune {

class ReferenceTimer {
 public:
  /// The run outlives it.
  explicit ReferenceTimer(const TuningRun& run) : run_(run) {}

  /// Times it, and keeps that in the database; one that fails is reported and does no harm. Nothing
  /// else may run meanwhile.
  void take();
  /// One more individual is measured: the default schedule's turn comes after every 50.
  void count();
  /// Says how far those that were taken lie apart.
  void tell() const;

 private:
  const TuningRun& run_;
  std::vector<ReferenceTiming> taken_;
  int individuals_ = 0;
};

}  // namespace paraiso::tune
