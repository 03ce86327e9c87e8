// ReferenceTimer: times the default schedule now and then while a tuning goes on, so that one can
// tell later what the machine did meanwhile. Gives: ReferenceTimer. Needs: tuning, tune.
#pragma once

#include "cli/tuning.hpp"
#include "paraiso/tune/contest/rating.hpp"

namespace paraiso::cli {

class ReferenceTimer {
 public:
  /// All of them outlive it.
  ReferenceTimer(const Tuning& tuning, tune::Database& database, std::int64_t problem,
                 tune::ProcessEvaluator& evaluator)
      : tuning_(tuning), database_(database), problem_(problem), evaluator_(evaluator) {}

  /// Times it, and keeps that in the database; one that fails is told of and does no harm. Nothing
  /// else may run meanwhile.
  void take();
  /// One more individual is measured: the default schedule's turn comes after every 50.
  void count();
  /// Says how far those that were taken lie apart.
  void tell() const;

 private:
  const Tuning& tuning_;
  tune::Database& database_;
  std::int64_t problem_;
  tune::ProcessEvaluator& evaluator_;
  std::vector<tune::Reference> taken_;
  int individuals_ = 0;
};

}  // namespace paraiso::cli
