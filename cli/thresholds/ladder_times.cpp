#include "cli/thresholds/ladder_times.hpp"

#include <algorithm>
#include <limits>

#include "cli/execution/measuring.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {
namespace {

// Of a version in a round, or one call: shorter than what a busy system gives a thread at once, so
// that some rounds are undisturbed.
constexpr double kRoundSeconds = 0.002;
constexpr std::int64_t kMostCalls = 100000;

/// The kernels of the versions; the base's last.
std::vector<std::string> kernels_of(const plan::Dispatch& dispatch) {
  std::vector<std::string> kernels;
  for (const plan::Version& version : dispatch.versions) kernels.push_back(version.kernel);
  kernels.push_back(dispatch.kernel);
  return kernels;
}

double seconds_of_calls(runtime::Instance& instance, const std::string& kernel,
                        std::int64_t calls) {
  return seconds_of([&] {
           for (std::int64_t call = 0; call < calls; ++call) instance.run(kernel);
           instance.finish();
         }) /
         static_cast<double>(calls);
}

std::vector<double> times_of(const Prepared& prepared, const std::vector<std::string>& kernels,
                             int rounds) {
  runtime::Instance& instance = *prepared.instance;
  std::vector<double> least(kernels.size(), std::numeric_limits<double>::infinity());
  start_problem(prepared);
  std::int64_t calls = 1;
  while (calls < kMostCalls &&
         static_cast<double>(calls) * seconds_of_calls(instance, kernels.back(), calls) <
             kRoundSeconds)
    calls *= 2;
  for (int round = 0; round < rounds; ++round) {
    start_problem(prepared);
    for (std::size_t turn = 0; turn < kernels.size(); ++turn) {
      const std::size_t k = (turn + static_cast<std::size_t>(round)) % kernels.size();
      instance.run(kernels[k]);  // another version has used the caches
      instance.finish();
      least[k] = std::min(least[k], seconds_of_calls(instance, kernels[k], calls));
    }
  }
  return least;
}

}  // namespace

tune::VersionTimes time_versions(Prepared& prepared, const runtime::Library& library,
                                 const tune::GuardTree& guards,
                                 const std::vector<tune::LadderSize>& sizes, int rounds,
                                 const std::function<void(std::size_t)>& tell) {
  const plan::Dispatch& dispatch = *library.dispatch();
  const runtime::Library base =
      library.with_thresholds(plan::forcing(dispatch, dispatch.versions.size()));
  tune::VersionTimes times;
  for (const auto& size : sizes) {
    prepared.instance = base.instance(size);
    times.sizes.push_back(
        tune::data_set_of(guards, runtime::size_text(size),
                          tune::parse_comparisons(prepared.instance->comparisons())));
    times.seconds.push_back(times_of(prepared, kernels_of(dispatch), rounds));
    prepared.instance.reset();
    tell(times.sizes.size());
  }
  return times;
}

}  // namespace paraiso::cli
