#include "paraiso/tune/tuning/tuning_run.hpp"

#include "paraiso/runtime/run/progress.hpp"

namespace paraiso::tune {

std::string outcome_text(const Measurement& measurement) {
  return measurement.ok() ? runtime::speed_text(measurement.score) : measurement.reason;
}

}  // namespace paraiso::tune
